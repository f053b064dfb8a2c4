"""What a text view consists of: plain lines, tables, and headings, which stand out where a terminal can show that."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.table import Table


class Heading(str):
    """A line that stands out."""

    __slots__ = ()


Line: TypeAlias = "str | Table"
Lines: TypeAlias = "Iterator[Line]"
