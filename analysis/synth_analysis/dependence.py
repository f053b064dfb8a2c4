"""Whether launches depend on each other, so that their number says more than it should.

A rate of hangs takes launches for independent. Two things may speak against this:

- The launches of one process share a driver that is warmed up. So the first launches of processes may hang more often
  than the later ones. They are compared within each cell.
- A hang may poison what follows. So launches may hang more often, or less often, if the attempt before hung. Only the
  first attempt of each cell is compared, after an attempt of another cell. The cells must come in a shuffled order:
  neighbours in another order are alike.

Both are exact tests. A result of less than 1 % is worth a warning.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from synth_analysis.significance import fisher, more_often
from synth_campaigns.cell_result import Rate

if TYPE_CHECKING:
    from collections.abc import Iterable

    from synth_campaigns.cell_result import CellResult
    from synth_campaigns.store import Store

#: A difference that is less likely than this by chance is worth a warning.
WORTH_A_WARNING = 0.01
#: The first attempt of each cell of a device that has attempts.
_FIRSTS = """
SELECT min(attempt.id) FROM attempt JOIN cell ON cell.id = attempt.cell
WHERE state = 'done' AND device = (SELECT id FROM device WHERE name = ?) GROUP BY cell.id ORDER BY 1
"""
#: The attempt before another one on a device.
_BEFORE = """
SELECT attempt.id FROM attempt CROSS JOIN cell ON cell.id = attempt.cell
WHERE attempt.id < ? AND state = 'done' AND device = (SELECT id FROM device WHERE name = ?)
ORDER BY attempt.id DESC LIMIT 1
"""
_HANGS = "SELECT count(*) > 0 FROM launch WHERE attempt = ? AND end = 'given up'"


class RateDifference(NamedTuple):
    """How often some launches hung and how often others did, and how likely such a difference is by chance."""

    some: Rate
    others: Rate
    chance: float

    @property
    def is_worth_a_warning(self) -> bool:
        """Whether chance hardly explains the difference."""
        return self.chance < WORTH_A_WARNING


def of_first_launches(cells: Iterable[CellResult]) -> RateDifference | None:
    """Return how often the first launches of processes hung, and how often later ones did, if there are both."""
    pairs = []
    for cell in cells:
        if cell.course and cell.course.first.launches:
            first = cell.course.first
            pairs.append((first, Rate(cell.hung - first.hung, cell.counted - first.launches)))
    after, others = _sum(first for first, _ in pairs), _sum(later for _, later in pairs)
    return RateDifference(after, others, more_often(pairs)) if after.launches and others.launches else None


def of_attempts_after_hangs(pairs: Iterable[tuple[bool, bool]]) -> RateDifference | None:
    """Return how often attempts hung after one that hung, and how often after one that did not, if there are both.

    Each pair says whether the attempt before hung, and whether the attempt itself hung.
    """
    counts = {True: [0, 0], False: [0, 0]}
    for before, later in pairs:
        counts[before][0] += later
        counts[before][1] += 1
    after, others = Rate(*counts[True]), Rate(*counts[False])
    return RateDifference(after, others, fisher(after, others)) if after.launches and others.launches else None


def attempts_after_others(store: Store, device: str) -> list[tuple[bool, bool]]:
    """Return for the first attempt of each cell of a device whether the attempt before hung, and whether it hung."""
    pairs = [(first, store.read(_BEFORE, first, device)) for (first,) in store.read(_FIRSTS, device)]
    return [(_has_hung(store, before[0][0]), _has_hung(store, first)) for first, before in pairs if before]


def _has_hung(store: Store, attempt: int) -> bool:
    return bool(store.read(_HANGS, attempt)[0][0])


def _sum(rates: Iterable[Rate]) -> Rate:
    hung = launches = 0
    for rate in rates:
        hung += rate.hung
        launches += rate.launches
    return Rate(hung, launches)
