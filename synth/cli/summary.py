"""Tables that a person can read: what an enumeration found, and the verdicts of a program."""

from __future__ import annotations

import json
import math
from itertools import groupby
from typing import TYPE_CHECKING, Literal, get_args

from rich.console import Console
from rich.table import Table
from rich.text import Text

from synth.cli.streams import shown, tests
from synth.enumeration.runs import Enumeration
from synth_checker.models import Form, model_of
from synth_checker.question import split_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from synth.enumeration.runs import Run
    from synth_checker.question import Question

#: More columns than any table has.
_WIDEST = 10_000
#: Rows of a table beyond which only the most frequent signatures are printed; the manifest has all.
_MOST_SIGNATURES = 15
_STYLES = {"pass": "green", "strong": "yellow", "fail": "red"}


def print_summary(found: Run, *, to_stderr: bool = False) -> None:
    """Print the tests by split and, where they were kept, by signature; the time, the rate and the engine."""
    console = plain_console(to_stderr=to_stderr)
    print_table(console, split_table(found.question, found.splits()))
    if isinstance(found, Enumeration) and found.ids:
        print_table(console, signature_table(found.verdicts, found.signatures()))
        console.print("pass: in both forms; strong: only in the strong form")
    state = "complete" if found.complete else "INCOMPLETE"
    what = tests(found.tests)
    if isinstance(found, Enumeration) and found.found:
        what = kept_of(found.tests, found.found)
    rate = found.searched / found.seconds if found.seconds else 0.0
    how = f"{state}, {found.seconds:.2f} s, {rate:,.0f} tests/s, engine {found.engine}"
    console.print(f"{what}, {how}")


def kept_of(kept: int, found: Mapping[str, int]) -> str:
    """How many tests were kept of how many, which had how many behaviours and signatures; as manifests count them."""
    counts = ", ".join(f"{count} {name}" for name, count in found.items() if name != "minimal")
    minimal = found.get("minimal")
    if minimal is None:
        return f"{kept} of {counts}"
    return f"{kept} minimal of {counts}" if kept == minimal else f"{kept} of {minimal} minimal, of {counts}"


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
            **({"found": found.found} if isinstance(found, Enumeration) else {}),
            "splits": found.splits(),
            "engine": found.engine,
            "seconds": round(found.seconds, 3),
        }
    )


def verdict_table(verdicts: Mapping[str, Literal["pass", "fail"]]) -> Table:
    """A program's verdicts, a row a model."""
    table = plain_table("model", "weak", "strong")
    for model, names in groupby(verdicts, model_of):
        found = {name: _styled(verdicts[name]) for name in names}
        # A model whose forms agree has one verdict, its name.
        table.add_row(model, *(found.get(f"{model}.{form}", found.get(model, Text(""))) for form in get_args(Form)))
    return table


def split_table(question: Question, splits: Mapping[str, int]) -> Table:
    """How many tests each bound and split of a question has."""
    table = plain_table("bound", "split", "tests")
    for bound in question.bounds:
        names = [split_name(sizes) for sizes in bound.splits()]
        for k, name in enumerate(names):
            table.add_row(str(bound) if k == 0 else "", name, str(splits.get(name, 0)))
        if len(names) > 1:
            table.add_row("", "all", str(sum(splits.get(name, 0) for name in names)), style="bold")
    return table


def signature_table(verdicts: Sequence[str], counts: Mapping[str, int]) -> Table:
    """How many tests each signature has, given with a letter a verdict; only the first ones are shown."""
    models = guarantee_columns(verdicts)
    table = plain_table(*models, "tests")
    counted = list(counts.items())
    for letters, count in counted[:_MOST_SIGNATURES]:
        table.add_row(*guarantees(verdicts, dict(zip(verdicts, letters, strict=True))), str(count))
    rest = counted[_MOST_SIGNATURES:]
    if rest:
        table.add_row(f"{len(rest)} more", *[""] * (len(models) - 1), str(sum(count for _, count in rest)))
    return table


def guarantee_columns(verdicts: Sequence[str]) -> list[str]:
    """The models of some verdicts, in their order."""
    return list(dict.fromkeys(map(model_of, verdicts)))


def guarantees(verdicts: Sequence[str], found: Mapping[str, str]) -> Iterator[Text]:
    """What each model guarantees of a test, whose verdicts are words or letters.

    Whatever passes the weak form passes the strong one, so one word says both.
    """
    for _, forms in groupby(verdicts, model_of):
        weak, *strong = (found[name][0] for name in forms)
        yield _styled("pass" if weak == "p" else "strong" if "p" in strong else "fail")


def plain_table(*columns: str) -> Table:
    """A table without lines, in which what is called `tests` is a number."""
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for name in columns:
        table.add_column(name, justify="right" if name == "tests" else "left", no_wrap=True)
    return table


def _styled(word: str) -> Text:
    return Text(word, style=_STYLES[word])


def whole(number: float) -> str:
    """A number without its fraction: `9,130,000`."""
    return f"{number:,.0f}"


def three_digits(number: float) -> str:
    """A number with three digits that count, and never with an exponent: `40,100`, `12.3`, `0.00123`."""
    if not number:
        return "0"
    places = 2 - math.floor(math.log10(abs(number)))
    return f"{round(number, places):,.{max(places, 0)}f}"


def size(count: float) -> str:
    """So many bytes, in the largest unit that fits: `40.1 GB`."""
    from rich.filesize import decimal

    return decimal(round(count))
