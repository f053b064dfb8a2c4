"""Tables that a person can read: what an enumeration found, and the verdicts of a program."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Literal

from rich.console import Console
from rich.table import Table
from rich.text import Text

from synth.cli.streams import shown
from synth.results import Enumeration
from synth_checker.models import Model, library, models_named
from synth_checker.question import split_name

if TYPE_CHECKING:
    from collections.abc import Mapping

    from synth.results import Run

#: More columns than any table has.
_WIDEST = 10_000
#: Rows of a table beyond which only the most frequent signatures are printed; the manifest has all.
_MOST_SIGNATURES = 15
_STYLES = {"pass": "green", "strong": "yellow", "fail": "red"}


def print_summary(found: Run, *, to_stderr: bool = False) -> None:
    """Print the tests by split and, where they were kept, by signature; the time, the rate and the engine."""
    console = plain_console(to_stderr=to_stderr)
    print_table(console, _splits(found))
    if isinstance(found, Enumeration) and found.ids:
        print_table(console, _signatures(found))
        console.print("pass: in both forms; strong: only in the strong form")
    state = "complete" if found.complete else "INCOMPLETE"
    rate = found.tests / found.seconds if found.seconds else 0.0
    console.print(f"{found.tests} tests, {state}, {found.seconds:.2f} s, {rate:,.0f} tests/s, engine {found.engine}")


def plain_console(*, to_stderr: bool = False) -> Console:
    """A console that prints what it is told: it marks, replaces and breaks nothing."""
    return Console(stderr=to_stderr, highlight=False, markup=False, emoji=False, soft_wrap=True)


def print_table(console: Console, table: Table) -> None:
    """Print a table as wide as it is: a terminal that is narrower breaks the lines, and no letter is lost."""
    table.width = console.measure(table, options=console.options.update(max_width=_WIDEST)).maximum
    console.print(table)


def title(name: str | None, id_: str) -> str:
    """What a program is called, its name such that a terminal can be shown it."""
    return f"{shown(name)}: {id_}" if name else id_


def count_json(found: Run) -> str:
    """The counts as a JSON text, for programs."""
    return json.dumps(
        {
            "question": found.question.name,
            "complete": found.complete,
            "tests": found.tests,
            "splits": found.splits(),
            "engine": found.engine,
            "seconds": round(found.seconds, 3),
        }
    )


def verdict_table(verdicts: Mapping[str, Literal["pass", "fail"]]) -> Table:
    """A program's verdicts, a row a model."""
    table = _table("model", "weak", "strong")
    for model in library():
        cells = [verdicts.get(name) for name in model.verdicts]
        if any(cells):
            cells = cells if len(cells) > 1 else cells * 2
            table.add_row(model.name, *(_styled(cell) if cell else Text("") for cell in cells))
    return table


def _splits(found: Run) -> Table:
    table = _table("bound", "split", "tests")
    splits = found.splits()
    for bound in found.question.bounds:
        names = [split_name(sizes) for sizes in bound.splits()]
        for k, name in enumerate(names):
            table.add_row(str(bound) if k == 0 else "", name, str(splits[name]))
        if len(names) > 1:
            table.add_row("", "all", str(sum(splits[name] for name in names)), style="bold")
    return table


def _signatures(found: Enumeration) -> Table:
    models = models_named(found.question.models)
    table = _table(*(model.name for model in models), "tests")
    counted = list(found.signatures().items())
    for letters, count in counted[:_MOST_SIGNATURES]:
        verdicts = dict(zip(found.verdicts, letters, strict=True))
        table.add_row(*(_styled(_guarantee(model, verdicts)) for model in models), str(count))
    rest = counted[_MOST_SIGNATURES:]
    if rest:
        table.add_row(f"{len(rest)} more", *[""] * (len(models) - 1), str(sum(count for _, count in rest)))
    return table


def _guarantee(model: Model, verdicts: Mapping[str, str]) -> str:
    """What a model guarantees of a test; whatever passes the weak form passes the strong one."""
    weak, strong = verdicts[model.verdicts[0]], verdicts[model.verdicts[-1]]
    return "pass" if weak == "p" else "strong" if strong == "p" else "fail"


def _table(*columns: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for name in columns:
        table.add_column(name, justify="right" if name == "tests" else "left", no_wrap=True)
    return table


def _styled(word: str) -> Text:
    return Text(word, style=_STYLES[word])
