"""Encodings: the rules of the definitions as clauses, such that the solutions are the tests of a split.

Each module makes the clauses for one idea, and follows one sentence of the definitions. No module calls a solver.
"""
