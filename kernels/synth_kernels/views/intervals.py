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
    from synth_kernels.questions import Answered, Subject

_NEEDS = {
    "needed": "each barrier is needed",
    "not needed": "some barrier is not needed",
    "unknown": "unknown which barriers are needed",
    "refuted": "not verified, so nothing is said of its barriers",
    "contradiction": "contradiction",
}


def interval_lines(one: Answered[IntervalReport]) -> Iterator[str]:
    """Yield lines about the intervals and barriers of a kernel."""
    subject, found = one.subject, one.report
    if subject is None or found is None:
        yield f"{one.name}: {one.verdict}: {one.reason}"
        return
    because = f": {one.reason}" if one.reason else ""
    words = _NEEDS[one.verdict] if found.variants or one.reason else "verified, without a barrier"
    yield f"{one.name}: {words}{because}"
    yield ""
    rows = [("from", "to", "reads", "writes", "alone"), *(_row(subject, each, found.alone) for each in found.intervals)]
    yield from (f"  {line}" for line in aligned(rows))
    for variant in found.variants:
        yield ""
        yield from _variant(subject, variant)
    if len(found.together) > 1:
        places = [_at(subject, line, "") for line in found.together]
        yield ""
        yield f"  Without {count(len(places), 'barrier')} at once, the kernel is still verified: {listed(places)}."
    yield f"  {premises_text(one.rests_on)}"


def _row(subject: Subject, one: Interval, alone: Mapping[int | None, bool]) -> tuple[str, ...]:
    reads, writes = (", ".join(arrays) or "-" for arrays in (one.reads, one.writes))
    proof = "proved" if alone.get(one.start) else "-"
    return _at(subject, one.start, "the beginning"), _at(subject, one.end, "the end"), reads, writes, proof


def _at(subject: Subject, line: int | None, otherwise: str) -> str:
    if line is None:
        return otherwise
    place = subject.place(line)
    return f"{place.file}:{place.line}"


def _variant(subject: Subject, one: Variant) -> Iterator[str]:
    where = _at(subject, one.line, "")
    if one.verdict == "not needed":
        yield f"  {where}: this barrier is not needed; without it, the kernel is verified"
        return
    if one.leaves_more:
        yield f"  {where}: this barrier is needed for what is stored; without it, a launch leaves other values"
        return
    if one.verdict == "unknown" and one.ordered and not one.report.counterexamples and not one.report.reason:
        arrays = listed(list(one.ordered))
        yield f"  {where}: unknown whether this barrier is needed: it may order atomic operations on {arrays}"
        return
    if one.verdict == "needed":
        yield f"  {where}: this barrier is needed; without it:"
    else:
        yield f"  {where}: unknown whether this barrier is needed{': ' * bool(one.report.reason)}{one.report.reason}"
    variant = variant_of(subject, one)
    confirmed = [found for found in one.report.counterexamples if found.is_confirmed]
    for found in (confirmed or list(one.report.counterexamples))[:1]:
        yield from counterexample_lines(variant, found)
