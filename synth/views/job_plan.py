"""The text of `synth job plan`: the prediction for a question, with intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth.views.readable import size, three_digits, whole
from synth.views.tables import plain_table

if TYPE_CHECKING:
    from collections.abc import Callable

    from synth.jobs.planning import Plan, Predicted
    from synth.views.lines import Lines
    from synth_checker.question import Question


def lines(question: Question, plan: Plan) -> Lines:
    """Yield a table with a row for each predicted number, and a line about the samples behind the prediction."""
    table = plain_table(question.name, "predicted", "from", "to")
    for column in table.columns[1:]:
        column.justify = "right"
    rows: list[tuple[str, Predicted, Callable[[float], str]]] = [("tests", plan.tests, whole)]
    if not question.keeps_all:
        rows.append(("kept", plan.kept, whole))
    rows += [
        ("processor hours", plan.cpu_seconds.times(1 / 3600), three_digits),
        ("disk", plan.disk_bytes, size),
        ("shards", plan.shards, whole),
    ]
    for name, predicted, written in rows:
        table.add_row(name, *map(written, predicted))
    yield table
    searched = f"{plan.exact} of {plan.units} units searched completely"
    yield f"{searched}, {plan.samples} samples of the other units; intervals of 90 %"
