"""The answer about a campaign: how far it has come, and what its launches show of each device. Also as JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from synth_backends.mapping import Across
from synth_campaigns.cell_result import Evidence
from synth_campaigns.claims import Status, claims_of
from synth_campaigns.folder import open_store, settings_in
from synth_campaigns.missing_results import why_nothing
from synth_campaigns.results import results_of
from synth_storage.answer_json import answer_from

if TYPE_CHECKING:
    from pathlib import Path

    from synth_campaigns.cell_result import CellResult
    from synth_campaigns.claims import Claim


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


class CellStatus(NamedTuple):
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


class ClaimFields(NamedTuple):
    """The claim about a verdict. `witnesses` are the numbers of cells with a confirmed hang, the most telling first.

    `published` says that all the launches come from a published table.
    """

    verdict: str
    claim: Status
    tests: int
    launches: int
    witnesses: list[int]
    bound: float | None
    because: str
    published: bool


class DeviceStatus(NamedTuple):
    """A device, what it says of itself, its cells, and a claim for each verdict."""

    device: str
    driver: str
    cells: list[CellStatus]
    claims: list[ClaimFields]


class CampaignStatus(NamedTuple):
    """A campaign: its devices, and events, each with time (UTC), kind and text."""

    folder: str
    devices: list[DeviceStatus]
    events: list[list[str]]


def campaign_status(answer: CampaignAnswer) -> CampaignStatus:
    """Return a campaign as JSON has it."""
    devices = [
        DeviceStatus(device.name, device.driver, list(map(_cell, device.cells)), list(map(claim_fields, device.claims)))
        for device in answer.devices
    ]
    return CampaignStatus(str(answer.folder), devices, list(map(list, answer.events)))


def _cell(result: CellResult) -> CellStatus:
    return answer_from(
        CellStatus,
        result,
        result.cell,
        result.cell.setting,
        cell=result.number,
        outcomes={str(outcome): count for outcome, count in sorted(result.outcomes.items())},
        published=result.is_published,
        least=result.is_least,
    )


def claim_fields(claim: Claim) -> ClaimFields:
    """Return a claim as JSON has it."""
    witnesses = [witness.number for witness in claim.witnesses]
    return answer_from(ClaimFields, claim, claim=claim.status, witnesses=witnesses, published=claim.is_published)
