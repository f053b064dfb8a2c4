"""A table as JSON and as CSV. The same table always gives the same text."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

from synth_corpus.formats.csv_ import row as csv_row
from synth_documents.document import plain_entry

if TYPE_CHECKING:
    from synth_documents.table import Table


class TableFields(TypedDict):
    """A table. Each row has an entry for each column; null stands for an unknown number."""

    table: str
    title: str
    columns: list[str]
    rows: list[list[str | int | float | None]]
    notes: list[str]


def table_fields(name: str, table: Table) -> TableFields:
    """Return the JSON form of a table."""
    return {
        "table": name,
        "title": table.title,
        "columns": list(table.columns),
        "rows": [list(row) for row in table.rows],
        "notes": list(table.notes),
    }


def csv_of(table: Table) -> str:
    """Return a table as CSV, without its title and notes."""
    return "".join(csv_row(map(plain_entry, row)) for row in (table.columns, *table.rows))
