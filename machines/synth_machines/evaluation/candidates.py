"""The values that bound names may have, from a membership, an equation, finite bounds or a finite type."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Protocol

from synth_machines.evaluation.values import Evaluated, IllDefinedError, TooLargeError, UnboundedError
from synth_machines.formulas.formula import Constant, Name, Number, Operation
from synth_machines.formulas.names import free_names
from synth_machines.formulas.types import BooleanType, CarrierType, IntegerType, PowerType, ProductType

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from synth_machines.evaluation.values import Element
    from synth_machines.formulas.formula import Formula
    from synth_machines.formulas.types import Type

#: All sets of values are tried if there are at most so many values.
_MOST_LISTED = 8


class _Evaluates(Protocol):
    carriers: Mapping[str, frozenset[Element]]

    def value(self, formula: Formula, values: Mapping[str, Evaluated]) -> Evaluated: ...


def assignments(
    names: Mapping[str, Type | None],
    conditions: Sequence[Formula],
    values: Mapping[str, Evaluated],
    evaluator: _Evaluates,
    numbers: Mapping[str, Sequence[int]] | None = None,
) -> Iterator[dict[str, Evaluated]]:
    """Yield all environments in which the conditions may hold; not all of those that are yielded fulfil them.

    An integer that no condition limits has the `numbers` of its name. Then not all environments are found.

    Raises:
        UnboundedError: no condition limits a name.
        TooLargeError: a condition limits it, but to a set that is too large.
    """
    if not names:
        yield dict(values)
        return
    found = _from_conditions(names, conditions, values, evaluator)
    if found is None:
        found = _from_types(names, evaluator, numbers)
    if found is None:
        raise _no_limit(names, conditions, values, evaluator)
    for assignment in found:
        left = {name: kind for name, kind in names.items() if name not in assignment}
        yield from assignments(left, conditions, {**values, **assignment}, evaluator, numbers)


def _from_conditions(
    names: Mapping[str, Type | None],
    conditions: Sequence[Formula],
    values: Mapping[str, Evaluated],
    evaluator: _Evaluates,
) -> list[dict[str, Evaluated]] | None:
    """Return the values of a name, or of several that stand in a pair, that a condition allows."""
    for condition in conditions:
        match condition:
            case Operation("∈" | "=" as operator, (left, right)):
                sides = [(left, right)] if operator == "∈" else [(left, right), (right, left)]
                for pattern, source in sides:
                    found = _from_source(pattern, source, names, values, evaluator, is_one=operator == "=")
                    if found is not None:
                        return found
    for name in names:
        if (numbers := _between(name, names, conditions, values, evaluator)) is not None:
            return [{name: number} for number in numbers]
    return None


def _from_source(  # noqa: PLR0913
    pattern: Formula,
    source: Formula,
    names: Mapping[str, Type | None],
    values: Mapping[str, Evaluated],
    evaluator: _Evaluates,
    *,
    is_one: bool,
) -> list[dict[str, Evaluated]] | None:
    if not _is_pattern(pattern, names) or any(name in names for name in free_names(source)):
        return None
    value = _value_or_none(source, values, evaluator)
    if value is None or not (is_one or isinstance(value, frozenset)):
        return None
    members = [value] if is_one or not isinstance(value, frozenset) else list(value)
    found = (_matched(pattern, member, names) for member in members)
    return [value for value in found if value is not None]


def _value_or_none(formula: Formula, values: Mapping[str, Evaluated], evaluator: _Evaluates) -> Evaluated | None:
    try:
        return evaluator.value(formula, values)
    except (IllDefinedError, UnboundedError):
        return None


def _is_pattern(pattern: Formula, names: Mapping[str, Type | None]) -> bool:
    match pattern:
        case Name(name):
            return name in names
        case Operation("↦", (left, right)):
            return _is_pattern(left, names) or _is_pattern(right, names)
        case _:
            return False


def _matched(pattern: Formula, value: Evaluated, names: Mapping[str, Type | None]) -> dict[str, Evaluated] | None:
    match pattern:
        case Name(name) if name in names:
            return {name: value}
        case Operation("↦", (left, right)) if isinstance(value, tuple):
            first, second = _matched(left, value[0], names), _matched(right, value[1], names)
            if (
                first is None
                or second is None
                or any(second.get(name, known) != known for name, known in first.items())
            ):
                return None
            return {**first, **second}
        case _:
            return {}


def _between(
    name: str,
    names: Mapping[str, Type | None],
    conditions: Sequence[Formula],
    values: Mapping[str, Evaluated],
    evaluator: _Evaluates,
) -> range | None:
    """Return the numbers between a lower and an upper bound of a name, if it has both."""
    low: int | None = None
    high: int | None = None
    for condition in conditions:
        for operator, other in _bounds_on(name, condition):
            known = not any(free_name in names for free_name in free_names(other))
            value = _value_or_none(other, values, evaluator) if known else None
            if not isinstance(value, int):
                continue
            match operator:
                case "≥" | ">":
                    least = value + (operator == ">")
                    low = least if low is None else max(low, least)
                case _:
                    most = value - (operator == "<")
                    high = most if high is None else min(high, most)
    return None if low is None or high is None else range(low, high + 1)


def _bounds_on(name: str, condition: Formula) -> Iterator[tuple[str, Formula]]:
    """Yield what a condition says of a name: an order, and what the name is compared with."""
    mirrored = {"<": ">", "≤": "≥", ">": "<", "≥": "≤"}
    match condition:
        case Operation("<" | "≤" | ">" | "≥" as operator, (left, right)):
            if left == Name(name):
                yield operator, right
            if right == Name(name):
                yield mirrored[operator], left
        case Operation("∈", (Name(found), Constant("ℕ" | "ℕ1" as word))) if found == name:
            yield "≥", Number(0 if word == "ℕ" else 1)


def _from_types(
    names: Mapping[str, Type | None], evaluator: _Evaluates, numbers: Mapping[str, Sequence[int]] | None
) -> list[dict[str, Evaluated]] | None:
    """Return the values of the first name whose type is finite, or of an integer for which there are numbers."""
    for name, kind in names.items():
        found = None if kind is None else _all_of(kind, evaluator)
        if found is not None:
            return [{name: value} for value in found]
    for name, kind in names.items():
        if numbers and name in numbers and isinstance(kind, IntegerType):
            return [{name: value} for value in numbers[name]]
    return None


def _no_limit(
    names: Mapping[str, Type | None],
    conditions: Sequence[Formula],
    values: Mapping[str, Evaluated],
    evaluator: _Evaluates,
) -> UnboundedError:
    """Return why no condition gives the values of a name: a set that would give them is too large, or there is none."""
    for condition in conditions:
        match condition:
            case Operation("∈" | "=", sides):
                for side in sides:
                    if not any(name in names for name in free_names(side)):
                        try:
                            evaluator.value(side, values)
                        except TooLargeError as error:
                            return error
                        except (IllDefinedError, UnboundedError):
                            continue
    return UnboundedError(next(iter(names)))


def _all_of(kind: Type, evaluator: _Evaluates) -> list[Evaluated] | None:
    """Return all values of a type, if there are finitely many, and not too many to try."""
    match kind:
        case BooleanType():
            return [False, True]
        case CarrierType(name):
            return list(evaluator.carriers[name])
        case ProductType(left, right):
            first, second = _all_of(left, evaluator), _all_of(right, evaluator)
            return None if first is None or second is None else list(itertools.product(first, second))
        case PowerType(of):
            members = _all_of(of, evaluator)
            if members is None or len(members) > _MOST_LISTED:
                return None
            sizes = range(len(members) + 1)
            return [frozenset(combination) for size in sizes for combination in itertools.combinations(members, size)]
        case _:
            return None
