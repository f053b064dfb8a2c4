"""Sets with a condition, and unions and intersections over bound names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_machines.formulas.formula import Binding, Name, Operation
from synth_machines.formulas.types import PowerType
from synth_machines.sequents.terms import conj, implies
from synth_machines.sequents.translation import Bindings, Translator, kind_of
from synth_machines.sequents.values import FunctionPart, SetValue, UnsupportedError, Value, pair_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from synth_machines.formulas.formula import Formula
    from synth_machines.formulas.types import Type


class Comprehensions(Translator):
    """Translates expressions that bind names."""

    def binding(self, formula: Binding, env: Bindings) -> Value:
        """Return a set with a condition, or a union or intersection of sets."""
        value = formula.value
        if value is None:
            raise UnsupportedError("a quantifier in place of an expression")
        if formula.binder == "{}":
            return self._comprehension(formula, value, env)
        kind = self.type_of(formula, env)
        if not isinstance(kind, PowerType):
            raise UnsupportedError("a union of what is no set")
        is_union = formula.binder == "⋃"

        def contains(element: Value) -> str:
            def inner(bound: Bindings) -> str:
                condition, inside = self.predicate(formula.condition, bound), self.set(value, bound).contains(element)
                return conj([condition, inside]) if is_union else implies(condition, inside)

            return self.quantified("exists" if is_union else "forall", formula.bound, env, inner)

        return SetValue(kind.of, contains)

    def _comprehension(self, formula: Binding, value: Formula, env: Bindings) -> SetValue:
        """Return `{x·P∣E}`. Where E is a pattern of bound names, an element gives them their values."""
        kinds = {name.name: kind_of(name) for name in formula.bound}
        element = self.type_of(value, {**env, **{name: ("", kind) for name, kind in kinds.items()}})

        def condition(pattern: Formula, value: Value) -> tuple[Bindings, Callable[[Bindings], str]]:
            found: Bindings = {}
            rest: list[tuple[Formula, Value]] = []
            _match(pattern, value, kinds, found, rest)

            def holds(bound: Bindings) -> str:
                equations = [self.symbols.same(self.value(part, bound), given) for part, given in rest]
                return conj([self.predicate(formula.condition, bound), *equations])

            return found, holds

        def contains(element: Value) -> str:
            found, holds = condition(value, element)
            left = tuple(name for name in formula.bound if name.name not in found)
            return self.quantified("exists", left, {**env, **found}, holds)

        match value:
            case Operation("↦", (pattern, result)) if _names_in(pattern, set(kinds)) == set(kinds):

                def domain(place: Value) -> str:
                    found, holds = condition(pattern, place)
                    return holds({**env, **found})

                def apply(place: Value) -> Value:
                    return self.value(result, {**env, **condition(pattern, place)[0]})

                return self.sets.as_function(element, FunctionPart(domain, apply))
        return SetValue(element, contains)


def _names_in(pattern: Formula, names: set[str]) -> set[str]:
    """Return the bound names that an element gives their values, where it must match a pattern."""
    match pattern:
        case Name(name):
            return {name} & names
        case Operation("↦", (left, right)):
            return _names_in(left, names) | _names_in(right, names)
        case _:
            return set()


def _match(
    pattern: Formula,
    value: Value,
    kinds: dict[str, Type],
    found: Bindings,
    rest: list[tuple[Formula, Value]],
) -> None:
    """Give bound names their values; `rest` gets what must be equal."""
    match pattern:
        case Name(name) if name in kinds and name not in found:
            found[name] = (value, kinds[name])
        case Operation("↦", (left, right)):
            _match(left, pair_of(value)[0], kinds, found, rest)
            _match(right, pair_of(value)[1], kinds, found, rest)
        case _:
            rest.append((pattern, value))
