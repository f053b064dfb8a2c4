"""Views of answers about programs for devices: each takes an answer and yields lines of text. They print nothing."""
