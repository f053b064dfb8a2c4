"""The answer about a campaign: how far it has come, and what its launches show of each device. Also as JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypedDict

from synth_backends.mapping import Across
from synth_campaigns.cell_result import Evidence
from synth_campaigns.claims import claims_of
from synth_campaigns.folder import open_store, settings_in
from synth_campaigns.results import results_of
from synth_campaigns.without_result import why_nothing

if TYPE_CHECKING:
    from pathlib import Path

    from synth_campaigns.cell_result import CellResult
    from synth_campaigns.claims import Claim, Status


@dataclass(frozen=True, slots=True)
class DeviceAnswer:
    """A device: the line in which it says what it is, its cells with the outcomes of their launches, and the claims."""

    name: str
    driver: str
    cells: tuple[CellResult, ...]
    claims: tuple[Claim, ...]

    @property
    def finished(self) -> int:
        """How many cells have all launches that they will have."""
        return sum(cell.is_finished for cell in self.cells)


@dataclass(frozen=True, slots=True)
class CampaignAnswer:
    """A campaign: its devices, and events besides launches, each with its time (UTC), kind and text."""

    folder: Path
    devices: tuple[DeviceAnswer, ...]
    events: tuple[tuple[str, str, str], ...]

    @property
    def nothing(self) -> str:
        """Why no launch on any device ended or hung; empty if one did."""
        return why_nothing([cell for device in self.devices for cell in device.cells], self.events)


def campaign_answer(folder: Path) -> CampaignAnswer:
    """Read the results of a campaign.

    Raises:
        InputError: the folder holds no campaign.
        ResourceError: reading the results failed.
    """
    settings = settings_in(folder)
    devices = []
    with open_store(folder) as store:
        for name in dict.fromkeys(run.device for run in settings.runs):
            cells = tuple(results_of(store, settings.launches, name))
            devices.append(DeviceAnswer(name, store.driver(name), cells, tuple(claims_of(cells))))
        return CampaignAnswer(folder, tuple(devices), tuple(store.events()))


class CellFields(TypedDict):
    """A cell: a test in a setting, and how many launches had each outcome, with the number of confirmed hangs.

    - `across` says which parts of a launch run the threads of the test.
    - `instances` is 0 if their number is unknown.
    - `published` says that the outcomes are those of a published table.
    - `least` says that more launches may have hung.
    - `evidence` is what the confirmed hangs rest on, and `doubt` says why others do not count.
    """

    cell: int
    test: str
    mapping: str
    instances: int
    stress: int
    busy: int
    across: Across
    declared: int
    outcomes: dict[str, int]
    confirmed: int
    published: bool
    least: bool
    evidence: Evidence
    doubt: str


class ClaimFields(TypedDict):
    """The claim about a verdict. `witnesses` are the numbers of cells with a confirmed hang, the most telling first.

    `published` says that all the launches come from a published table.
    """

    verdict: str
    claim: Literal["violates", "consistent with", "inconclusive", "not tested"]
    tests: int
    launches: int
    witnesses: list[int]
    bound: float | None
    because: str
    published: bool


class CampaignDeviceFields(TypedDict):
    """A device, what it says of itself, its cells, and a claim for each verdict."""

    device: str
    driver: str
    cells: list[CellFields]
    claims: list[ClaimFields]


class CampaignFields(TypedDict):
    """A campaign: its devices, and events, each with time (UTC), kind and text."""

    folder: str
    devices: list[CampaignDeviceFields]
    events: list[list[str]]


def campaign_fields(answer: CampaignAnswer) -> CampaignFields:
    """Return the JSON form of a campaign."""
    return {
        "folder": str(answer.folder),
        "devices": [_device(device) for device in answer.devices],
        "events": [list(event) for event in answer.events],
    }


def _device(device: DeviceAnswer) -> CampaignDeviceFields:
    return {
        "device": device.name,
        "driver": device.driver,
        "cells": [
            {
                "cell": cell.number,
                "test": cell.cell.test,
                "mapping": cell.cell.setting.mapping,
                "instances": cell.cell.setting.instances,
                "stress": cell.cell.setting.stress,
                "busy": cell.cell.busy,
                "across": cell.cell.across,
                "declared": cell.cell.declared,
                "outcomes": {str(outcome): count for outcome, count in sorted(cell.outcomes.items())},
                "confirmed": cell.confirmed,
                "published": cell.is_published,
                "least": cell.is_least,
                "evidence": cell.evidence,
                "doubt": cell.doubt,
            }
            for cell in device.cells
        ],
        "claims": [claim_fields(claim) for claim in device.claims],
    }


def claim_fields(claim: Claim) -> ClaimFields:
    """Return the JSON form of a claim."""
    status: Status = claim.status
    return {
        "verdict": claim.verdict,
        "claim": status,
        "tests": claim.tests,
        "launches": claim.launches,
        "witnesses": [witness.number for witness in claim.witnesses],
        "bound": claim.bound,
        "because": claim.because,
        "published": claim.is_published,
    }
