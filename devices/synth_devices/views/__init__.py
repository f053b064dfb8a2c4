"""Views of answers about devices: each takes an answer and yields lines of text. They print nothing."""
