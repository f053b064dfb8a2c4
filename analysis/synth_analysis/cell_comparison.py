"""Compare two databases of launches, cell by cell: two drivers, devices, loads or releases.

A cell of one side matches the cell of the other side with the same test and setting. What has only one value on each
side, such as the device or the load, may differ: that is what is compared. For each pair, Fisher's exact test says
whether both hung at the same rate. Holm's method corrects for the number of pairs, because among many pairs some differ
by chance. It holds for pairs that depend on each other, as cells do that ran on one device.

A pair in which almost nothing hung, or almost everything did, can't show a change: no outcome with as many hangs has a
p-value of at most the level. Such pairs are not corrected for, as R. E. Tarone proposed (Biometrics, 1990). The power
says for each pair which change would have been found.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from synth_analysis.correction import holm, least_p
from synth_analysis.power import SmallestChange, smallest_change
from synth_analysis.significance import fisher
from synth_campaigns.cell_result import Rate

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from synth_campaigns.cell_result import CellResult

#: The probability that any change is found if no rate has changed is at most so much.
LEVEL = 0.05


class CellPair(NamedTuple):
    """A cell on both sides, and the p-value of the difference, corrected for the number of pairs.

    `power` has the nearest rates that would have been told from the rate before with a probability of 80 %.
    """

    before: CellResult
    after: CellResult
    p: float
    corrected: float
    power: SmallestChange

    @property
    def is_changed(self) -> bool:
        """Whether the rate has changed."""
        return self.corrected <= LEVEL


class CellComparison(NamedTuple):
    """What changed between two databases.

    - `pairs` are the cells with launches on both sides, those that changed first.
    - `corrected` is the number of pairs for which p-values are corrected: those that could have shown a change.
    - `unmatched` is how many cells only the one side has, and only the other.
    - `unknown` is how many matching cells one side has no launches of, or no number of hangs.
    """

    pairs: tuple[CellPair, ...]
    corrected: int
    unmatched: tuple[int, int]
    unknown: int

    @property
    def changed(self) -> tuple[CellPair, ...]:
        """The pairs whose rate has changed."""
        return tuple(pair for pair in self.pairs if pair.is_changed)


def comparison(before: Sequence[CellResult], after: Sequence[CellResult]) -> CellComparison:
    """Compare the cells of two databases."""
    has_devices = max(len({cell_result.cell.device for cell_result in side}) for side in (before, after)) > 1
    has_loads = max(len({cell_result.cell.busy for cell_result in side}) for side in (before, after)) > 1
    ones, others = (_keyed(side, has_devices=has_devices, has_loads=has_loads) for side in (before, after))
    matched = [(cell_result, others[key]) for key, cell_result in ones.items() if key in others]
    known = [(first, other) for first, other in matched if _is_known(first) and _is_known(other)]
    values = [fisher(Rate(first.hung, first.counted), Rate(other.hung, other.counted)) for first, other in known]
    able = [
        k
        for k, (first, other) in enumerate(known)
        if least_p(first.counted, other.counted, first.hung + other.hung) <= LEVEL
    ]
    corrected = dict(zip(able, holm([values[k] for k in able]), strict=True))
    level = LEVEL / max(1, len(able))
    pairs = [
        CellPair(
            cell_result, other, values[k], corrected.get(k, 1.0),
            smallest_change(cell_result.hung / cell_result.counted, cell_result.counted, other.counted, level),
        )
        for k, (cell_result, other) in enumerate(known)
    ]  # fmt: skip
    return CellComparison(
        tuple(sorted(pairs, key=lambda pair: (pair.corrected, pair.p))),
        len(able),
        (len(ones) - len(matched), len(others) - len(matched)),
        len(matched) - len(known),
    )


def _keyed(side: Sequence[CellResult], *, has_devices: bool, has_loads: bool) -> dict[Hashable, CellResult]:
    """Return cells by what must be equal on both sides. Of cells that are equal, the first matches the first."""
    results: dict[Hashable, CellResult] = {}
    counted: dict[Hashable, int] = {}
    for cell_result in side:
        cell = cell_result.cell
        key = replace(
            cell, run=0, declared=0, row="", heading="", device=cell.device if has_devices else "",
            busy=cell.busy if has_loads else 0,
        )  # fmt: skip
        counted[key] = counted.get(key, 0) + 1
        results[key, counted[key]] = cell_result
    return results


def _is_known(result: CellResult) -> bool:
    return result.counted > 0 and not result.is_least
