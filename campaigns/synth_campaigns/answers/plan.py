"""What a campaign will run, and what it takes, before anything is run."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from synth_campaigns.cells import cells_of
from synth_campaigns.folder import is_campaign, open_store
from synth_checker.models import library, verdict_names

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from synth_campaigns.answers.request import CampaignRequest
    from synth_campaigns.settings import LaunchSettings

#: Bytes of the database of results: of an empty one, and for each attempt and each launch (measured, rounded up).
_EMPTY, _PER_ATTEMPT, _PER_LAUNCH = 60_000, 300, 70


class DevicePlan(NamedTuple):
    """What a campaign runs on a device.

    - `launches` is how many launches there are if nothing hangs.
    - `longest_s` is how many seconds launches take if the first launch of every cell hangs, and all that follow.
    - `usual_s` is how many seconds all cells usually take, by what the cells took that were tried before in the folder
      of the campaign. It is None if none was tried. `tried` is how many these are.
    """

    device: str
    tests: int
    mappings: list[str]
    cells: int
    launches: int
    longest_s: float
    usual_s: float | None
    tried: int


class CampaignPlan(NamedTuple):
    """What a campaign runs. `disk` is about how many bytes its results take; programs come on top of that."""

    folder: str
    devices: list[DevicePlan]
    disk: int


def plan_of(request: CampaignRequest) -> CampaignPlan:
    """Return what a campaign runs.

    Raises:
        InputError: a device is not valid.
    """
    settings, cells = request.settings, cells_of(request.settings, request.tests)
    devices = []
    for name in dict.fromkeys(run.device for run in settings.runs):
        its = [cell for cell in cells if cell.device == name]
        mappings = list(dict.fromkeys(word for run in settings.runs if run.device == name for word in run.mappings))
        launches = sum(cell.declared for cell in its)
        decides = next(run for run in settings.runs if run.device == name).load().decides
        longest = 0.0 if decides else longest_s(len(its), settings.launches)
        tried = _tried(request.folder, name)
        usual = usual_s([cell.setting.mapping for cell in its], tried)
        number = sum(cells for cells, _ in tried.values())
        tests = len({cell.test for cell in its})
        devices.append(DevicePlan(name, tests, mappings, len(its), launches, longest, usual, number))
    launches = sum(device.launches for device in devices)
    return CampaignPlan(str(request.folder), devices, _EMPTY + _PER_ATTEMPT * len(cells) + _PER_LAUNCH * launches)


def longest_s(cells: int, launches: LaunchSettings) -> float:
    """Return how many seconds so many cells take if every launch of each hangs.

    At most one hang for each verdict is waited for longer.
    """
    of_cell = (1 + launches.after_first_hang) * launches.timeout_s
    firsts = min(cells, len(verdict_names(library())))
    return cells * of_cell + firsts * max(0.0, launches.confirm_s - launches.timeout_s)


def usual_s(mappings: Sequence[str], tried: Mapping[str, tuple[int, float]]) -> float | None:
    """Return how many seconds cells usually take, or None if that is unknown. `mappings` has the mapping of each cell.

    `tried` says how many cells under each mapping were tried before, and how many seconds these took. Under another
    mapping, a cell takes as long as the mean of all that were tried.
    """
    cells, seconds = (sum(numbers[place] for numbers in tried.values()) for place in (0, 1))
    if not cells:
        return None
    means = {mapping: took / number for mapping, (number, took) in tried.items()}
    return sum(means.get(mapping, seconds / cells) for mapping in mappings)


def _tried(folder: Path, device: str) -> dict[str, tuple[int, float]]:
    if not is_campaign(folder):
        return {}
    with open_store(folder) as store:
        return store.cell_seconds(device)
