"""What campaigns measured of each device: the cells of one or many campaigns, in which each cell stands once.

Two campaigns may launch the same cell: the same test in the same setting, on a device that said the same of itself.
Their launches then add up. Rows of published tables stay apart, because two rows with one normal form are two cells.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from synth_campaigns.folder import open_store, settings_in
from synth_campaigns.results import CellResult, results_of

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable
    from pathlib import Path


class Measured(NamedTuple):
    """A cell of a device with the outcomes of its launches.

    - `driver` is the line in which the device says what it is.
    - `is_relaxed` says that the memory of the device has no order between locations.
    - `asked` is how many instances the campaign asked for. It is None if it left this to the device.
    """

    device: str
    driver: str
    is_relaxed: bool
    asked: int | None
    result: CellResult


def measured_in(folders: Iterable[Path]) -> list[Measured]:
    """Read the cells of some campaigns. They come in the order of the campaigns and of their cells.

    Raises:
        InputError: a folder holds no campaign.
        ResourceError: reading the results failed.
    """
    found: dict[Hashable, Measured] = {}
    for place, folder in enumerate(folders):
        for number, one in enumerate(_read(folder)):
            key = (place, number) if one.result.is_published else _key(one)
            before = found.get(key)
            found[key] = one if before is None else before._replace(result=_added(before.result, one.result))
    return list(found.values())


def _read(folder: Path) -> list[Measured]:
    settings = settings_in(folder)
    with open_store(folder) as store:
        return [
            Measured(
                name,
                store.driver(name),
                store.is_relaxed(name),
                settings.runs[one.cell.run].instances,
                one,
            )
            for name in dict.fromkeys(run.device for run in settings.runs)
            for one in results_of(store, settings.launches, name)
        ]


def _key(one: Measured) -> Hashable:
    cell = one.result.cell
    return one.driver, one.result.target, one.asked, replace(cell, run=0, declared=0)


def _added(one: CellResult, other: CellResult) -> CellResult:
    """Return a cell with the launches of both campaigns. It needs as many as the more demanding campaign says."""
    return replace(
        one,
        cell=replace(one.cell, declared=max(one.cell.declared, other.cell.declared)),
        outcomes=Counter(one.outcomes) + Counter(other.outcomes),
        confirmed=one.confirmed + other.confirmed,
        course=None,
    )
