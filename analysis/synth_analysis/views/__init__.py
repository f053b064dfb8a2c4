"""Views of answers about launches: each takes an answer and yields lines of text. They print nothing."""
