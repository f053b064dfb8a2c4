"""The text of `synth corpus list`: a row a test, and how many there are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth.views.readable import shown, tests
from synth.views.tables import guarantee_columns, guarantees, plain_table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from synth.views.lines import Lines
    from synth_corpus.listing import ListedTest


def table_lines(rows: Sequence[ListedTest], verdicts: Sequence[str]) -> Lines:
    """A table of tests with what models guarantee of them; aliases and idioms have a column where a test has one."""
    aliases = [shown(", ".join(one.aliases)) for one in rows]
    idioms = [one.idiom or "" for one in rows]
    more = {name: words for name, words in (("aliases", aliases), ("idiom", idioms)) if any(words)}
    table = plain_table("id", *guarantee_columns(verdicts), *more)
    for number, one in enumerate(rows):
        words = (column[number] for column in more.values())
        table.add_row(one.id, *guarantees(verdicts, one.verdicts), *words)
    yield table


def count_lines(listed: int, left: int) -> Iterator[str]:
    """How many tests there are, of which so many are in the table and so many are left."""
    few = f", of which {listed} are shown (see --limit)" if left else ""
    yield f"{tests(listed + left)}{few}"
