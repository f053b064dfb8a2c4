"""A table as JSON and as CSV. The same table always gives the same text."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from synth_corpus.formats.csv_ import row as csv_row
from synth_documents.document import plain_entry
from synth_storage.answer_json import answer_from

if TYPE_CHECKING:
    from synth_documents.table import Table


class TableAnswer(NamedTuple):
    """A table. Each row has an entry for each column; null stands for an unknown number."""

    table: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str | int | float | None, ...], ...]
    notes: tuple[str, ...]


def table_answer(name: str, table: Table) -> TableAnswer:
    """Return a table as JSON has it."""
    return answer_from(TableAnswer, table, table=name)


def csv_of(table: Table) -> str:
    """Return a table as CSV, without its title and notes."""
    return "".join(csv_row(map(plain_entry, row)) for row in (table.columns, *table.rows))
