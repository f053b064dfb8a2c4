"""The values of expressions, and how they are written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable


class IllDefinedError(Exception):
    """An expression has no value here, such as 1 ÷ 0. The message says which one."""


class UnboundedError(Exception):
    """A name has no finite number of values to try. The message names it."""


class TooLargeError(UnboundedError):
    """A number or a set is finite, and too large to look at. The message says what there is too much of, and where."""


@dataclass(frozen=True, slots=True)
class Element:
    """An element of a carrier set, by its number. `name` is that of a constant that stands for it, if there is one."""

    carrier: str
    number: int
    name: str = ""

    def __str__(self) -> str:
        return self.name or f"{self.carrier}{self.number + 1}"


@dataclass(frozen=True, slots=True, eq=False)
class LazySet:
    """A set that is not listed. `is_infinite` says that it surely has infinitely many elements."""

    contains: Callable[[Evaluated], bool]
    is_infinite: bool = False


Evaluated: TypeAlias = "int | bool | Element | tuple[Evaluated, Evaluated] | frozenset[Evaluated] | LazySet"


def written_value(value: Evaluated) -> str:
    """Return a value as a formula would write it."""
    match value:
        case bool():
            return "TRUE" if value else "FALSE"
        case int():
            return str(value) if value >= 0 else f"−{-value}"
        case tuple():
            right = f"({written_value(value[1])})" if isinstance(value[1], tuple) else written_value(value[1])
            return f"{written_value(value[0])} ↦ {right}"
        case frozenset():
            return f"{{{', '.join(sorted(map(written_value, value), key=_by_number))}}}" if value else "∅"
        case LazySet():
            return "an infinite set"
        case _:
            return str(value)


def _by_number(text: str) -> tuple[int, str]:
    return len(text), text
