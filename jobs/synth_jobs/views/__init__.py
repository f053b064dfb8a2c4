"""Views of answers about jobs: each takes an answer and yields lines of text. They print nothing."""
