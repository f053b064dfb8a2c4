"""Evaluate formulas over finite values: the slow and obvious meaning of formulas.

An integer is an `int`, a truth value a `bool`, and a pair a `tuple`. An element of a carrier set is an `Element`. A
finite set is a `frozenset`, and a set such as ℕ is a `LazySet`, which only knows its elements when it sees them.
"""
