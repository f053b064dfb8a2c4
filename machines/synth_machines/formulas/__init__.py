"""Formulas of Event-B: what they are, their text, types, well-definedness and substitution.

from synth_machines.formulas.parser import read_predicate
from synth_machines.formulas.printer import shown

shown(read_predicate("x : NAT & x /= 3"))   # x ∈ ℕ ∧ x ≠ 3
"""
