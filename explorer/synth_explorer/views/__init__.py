"""Views of answers about the explorer: each takes an answer and yields lines of text. They print nothing."""
