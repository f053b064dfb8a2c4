"""The JSON form of an analysis (`synth_analysis.answers.analysis`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from synth_analysis.frequency import Frequency, frequency_of
from synth_analysis.transfers import Doubt
from synth_backends.mapping import Across
from synth_campaigns.cell_result import ByTime, Circumstances, Evidence
from synth_campaigns.claims import Status
from synth_campaigns.summary import Distinction
from synth_storage.answer_json import answer_from

if TYPE_CHECKING:
    from synth_analysis.answers.analysis import AnalysedDevice, Analysis
    from synth_analysis.answers.witnesses import Witness
    from synth_analysis.dependence import RateDifference
    from synth_campaigns.cell_result import CellResult
    from synth_campaigns.claims import Claim


class AnalysedCell(NamedTuple):
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
    by_time: ByTime | None
    doubt: str
    alone: int
    trouble: list[str]


class CellName(NamedTuple):
    """A cell of one of the campaigns."""

    campaign: str
    cell: int


class AnalysedClaim(NamedTuple):
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
    claim: Status
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


class WitnessAnswer(NamedTuple):
    """The most telling witness against some verdicts, its test as a text, and the command that runs it again.

    `lasso` says in words how the test may hang on a scheduler that keeps the promise of the verdict `under`.
    `finished` is empty unless who had finished is the evidence. Then it has the sets of finished threads in a hang.

    `evidence` is what its hangs rest on. `instances` and `load` are null if unknown, and `before`, which says what the
    device ran before the first hang, is then empty. `timeouts_s` are the time-outs of the hangs that were waited for.
    """

    cell: CellName
    test: str
    mapping: str
    verdicts: tuple[str, ...]
    program: str
    under: str
    lasso: tuple[str, ...]
    evidence: Evidence
    instances: int | None
    before: str
    load: float | None
    timeouts_s: tuple[float, ...]
    command: str
    finished: tuple[str, ...]


class LaunchDependence(NamedTuple):
    """How many of some launches hung, how many of others did, and how likely such a difference is by chance."""

    hung: int
    of: int
    others_hung: int
    of_others: int
    chance: float


class DeviceAnalysis(NamedTuple):
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
    cells: list[AnalysedCell]
    claims: list[AnalysedClaim]
    violated: tuple[str, ...]
    consistent: tuple[str, ...]
    not_violated: tuple[str, ...]
    told_apart: tuple[Distinction, ...]
    witnesses: list[WitnessAnswer]
    first_launches: LaunchDependence | None
    after_hangs: LaunchDependence | None
    doubts: tuple[Doubt, ...]


class AnalysisAnswer(NamedTuple):
    """What the launches of some campaigns say about each device."""

    folders: list[str]
    devices: list[DeviceAnalysis]


#: What is known of the launch of a witness if nothing is.
_UNKNOWN = Circumstances("", None, ())


def analysis_answer(analysis: Analysis) -> AnalysisAnswer:
    """Return an analysis as JSON has it."""
    return AnalysisAnswer(list(map(str, analysis.folders)), list(map(_device, analysis.devices)))


def _device(device: AnalysedDevice) -> DeviceAnalysis:
    return answer_from(
        DeviceAnalysis,
        device.summary,
        device,
        device.results,
        device=device.results.name,
        campaigns=[str(place.folder) for place in device.results.places],
        cells=list(map(_cell, device.results.cells)),
        claims=list(map(_claim, device.claims)),
        witnesses=list(map(_witness, device.witnesses)),
        first_launches=_difference(device.first_launches),
        after_hangs=_difference(device.after_hangs),
    )


def _difference(difference: RateDifference | None) -> LaunchDependence | None:
    return None if difference is None else LaunchDependence(*difference.some, *difference.others, difference.chance)


def _cell(result: CellResult) -> AnalysedCell:
    cell, course, sample = result.cell, result.course, result.sample
    suspected = result.outcomes.get("suspected hang", 0)
    return answer_from(
        AnalysedCell,
        result,
        cell,
        cell.setting,
        cell=result.number,
        outcomes={str(outcome): count for outcome, count in sorted(result.outcomes.items())},
        beyond={str(outcome): count for outcome, count in sorted(result.beyond.items())},
        frequency=frequency_of(result),
        first_hang=course.first_hang if course else None,
        interval=list(result.interval) if result.interval else None,
        of=sample.launches if sample and result.interval else None,
        of_hung=sample.hung if sample and result.interval else None,
        suspected_rate=suspected / (suspected + result.counted) if suspected + result.counted else None,
        processes=course.processes if course else None,
        relaxed=result.is_relaxed,
        published=result.is_published,
        least=result.is_least,
    )


def _name(result: CellResult) -> CellName:
    return CellName(result.campaign, result.number)


def _claim(claim: Claim) -> AnalysedClaim:
    return answer_from(
        AnalysedClaim,
        claim,
        claim=claim.status,
        cells=list(map(_name, claim.cells)),
        witnesses=list(map(_name, claim.witnesses)),
        relaxed_witnesses=list(map(_name, claim.relaxed_witnesses)),
        pattern_witnesses=list(map(_name, claim.pattern_witnesses)),
        troubled=list(map(_name, claim.troubled)),
        published=claim.is_published,
    )


def _witness(witness: Witness) -> WitnessAnswer:
    result, setting = witness.result, witness.result.cell.setting
    return answer_from(
        WitnessAnswer,
        witness,
        result.circumstances or _UNKNOWN,
        result,
        result.cell,
        setting,
        cell=_name(result),
        instances=setting.instances or None,
    )
