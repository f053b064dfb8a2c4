"""The answers of `synth corpus query`: as a table, as CSV, or as a JSON object a row."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING

from synth.views.readable import shown
from synth.views.tables import plain_table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from synth.views.lines import Lines
    from synth_corpus.query import Answer


def table_lines(answer: Answer) -> Lines:
    """All rows as a table."""
    table = plain_table(*map(shown, answer.columns))
    for row in answer.rows:
        table.add_row(*("NULL" if cell is None else shown(_text(cell)) for cell in row))
    yield table


def csv_lines(answer: Answer) -> Iterator[str]:
    """The names of the columns, and each row."""
    yield _csv_row(answer.columns)
    for row in answer.rows:
        yield _csv_row([None if cell is None else _text(cell) for cell in row])


def _csv_row(cells: Sequence[str | None]) -> str:
    row = io.StringIO()
    csv.writer(row, lineterminator="\n").writerow(cells)
    return row.getvalue().removesuffix("\n")


def json_lines(answer: Answer) -> Iterator[str]:
    """Each row as an object."""
    for fields in answer.objects():
        yield json.dumps(fields, default=str)


def _text(value: object) -> str:
    """A value as a cell, as databases and not as Python write it: `true`, and lists and structures as JSON."""
    return json.dumps(value, default=str) if isinstance(value, bool | list | dict) else str(value)
