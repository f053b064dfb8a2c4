"""Execution that all long runs share: worker processes, the order of their units, and when to stop."""
