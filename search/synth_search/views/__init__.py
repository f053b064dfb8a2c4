"""Views of answers about the search for tests: each takes an answer and yields lines of text. They print nothing."""
