"""The rules of the definitions as clauses: which programs of a split are tests.

Each module emits clauses for one idea and can be read beside its sentence in the definitions; none solves.
"""
