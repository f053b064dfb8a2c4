"""The engines: each answers a question with the ids of its tests, in units of work that processes share."""
