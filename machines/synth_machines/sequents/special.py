"""Expressions for which SMT-LIB has no words: max, min, and the application of a relation.

Each gets a symbol of its own, with axioms that say what it means.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_machines.formulas.formula import Operation
from synth_machines.formulas.types import INTEGER, ProductType
from synth_machines.sequents.terms import TRUE, conj, equals, implies
from synth_machines.sequents.translation import Bindings, Translator
from synth_machines.sequents.values import SetValue, UnsupportedError, Value, term_of

if TYPE_CHECKING:
    from synth_machines.formulas.formula import Formula

#: A power with a smaller exponent is written as a product.
_MOST_STEPS = 7


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
            INTEGER, lambda number: implies(members.contains(number), f"({order} {bound} {term_of(number)})")
        )

    def power(self, operands: tuple[Formula, ...], env: Bindings) -> Value:
        """Return a power whose exponent is no number. Of it we say what follows without induction."""
        base, exponent = (term_of(self.value(operand, env)) for operand in operands)
        products = [(step, f"(* 1 1{f' {base}' * step})") for step in range(_MOST_STEPS)]

        def axiom(term: str) -> str:
            # Over few values, only exponents are tried for which the power is known.
            is_known = f"(< {exponent} {_MOST_STEPS})" if self.symbols.has_finite_carriers else TRUE
            return conj(
                [
                    is_known,
                    *(implies(f"(= {exponent} {step})", f"(= {term} {product})") for step, product in products),
                    f"(=> (and (> {exponent} 0) (= {base} 0)) (= {term} 0))",
                    f"(=> (and (>= {exponent} 0) (= {base} 1)) (= {term} 1))",
                    f"(=> (and (>= {exponent} 0) (> {base} 1)) (> {term} {exponent}))",
                    f"(=> (and (>= {exponent} 1) (> {base} 1)) (>= {term} {base}))",
                ]
            )

        return self.known("^", Operation("^", operands), env, "Int", axiom)

    def extreme(self, operator: str, members: Formula, env: Bindings) -> Value:
        """Return the least or the greatest number of a set."""
        found = self.set(members, env)
        bounded = self.bounded(operator, members, env)

        def axiom(term: str) -> str:
            is_defined = conj([self.sets.not_empty(found), bounded])
            return implies(is_defined, conj([found.contains(term), self._is_bound(operator, found, term)]))

        return self.known(operator, members, env, "Int", axiom)
