"""The answer of `synth campaign analyse`: what the launches of campaigns say about each device."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from synth_analysis.answers.witnesses import witnesses_of
from synth_analysis.dependence import of_attempts_after_hangs, of_first_launches
from synth_analysis.device_results import opened_devices
from synth_analysis.patterns import pattern_evidence_of
from synth_analysis.transfers import doubts_of
from synth_campaigns.claims import claims_of
from synth_campaigns.intervals import clean_launches
from synth_campaigns.missing_results import why_nothing
from synth_campaigns.summary import Summary, distinctions_of, summary_of
from synth_checker.errors import InputError
from synth_checker.models import library, verdict_names, verdicts_meant
from synth_checker.nearest import unknown
from synth_checker.notebook import NotebookObject
from synth_litmus.inputs.models import given_models

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from synth_analysis.answers.witnesses import Witness
    from synth_analysis.dependence import RateDifference
    from synth_analysis.device_results import DeviceResults
    from synth_analysis.transfers import Doubt
    from synth_campaigns.cell_result import CellResult
    from synth_campaigns.claims import Claim
    from synth_campaigns.summary import Distinction
    from synth_checker.models import Model


@dataclass(frozen=True, slots=True)
class AnalysedDevice:
    """A device, a claim for each verdict, the claims in short, and the most telling witness against each verdict.

    - `first_launches` compares the first launches of processes with later ones.
    - `after_hangs` compares attempts after a hang with others.
    - `doubts` says which cells do not count because a verdict may not hold of their launches.
    """

    results: DeviceResults
    claims: tuple[Claim, ...]
    summary: Summary
    witnesses: tuple[Witness, ...]
    first_launches: RateDifference | None
    after_hangs: RateDifference | None
    doubts: tuple[Doubt, ...] = ()
    told_apart: tuple[Distinction, ...] = ()

    @property
    def suspected(self) -> list[CellResult]:
        """The cells with suspected hangs."""
        return [cell for cell in self.results.cells if cell.outcomes.get("suspected hang")]

    @property
    def of_memory(self) -> list[CellResult]:
        """The cells with a confirmed hang that the relaxed memory may have caused, each once."""
        results = {
            (relaxed_witness.campaign, relaxed_witness.number): relaxed_witness
            for claim in self.claims
            for relaxed_witness in claim.relaxed_witnesses
        }
        return list(results.values())


@dataclass(frozen=True, slots=True, repr=False)
class Analysis(NotebookObject):
    """What the launches of some campaigns say about each device."""

    folders: tuple[Path, ...]
    devices: tuple[AnalysedDevice, ...]

    @property
    def nothing(self) -> str:
        """Why no launch on any device ended or hung; empty if one did."""
        devices = [device.results for device in self.devices]
        return why_nothing(
            [cell for results in devices for cell in results.cells],
            [event for results in devices for event in results.events],
        )

    def __repr__(self) -> str:
        return f"<Analysis of {len(self.folders)} campaigns on {len(self.devices)} devices>"


def analysis_of(folders: Sequence[Path], models: Sequence[str] = (), *, by_patterns: bool = False) -> Analysis:
    """Analyse the results of some campaigns.

    `models` are words for models. Without any, the models of the paper are meant. `by_patterns` says that who had
    finished in a hang counts as evidence, too.

    Raises:
        InputError: a folder holds no campaign, or a word names no model.
        ResourceError: reading the results failed.
    """
    chosen = _chosen(models)
    with opened_devices(folders) as devices:
        return Analysis(tuple(folders), tuple(_analysed(device, chosen, by_patterns=by_patterns) for device in devices))


def check_verdict(verdict: str, models: Sequence[str] = ()) -> None:
    """Raise InputError unless there are claims about a verdict. A model means both its forms."""
    if not verdicts_meant(verdict, names := verdict_names(_chosen(models))):
        raise unknown("verdict", verdict, names)


def _chosen(models: Sequence[str]) -> tuple[Model, ...]:
    return given_models(models) if models else library()


#: The rate of hangs that `--expect` allows if nothing else is said.
AT_MOST_RATE = 0.05


class Expectation(NamedTuple):
    """Whether devices are as expected: the exit status of the command, and why it is not 0."""

    code: int
    why: str = ""


def check_rate(rate: float) -> float:
    """Return a rate of hangs if launches can bound it.

    Raises:
        InputError: it is below 0.00001, or not below 1.
    """
    if not 0.00001 <= rate < 1:
        raise InputError(f"--at-most-rate: found {rate:g}, expected at least 0.00001 and less than 1")
    return rate


def expectation_of(analysis: Analysis, verdict: str, at_most_rate: float) -> Expectation:
    """Return whether all devices are consistent with a verdict, by enough launches. A model means both its verdicts.

    Each cell must have so many launches that its rate of hangs is at most `at_most_rate`, with 95 % confidence.
    """
    of_verdict = [
        (device, claim)
        for device in analysis.devices
        for claim in device.claims
        if verdicts_meant(verdict, [claim.verdict])
    ]
    for device, claim in of_verdict:
        if claim.status == "violates":
            return Expectation(1, f"{device.results.name} violates {claim.verdict}")
    for device, claim in of_verdict:
        if claim.status != "consistent with":
            return Expectation(3, f"{device.results.name}: {claim.verdict} is {claim.status}")
    for device, claim in of_verdict:
        if claim.bound is None or claim.bound > at_most_rate:
            return Expectation(
                1,
                f"{device.results.name}: not enough launches to say; they show a rate of hangs below {claim.bound:.1%} "
                f"for {claim.verdict}, expected at most {at_most_rate:.1%}, which takes {clean_launches(at_most_rate)} "
                f"launches a cell (--until {at_most_rate:g})",
            )
    return Expectation(0)


def _analysed(device: DeviceResults, models: tuple[Model, ...], *, by_patterns: bool) -> AnalysedDevice:
    sharper = pattern_evidence_of(device, models) if by_patterns else {}
    claims = tuple(
        claims_of(device.cells, models, {cell: sharper_sets.verdicts for cell, sharper_sets in sharper.items()})
    )
    summary = summary_of(claims, models)
    return AnalysedDevice(
        device,
        claims,
        summary,
        tuple(witnesses_of(claims, sharper)),
        of_first_launches(device.cells),
        of_attempts_after_hangs(device.after_others),
        () if models == library() else tuple(doubts_of(device.cells, models)),
        tuple(distinctions_of(claims, summary, models)),
    )
