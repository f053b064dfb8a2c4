"""Predicates as truth values of SMT-LIB."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_machines.formulas.definedness import bounded_set
from synth_machines.formulas.formula import Binding, Constant, Operation
from synth_machines.formulas.names import free_names
from synth_machines.formulas.operators import ARROWS
from synth_machines.formulas.types import INTEGER
from synth_machines.sequents.arithmetic import comparison
from synth_machines.sequents.arrows import is_between
from synth_machines.sequents.expressions import Expressions
from synth_machines.sequents.terms import FALSE, TRUE, conj, disj, equals, implies, negation
from synth_machines.sequents.translation import Bindings
from synth_machines.sequents.values import SetValue, UnsupportedError, Value, set_of, term_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from synth_machines.formulas.formula import Formula
    from synth_machines.sequents.declarations import Symbols
    from synth_machines.sequents.translation import Bindings


class Encoder(Expressions):
    """Translates formulas, and knows of some expressions that the hypotheses make them finite sets."""

    def __init__(self, symbols: Symbols) -> None:
        super().__init__(symbols)
        self._is_finite: Callable[[Formula], bool] = lambda _: False

    def with_finite(self, is_finite: Callable[[Formula], bool]) -> Encoder:
        """Return an encoder with the same symbols that takes finite sets from the hypotheses, for a goal."""
        found = Encoder(self.symbols)
        found._known = self._known
        found._counted = self._counted
        found._is_finite = is_finite
        return found

    def predicate(self, formula: Formula, bound: Bindings | None = None) -> str:
        """Return a predicate as a term.

        Raises:
            UnsupportedError: the formula has something that queries can't say.
        """
        inner = dict(bound or {})
        match formula:
            case Constant(word):
                return TRUE if word == "⊤" else FALSE
            case Binding(binder):
                if (found := bounded_set(formula)) is not None:
                    return TRUE if self._is_known_finite(found[1], inner) else self.bounded(*found, inner)
                word = "forall" if binder == "∀" else "exists"
                return self.quantified(word, formula.bound, inner, lambda env: self.predicate(formula.condition, env))
            case Operation(operator, operands):
                return self._relation(operator, operands, inner)
        raise UnsupportedError("an expression in place of a predicate")

    def _relation(self, operator: str, operands: tuple[Formula, ...], env: Bindings) -> str:
        match operator:
            case "∧" | "∨":
                parts = [self.predicate(operand, env) for operand in operands]
                return conj(parts) if operator == "∧" else disj(parts)
            case "¬":
                return negation(self.predicate(operands[0], env))
            case "⇒":
                return implies(self.predicate(operands[0], env), self.predicate(operands[1], env))
            case "⇔":
                return equals(self.predicate(operands[0], env), self.predicate(operands[1], env))
            case "finite":
                return self._finite(operands[0], env)
            case "partition":
                return self._partition([self.set(operand, env) for operand in operands])
            case "∉" | "≠" | "⊈" | "⊄":
                positive = {"∉": "∈", "≠": "=", "⊈": "⊆", "⊄": "⊂"}[operator]
                return negation(self._relation(positive, operands, env))
            case "∈":
                return self._membership(operands[0], operands[1], env)
            case "=":
                return self._equation(self.value(operands[0], env), self.value(operands[1], env), operands)
            case "⊆" | "⊂":
                left, right = self.set(operands[0], env), self.set(operands[1], env)
                found = self.sets.is_subset(left, right)
                return found if operator == "⊆" else conj([found, negation(self.sets.is_subset(right, left))])
            case _:
                return comparison(operator, *(term_of(self.value(operand, env)) for operand in operands))

    def _equation(self, left: Value, right: Value, operands: tuple[Formula, ...]) -> str:
        for operand, value in zip(operands, (right, left), strict=True):
            match operand:
                case Constant("∅"):
                    return negation(self.sets.not_empty(set_of(value)))
        return self.symbols.same(left, right)

    def _membership(self, element: Formula, members: Formula, env: Bindings) -> str:
        match members:
            case Operation(arrow, (left, right)) if arrow in ARROWS:
                relation = self.set(element, env)
                return is_between(self.sets, relation, arrow, self.set(left, env), self.set(right, env))
            case _:
                return self.set(members, env).contains(self.value(element, env))

    def _partition(self, parts: list[SetValue]) -> str:
        whole, *others = parts
        union = self.symbols.for_all(
            whole.element,
            lambda element: equals(whole.contains(element), disj(part.contains(element) for part in others)),
        )
        apart = [self._are_apart(left, right) for place, left in enumerate(others) for right in others[place + 1 :]]
        return conj([union, *apart])

    def _are_apart(self, left: SetValue, right: SetValue) -> str:
        if left.single is not None and right.single is not None:
            return negation(self.symbols.same(left.single, right.single))
        return self.symbols.for_all(
            left.element, lambda element: negation(conj([left.contains(element), right.contains(element)]))
        )

    def _is_known_finite(self, members: Formula, env: Bindings) -> bool:
        """Return whether the hypotheses make a set finite. They say nothing about bound names."""
        return not any(name in env for name in free_names(members)) and self._is_finite(members)

    def _finite(self, members: Formula, env: Bindings) -> str:
        if self._is_known_finite(members, env):
            return TRUE
        return self._finite_set(members, self.set(members, env), env)

    def _finite_set(self, formula: Formula, members: SetValue, env: Bindings) -> str:
        """Say that each integer component is bounded. Of elements of carrier sets nothing is known."""
        sorts = self.symbols.sorts(members.element)
        if not self.symbols.has_finite_carriers and any(sort not in {"Int", "Bool"} for sort in sorts):
            return self.known("finite", formula, env, "Bool", lambda _: TRUE)
        numbers = [place for place, sort in enumerate(sorts) if sort == "Int"]

        def bounded(low: Value, high: Value) -> str:
            def inside(value: Value) -> str:
                parts = self.symbols.components(value)
                between = [f"(<= {low} {parts[place]} {high})" for place in numbers]
                return implies(members.contains(value), conj(between))

            return self.symbols.for_all(members.element, inside)

        return self.symbols.exists(INTEGER, lambda low: self.symbols.exists(INTEGER, lambda high: bounded(low, high)))
