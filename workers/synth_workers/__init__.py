"""The parts that all long runs share: worker processes, the order of their work, and reasons to stop."""
