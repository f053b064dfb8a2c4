"""The number of elements of a set, `card(S)`, as a symbol with facts about it.

The facts are those that hold for finite sets and need no induction. They say how many elements the empty set,
singletons, intervals and listed sets have. `card(A ∪ B) + card(A ∩ B) = card(A) + card(B)`. A subset has no more
elements, and as many only if it is the whole set. They are stated for the sets of the formulas, and never for bound
names.

Even if some of these sets are infinite, there are numbers that fulfil all of these facts: give each infinite part that
the sets cut from each other the same large number. So the facts alone never make a query unsatisfiable.

They are no complete theory. Over few values, elements are counted one by one. There, a table may not have all elements,
so the evaluator must confirm what is found.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_machines.formulas.formula import Operation
from synth_machines.formulas.names import free_names
from synth_machines.sequents.terms import conj, disj, equals, if_else, implies, negation
from synth_machines.sequents.translation import Bindings, Translator
from synth_machines.sequents.values import Value, term_of

if TYPE_CHECKING:
    from synth_machines.formulas.formula import Formula
    from synth_machines.sequents.declarations import Symbols
    from synth_machines.sequents.values import SetValue

#: Sets are compared with so many others at most.
_MOST_COMPARED = 8


class Cardinalities(Translator):
    """Translates `card`."""

    def __init__(self, symbols: Symbols) -> None:
        super().__init__(symbols)
        self._counted: dict[Formula, tuple[SetValue, str]] = {}

    def card(self, members: Formula, env: Bindings) -> Value:
        """Return the number of elements of a set."""
        if not any(name in env for name in free_names(members)):
            # Nothing in the set depends on bound names, so the symbols for it must not, either.
            scope, self.symbols.scope = self.symbols.scope, []
            try:
                return self._of_known_set(members)
            finally:
                self.symbols.scope = scope
        found = self.set(members, env)
        return self._counted_directly(members, found, env) or self._symbol(members, found, env)

    def _of_known_set(self, members: Formula) -> str:
        """Return the number for a set without bound names, with facts that compare it with other sets."""
        if members not in self._counted:
            found = self.set(members, {})
            directly = self._counted_directly(members, found, {})
            term = self._symbol(members, found, {}) if directly is None else directly
            self._counted[members] = (found, term)
            if self.symbols.elements(found.element) is None:
                self._state_parts(members, term)
                self._compare(members, found, term)
        return self._counted[members][1]

    def _counted_directly(self, members: Formula, found: SetValue, env: Bindings) -> str | None:
        """Return the number of elements of a set whose elements can be counted one by one, or of an interval."""
        match members:
            case Operation("‥", (low, high)):
                first, last = (term_of(self.value(formula, env)) for formula in (low, high))
                return f"(ite (<= {first} {last}) (+ (- {last} {first}) 1) 0)"
        if found.listed is not None:
            new = []
            for place, one in enumerate(found.listed):
                is_old = disj(self.symbols.same(one, other) for other in found.listed[:place])
                new.append(if_else(is_old, "0", "1"))
            return _sum(new)
        elements = self.symbols.elements(found.element)
        return None if elements is None else _sum([if_else(found.contains(element), "1", "0") for element in elements])

    def _symbol(self, members: Formula, found: SetValue, env: Bindings) -> str:
        def axiom(term: str) -> str:
            is_one = self.symbols.exists(
                found.element, lambda element: self.symbols.same(found, self.sets.single(found.element, element))
            )
            is_empty = negation(self.sets.not_empty(found))
            return conj([f"(>= {term} 0)", equals(is_empty, f"(= {term} 0)"), equals(is_one, f"(= {term} 1)")])

        return self.known("card", members, env, "Int", axiom)

    def _state_parts(self, members: Formula, term: str) -> None:
        """State what the number is by the parts of an expression."""
        of = self._of_known_set
        match members:
            case Operation("∪", (first, *others)):
                rest = others[0] if len(others) == 1 else Operation("∪", tuple(others))
                both = of(Operation("∩", (first, rest)))
                self.symbols.state(f"(= (+ {term} {both}) (+ {of(first)} {of(rest)}))")
            case Operation("∖", (whole, taken)):
                self.symbols.state(f"(= (+ {term} {of(Operation('∩', (whole, taken)))}) {of(whole)})")

    def _compare(self, members: Formula, found: SetValue, term: str) -> None:
        """State that a subset has no more elements, for sets of the same type."""
        same_type = [
            first for other, first in self._counted.items() if other != members and first[0].element == found.element
        ]
        for other, count in same_type[-_MOST_COMPARED:]:
            for less, more, small, large in ((found, other, term, count), (other, found, count, term)):
                is_whole = implies(f"(= {small} {large})", self.sets.is_subset(more, less))
                self.symbols.state(implies(self.sets.is_subset(less, more), conj([f"(<= {small} {large})", is_whole])))


def _sum(parts: list[str]) -> str:
    return f"(+ 0 0 {' '.join(parts)})"
