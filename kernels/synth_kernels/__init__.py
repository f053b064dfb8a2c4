"""Verify that GPU kernels have no data races and that no barrier diverges.

A kernel comes as a small typed program, which `program` defines and `text` reads. `flow` finds its loops. `pair` runs
two arbitrary threads of it at once, symbolically, and collects what must hold. `terms` are the formulas. `concrete_run`
runs a kernel with given numbers, for all threads of a launch or for some. `kernel_verdict` puts these together.
"""
