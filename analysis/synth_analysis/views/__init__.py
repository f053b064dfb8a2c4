"""Views of answers about the launches of campaigns: each takes an answer and yields lines of text. They print nothing."""
