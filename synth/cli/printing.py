"""How an answer is printed: as the lines of a text view, or as JSON.

A plain line is written as it is. Headings and tables go through rich, which is loaded when the first of them comes: of
the time in which `synth explain` answers, it would take a third.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, TypeAlias

import typer

from synth.cli.streams import is_heard
from synth.views.lines import Heading

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from rich.console import Console
    from rich.table import Table

    from synth.views.lines import Line

#: What answers are as JSON: TypedDicts, each with a schema in `synth.views.schema`.
Fields: TypeAlias = "Mapping[str, object] | Sequence[Mapping[str, object]]"
#: More columns than any table has.
_WIDEST = 10_000


def print_lines(lines: Iterable[Line], *, to_stderr: bool = False) -> None:
    """Print the lines of a view, as long as somebody reads them."""
    for line in lines:
        if not (to_stderr or is_heard()):
            return
        if isinstance(line, Heading):
            plain_console(to_stderr=to_stderr).print(line, style="bold")
        elif isinstance(line, str):
            typer.echo(line, err=to_stderr)
        else:
            print_table(plain_console(to_stderr=to_stderr), line)


def print_json(fields: Fields, *, compact: bool = True, indent: int | None = None, to_stderr: bool = False) -> None:
    """Print an answer as JSON, on one line unless it is indented."""
    typer.echo(as_json(fields, compact=compact, indent=indent), err=to_stderr)


def as_json(fields: Fields, *, compact: bool = True, indent: int | None = None) -> str:
    """An answer as JSON, in ASCII: names and metadata may hold what steers a terminal, or what its encoding lacks."""
    return json.dumps(fields, separators=(",", ":") if compact else None, indent=indent)


def plain_console(*, to_stderr: bool = False) -> Console:
    """A console that prints what it is told: it marks, replaces and breaks nothing."""
    from rich.console import Console

    return Console(stderr=to_stderr, highlight=False, markup=False, emoji=False, soft_wrap=True)


def print_table(console: Console, table: Table) -> None:
    """Print a table as wide as it is: a terminal that is narrower breaks the lines, and no letter is lost."""
    table.width = console.measure(table, options=console.options.update(max_width=_WIDEST)).maximum
    console.print(table)
