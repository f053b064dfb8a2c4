"""The results of one or several campaigns, by device.

Two campaigns ran on the same device if it says the same of itself in both: the line of its driver, and all else that it
tells. Then the cells of both count for this device. Each cell keeps its own launches: no two cells are added up.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from synth_analysis.dependence import attempts_after_others
from synth_campaigns.folder import open_store, settings_in
from synth_campaigns.results import results_of
from synth_checker.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from synth_campaigns.results import CellResult
    from synth_campaigns.store import Store


class Place(NamedTuple):
    """Where results of a device are: the folder of a campaign, and the name that this campaign has for the device."""

    folder: Path
    name: str


@dataclass(frozen=True, slots=True)
class DeviceResults:
    """A device and all its cells, from one or several campaigns.

    - `driver` is the line in which it says what it is, and `told` is all else that it says.
    - `after_others` says for the first attempt of each cell whether the attempt before hung, and whether it hung. Only
      campaigns whose cells are shuffled tell it.
    """

    places: tuple[Place, ...]
    driver: str
    told: Mapping[str, object]
    cells: tuple[CellResult, ...]
    after_others: tuple[tuple[bool, bool], ...] = ()

    @property
    def name(self) -> str:
        """The name that the first campaign has for the device."""
        return self.places[0].name


def devices_in(folders: Sequence[Path]) -> list[DeviceResults]:
    """Return the results of some campaigns by device, in the order in which the campaigns name the devices.

    Raises:
        InputError: a folder holds no campaign, or two folders hold the same one.
        ResourceError: reading the results failed.
    """
    _check_different(folders)
    places: dict[object, list[Place]] = {}
    for folder in folders:
        names = dict.fromkeys(run.device for run in settings_in(folder).runs)
        with open_store(folder) as store:
            for name in names:
                places.setdefault(_identity(store, Place(folder, name)), []).append(Place(folder, name))
    return [_read(found) for found in places.values()]


def _check_different(folders: Sequence[Path]) -> None:
    known: dict[str, Path] = {}
    for folder in folders:
        with open_store(folder) as store:
            campaign = store.meta("campaign")
        if campaign in known:
            msg = f"{folder}: found the same campaign as in {known[campaign]}, expected each campaign once"
            raise InputError(msg)
        known[campaign] = folder


def _identity(store: Store, place: Place) -> object:
    """Return what two places of the same device share. A device that has said nothing yet is only its own."""
    driver = store.driver(place.name)
    return (driver, json.dumps(store.told(place.name), sort_keys=True)) if driver else place


def _read(places: Sequence[Place]) -> DeviceResults:
    longest = longest_in(places)
    cells: list[CellResult] = []
    after_others: list[tuple[bool, bool]] = []
    for place in places:
        settings = settings_in(place.folder)
        with open_store(place.folder) as store:
            found = results_of(store, settings.launches, place.name, longest)
            cells.extend(replace(one, campaign=str(place.folder)) for one in found)
            if settings.order == "shuffled":
                after_others += attempts_after_others(store, place.name)
            driver = store.driver(place.name)
            told: Mapping[str, object] = {**store.told(place.name)}
    return DeviceResults(tuple(places), driver, told, tuple(cells), tuple(after_others))


def longest_in(places: Sequence[Place]) -> Mapping[str, float]:
    """Return how many seconds the longest launch took that ended on a device, by mapping."""
    longest: dict[str, float] = {}
    for place in places:
        with open_store(place.folder) as store:
            for (name, mapping), seconds in store.longest().items():
                if name == place.name:
                    longest[mapping] = max(longest.get(mapping, 0.0), seconds)
    return longest
