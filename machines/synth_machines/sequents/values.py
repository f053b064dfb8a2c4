"""Values in queries: a term, a pair of values, or a set.

A set knows how to say that an element is in it. If it is a function, it also knows its domain and its value at a place,
so that no quantifier is needed for them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from synth_checker.errors import InternalError
from synth_machines.sequents.terms import FALSE, TRUE, conj, disj, if_else, negation

if TYPE_CHECKING:
    from collections.abc import Callable

    from synth_machines.formulas.types import Type


class UnsupportedError(Exception):
    """A formula has something that queries can't say. The message says what."""


@dataclass(frozen=True, slots=True, eq=False)
class FunctionPart:
    """The domain of a function, and its value at a place of the domain."""

    domain: Callable[[Value], str]
    apply: Callable[[Value], Value]


@dataclass(frozen=True, slots=True, eq=False)
class SetValue:
    """A set of elements of a type.

    `function` is there if the set is a function. `listed` are all elements, if they are known one by one; there is at
    least one. `term` is an array, if the set is one.
    """

    element: Type
    contains: Callable[[Value], str]
    function: FunctionPart | None = None
    listed: tuple[Value, ...] | None = None
    term: str | None = None

    @property
    def single(self) -> Value | None:
        """The only element of the set, if it is known that there is one."""
        return self.listed[0] if self.listed is not None and len(self.listed) == 1 else None


Value: TypeAlias = "str | tuple[Value, Value] | SetValue"


def term_of(value: Value) -> str:
    """Return a value that is a term."""
    if not isinstance(value, str):
        raise InternalError("a pair or a set stands where a number or an element is expected")
    return value


def pair_of(value: Value) -> tuple[Value, Value]:
    """Return a value that is a pair."""
    if not isinstance(value, tuple):
        raise InternalError("a value that is no pair stands where a pair is expected")
    return value


def set_of(value: Value) -> SetValue:
    """Return a value that is a set."""
    if not isinstance(value, SetValue):
        raise InternalError("a value that is no set stands where a set is expected")
    return value


def function_of(element: Type, function: FunctionPart, same: Callable[[Value, Value], str]) -> SetValue:
    """Return the set of pairs that a function is; `same` says that two values are equal."""

    def contains(pair: Value) -> str:
        place, value = pair_of(pair)
        domain = function.domain(place)
        return FALSE if domain == FALSE else conj([domain, same(function.apply(place), value)])

    return SetValue(element, contains, function)


def if_else_value(condition: str, then: Value, otherwise: Value) -> Value:
    """Return the value that is `then` where a condition holds, and else `otherwise`."""
    if condition in {TRUE, FALSE}:
        return then if condition == TRUE else otherwise
    if isinstance(then, tuple):
        other = pair_of(otherwise)
        return if_else_value(condition, then[0], other[0]), if_else_value(condition, then[1], other[1])
    if isinstance(then, SetValue):
        first, second = then, set_of(otherwise)

        def contains(element: Value) -> str:
            return disj(
                [conj([condition, first.contains(element)]), conj([negation(condition), second.contains(element)])]
            )

        return SetValue(first.element, contains)
    return if_else(condition, then, term_of(otherwise))
