"""Print answers: the lines of a text view, or JSON.

No line can control the terminal, whatever the names of files and tests in it hold. Headings and tables go through rich.
It is imported when the first of them is printed, because its import takes a third of the time in which `synth explain`
answers.
"""

from __future__ import annotations

import contextlib
import json
from contextvars import ContextVar
from typing import TYPE_CHECKING

import typer

from synth.cli.shared.streams import has_reader
from synth_documents.lines import Heading
from synth_documents.phrases import shown
from synth_storage.answer_json import json_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rich.console import Console
    from rich.table import Table

    from synth_documents.lines import Line

#: A width in characters that no table has.
_WIDEST = 10_000


#: Where answers go instead of standard output while Python calls a command (`synth.calls`).
_collected: ContextVar[list[object] | None] = ContextVar("collected", default=None)


@contextlib.contextmanager
def collected_answers() -> Iterator[list[object]]:
    """Yield a list that gets the answers that would be printed as JSON, while in this context."""
    answers: list[object] = []
    token = _collected.set(answers)
    try:
        yield answers
    finally:
        _collected.reset(token)


def print_lines(lines: Iterable[Line], *, to_stderr: bool = False) -> None:
    """Print the lines of a view, as long as somebody reads them. Each text must be one line."""
    for line in lines:
        if not (to_stderr or has_reader()):
            return
        if isinstance(line, Heading):
            plain_console(to_stderr=to_stderr).print(shown(line), style="bold")
        elif isinstance(line, str):
            typer.echo(shown(line), err=to_stderr)
        else:
            print_table(plain_console(to_stderr=to_stderr), line)


def print_json(answer: object, *, compact: bool = True, indent: int | None = None, to_stderr: bool = False) -> None:
    """Print an answer as JSON, on one line unless `indent` is given. A caller in Python gets the answer itself."""
    if (answers := _collected.get()) is not None:
        answers.append(answer)
        return
    typer.echo(as_json(answer, compact=compact, indent=indent), err=to_stderr)


def as_json(answer: object, *, compact: bool = True, indent: int | None = None) -> str:
    """Return an answer as JSON in ASCII.

    Names and metadata may hold characters that control a terminal, or that its encoding lacks.
    """
    return json.dumps(json_of(answer), separators=(",", ":") if compact else None, indent=indent)


def plain_console(*, to_stderr: bool = False) -> Console:
    """Return a console of rich that prints text as it is, without markup, emoji or line breaks of its own."""
    from rich.console import Console

    return Console(stderr=to_stderr, highlight=False, markup=False, emoji=False, soft_wrap=True)


def print_table(console: Console, table: Table) -> None:
    """Print a table in its full width; a narrower terminal breaks the lines, so that no letter is lost."""
    table.width = console.measure(table, options=console.options.update(max_width=_WIDEST)).maximum
    console.print(table)
