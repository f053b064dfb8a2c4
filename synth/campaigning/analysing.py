"""The answer of `synth campaign analyse`: what the launches of campaigns say about each device."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from synth.campaigning.witnesses import witnesses_of
from synth.inputs.given_models import given_models
from synth_analysis.dependence import of_attempts_after_hangs, of_first_launches
from synth_analysis.patterns import sharper_of
from synth_analysis.reading import opened_devices
from synth_analysis.summary import Summary, summary_of
from synth_analysis.transfers import doubts_of
from synth_campaigns.claims import claims_of
from synth_checker.models import library, verdict_names, verdicts_meant
from synth_checker.nearest import unknown
from synth_checker.notebook import Displayed

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from synth.campaigning.witnesses import Witness
    from synth_analysis.dependence import Difference
    from synth_analysis.reading import DeviceResults
    from synth_analysis.transfers import Doubt
    from synth_campaigns.claims import Claim
    from synth_campaigns.results import CellResult
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
    first_launches: Difference | None
    after_hangs: Difference | None
    doubts: tuple[Doubt, ...] = ()

    @property
    def suspected(self) -> list[CellResult]:
        """The cells with suspected hangs."""
        return [one for one in self.results.cells if one.outcomes.get("suspected hang")]

    @property
    def of_memory(self) -> list[CellResult]:
        """The cells with a confirmed hang that the relaxed memory may have caused, each once."""
        found = {(one.campaign, one.number): one for claim in self.claims for one in claim.relaxed_witnesses}
        return list(found.values())


@dataclass(frozen=True, slots=True, repr=False)
class Analysis(Displayed):
    """What the launches of some campaigns say about each device."""

    folders: tuple[Path, ...]
    devices: tuple[AnalysedDevice, ...]

    def __repr__(self) -> str:
        return f"<Analysis of {len(self.folders)} campaigns on {len(self.devices)} devices>"


def analysis_of(folders: Sequence[Path], models: Sequence[str] = (), *, by_patterns: bool = False) -> Analysis:
    """Analyse the results of some campaigns.

    `models` are words for models. Without any, the models of the paper are meant. `by_patterns` says that who had
    finished in a hang counts as evidence, too.

    Raises:
        InputError: a folder holds no campaign, two folders hold the same one, or a word names no model.
        ResourceError: reading the results failed.
    """
    chosen = _chosen(models)
    with opened_devices(folders) as devices:
        return Analysis(tuple(folders), tuple(_analysed(one, chosen, by_patterns=by_patterns) for one in devices))


def check_verdict(verdict: str, models: Sequence[str] = ()) -> None:
    """Raise InputError unless there are claims about a verdict. A model means both its forms."""
    if not verdicts_meant(verdict, names := verdict_names(_chosen(models))):
        raise unknown("verdict", verdict, names)


def _chosen(models: Sequence[str]) -> tuple[Model, ...]:
    return given_models(models) if models else library()


def exit_code(analysis: Analysis, verdict: str) -> int:
    """Return 0 if all devices are consistent with a verdict, 1 if one violates it, and 3 otherwise.

    A model means both its forms.
    """
    claims = (claim for device in analysis.devices for claim in device.claims)
    found = {claim.status for claim in claims if verdicts_meant(verdict, [claim.verdict])}
    return 1 if "violates" in found else 0 if found == {"consistent with"} else 3


def _analysed(device: DeviceResults, models: tuple[Model, ...], *, by_patterns: bool) -> AnalysedDevice:
    sharper = sharper_of(device, models) if by_patterns else {}
    claims = tuple(claims_of(device.cells, models, {cell: one.verdicts for cell, one in sharper.items()}))
    return AnalysedDevice(
        device,
        claims,
        summary_of(claims, models),
        tuple(witnesses_of(claims, sharper)),
        of_first_launches(device.cells),
        of_attempts_after_hangs(device.after_others),
        () if models == library() else tuple(doubts_of(device.cells, models)),
    )
