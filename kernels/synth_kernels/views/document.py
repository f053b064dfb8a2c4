"""The answer of `synth verify` as a document, which can be written as HTML or as Markdown, and shown in a notebook."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from synth_documents.document import Document, Items, Listing, Section
from synth_documents.phrases import count, shortened
from synth_documents.table import Table
from synth_kernels.program import UnreadKernel
from synth_kernels.verdict_premises import notes_of, premises_of, premises_text, sizes_of
from synth_kernels.verification.answer import parting_of, solver_choices, steps_of
from synth_kernels.views.candidates import candidate_lines
from synth_kernels.views.kernel import (
    ONE_BARRIER,
    callers,
    confirmation,
    fault_words,
    invented_words,
    loop_words,
    not_reached_words,
    numbers,
    recorded_words,
    source_lines,
    step_words,
    unread_reason,
    verdict_of,
    wrap_words,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from synth_documents.document import Block
    from synth_kernels.program import SourcePlace
    from synth_kernels.reports import Counterexample
    from synth_kernels.verification import Verified

#: The most letters of a name in a title.
_MOST_LETTERS = 80
_INTRODUCTION = (
    "A kernel is verified if no launch of the given sizes has a data race, a barrier that only some threads reach, or "
    "a failing assertion. A counterexample is confirmed if a run has shown it. Otherwise it may be a false alarm."
)


def kernel_document(source: Path, answers: Sequence[Verified], *, with_candidates: bool = False) -> Document:
    """Return the answer about the kernels of a file as a document, and the candidates of their loops if asked to."""
    rows = tuple(
        (verified.name, verdict_of(verified), _launch(verified), len(verified.counterexamples)) for verified in answers
    )
    summary = Table("", ("kernel", "verdict", "launches", "faults"), rows)
    each: list[Block] = []
    for answer in answers:
        each += kernel_blocks(answer)
        if with_candidates and (lines := list(candidate_lines(answer))):
            each += [Section("Candidates", 3), Listing(textwrap.dedent("\n".join(lines)))]
    title = f"Data races and barriers of {shortened(source.name, _MOST_LETTERS)}"
    return Document(title, (_INTRODUCTION, count(len(answers), "kernel") + ":", summary, *each))


def _launch(verified: Verified) -> str:
    return "" if verified.launch is None else sizes_of(verified.launch).text


def kernel_blocks(verified: Verified, level: int = 2) -> Iterator[Block]:
    """Yield the parts of the answer about one kernel, under a title of some level."""
    yield Section(f"{shortened(verified.name, _MOST_LETTERS)}: {verdict_of(verified)}", level)
    if isinstance(verified.kernel, UnreadKernel):
        yield unread_reason(verified.kernel)
        return
    if verified.recorded is not None:
        yield recorded_words(verified.recorded)
    if verified.report.reason:
        yield f"{verified.report.verdict}: {verified.report.reason}"
    for counterexample in verified.counterexamples:
        yield from _counterexample(verified, counterexample, level + 1)
    if verified.verdict == "verified" and (ways := loop_words(verified)):
        yield ways
    if lines := not_reached_words(verified):
        yield lines
    yield from (f"Note: {note}" for note in notes_of(verified.kernel))
    yield premises_text(premises_of(verified))


def _counterexample(verified: Verified, counterexample: Counterexample, level: int) -> Iterator[Block]:
    yield Section(fault_words(counterexample), level)
    how = confirmation(verified, counterexample)
    yield f"This fault is {how}."
    for step in steps_of(verified, counterexample):
        yield from _at(step.place, step_words(step))
    if (place := parting_of(verified, counterexample)) is not None:
        yield from _at(place, "here the two threads go different ways")
    if counterexample.one_barrier:
        yield ONE_BARRIER
    yield f"This happens with {numbers(verified, counterexample)}."
    if hint := wrap_words(verified, counterexample):
        yield " ".join(hint)
    if invented := solver_choices(verified, counterexample):
        yield "The solver chose these values and states, and no run may reach them:"
        yield Items(tuple(map(invented_words, invented)))


def _at(place: SourcePlace | None, event: str) -> Iterator[Block]:
    """Yield what happens at a place, and the line of the source with a mark below."""
    if place is None:
        yield f"{event}."
        return
    called = f" ({callers(place)})" if place.calls else ""
    yield f"{place.file}:{place.line}: {event}{called}"
    if lines := source_lines(place):
        yield Listing("\n".join(lines))
