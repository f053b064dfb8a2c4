"""Programs, progress models and verdicts: what everything else in `synth` stands on.

Knows no solver, no file and no terminal.
"""
