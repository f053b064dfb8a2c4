"""The parts of a text view: plain lines, tables, and headings, which a terminal shows in bold."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.table import Table


class Heading(str):
    """A line that a terminal shows in bold."""

    __slots__ = ()


Line: TypeAlias = "str | Table"
Lines: TypeAlias = "Iterator[Line]"
