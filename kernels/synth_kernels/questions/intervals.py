"""The question what kernels do between barriers, and which barriers they do not need."""

from __future__ import annotations

from collections.abc import Sequence  # noqa: TC003  (for its JSON Schema)
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from synth_kernels.analyses.intervals import barrier_needs
from synth_kernels.source_place import SourcePlace  # noqa: TC001  (for its JSON Schema)
from synth_kernels.verdict_premises import question_premises
from synth_kernels.verification.faults import KernelFault, fault_of

if TYPE_CHECKING:
    from synth_kernels.analyses.intervals import Variant
    from synth_kernels.pair.options import Options
    from synth_kernels.subject import Subject
    from synth_solvers.client import Solver


class ArrayInterval(NamedTuple):
    """The arrays that are read and written between two places. Null is the beginning or the end of the kernel.

    `alone` says whether all intervals that begin there have a proof of their own, or is null if that can't be judged.
    """

    start: SourcePlace | None
    end: SourcePlace | None
    reads: tuple[str, ...]
    writes: tuple[str, ...]
    alone: bool | None


class BarrierNeed(NamedTuple):
    """A barrier: `needed`, `not needed`, or `unknown`, and the verdict on the kernel without it.

    `ordered` are the arrays of whose atomic operations the order may matter. `stored` says that a launch without the
    barrier may leave something else in memory.
    """

    place: SourcePlace
    needed: str
    verdict: str
    reason: str
    ordered: tuple[str, ...]
    stored: bool
    counterexamples: list[KernelFault]


class IntervalsAnswer(NamedTuple):
    """The intervals and barriers of a kernel.

    The verdict is `needed` if all barriers are needed, `not needed` if one is not, or `unknown` or `stopped`. It is
    `refuted` if the kernel has a fault with all its barriers, and `contradiction` if no launch satisfies what it
    assumes. `together` are barriers that can go at once. `rests_on` is what the answer rests on.
    """

    file: str
    kernel: str
    verdict: str
    reason: str
    intervals: Sequence[ArrayInterval] = ()
    barriers: Sequence[BarrierNeed] = ()
    together: Sequence[SourcePlace] = ()
    rests_on: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class IntervalQuestion:
    """What a kernel does between barriers, and which of them it needs."""

    @staticmethod
    def unknown(file: str, kernel: str, verdict: str, reason: str) -> IntervalsAnswer:
        """Return the answer about a kernel of which nothing is known."""
        return IntervalsAnswer(file, kernel, verdict, reason)

    @staticmethod
    def ask(subject: Subject, solver: Solver, options: Options) -> IntervalsAnswer:
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
        return IntervalsAnswer(
            str(subject.path),
            subject.kernel.name,
            verdict,
            reason,
            [
                ArrayInterval(
                    None if interval.start is None else subject.place(interval.start),
                    None if interval.end is None else subject.place(interval.end),
                    interval.reads,
                    interval.writes,
                    report.alone.get(interval.start),
                )
                for interval in report.intervals
            ],
            [_need(subject, variant) for variant in report.variants],
            [subject.place(line) for line in report.together],
            question_premises(subject.kernel, subject.launch, options),
        )


def _need(subject: Subject, without: Variant) -> BarrierNeed:
    variant, report = replace(subject, kernel=without.kernel), without.report
    return BarrierNeed(
        subject.place(without.line),
        without.verdict,
        report.verdict,
        report.reason,
        without.ordered,
        without.leaves_more,
        [fault_of(variant, counterexample) for counterexample in report.counterexamples],
    )
