"""The table at the end of `synth verify FOLDER`: a line for each kernel, and how many there are of each verdict."""

from __future__ import annotations

import collections
from typing import TYPE_CHECKING

from synth.phrases import listed
from synth.views.kernel import verdict_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from synth.verification.folder import Answered

_COLUMNS = ("file", "kernel", "verdict", "seconds")


def folder_lines(found: Sequence[Answered]) -> Iterator[str]:
    """Yield the lines of the table. Its columns are as wide as what stands in them."""
    rows = [_COLUMNS, *map(_row, found)]
    widths = [max(len(row[number]) for row in rows) for number in range(len(_COLUMNS))]
    for row in rows:
        *texts, last = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        yield "  ".join([*texts, last.strip().rjust(widths[-1])])
    verdicts = collections.Counter(one.verdict for one in found)
    parts = [f"{number} {verdict}" for verdict, number in verdicts.most_common()]
    yield f"In all: {listed(parts)}"


def _row(one: Answered) -> tuple[str, ...]:
    if one.verified is None:
        return one.path.name, "", one.verdict, f"{one.seconds:.1f}"
    return one.path.name, one.verified.name, verdict_of(one.verified), f"{one.seconds:.1f}"
