"""Expressions for which SMT-LIB has no words: max, min, card, and the application of a relation.

Each gets a symbol of its own, with axioms that say what it means. Of card the axioms say only little. So a proof that
uses it holds, and a model that uses it must still be confirmed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_machines.formulas.formula import Operation
from synth_machines.formulas.types import INTEGER, ProductType
from synth_machines.sequents.terms import TRUE, conj, equals, implies, negation, number
from synth_machines.sequents.translating import Bindings, Translator
from synth_machines.sequents.values import SetValue, UnsupportedError, Value, term_of

if TYPE_CHECKING:
    from synth_machines.formulas.formula import Formula


class SpecialTerms(Translator):
    """Translates expressions that get a symbol of their own."""

    def application(self, function: Formula, argument: Formula, env: Bindings) -> Value:
        """Return the value of a function at a place."""
        relation, place = self.set(function, env), self.value(argument, env)
        if relation.function is not None:
            return relation.function.apply(place)
        if not isinstance(relation.element, ProductType):
            raise UnsupportedError("an application of a set that is no relation")
        pair = relation.element
        whole = Operation("()", (function, argument))
        terms = [
            self.known(f"()[{number}]", whole, env, sort, lambda _: TRUE)
            for number, sort in enumerate(self.symbols.sorts(pair.right))
        ]
        value = self.symbols.assembled(pair.right, terms)
        self.known(
            "() defined",
            whole,
            env,
            "Bool",
            lambda _: self.symbols.for_all(
                pair.right,
                lambda other: implies(relation.contains((place, other)), relation.contains((place, value))),
            ),
        )
        return value

    def bounded(self, operator: str, members: Formula, env: Bindings) -> str:
        """Return the term that says that the numbers of a set have a lower bound, or for `max` an upper one.

        It has a symbol of its own, so that a solver sees that the same is asked for in several places.
        """

        def axiom(term: str) -> str:
            inside = self.set(members, env)
            some = self.symbols.exists(INTEGER, lambda bound: self._is_bound(operator, inside, term_of(bound)))
            return equals(term, some)

        return self.known(f"bounded {operator}", members, env, "Bool", axiom)

    def _is_bound(self, operator: str, members: SetValue, bound: str) -> str:
        order = "<=" if operator == "min" else ">="
        return self.symbols.for_all(
            INTEGER, lambda one: implies(members.contains(one), f"({order} {bound} {term_of(one)})")
        )

    def extreme(self, operator: str, members: Formula, env: Bindings) -> Value:
        """Return the least or the greatest number of a set."""
        found = self.set(members, env)
        bounded = self.bounded(operator, members, env)

        def axiom(term: str) -> str:
            is_defined = conj([self.sets.not_empty(found), bounded])
            return implies(is_defined, conj([found.contains(term), self._is_bound(operator, found, term)]))

        return self.known(operator, members, env, "Int", axiom)

    def card(self, members: Formula, env: Bindings) -> Value:
        """Return the number of elements of a set."""
        found = self.set(members, env)
        if found.single is not None:
            return number(1)

        def axiom(term: str) -> str:
            return conj([f"(>= {term} 0)", equals(negation(self.sets.not_empty(found)), f"(= {term} 0)")])

        return self.known("card", members, env, "Int", axiom)
