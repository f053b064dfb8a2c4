"""Corpora: folders with the sorted records of tests, and with a manifest that says which question they answer."""
