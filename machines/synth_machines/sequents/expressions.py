"""Expressions as values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_machines.formulas.formula import Binding, Constant, Name, Number, Operation
from synth_machines.formulas.operators import ARROWS
from synth_machines.formulas.types import BOOLEAN, INTEGER, CarrierType, PowerType, ProductType
from synth_machines.sequents.arithmetic import MOST_EXPONENT, arithmetic
from synth_machines.sequents.arrows import is_between
from synth_machines.sequents.cardinalities import Cardinalities
from synth_machines.sequents.comprehensions import Comprehensions
from synth_machines.sequents.special import SpecialTerms
from synth_machines.sequents.terms import FALSE, TRUE, conj, disj, implies, number
from synth_machines.sequents.values import FunctionPart, SetValue, UnsupportedError, Value, pair_of, set_of, term_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from synth_machines.formulas.formula import Formula
    from synth_machines.formulas.types import Type
    from synth_machines.sequents.translation import Bindings


def _is_small_number(exponent: Formula) -> bool:
    return isinstance(exponent, Number) and 0 <= exponent.value <= MOST_EXPONENT


class Expressions(SpecialTerms, Cardinalities, Comprehensions):
    """Translates expressions."""

    def value(self, formula: Formula, env: Bindings) -> Value:
        """Return an expression as a value.

        Raises:
            UnsupportedError: the expression has something that queries can't say.
        """
        match formula:
            case Name(name):
                if name in env:
                    return env[name][0]
                if self.symbols.types[name] == PowerType(CarrierType(name)):
                    return self.sets.everything(CarrierType(name))
                return self.symbols.constant(name)
            case Number(value):
                return number(value)
            case Constant(word, kind):
                return self._constant(word, kind)
            case Binding():
                return self.binding(formula, env)
            case Operation(operator, operands):
                return self._operation(operator, operands, env)

    def _constant(self, word: str, kind: Type | None) -> Value:
        integers = SetValue(INTEGER, lambda _: TRUE)
        match word:
            case "TRUE" | "FALSE":
                return TRUE if word == "TRUE" else FALSE
            case "ℤ":
                return integers
            case "ℕ" | "ℕ1":
                least = 0 if word == "ℕ" else 1
                return SetValue(INTEGER, lambda number: f"(>= {term_of(number)} {least})")
            case "BOOL":
                return self.sets.everything(BOOLEAN)
            case "succ" | "pred":
                sign = "+" if word == "succ" else "-"
                part = FunctionPart(lambda _: TRUE, lambda number: f"({sign} {term_of(number)} 1)")
                return self.sets.as_function(ProductType(INTEGER, INTEGER), part)
        if not isinstance(kind, PowerType):
            raise UnsupportedError(f"{word}, whose type is not known")
        if word == "∅":
            return self.sets.empty(kind.of)
        values: dict[str, Callable[[Value], Value]] = {
            "id": lambda value: value,
            "prj1": lambda value: pair_of(value)[0],
            "prj2": lambda value: pair_of(value)[1],
        }
        return self.sets.as_function(kind.of, FunctionPart(lambda _: TRUE, values[word]))

    def _operation(self, operator: str, operands: tuple[Formula, ...], env: Bindings) -> Value:
        match operator:
            case "bool":
                return self.predicate(operands[0], env)
            case "↦":
                return self.value(operands[0], env), self.value(operands[1], env)
            case "^" if not _is_small_number(operands[1]):
                return self.power(operands, env)
            case "+" | "−" | "∗" | "÷" | "mod" | "^":
                return arithmetic(operator, [term_of(self.value(operand, env)) for operand in operands])
            case "()":
                return self.application(operands[0], operands[1], env)
            case "min" | "max":
                return self.extreme(operator, operands[0], env)
            case "card":
                return self.card(operands[0], env)
            case "{,}":
                return self._members([self.value(operand, env) for operand in operands], operands, env)
            case "‥":
                low, high = (term_of(self.value(operand, env)) for operand in operands)
                return SetValue(INTEGER, lambda number: conj([f"(<= {low} {number})", f"(<= {number} {high})"]))
            case "union" | "inter":
                return self._flattened(operator, self.set(operands[0], env))
            case _ if operator in ARROWS:
                left, right = (self.set(operand, env) for operand in operands)
                pair = ProductType(left.element, right.element)
                return SetValue(
                    PowerType(pair), lambda relation: is_between(self.sets, set_of(relation), operator, left, right)
                )
            case _:
                return self._of_sets(operator, [self.set(operand, env) for operand in operands])

    def _of_sets(self, operator: str, parts: list[SetValue]) -> SetValue:
        sets = self.sets
        first, last = parts[0], parts[-1]
        match operator:
            case "∪":
                return sets.union(parts)
            case "∩" | "∖":
                found = first
                for part in parts[1:]:
                    found = sets.within(found, part, is_inside=operator == "∩")
                return found
            case "×":
                return sets.product(first, last)
            case "ℙ" | "ℙ1":
                return sets.powers(first, is_empty_left_out=operator == "ℙ1")
            case "dom":
                return sets.domain(first)
            case "ran":
                return sets.range(first)
            case "∼":
                return sets.inverse(first)
            case "[]":
                return sets.image(first, last)
            case "◁" | "⩤":
                return sets.restricted(last, first, of_domain=True, is_inside=operator == "◁")
            case "▷" | "⩥":
                return sets.restricted(first, last, of_domain=False, is_inside=operator == "▷")
            case "⊗":
                return sets.direct_product(first, last)
            case "∥":
                return sets.parallel_product(first, last)
        found, *others = parts[::-1] if operator == "∘" else parts
        for other in others:
            found = sets.overridden(found, other) if operator == "<+" else sets.composed(found, other)
        return found

    def _members(self, values: list[Value], operands: tuple[Formula, ...], env: Bindings) -> SetValue:
        element = self.type_of(operands[0], env)
        if len(values) == 1:
            return self.sets.single(element, values[0])
        return SetValue(
            element, lambda element: disj(self.symbols.same(element, value) for value in values), listed=tuple(values)
        )

    def _flattened(self, operator: str, sets: SetValue) -> SetValue:
        """Return the union or the intersection of the sets in a set."""
        if not isinstance(sets.element, PowerType):
            raise UnsupportedError("a set of sets of an unknown type")

        def contains(value: Value) -> str:
            if sets.listed is not None:
                return (disj if operator == "union" else conj)(set_of(part).contains(value) for part in sets.listed)
            if operator == "union":
                return self.symbols.exists(
                    sets.element, lambda part: conj([sets.contains(part), set_of(part).contains(value)])
                )
            return self.symbols.for_all(
                sets.element, lambda part: implies(sets.contains(part), set_of(part).contains(value))
            )

        return SetValue(sets.element.of, contains)
