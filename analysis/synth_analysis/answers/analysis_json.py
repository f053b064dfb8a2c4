"""The JSON form of an analysis (`synth_analysis.answers.analysis`)."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Literal, TypedDict

from synth_analysis.frequency import Frequency, frequency_of
from synth_backends.mapping import Across
from synth_campaigns.cell_result import Evidence

if TYPE_CHECKING:
    from synth_analysis.answers.analysis import AnalysedDevice, Analysis
    from synth_analysis.answers.witnesses import Witness
    from synth_analysis.dependence import RateDifference
    from synth_analysis.transfers import Doubt
    from synth_campaigns.cell_result import CellResult
    from synth_campaigns.claims import Claim


class ByTimeFields(TypedDict):
    """Why slowness does not explain hangs.

    The test without its waiting took `control_s` seconds at most, and a program waited at least `waited_s` seconds for
    each hang. `sizes` are the numbers of instances that hung. `ended` is the number of instances, below all of these,
    that ended in a moment; null if the smallest size is one instance.
    """

    control_s: float
    waited_s: float
    sizes: list[int]
    ended: int | None


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
    - `relaxed` says that the memory has no order between locations, or that nobody knows.
    - `evidence` is what the confirmed hangs rest on, and `by_time` says why slowness does not explain hangs of which
      only time tells. `doubt` says why hangs that were waited for do not count.
    - `alone` is how many of these did not come directly after a launch that did not end.
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
    evidence: Evidence
    by_time: ByTimeFields | None
    doubt: str
    alone: int
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

    `evidence` is what its hangs rest on. `instances` and `load` are null if unknown, and `before`, which says what the
    device ran before the first hang, is then empty. `timeouts_s` are the time-outs of the hangs that were waited for.
    """

    cell: CellName
    test: str
    mapping: str
    verdicts: list[str]
    program: str
    under: str
    lasso: list[str]
    evidence: Evidence
    instances: int | None
    before: str
    load: float | None
    timeouts_s: list[float]
    command: str
    finished: list[str]


class LaunchDependenceFields(TypedDict):
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


class ToldApartFields(TypedDict):
    """What launched tests could have told about a verdict.

    `told` are the fairest of the less fair verdicts from which some test tells it, and `untold` the least fair of those
    from which none does.
    """

    verdict: str
    told: list[str]
    untold: list[str]


class AnalysedDeviceFields(TypedDict):
    """A device: what it says of itself, its cells, a claim for each verdict, and the claims in short.

    `violated` are the least fair verdicts that it violates. `consistent` are the fairest that it is consistent with,
    and `not_violated` the fairest that it was not seen to violate.

    `told_apart` says from which less fair verdicts the launched tests could have told each of `not_violated`.

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
    told_apart: list[ToldApartFields]
    witnesses: list[WitnessFields]
    first_launches: LaunchDependenceFields | None
    after_hangs: LaunchDependenceFields | None
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
        "cells": [_cell(cell) for cell in device.results.cells],
        "claims": [_claim(claim) for claim in device.claims],
        "violated": list(device.summary.violated),
        "consistent": list(device.summary.consistent),
        "not_violated": list(device.summary.not_violated),
        "told_apart": [
            {"verdict": group.verdict, "told": list(group.told), "untold": list(group.untold)}
            for group in device.told_apart
        ],
        "witnesses": [_witness_fields(witness) for witness in device.witnesses],
        "first_launches": _difference(device.first_launches),
        "after_hangs": _difference(device.after_hangs),
        "doubts": [_doubt(doubt) for doubt in device.doubts],
    }


def _difference(difference: RateDifference | None) -> LaunchDependenceFields | None:
    if difference is None:
        return None
    return {
        "hung": difference.some.hung,
        "of": difference.some.launches,
        "others_hung": difference.others.hung,
        "of_others": difference.others.launches,
        "chance": difference.chance,
    }


def _cell(result: CellResult) -> AnalysedCellFields:
    cell, setting, course, sample = result.cell, result.cell.setting, result.course, result.sample
    suspected = result.outcomes.get("suspected hang", 0)
    return {
        "campaign": result.campaign,
        "cell": result.number,
        "test": cell.test,
        "mapping": setting.mapping,
        "instances": setting.instances,
        "stress": setting.stress,
        "stress_shape": setting.stress_shape,
        "width": setting.width,
        "busy": cell.busy,
        "target": result.target,
        "across": cell.across,
        "declared": cell.declared,
        "outcomes": {str(outcome): count for outcome, count in sorted(result.outcomes.items())},
        "beyond": {str(outcome): count for outcome, count in sorted(result.beyond.items())},
        "confirmed": result.confirmed,
        "frequency": frequency_of(result),
        "first_hang": course.first_hang if course else None,
        "interval": list(result.interval) if result.interval else None,
        "of": sample.launches if sample and result.interval else None,
        "of_hung": sample.hung if sample and result.interval else None,
        "suspected_rate": suspected / (suspected + result.counted) if suspected + result.counted else None,
        "processes": course.processes if course else None,
        "relaxed": result.is_relaxed,
        "published": result.is_published,
        "least": result.is_least,
        "evidence": result.evidence,
        "by_time": result.by_time and {**asdict(result.by_time), "sizes": list(result.by_time.sizes)},  # type: ignore[typeddict-item]
        "doubt": result.doubt,
        "alone": result.alone,
        "trouble": result.trouble,
    }


def _name(result: CellResult) -> CellName:
    return {"campaign": result.campaign, "cell": result.number}


def _claim(claim: Claim) -> AnalysedClaimFields:
    return {
        "verdict": claim.verdict,
        "claim": claim.status,
        "tests": claim.tests,
        "launches": claim.launches,
        "cells": [_name(cell) for cell in claim.cells],
        "witnesses": [_name(witness) for witness in claim.witnesses],
        "relaxed_witnesses": [_name(relaxed_witness) for relaxed_witness in claim.relaxed_witnesses],
        "pattern_witnesses": [_name(pattern_witness) for pattern_witness in claim.pattern_witnesses],
        "troubled": [_name(cell_result) for cell_result in claim.troubled],
        "bound": claim.bound,
        "simultaneous": claim.simultaneous,
        "because": claim.because,
        "published": claim.is_published,
    }


def _doubt(doubt: Doubt) -> DoubtFields:
    return {"verdict": doubt.verdict, "left_out": doubt.left_out, "tried": doubt.tried, "reason": doubt.reason}


def _witness_fields(witness: Witness) -> WitnessFields:
    circumstances = witness.result.circumstances
    return {
        "cell": _name(witness.result),
        "test": witness.result.cell.test,
        "mapping": witness.result.cell.setting.mapping,
        "verdicts": list(witness.verdicts),
        "program": witness.program,
        "under": witness.under,
        "lasso": list(witness.lasso),
        "evidence": witness.result.evidence,
        "instances": witness.result.cell.setting.instances or None,
        "before": circumstances.before if circumstances else "",
        "load": circumstances.load if circumstances else None,
        "timeouts_s": list(circumstances.timeouts_s) if circumstances else [],
        "command": witness.command,
        "finished": list(witness.finished),
    }
