"""The text of `synth verify --intervals`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_documents.phrases import count, listed
from synth_documents.readable import aligned
from synth_kernels.premises import premises_text
from synth_kernels.views.kernel import fault_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth_kernels.questions.intervals import ArrayInterval, BarrierNeed, IntervalsAnswer
    from synth_kernels.source_place import SourcePlace

_NEEDS = {
    "needed": "each barrier is needed",
    "not needed": "some barrier is not needed",
    "unknown": "unknown which barriers are needed",
    "refuted": "not verified, so nothing is said of its barriers",
    "contradiction": "contradiction",
}


def interval_lines(answer: IntervalsAnswer) -> Iterator[str]:
    """Yield lines about the intervals and barriers of a kernel."""
    because = f": {answer.reason}" if answer.reason else ""
    words = _NEEDS[answer.verdict] if answer.barriers or answer.reason else "verified, without a barrier"
    yield f"{answer.kernel}: {words}{because}"
    yield ""
    rows = [("from", "to", "reads", "writes", "alone"), *map(_row, answer.intervals)]
    yield from (f"  {line}" for line in aligned(rows))
    for barrier in answer.barriers:
        yield ""
        yield from _barrier(barrier)
    if len(answer.together) > 1:
        places = [_at(place) for place in answer.together]
        yield ""
        yield f"  Without {count(len(places), 'barrier')} at once, the kernel is still verified: {listed(places)}."
    yield f"  {premises_text(answer.rests_on)}"


def _row(interval: ArrayInterval) -> tuple[str, ...]:
    reads, writes = (", ".join(arrays) or "-" for arrays in (interval.reads, interval.writes))
    proof = "proved" if interval.alone else "-"
    return _at(interval.start, "the beginning"), _at(interval.end, "the end"), reads, writes, proof


def _at(place: SourcePlace | None, otherwise: str = "") -> str:
    return otherwise if place is None else f"{place.file}:{place.line}"


def _barrier(barrier: BarrierNeed) -> Iterator[str]:
    where, faults = _at(barrier.place), barrier.counterexamples
    if barrier.needed == "not needed":
        yield f"  {where}: this barrier is not needed; without it, the kernel is verified"
        return
    if barrier.stored:
        yield f"  {where}: this barrier is needed for what is stored; without it, a launch leaves other values"
        return
    if barrier.needed == "unknown" and barrier.ordered and not faults and not barrier.reason:
        arrays = listed(list(barrier.ordered))
        yield f"  {where}: unknown whether this barrier is needed: it may order atomic operations on {arrays}"
        return
    if barrier.needed == "needed":
        yield f"  {where}: this barrier is needed; without it:"
    else:
        reason = f": {barrier.reason}" if barrier.reason else ""
        yield f"  {where}: unknown whether this barrier is needed{reason}"
    for fault in ([fault for fault in faults if fault.confirmed] or faults)[:1]:
        yield from fault_lines(fault)
