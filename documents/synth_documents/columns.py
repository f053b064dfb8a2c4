"""Tables that several views show: the verdicts of a program, and tests counted by split and by signature."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Literal, get_args

from rich.table import Table
from rich.text import Text

from synth_checker.models import Form, model_of
from synth_checker.question import split_name
from synth_documents.phrases import shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from rich.console import RenderableType
    from rich.style import StyleType

    from synth_checker.question import Question

#: A table shows at most so many signatures, the most frequent ones. The manifest has all.
_MOST_SIGNATURES = 15
_STYLES = {"pass": "green", "strong": "yellow", "fail": "red"}


def verdict_table(verdicts: Mapping[str, Literal["pass", "fail"]]) -> Table:
    """Return a table of the verdicts of a program, with a row for each model."""
    table = plain_table("model", "weak", "strong")
    for model, names in groupby(verdicts, model_of):
        shown = {name: _styled(verdicts[name]) for name in names}
        # A model whose two forms agree has a single verdict, which has the name of the model.
        table.add_row(model, *(shown.get(f"{model}.{form}", shown.get(model, Text(""))) for form in get_args(Form)))
    return table


def split_table(question: Question, splits: Mapping[str, int]) -> Table:
    """Return a table of how many tests each bound and split of a question has."""
    table = plain_table("bound", "split", "tests")
    for bound in question.bounds:
        names = [split_name(sizes) for sizes in bound.splits()]
        for k, name in enumerate(names):
            table.add_row(str(bound) if k == 0 else "", name, str(splits.get(name, 0)))
        if len(names) > 1:
            table.add_row("", "all", str(sum(splits.get(name, 0) for name in names)), style="bold")
    return table


def signature_table(verdicts: Sequence[str], counts: Mapping[str, int]) -> Table:
    """Return a table of how many tests each signature has; it shows only the first ones.

    A signature is given as a text with a letter for each verdict.
    """
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
    """Return the models of some verdicts, in their order."""
    return list(dict.fromkeys(map(model_of, verdicts)))


def guarantees(verdicts: Sequence[str], answers: Mapping[str, str]) -> Iterator[Text]:
    """Yield one word for each model, which says which forms of the model a test passes: `pass`, `strong` or `fail`.

    A test that passes the weak form of a model passes the strong form, too. So `pass` means both forms, and `strong`
    only the strong form. `answers` has the verdicts of the test, as words or as letters.
    """
    for _, forms in groupby(verdicts, model_of):
        weak, *strong = (answers[name][0] for name in forms)
        yield _styled("pass" if weak == "p" else "strong" if "p" in strong else "fail")


class _PlainTable(Table):
    """A table whose entries cannot control a terminal."""

    def add_row(
        self, *renderables: RenderableType | None, style: StyleType | None = None, end_section: bool = False
    ) -> None:
        entries = (shown(renderable) if isinstance(renderable, str) else renderable for renderable in renderables)
        super().add_row(*entries, style=style, end_section=end_section)


def plain_table(*columns: str) -> Table:
    """Return a table without lines, in which the column `tests` is aligned to the right."""
    table = _PlainTable(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for name in columns:
        table.add_column(shown(name), justify="right" if name == "tests" else "left", no_wrap=True)
    return table


def _styled(word: str) -> Text:
    return Text(word, style=_STYLES[word])
