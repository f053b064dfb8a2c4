"""A table: its title, columns, rows and notes. Views write it as Markdown, CSV or JSON, or draw it."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

#: What stands in a cell of a table. None is an empty cell: nothing is known.
Entry: TypeAlias = "str | int | float | None"


class Table(NamedTuple):
    """A table. `notes` are sentences that a reader needs to understand it.

    `lacks` are those of the notes that say what has no result, and why. A figure shows them, too.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Entry, ...], ...]
    notes: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
