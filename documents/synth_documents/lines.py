"""The parts of a text view: plain lines, tables, and headings, which a terminal shows in bold.

What devices and bundles say may hold anything, even escape sequences of terminals. `printable` makes all lines of a
view safe to print.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, ParamSpec, TypeAlias

from synth_documents.phrases import shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rich.table import Table


class Heading(str):
    """A line that a terminal shows in bold."""

    __slots__ = ()


Line: TypeAlias = "str | Table"
Lines: TypeAlias = "Iterator[Line]"

_Arguments = ParamSpec("_Arguments")


def printable(view: Callable[_Arguments, Iterator[str]]) -> Callable[_Arguments, Iterator[str]]:
    """Return a view whose lines can't control a terminal. Each text of the view must be one line."""

    @functools.wraps(view)
    def lines(*args: _Arguments.args, **named: _Arguments.kwargs) -> Iterator[str]:
        return map(shown, view(*args, **named))

    return lines
