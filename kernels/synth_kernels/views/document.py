"""The answer of `synth verify` as a document, which can be written as HTML or as Markdown, and shown in a notebook."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from synth_documents.document import Document, Items, Listing, Section
from synth_documents.phrases import count, shortened
from synth_documents.table import Table
from synth_kernels.source_place import NOWHERE
from synth_kernels.views.candidates import candidate_lines
from synth_kernels.views.kernel import (
    ONE_BARRIER,
    callers,
    confirmation,
    fault_words,
    invented_words,
    numbers,
    recorded_words,
    remarks,
    source_lines,
    step_words,
    unread_reason,
    wrap_words,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from synth_documents.document import Block
    from synth_kernels.source_place import SourcePlace
    from synth_kernels.verification.answer import VerifiedKernel
    from synth_kernels.verification.faults import KernelFault

#: The most letters of a name in a title.
_MOST_LETTERS = 80
_INTRODUCTION = (
    "A kernel is verified if no launch of the given sizes has a data race, a barrier that only some threads reach, or "
    "a failing assertion. A counterexample is confirmed if a run has shown it. Otherwise it may be a false alarm."
)


def kernel_document(source: Path, answers: Sequence[VerifiedKernel], *, with_candidates: bool = False) -> Document:
    """Return the answer about the kernels of a file as a document, and the candidates of their loops if asked to."""
    rows = tuple(
        (answer.kernel, answer.verdict_in_short, answer.launches, len(answer.counterexamples)) for answer in answers
    )
    summary = Table("", ("kernel", "verdict", "launches", "faults"), rows)
    each: list[Block] = []
    for answer in answers:
        each += kernel_blocks(answer)
        if with_candidates and (lines := list(candidate_lines(answer))):
            each += [Section("Candidates", 3), Listing(textwrap.dedent("\n".join(lines)))]
    title = f"Data races and barriers of {shortened(source.name, _MOST_LETTERS)}"
    return Document(title, (_INTRODUCTION, count(len(answers), "kernel") + ":", summary, *each))


def kernel_blocks(answer: VerifiedKernel, level: int = 2) -> Iterator[Block]:
    """Yield the parts of the answer about one kernel, under a title of some level."""
    yield Section(f"{shortened(answer.kernel, _MOST_LETTERS)}: {answer.verdict_in_short}", level)
    if not answer.is_read:
        yield unread_reason(answer)
        return
    if answer.recorded is not None:
        yield recorded_words(answer.recorded)
    if answer.reason:
        yield f"{answer.verdict}: {answer.reason}"
    for fault in answer.counterexamples:
        yield from _fault(fault, level + 1)
    yield from remarks(answer)


def _fault(fault: KernelFault, level: int) -> Iterator[Block]:
    yield Section(fault_words(fault), level)
    yield f"This fault is {confirmation(fault)}."
    for step in fault.steps:
        yield from _at(step.place, step_words(step))
    if fault.parting is not None:
        yield from _at(fault.parting, "here the two threads go different ways")
    if fault.one_barrier:
        yield ONE_BARRIER
    yield f"This happens with {numbers(fault)}."
    if hint := wrap_words(fault):
        yield " ".join(hint)
    if fault.invented:
        yield "The solver chose these values and states, and no run may reach them:"
        yield Items(tuple(map(invented_words, fault.invented)))


def _at(place: SourcePlace, event: str) -> Iterator[Block]:
    """Yield what happens at a place, and the line of the source with a mark below."""
    if place is NOWHERE:
        yield f"{event}."
        return
    called = f" ({callers(place)})" if place.calls else ""
    yield f"{place.file}:{place.line}: {event}{called}"
    if lines := source_lines(place):
        yield Listing("\n".join(lines))
