"""The text of `synth verify --intervals`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_documents.phrases import count, listed
from synth_documents.readable import aligned
from synth_kernels.questions.intervals import variant_of
from synth_kernels.verdict_premises import premises_text
from synth_kernels.views.kernel import counterexample_lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from synth_kernels.analyses.intervals import Interval, IntervalReport, Variant
    from synth_kernels.questions import KernelAnswer, Subject

_NEEDS = {
    "needed": "each barrier is needed",
    "not needed": "some barrier is not needed",
    "unknown": "unknown which barriers are needed",
    "refuted": "not verified, so nothing is said of its barriers",
    "contradiction": "contradiction",
}


def interval_lines(answer: KernelAnswer[IntervalReport]) -> Iterator[str]:
    """Yield lines about the intervals and barriers of a kernel."""
    subject, report = answer.subject, answer.report
    if subject is None or report is None:
        yield f"{answer.name}: {answer.verdict}: {answer.reason}"
        return
    because = f": {answer.reason}" if answer.reason else ""
    words = _NEEDS[answer.verdict] if report.variants or answer.reason else "verified, without a barrier"
    yield f"{answer.name}: {words}{because}"
    yield ""
    rows = [
        ("from", "to", "reads", "writes", "alone"),
        *(_row(subject, each, report.alone) for each in report.intervals),
    ]
    yield from (f"  {line}" for line in aligned(rows))
    for variant in report.variants:
        yield ""
        yield from _variant(subject, variant)
    if len(report.together) > 1:
        places = [_at(subject, line, "") for line in report.together]
        yield ""
        yield f"  Without {count(len(places), 'barrier')} at once, the kernel is still verified: {listed(places)}."
    yield f"  {premises_text(answer.rests_on)}"


def _row(subject: Subject, interval: Interval, alone: Mapping[int | None, bool]) -> tuple[str, ...]:
    reads, writes = (", ".join(arrays) or "-" for arrays in (interval.reads, interval.writes))
    proof = "proved" if alone.get(interval.start) else "-"
    return _at(subject, interval.start, "the beginning"), _at(subject, interval.end, "the end"), reads, writes, proof


def _at(subject: Subject, line: int | None, otherwise: str) -> str:
    if line is None:
        return otherwise
    place = subject.place(line)
    return f"{place.file}:{place.line}"


def _variant(subject: Subject, without: Variant) -> Iterator[str]:
    where = _at(subject, without.line, "")
    if without.verdict == "not needed":
        yield f"  {where}: this barrier is not needed; without it, the kernel is verified"
        return
    if without.leaves_more:
        yield f"  {where}: this barrier is needed for what is stored; without it, a launch leaves other values"
        return
    if (
        without.verdict == "unknown"
        and without.ordered
        and not without.report.counterexamples
        and not without.report.reason
    ):
        arrays = listed(list(without.ordered))
        yield f"  {where}: unknown whether this barrier is needed: it may order atomic operations on {arrays}"
        return
    if without.verdict == "needed":
        yield f"  {where}: this barrier is needed; without it:"
    else:
        reason = f": {without.report.reason}" if without.report.reason else ""
        yield f"  {where}: unknown whether this barrier is needed{reason}"
    variant = variant_of(subject, without)
    confirmed = [counterexample for counterexample in without.report.counterexamples if counterexample.is_confirmed]
    for counterexample in (confirmed or list(without.report.counterexamples))[:1]:
        yield from counterexample_lines(variant, counterexample)
