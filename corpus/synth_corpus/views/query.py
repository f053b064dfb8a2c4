"""The answers of `synth corpus query`: as a table, as CSV, or with a JSON object for each row."""

from __future__ import annotations

import csv
import io
import json
import math
from typing import TYPE_CHECKING

from synth_documents.columns import plain_table
from synth_documents.phrases import shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from synth_corpus.query import QueryAnswer
    from synth_documents.lines import Lines


def table_lines(answer: QueryAnswer) -> Lines:
    """Yield all rows of an answer as a table."""
    table = plain_table(*map(shown, answer.columns))
    for row in answer.rows:
        table.add_row(*("NULL" if cell is None else shown(_text(cell)) for cell in row))
    yield table


def csv_lines(answer: QueryAnswer) -> Iterator[str]:
    """Yield the names of the columns and then each row as lines of CSV."""
    yield _csv_row(answer.columns)
    for row in answer.rows:
        yield _csv_row([None if cell is None else _text(cell) for cell in row])


def _csv_row(cells: Sequence[str | None]) -> str:
    row = io.StringIO()
    csv.writer(row, lineterminator="\n").writerow(cells)
    return row.getvalue().removesuffix("\n")


def json_lines(answer: QueryAnswer) -> Iterator[str]:
    """Yield each row of an answer as a JSON object."""
    for fields in answer.objects():
        yield json.dumps({name: _finite(value) for name, value in fields.items()}, default=str)


def _finite(value: object) -> object:
    """Return a value, or None for a number that JSON does not have."""
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _text(value: object) -> str:
    """Return a value as the text of a cell in the way of databases: `true`, and lists and structures as JSON."""
    return json.dumps(value, default=str) if isinstance(value, bool | list | dict) else str(value)
