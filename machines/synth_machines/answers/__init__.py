"""Event-B machines on behalf of commands: files, and the work that takes solvers or much time.

This is the work behind `synth machine`. The package `synth_machines` knows what machines mean.
"""
