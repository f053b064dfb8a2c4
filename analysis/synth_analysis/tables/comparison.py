"""Compare two campaigns, or two folders of campaigns. Also as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from synth_analysis.cell_comparison import LEVEL, comparison
from synth_analysis.device_results import devices_in
from synth_analysis.power import POWER
from synth_analysis.tables.folders import named_sources
from synth_checker.errors import InputError
from synth_storage.answer_json import answer_from

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from synth_analysis.cell_comparison import CellComparison, CellPair
    from synth_campaigns.cell_result import CellResult


class ComparedDevice(NamedTuple):
    """A device of a side, and what it says of itself."""

    device: str
    driver: str


class CampaignComparison(NamedTuple):
    """Two sides, with the devices of their cells, and how they differ."""

    before: list[ComparedDevice]
    after: list[ComparedDevice]
    comparison: CellComparison


def compare_campaigns(before: str, after: str) -> CampaignComparison:
    """Compare what two words name: campaigns, or folders with some.

    Raises:
        InputError: a word names no campaign, or no cell of one side is on the other.
        ResourceError: reading failed.
    """
    sides = []
    for word in (before, after):
        folders = named_sources([word]).campaigns
        if not folders:
            raise InputError(f"{word}: found no campaign, expected at least one")
        sides.append(folders)
    compared_sides = compare_folders(*sides)
    if not compared_sides.comparison.pairs:
        raise InputError(
            f"{before}, {after}: no test has launches in the same setting on both sides, so there is nothing to "
            "compare; run both with the same tests, mappings and instances"
        )
    return compared_sides


def compare_folders(before: Sequence[Path], after: Sequence[Path]) -> CampaignComparison:
    """Compare some campaigns with others. If they share no cell, the comparison has no pairs.

    Raises:
        InputError: a folder holds no campaign.
        ResourceError: reading failed.
    """
    sides = [devices_in(folders) for folders in (before, after)]
    pairs = comparison(*([cell for results in side for cell in results.cells] for side in sides))
    devices, others = ([ComparedDevice(device.name, device.driver) for device in side] for side in sides)
    return CampaignComparison(devices, others, pairs)


class ComparedRate(NamedTuple):
    """A cell on one side: its device, how many of its launches hung, and how many ended or hung."""

    device: str
    busy: int
    hung: int
    launches: int


class ComparedCell(NamedTuple):
    """A cell on both sides.

    - `p` is the p-value of Fisher's exact test, and `corrected` is this value corrected for the number of cells.
    - `found_above` and `found_below` are the nearest rates after that would have been told from the rate before with
      the probability `power`. Null says that there is none.
    """

    test: str
    mapping: str
    instances: int
    changed: bool
    before: ComparedRate
    after: ComparedRate
    p: float
    corrected: float
    found_above: float | None
    found_below: float | None


class ComparisonAnswer(NamedTuple):
    """Two sides, and how their cells differ. Those that changed come first.

    - `able` is how many cells could have shown a change; p-values are corrected for so many.
    - `only_before` and `only_after` count cells that only one side has.
    - `unknown` counts cells that both sides have, but one without launches or without numbers.
    """

    before: list[ComparedDevice]
    after: list[ComparedDevice]
    level: float
    power: float
    changed: int
    able: int
    only_before: int
    only_after: int
    unknown: int
    cells: list[ComparedCell]


def comparison_answer(sides: CampaignComparison) -> ComparisonAnswer:
    """Return a comparison as JSON has it."""
    comparison = sides.comparison
    only_before, only_after = comparison.unmatched
    return ComparisonAnswer(
        sides.before,
        sides.after,
        LEVEL,
        POWER,
        len(comparison.changed),
        comparison.corrected,
        only_before,
        only_after,
        comparison.unknown,
        list(map(_cell, comparison.pairs)),
    )


def _cell(pair: CellPair) -> ComparedCell:
    cell = pair.before.cell
    return answer_from(
        ComparedCell,
        pair,
        cell,
        cell.setting,
        changed=pair.is_changed,
        before=_rate(pair.before),
        after=_rate(pair.after),
        found_above=pair.power.above,
        found_below=pair.power.below,
    )


def _rate(result: CellResult) -> ComparedRate:
    return ComparedRate(result.cell.device, result.cell.busy, result.hung, result.counted)
