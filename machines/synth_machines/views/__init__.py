"""Views of answers about machines: each takes an answer and yields lines of text. They print nothing."""
