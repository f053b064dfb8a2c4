"""Corpora: the records of tests, sorted and written as a whole, with a manifest that says what they answer."""
