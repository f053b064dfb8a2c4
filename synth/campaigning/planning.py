"""What a campaign will run, and what it takes, before anything is run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypedDict

from synth_campaigns.cells import cells_of
from synth_checker.models import library, verdict_names

if TYPE_CHECKING:
    from pathlib import Path

    from synth.campaigning.asking import Asked
    from synth_campaigns.settings import Launches

#: Bytes of the database of results: of an empty one, and for each attempt and each launch (measured, rounded up).
_EMPTY, _PER_ATTEMPT, _PER_LAUNCH = 60_000, 300, 70


@dataclass(frozen=True, slots=True)
class DevicePlan:
    """What a campaign runs on a device.

    - `launches` is how many launches there are if nothing hangs.
    - `longest_s` is how many seconds launches take if the first launch of every cell hangs, and all that follow.
    """

    name: str
    tests: int
    mappings: tuple[str, ...]
    cells: int
    launches: int
    longest_s: float


@dataclass(frozen=True, slots=True)
class CampaignPlan:
    """What a campaign runs. `disk` is about how many bytes its results take; programs come on top of that."""

    folder: Path
    devices: tuple[DevicePlan, ...]
    disk: int


def plan_of(asked: Asked) -> CampaignPlan:
    """Return what a campaign runs.

    Raises:
        InputError: a device is not valid.
    """
    settings, cells = asked.settings, cells_of(asked.settings, asked.tests)
    devices = []
    for name in dict.fromkeys(run.device for run in settings.runs):
        its = [cell for cell in cells if cell.device == name]
        mappings = tuple(dict.fromkeys(word for run in settings.runs if run.device == name for word in run.mappings))
        launches = sum(cell.declared for cell in its)
        decides = next(run for run in settings.runs if run.device == name).load().decides
        longest = 0.0 if decides else longest_s(len(its), settings.launches)
        devices.append(DevicePlan(name, len({cell.test for cell in its}), mappings, len(its), launches, longest))
    launches = sum(device.launches for device in devices)
    return CampaignPlan(asked.folder, tuple(devices), _EMPTY + _PER_ATTEMPT * len(cells) + _PER_LAUNCH * launches)


def longest_s(cells: int, launches: Launches) -> float:
    """Return how many seconds so many cells take if every launch of each hangs.

    At most one hang for each verdict is waited for longer.
    """
    of_cell = (1 + launches.after_first_hang) * launches.timeout_s
    firsts = min(cells, len(verdict_names(library())))
    return cells * of_cell + firsts * max(0.0, launches.confirm_s - launches.timeout_s)


class DevicePlanFields(TypedDict):
    """What a campaign runs on a device.

    `launches` is how many launches there are if nothing hangs. `longest_s` is how many seconds launches take if
    everything hangs.
    """

    device: str
    tests: int
    mappings: list[str]
    cells: int
    launches: int
    longest_s: float


class CampaignPlanFields(TypedDict):
    """What a campaign runs. `disk` is about how many bytes the results take."""

    folder: str
    devices: list[DevicePlanFields]
    disk: int


def plan_fields(plan: CampaignPlan) -> CampaignPlanFields:
    """Return the JSON form of a plan."""
    return {
        "folder": str(plan.folder),
        "devices": [
            {
                "device": one.name,
                "tests": one.tests,
                "mappings": list(one.mappings),
                "cells": one.cells,
                "launches": one.launches,
                "longest_s": one.longest_s,
            }
            for one in plan.devices
        ],
        "disk": plan.disk,
    }
