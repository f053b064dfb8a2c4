"""The results of one or several campaigns, by device.

Two campaigns ran on the same device if it says the same of itself in both: the line of its driver, and whatever else it
tells in both. One of them may tell more, because it was made with another release or target. Then the cells of both
count for this device. `synth_campaigns.cell_launches` sees to it that no launch counts twice.

Each database is opened once, and a folder that is named twice counts once.
"""

from __future__ import annotations

import contextlib
import resource
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from synth_analysis.dependence import attempts_after_others
from synth_campaigns.cell_launches import cells_launched, merged_duplicates
from synth_campaigns.folder import open_store, settings_in
from synth_campaigns.results import declared_of, result_of
from synth_checker.errors import ResourceError
from synth_checker.nearest import unknown

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from synth_campaigns.cell_result import CellResult
    from synth_campaigns.settings import Settings
    from synth_campaigns.store import Store

#: How many files SQLite opens for a database, and how many files a process has open besides.
_FILES_OF_STORE, _OTHER_FILES = 3, 100


class ResultFolder(NamedTuple):
    """Where results of a device are: the folder of a campaign, and the name that this campaign has for the device.

    - `settings` is what the campaign shall do.
    - `store` has its results, while `opened_devices` keeps it open.
    - `longest` is how many seconds the longest launch took that ended on the device, by mapping.
    """

    folder: Path
    name: str
    settings: Settings
    store: Store
    longest: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class DeviceResults:
    """A device and all its cells, from one or several campaigns.

    - `driver` is the line in which it says what it is, and `told` is all else that it says.
    - `longest` is the same as for a place, of all campaigns together.
    - `after_others` says for the first attempt of each cell whether the attempt before hung, and whether it hung. Only
      campaigns whose cells are shuffled tell it.
    - `events` are those about the device, each with its time (UTC), kind and text. Their texts do not start with its
      name, and name the folder of a campaign by its last part only.
    """

    places: tuple[ResultFolder, ...]
    driver: str
    told: Mapping[str, object]
    longest: Mapping[str, float]
    cells: tuple[CellResult, ...]
    after_others: tuple[tuple[bool, bool], ...] = ()
    events: tuple[tuple[str, str, str], ...] = ()

    @property
    def name(self) -> str:
        """The name that the first campaign has for the device."""
        return self.places[0].name


def devices_in(folders: Sequence[Path]) -> list[DeviceResults]:
    """Return the results of some campaigns by device, in the order in which the campaigns name the devices.

    Raises:
        InputError: a folder holds no campaign.
        ResourceError: reading the results failed.
    """
    with opened_devices(folders) as devices:
        return devices


@contextlib.contextmanager
def opened_devices(folders: Sequence[Path]) -> Iterator[list[DeviceResults]]:
    """Return the same as `devices_in`, as a context manager that keeps the databases open.

    Raises:
        InputError: a folder holds no campaign.
        ResourceError: reading the results failed.
    """
    places: list[ResultFolder] = []
    with _many_files(_FILES_OF_STORE * len(folders) + _OTHER_FILES), contextlib.ExitStack() as stack:
        for folder in _each_once(folders):
            settings, store = settings_in(folder), stack.enter_context(open_store(folder))
            timed = store.longest()
            for name in dict.fromkeys(run.device for run in settings.runs):
                longest = {mapping: seconds for (device, mapping), seconds in timed.items() if device == name}
                places.append(ResultFolder(folder, name, settings, store, longest))
        yield [_read(same) for same in _by_device(places)]


def _each_once(folders: Sequence[Path]) -> list[Path]:
    by_path: dict[Path, Path] = {}
    for folder in folders:
        by_path.setdefault(folder.resolve(), folder)
    return list(by_path.values())


def check_device(devices: Sequence[DeviceResults], name: str | None) -> None:
    """Raise InputError unless some device has this name, or the name is None."""
    if name is not None and all(device.name != name for device in devices):
        raise unknown("device", name, [device.name for device in devices])


def labels_of(devices: Sequence[DeviceResults]) -> list[str]:
    """Return for each device a text that no other one of them has: its name, and its driver or its folder if needed."""
    labels = [device.name for device in devices]
    for more in ([device.driver for device in devices], [str(device.places[0].folder) for device in devices]):
        counts = Counter(labels)
        labels = [
            f"{label}: {other}" if counts[label] > 1 else label for label, other in zip(labels, more, strict=True)
        ]
    return labels


@contextlib.contextmanager
def _many_files(number: int) -> Iterator[None]:
    """As a context manager, let this process have so many files open at once, as far as the system allows it.

    If something fails there, and the system allows fewer files, the message says so.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    allowed = number if hard == resource.RLIM_INFINITY else min(number, hard)
    if soft != resource.RLIM_INFINITY and soft < allowed:
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
    try:
        yield
    except ResourceError as error:
        if allowed == number:
            raise
        raise ResourceError(
            f"{error}; so many campaigns need up to {number} files open at once, and a process may have {hard} files "
            f"open: name fewer campaigns, or raise the limit with `ulimit -n {number}`"
        ) from error


def _by_device(places: Sequence[ResultFolder]) -> list[list[ResultFolder]]:
    """Put the places of each device together, in the order of their first ones.

    A place that tells little may fit two others which differ from each other. Then nobody knows to which it belongs,
    and it stays a device of its own. So places are together only if they fit the same places.
    """
    fits = [tuple(_may_be_same(place, other) for other in places) for place in places]
    by_fits: dict[tuple[bool, ...], list[ResultFolder]] = {}
    for place, like in zip(places, fits, strict=True):
        by_fits.setdefault(like, []).append(place)
    return list(by_fits.values())


def _may_be_same(place: ResultFolder, other: ResultFolder) -> bool:
    """Whether two places may be of one device. A device that has said nothing yet is only its own."""
    if place is other:
        return True
    driver = place.store.driver(place.name)
    if not driver or driver != other.store.driver(other.name):
        return False
    description, also = place.store.told(place.name), other.store.told(other.name)
    return all(also.get(key, value) == value for key, value in description.items())


def _read(places: Sequence[ResultFolder]) -> DeviceResults:
    longest: dict[str, float] = {}
    for place in places:
        for mapping, seconds in place.longest.items():
            longest[mapping] = max(longest.get(mapping, 0.0), seconds)
    after_others: list[tuple[bool, bool]] = []
    known: set[str] = set()
    for place in places:
        identity = place.store.meta("campaign")
        if place.settings.order == "shuffled" and identity not in known:
            after_others += attempts_after_others(place.store, place.name)
        known.add(identity)
    runs = {str(place.folder): place.settings.runs for place in places}
    launched = [
        launches
        for folder, name, settings, store, _ in places
        for launches in cells_launched(store, settings.launches, name, str(folder), has_prints=len(places) > 1)
    ]
    results = declared_of([result_of(launches, longest) for launches in merged_duplicates(launched)])
    cells = [replace(result, asked=runs[result.campaign][result.cell.run].instances) for result in results]
    description: dict[str, object] = {}
    for place in places:
        description |= place.store.told(place.name)
    driver, events = places[0].store.driver(places[0].name), [event for place in places for event in _events(place)]
    return DeviceResults(tuple(places), driver, description, longest, tuple(cells), tuple(after_others), tuple(events))


def _events(place: ResultFolder) -> Iterator[tuple[str, str, str]]:
    start = f"device {place.name}: "
    for time, kind, text in place.store.events():
        if text.startswith(start):
            named = text.removeprefix(start).replace(str(place.folder.absolute()), place.folder.name)
            yield time, kind, named
