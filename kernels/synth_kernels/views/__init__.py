"""Views of answers about kernels: each takes an answer and yields lines of text. They print nothing."""
