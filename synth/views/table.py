"""A table as Markdown or as CSV. The same table always gives the same text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth.views.readable import shown
from synth_corpus.formats.csv_ import row as csv_row

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from synth_analysis.table import Entry, Table


def markdown_of(table: Table) -> str:
    """Return a table as Markdown, with its title above and its notes below."""
    return "\n".join([*_markdown(table), ""])


def csv_of(table: Table) -> str:
    """Return a table as CSV, without its title and notes."""
    return "".join(csv_row(map(_plain, row)) for row in (table.columns, *table.rows))


def _markdown(table: Table) -> Iterator[str]:
    yield f"**{table.title}**"
    yield ""
    numbers = [all(not isinstance(row[k], str) for row in table.rows) for k in range(len(table.columns))]
    yield _line(map(_written, table.columns))
    yield "|" + "|".join("---:" if is_number else "---" for is_number in numbers) + "|"
    yield from (_line(map(_written, row)) for row in table.rows)
    for note in table.notes:
        yield ""
        yield note


def _line(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cell.replace("\\", "\\\\").replace("|", "\\|") for cell in cells) + " |"


def _written(entry: Entry) -> str:
    return f"{entry:,}" if isinstance(entry, int) else _plain(entry)


def _plain(entry: Entry) -> str:
    if entry is None:
        return ""
    return f"{entry:.6g}" if isinstance(entry, float) else shown(" ".join(str(entry).splitlines()))
