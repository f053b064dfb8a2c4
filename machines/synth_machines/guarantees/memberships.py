"""Set expressions of models as predicates: that a thread is in the fair set."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_checker.models import expression as sets
from synth_machines.formulas.formula import FALSITY, Binding, BoundName, FormulaName, FormulaOperation, conjunction
from synth_machines.formulas.types import INTEGER
from synth_machines.guarantees.watched_machine import OTHER, STEPPED

if TYPE_CHECKING:
    from collections.abc import Callable

    from synth_machines.formulas.formula import Formula


class Memberships:
    """Says of a thread that it is in a set. `threads` are all threads, and `live` says that a thread is live."""

    def __init__(self, threads: Formula, live: Callable[[str], Formula]) -> None:
        self.threads = threads
        self.live = live

    def is_thread(self, name: str) -> Formula:
        """Return the predicate that a name stands for a thread."""
        return FormulaOperation("∈", (FormulaName(name), self.threads))

    def promised(self, expression: sets.Expression, name: str) -> Formula:
        """Return the predicate that a live thread is in the set of an expression."""
        return conjunction([self.is_thread(name), self.live(name), self._member(expression, name, 0)])

    def _member(self, expression: sets.Expression, name: str, depth: int) -> Formula:
        match expression:
            case sets.Name("live"):
                return self.live(name)
            case sets.Name("stepped"):
                return FormulaOperation("∈", (FormulaName(name), FormulaName(STEPPED)))
            case sets.Name("all"):
                return self.is_thread(name)
            case sets.Name():
                return FALSITY
            case sets.Operation(operator, left, right):
                first, other = self._member(left, name, depth), self._member(right, name, depth)
                if operator == "-":
                    other = FormulaOperation("¬", (other,))
                return FormulaOperation("∨" if operator == "|" else "∧", (first, other))
            case sets.Function(function, of):
                return self._of_function(function, of, name, depth)

    def _of_function(self, function: str, of: sets.Expression, name: str, depth: int) -> Formula:
        other_name = f"{OTHER}{depth}"
        other = self._member(of, other_name, depth + 1)
        bound = (BoundName(other_name, INTEGER),)
        mine = (FormulaName(name), FormulaName(other_name))
        if function == "upto":
            return Binding("∃", bound, conjunction([self.is_thread(other_name), FormulaOperation("≤", mine), other]))
        beyond = conjunction(
            [self.is_thread(other_name), FormulaOperation("<" if function == "highest" else ">", mine)]
        )
        none = Binding("∀", bound, FormulaOperation("⇒", (beyond, FormulaOperation("¬", (other,)))))
        return conjunction([self._member(of, name, depth + 1), none])
