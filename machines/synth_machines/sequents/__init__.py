"""Obligations as queries to SMT solvers, in SMT-LIB.

Sets are not terms. A set is a function from an element to a formula that says whether the element is in it. So union,
restriction, image, sets with a condition and λ need no axioms. `values` says what sets and functions are, `predicates`
translates formulas, and `scripts` makes a query of an obligation.
"""
