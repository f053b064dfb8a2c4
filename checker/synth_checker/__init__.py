"""Programs, progress models and verdicts: the package on which all other packages of `synth` depend.

It imports no solver, reads and writes no files of users, and prints nothing.
"""
