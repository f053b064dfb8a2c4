"""Views of answers about corpora: each takes an answer and yields lines of text. They print nothing."""
