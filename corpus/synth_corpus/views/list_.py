"""The text of `synth corpus list`: a table with a row for each test, and how many tests there are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_documents.columns import guarantee_columns, guarantees, plain_table
from synth_documents.phrases import shown
from synth_documents.readable import tests

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from synth_corpus.listed_tests import ListedTest
    from synth_documents.lines import Lines


def table_lines(rows: Sequence[ListedTest], verdicts: Sequence[str]) -> Lines:
    """Yield a table of tests with what models guarantee of them.

    There is a column for aliases and one for idioms if some test has one.
    """
    aliases = [shown(", ".join(row.aliases)) for row in rows]
    idioms = [row.idiom or "" for row in rows]
    more = {name: words for name, words in (("aliases", aliases), ("idiom", idioms)) if any(words)}
    table = plain_table("id", *guarantee_columns(verdicts), *more)
    for number, row in enumerate(rows):
        words = (column[number] for column in more.values())
        table.add_row(row.id, *guarantees(verdicts, row.verdicts), *words)
    yield table


def count_lines(listed: int, rest: int) -> Iterator[str]:
    """Yield a line which says how many tests meet the conditions, and how many of them the table shows."""
    few = f", of which {listed} are shown (see --limit)" if rest else ""
    yield f"{tests(listed + rest)}{few}"
