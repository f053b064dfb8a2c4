"""Views of answers about campaigns: each takes an answer and yields lines of text. They print nothing."""
