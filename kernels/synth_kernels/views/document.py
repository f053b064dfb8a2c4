"""The answer of `synth verify` as a document, which can be written as HTML or as Markdown, and shown in a notebook."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from synth_documents.document import Document, Items, Listing, Section
from synth_documents.phrases import count, cut
from synth_documents.table import Table
from synth_kernels.program import UnreadKernel
from synth_kernels.verdict_premises import notes_of, premises_of, premises_text, sizes_of
from synth_kernels.verification.answer import invented_in, parting_of, steps_of
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
    unread_because,
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


def kernel_document(source: Path, found: Sequence[Verified], *, with_candidates: bool = False) -> Document:
    """Return the answer about the kernels of a file as a document, and the candidates of their loops if asked to."""
    rows = tuple((one.name, verdict_of(one), _launch(one), len(one.counterexamples)) for one in found)
    summary = Table("", ("kernel", "verdict", "launches", "faults"), rows)
    each: list[Block] = []
    for one in found:
        each += kernel_blocks(one)
        if with_candidates and (lines := list(candidate_lines(one))):
            each += [Section("Candidates", 3), Listing(textwrap.dedent("\n".join(lines)))]
    title = f"Data races and barriers of {cut(source.name, _MOST_LETTERS)}"
    return Document(title, (_INTRODUCTION, count(len(found), "kernel") + ":", summary, *each))


def _launch(one: Verified) -> str:
    return "" if one.launch is None else sizes_of(one.launch).text


def kernel_blocks(one: Verified, level: int = 2) -> Iterator[Block]:
    """Yield the parts of the answer about one kernel, under a title of some level."""
    yield Section(f"{cut(one.name, _MOST_LETTERS)}: {verdict_of(one)}", level)
    if isinstance(one.kernel, UnreadKernel):
        yield unread_because(one.kernel)
        return
    if one.recorded is not None:
        yield recorded_words(one.recorded)
    if one.report.reason:
        yield f"{one.report.verdict}: {one.report.reason}"
    for found in one.counterexamples:
        yield from _counterexample(one, found, level + 1)
    if one.verdict == "verified" and (ways := loop_words(one)):
        yield ways
    if lines := not_reached_words(one):
        yield lines
    yield from (f"Note: {note}" for note in notes_of(one.kernel))
    yield premises_text(premises_of(one))


def _counterexample(one: Verified, found: Counterexample, level: int) -> Iterator[Block]:
    yield Section(fault_words(found), level)
    how = confirmation(one, found)
    yield f"This fault is {how}."
    for step in steps_of(one, found):
        yield from _at(step.place, step_words(step))
    if (place := parting_of(one, found)) is not None:
        yield from _at(place, "here the two threads go different ways")
    if found.one_barrier:
        yield ONE_BARRIER
    yield f"This happens with {numbers(one, found)}."
    if hint := wrap_words(one, found):
        yield " ".join(hint)
    if invented := invented_in(one, found):
        yield "The solver chose these values and states, and no run may reach them:"
        yield Items(tuple(map(invented_words, invented)))


def _at(place: SourcePlace | None, what: str) -> Iterator[Block]:
    """Yield what happens at a place, and the line of the source with a mark below."""
    if place is None:
        yield f"{what}."
        return
    called = f" ({callers(place)})" if place.calls else ""
    yield f"{place.file}:{place.line}: {what}{called}"
    if lines := source_lines(place):
        yield Listing("\n".join(lines))
