"""Choose conformance suites: the fewest tests that tell a verdict from others that are nearly the same."""
