"""Conformance suites: the fewest tests of a verdict that tell it from what is nearly it."""
