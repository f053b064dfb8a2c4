"""The answer of `synth campaign analyse`: what the launches of campaigns say about each device. Also as JSON."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypedDict

from synth.explaining import explain
from synth.inputs.given_models import given_models
from synth_analysis.dependence import of_attempts_after_hangs, of_first_launches
from synth_analysis.frequency import Frequency, frequency_of
from synth_analysis.patterns import sharper_of
from synth_analysis.reading import devices_in
from synth_analysis.summary import Summary, summary_of
from synth_analysis.transfers import doubts_of
from synth_backends.mapping import Across  # noqa: TC001  (a schema is made of the types below)
from synth_campaigns.claims import claims_of, passed_by
from synth_checker.models import library, verdict_names
from synth_checker.nearest import unknown
from synth_checker.programs.normal import program_of_id
from synth_checker.programs.text import write_program
from synth_checker.relations.antichains import fairest

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from synth_analysis.dependence import Difference
    from synth_analysis.patterns import Sharper
    from synth_analysis.reading import DeviceResults
    from synth_analysis.transfers import Doubt
    from synth_campaigns.claims import Claim
    from synth_campaigns.results import CellResult
    from synth_checker.models import Model


@dataclass(frozen=True, slots=True)
class Witness:
    """The most telling witness against some verdicts.

    - `program` is the text of its test.
    - `under` is a verdict that the test fails, one of the fairest. `lasso` says in words how the test may run for ever
      on a scheduler that keeps the promise of `under`.
    - `command` runs the cell again. It is empty if `synth` cannot, as for a published table.
    - `finished` is empty if the test passes the verdicts. Otherwise, who had finished in a hang speaks against them:
      these are the sets of finished threads in this hang.
    """

    result: CellResult
    verdicts: tuple[str, ...]
    program: str
    under: str
    lasso: tuple[str, ...]
    command: str
    finished: tuple[str, ...] = ()


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


@dataclass(frozen=True, slots=True)
class Analysis:
    """What the launches of some campaigns say about each device."""

    folders: tuple[Path, ...]
    devices: tuple[AnalysedDevice, ...]


def analysis_of(folders: Sequence[Path], models: Sequence[str] = (), *, by_patterns: bool = False) -> Analysis:
    """Analyse the results of some campaigns.

    `models` are words for models. Without any, the models of the paper are meant. `by_patterns` says that who had
    finished in a hang counts as evidence, too.

    Raises:
        InputError: a folder holds no campaign, two folders hold the same one, or a word names no model.
        ResourceError: reading the results failed.
    """
    chosen = _chosen(models)
    return Analysis(
        tuple(folders), tuple(_analysed(device, chosen, by_patterns=by_patterns) for device in devices_in(folders))
    )


def check_verdict(verdict: str, models: Sequence[str] = ()) -> None:
    """Raise InputError unless there are claims about a verdict."""
    if verdict not in (names := verdict_names(_chosen(models))):
        raise unknown("verdict", verdict, names)


def _chosen(models: Sequence[str]) -> tuple[Model, ...]:
    return given_models(models) if models else library()


def exit_code(analysis: Analysis, verdict: str) -> int:
    """Return 0 if all devices are consistent with a verdict, 1 if one violates it, and 3 otherwise."""
    found = {claim.status for device in analysis.devices for claim in device.claims if claim.verdict == verdict}
    return 1 if "violates" in found else 0 if found == {"consistent with"} else 3


def _analysed(device: DeviceResults, models: tuple[Model, ...], *, by_patterns: bool) -> AnalysedDevice:
    sharper = sharper_of(device, models) if by_patterns else {}
    claims = tuple(claims_of(device.cells, models, {cell: one.verdicts for cell, one in sharper.items()}))
    return AnalysedDevice(
        device,
        claims,
        summary_of(claims, models),
        tuple(_witnesses(claims, sharper)),
        of_first_launches(device.cells),
        of_attempts_after_hangs(device.after_others),
        () if models == library() else tuple(doubts_of(device.cells, models)),
    )


def _witnesses(claims: Sequence[Claim], sharper: Mapping[tuple[str, int], Sharper]) -> list[Witness]:
    """Return the first witness against each violated verdict, each once. One by patterns counts only without others."""
    found: dict[tuple[str, int, bool], tuple[CellResult, list[str]]] = {}
    for claim in claims:
        if claim.status == "violates":
            first = (*claim.witnesses, *claim.pattern_witnesses)[0]
            key = (first.campaign, first.number, not claim.witnesses)
            found.setdefault(key, (first, []))[1].append(claim.verdict)
    return [
        _witness(one, verdicts, sharper[campaign, number].finished if is_pattern else ())
        for (campaign, number, is_pattern), (one, verdicts) in found.items()
    ]


def _witness(one: CellResult, verdicts: Sequence[str], finished: tuple[str, ...]) -> Witness:
    program = program_of_id(one.cell.test)
    under = _fairest_failed(one.cell.test)
    lasso = explain(program, under).sentences
    return Witness(one, tuple(verdicts), write_program(program), under, lasso, command_of(one), finished)


def _fairest_failed(test: str) -> str:
    """Return the first of the fairest verdicts that a test fails."""
    passed = passed_by([test])[test]
    return fairest([name for name in verdict_names(library()) if name not in passed])[0]


def command_of(one: CellResult) -> str:
    """Return a command that runs a cell again, or an empty text if there is none."""
    cell, setting = one.cell, one.cell.setting
    kind, _, words = cell.device.partition(":")
    if kind == "published":
        return ""
    is_bundle = kind == "bundle"
    options = ["--mapping", setting.mapping]
    if setting.mapping != "plain":
        options += ["--instances", str(setting.instances)]
    if setting.stress:
        options += ["--stress", str(setting.stress)]
    if is_bundle:
        return shlex.join(["synth", "emit", cell.test, "--target", words, *options, "--out", "again"])
    if cell.busy:
        options += ["--busy", str(cell.busy)]
    launches = ["--launches", str(cell.declared), "--out", "again.campaign"]
    return shlex.join(["synth", "campaign", "run", cell.test, "--device", cell.device, *options, *launches])


class AnalysedCellFields(TypedDict):
    """A cell: a test in a setting, and what its launches came to.

    - `campaign` is the folder, and `cell` the number of the cell in this campaign.
    - `outcomes` has how many launches had each outcome, of as many as the cell declares. `confirmed` is how many hangs
      are confirmed. `beyond` has the outcomes of the launches after these, which do not count.
    - `frequency` says how often the launches that ended or hung have hung.
    - `first_hang` says which of these launches was the first to hang. It is null if none hung or if this is unknown.
    - `interval` is Wilson's 95 % interval of the rate of hangs, `of` the number of launches that it was computed from,
      and `of_hung` how many of these hung. If launches ended because of a hang, only the launches after this hang
      count. Without such launches, all three are null.
    - `suspected_rate` is the part of suspected hangs in these and the launches that ended or hung. It is null without
      such launches.
    - `processes` is how many processes made the launches; null if that is unknown.
    - `relaxed` says that the memory has no order between locations.
    - `trouble` says in words what keeps the cell from being complete.
    """

    campaign: str
    cell: int
    test: str
    mapping: str
    instances: int
    stress: int
    stress_shape: str
    width: int
    busy: int
    target: str
    across: Across
    declared: int
    outcomes: dict[str, int]
    beyond: dict[str, int]
    confirmed: int
    frequency: Frequency
    first_hang: int | None
    interval: list[float] | None
    of: int | None
    of_hung: int | None
    suspected_rate: float | None
    processes: int | None
    relaxed: bool
    published: bool
    least: bool
    trouble: list[str]


class CellName(TypedDict):
    """A cell of one of the campaigns."""

    campaign: str
    cell: int


class AnalysedClaimFields(TypedDict):
    """The claim about a verdict.

    - `cells` are the cells that count for it.
    - `witnesses` are those with a confirmed hang, the most telling first. `relaxed_witnesses` are those that the
      relaxed memory may have caused. `pattern_witnesses` are those whose test fails the verdict, but who had finished
      speaks against it.
    - `bound` is, for *consistent with*, the highest upper end of the 95 % intervals of single cells. `simultaneous` is
      a bound for all cells at once.
    - `troubled` are the cells that keep the claim from being *consistent with*, and `because` is about the first one.
    """

    verdict: str
    claim: Literal["violates", "consistent with", "inconclusive", "not tested"]
    tests: int
    launches: int
    cells: list[CellName]
    witnesses: list[CellName]
    relaxed_witnesses: list[CellName]
    pattern_witnesses: list[CellName]
    troubled: list[CellName]
    bound: float | None
    simultaneous: float | None
    because: str
    published: bool


class WitnessFields(TypedDict):
    """The most telling witness against some verdicts, its test as a text, and the command that runs it again.

    `lasso` says in words how the test may run for ever on a scheduler that keeps the promise of the verdict `under`.
    `finished` is empty unless who had finished is the evidence. Then it has the sets of finished threads in a hang.
    """

    cell: CellName
    test: str
    mapping: str
    verdicts: list[str]
    program: str
    under: str
    lasso: list[str]
    command: str
    finished: list[str]


class DifferenceFields(TypedDict):
    """How many of some launches hung, how many of others did, and how likely such a difference is by chance."""

    hung: int
    of: int
    others_hung: int
    of_others: int
    chance: float


class DoubtFields(TypedDict):
    """Cells whose test passes a verdict, but of whose launches it is not proven that the verdict holds.

    `left_out` is how many do not count, and `tried` how many count because launches of a few instances were judged.
    """

    verdict: str
    left_out: int
    tried: int
    reason: str


class AnalysedDeviceFields(TypedDict):
    """A device: what it says of itself, its cells, a claim for each verdict, and the claims in short.

    `violated` are the least fair verdicts that it violates. `consistent` are the fairest that it is consistent with,
    and `not_violated` the fairest that it was not seen to violate.

    `first_launches` compares the first launches of processes with later ones. `after_hangs` compares first attempts of
    cells after an attempt that hung with those after one that did not. Each is null if there are no two kinds.
    """

    device: str
    driver: str
    campaigns: list[str]
    cells: list[AnalysedCellFields]
    claims: list[AnalysedClaimFields]
    violated: list[str]
    consistent: list[str]
    not_violated: list[str]
    witnesses: list[WitnessFields]
    first_launches: DifferenceFields | None
    after_hangs: DifferenceFields | None
    doubts: list[DoubtFields]


class AnalysisFields(TypedDict):
    """What the launches of some campaigns say about each device."""

    folders: list[str]
    devices: list[AnalysedDeviceFields]


def analysis_fields(analysis: Analysis) -> AnalysisFields:
    """Return the JSON form of an analysis."""
    return {"folders": [str(folder) for folder in analysis.folders], "devices": [_device(d) for d in analysis.devices]}


def _device(device: AnalysedDevice) -> AnalysedDeviceFields:
    return {
        "device": device.results.name,
        "driver": device.results.driver,
        "campaigns": [str(place.folder) for place in device.results.places],
        "cells": [_cell(one) for one in device.results.cells],
        "claims": [_claim(one) for one in device.claims],
        "violated": list(device.summary.violated),
        "consistent": list(device.summary.consistent),
        "not_violated": list(device.summary.not_violated),
        "witnesses": [_witness_fields(one) for one in device.witnesses],
        "first_launches": _difference(device.first_launches),
        "after_hangs": _difference(device.after_hangs),
        "doubts": [_doubt(one) for one in device.doubts],
    }


def _difference(one: Difference | None) -> DifferenceFields | None:
    if one is None:
        return None
    return {
        "hung": one.some.hung,
        "of": one.some.launches,
        "others_hung": one.others.hung,
        "of_others": one.others.launches,
        "chance": one.chance,
    }


def _cell(one: CellResult) -> AnalysedCellFields:
    cell, setting, course, sample = one.cell, one.cell.setting, one.course, one.sample
    suspected = one.outcomes.get("suspected hang", 0)
    return {
        "campaign": one.campaign,
        "cell": one.number,
        "test": cell.test,
        "mapping": setting.mapping,
        "instances": setting.instances,
        "stress": setting.stress,
        "stress_shape": setting.stress_shape,
        "width": setting.width,
        "busy": cell.busy,
        "target": one.target,
        "across": cell.across,
        "declared": cell.declared,
        "outcomes": {str(outcome): count for outcome, count in sorted(one.outcomes.items())},
        "beyond": {str(outcome): count for outcome, count in sorted(one.beyond.items())},
        "confirmed": one.confirmed,
        "frequency": frequency_of(one),
        "first_hang": course.first_hang if course else None,
        "interval": list(one.interval) if one.interval else None,
        "of": sample.launches if sample and one.interval else None,
        "of_hung": sample.hung if sample and one.interval else None,
        "suspected_rate": suspected / (suspected + one.counted) if suspected + one.counted else None,
        "processes": course.processes if course else None,
        "relaxed": one.is_relaxed,
        "published": one.is_published,
        "least": one.is_least,
        "trouble": one.trouble,
    }


def _name(one: CellResult) -> CellName:
    return {"campaign": one.campaign, "cell": one.number}


def _claim(claim: Claim) -> AnalysedClaimFields:
    return {
        "verdict": claim.verdict,
        "claim": claim.status,
        "tests": claim.tests,
        "launches": claim.launches,
        "cells": [_name(one) for one in claim.cells],
        "witnesses": [_name(one) for one in claim.witnesses],
        "relaxed_witnesses": [_name(one) for one in claim.relaxed_witnesses],
        "pattern_witnesses": [_name(one) for one in claim.pattern_witnesses],
        "troubled": [_name(one) for one in claim.troubled],
        "bound": claim.bound,
        "simultaneous": claim.simultaneous,
        "because": claim.because,
        "published": claim.is_published,
    }


def _doubt(one: Doubt) -> DoubtFields:
    return {"verdict": one.verdict, "left_out": one.left_out, "tried": one.tried, "reason": one.reason}


def _witness_fields(one: Witness) -> WitnessFields:
    return {
        "cell": _name(one.result),
        "test": one.result.cell.test,
        "mapping": one.result.cell.setting.mapping,
        "verdicts": list(one.verdicts),
        "program": one.program,
        "under": one.under,
        "lasso": list(one.lasso),
        "command": one.command,
        "finished": list(one.finished),
    }
