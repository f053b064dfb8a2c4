"""Views of answers about litmus tests: each takes an answer and yields lines of text. They print nothing."""
