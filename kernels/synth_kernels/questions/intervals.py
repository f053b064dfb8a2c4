"""The question what kernels do between barriers, and which barriers they do not need."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypedDict

from synth_kernels.analyses.intervals import IntervalReport, barrier_needs
from synth_kernels.questions import KernelAnswer
from synth_kernels.verdict_premises import question_premises
from synth_kernels.verification import Verified
from synth_kernels.verification.answer import CounterexampleFields, PlaceFields, counterexample_fields, place_fields

if TYPE_CHECKING:
    from synth_kernels.analyses.intervals import Variant
    from synth_kernels.pair.options import Options
    from synth_kernels.questions import Subject
    from synth_solvers.client import Solver


@dataclass(frozen=True, slots=True)
class IntervalQuestion:
    """What a kernel does between barriers, and which of them it needs."""

    def ask(self, subject: Subject, solver: Solver, options: Options) -> KernelAnswer[IntervalReport]:
        """Return the intervals of a kernel."""
        report = barrier_needs(subject.kernel, subject.launch, solver, options)
        verdicts = {variant.verdict for variant in report.variants}
        reason, verdict = "", ""
        if report.whole.verdict != "verified":
            whole = report.whole.verdict
            verdict = "refuted" if report.whole.counterexamples else whole if whole == "contradiction" else "unknown"
            reason = report.whole.reason or f"with all its barriers, the verdict is {report.whole.verdict}"
        else:
            verdict = next((verdict for verdict in ("not needed", "unknown") if verdict in verdicts), "needed")
        rests_on = tuple(question_premises(subject.kernel, subject.launch, options))
        return KernelAnswer(subject.path, subject.kernel.name, subject, verdict, reason, report, rests_on)


def variant_of(subject: Subject, variant: Variant) -> Verified:
    """Return the report on a kernel without a barrier, as that on any other kernel."""
    return Verified(subject.path, variant.kernel, subject.launch, variant.report)


class IntervalFields(TypedDict):
    """The arrays that are read and written between two places. Null is the beginning or the end of the kernel.

    `alone` says whether all intervals that begin there have a proof of their own, or is null if that can't be judged.
    """

    start: PlaceFields | None
    end: PlaceFields | None
    reads: list[str]
    writes: list[str]
    alone: bool | None


class BarrierFields(TypedDict):
    """A barrier: `needed`, `not needed`, or `unknown`, and the verdict on the kernel without it.

    `ordered` are the arrays of whose atomic operations the order may matter. `stored` says that a launch without the
    barrier may leave something else in memory.
    """

    place: PlaceFields
    needed: str
    verdict: str
    reason: str
    ordered: list[str]
    stored: bool
    counterexamples: list[CounterexampleFields]


class IntervalsFields(TypedDict):
    """The intervals and barriers of a kernel.

    The verdict is `needed` if all barriers are needed, `not needed` if one is not, or `unknown` or `stopped`. It is
    `refuted` if the kernel has a fault with all its barriers, and `contradiction` if no launch satisfies what it
    assumes. `together` are barriers that can go at once. `rests_on` is what the answer rests on.
    """

    file: str
    kernel: str
    verdict: str
    reason: str
    intervals: list[IntervalFields]
    barriers: list[BarrierFields]
    together: list[PlaceFields]
    rests_on: list[str]


def interval_fields(answer: KernelAnswer[IntervalReport]) -> IntervalsFields:
    """Return the JSON form of an answer."""
    report, subject = answer.report, answer.subject
    fields: IntervalsFields = {
        "file": str(answer.path),
        "kernel": answer.name,
        "verdict": answer.verdict,
        "reason": answer.reason,
        "intervals": [],
        "barriers": [],
        "together": [],
        "rests_on": list(answer.rests_on),
    }
    if report is not None and subject is not None:
        fields["intervals"] = [
            {
                "start": None if each.start is None else place_fields(subject.place(each.start)),
                "end": None if each.end is None else place_fields(subject.place(each.end)),
                "reads": list(each.reads),
                "writes": list(each.writes),
                "alone": report.alone.get(each.start),
            }
            for each in report.intervals
        ]
        fields["barriers"] = [_barrier(subject, each) for each in report.variants]
        fields["together"] = [place_fields(subject.place(line)) for line in report.together]
    return fields


def _barrier(subject: Subject, without: Variant) -> BarrierFields:
    variant = variant_of(subject, without)
    return {
        "place": place_fields(subject.place(without.line)),
        "needed": without.verdict,
        "verdict": without.report.verdict,
        "reason": without.report.reason,
        "ordered": list(without.ordered),
        "stored": without.leaves_more,
        "counterexamples": [
            counterexample_fields(variant, counterexample) for counterexample in without.report.counterexamples
        ],
    }
