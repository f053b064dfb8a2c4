"""The text of `synth job plan`: the prediction for a question, with intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_documents.columns import plain_table
from synth_documents.readable import size, three_digits, whole_number

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import TypeAlias

    from rich.table import Table

    from synth_checker.question import Question
    from synth_documents.lines import Lines
    from synth_jobs.plan import Plan, Prediction

    Row: TypeAlias = tuple[str, Prediction, Callable[[float], str]]


def lines(question: Question, plan: Plan) -> Lines:
    """Yield a table with a row for each predicted number, and a line about the samples behind the prediction."""
    more: list[Row] = [("disk", plan.disk_bytes, size), ("shards", plan.shards, whole_number)]
    yield table_of(question, plan.tests, plan.kept, plan.cpu_seconds, more)
    searched = f"{plan.exact} of {plan.units} units searched completely"
    yield f"{searched}, {plan.samples} samples of the other units; intervals of 90 %"


def table_of(
    question: Question, tests: Prediction, kept: Prediction, cpu_seconds: Prediction, more: Iterable[Row]
) -> Table:
    """Return a table of the predicted numbers of a question, with a row for each."""
    table = plain_table(question.name, "predicted", "from", "to")
    for column in table.columns[1:]:
        column.justify = "right"
    rows: list[Row] = [("tests", tests, whole_number)]
    if not question.keeps_all:
        rows.append(("kept", kept, whole_number))
    rows += [("processor hours", cpu_seconds.times(1 / 3600), three_digits), *more]
    for name, predicted, written in rows:
        table.add_row(name, *map(written, predicted))
    return table
