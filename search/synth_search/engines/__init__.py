"""The engines, each of which finds the ids of all tests of a question, in units of work that processes share."""
