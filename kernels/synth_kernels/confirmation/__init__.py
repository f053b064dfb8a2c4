"""Counterexamples that are confirmed: executions of all threads of a launch that have the fault."""
