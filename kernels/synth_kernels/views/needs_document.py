"""The answers of `synth kernel` as documents, which can be written as HTML or as Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_documents.document import Document, Items, Section
from synth_documents.phrases import shortened
from synth_documents.table import Table
from synth_kernels.needs.premises import notes_of, premises_of, reason_of
from synth_kernels.views.needs import (
    SHOWN,
    final_words,
    hang_text,
    like_words,
    needs_words,
    verdict_rows,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from synth_documents.document import Block
    from synth_kernels.needs import Needs
    from synth_kernels.needs.answer import FinalReport

_MOST_LETTERS = 80
_COLUMNS = ("thread", "place", "step", "source")
_INTRODUCTION = (
    "A progress model says which threads of a launch must take further steps. A launch passes a verdict if it must end "
    "on each device that keeps the promise of the model."
)


def need_document(needs: Needs, tests: Sequence[str], devices: Sequence[str] | None) -> Document:
    """Return what a kernel needs as a document. `devices` are the lines about devices, if a campaign was asked."""
    blocks: list[Block] = [f"{needs.kernel.name} {needs_words(needs)}."]
    blocks.append(_table(verdict_rows(needs, list(needs.launches[0].passes))))
    for verdict in needs.not_enough[:1]:
        blocks += _hang(needs, verdict, f"{verdict} is not enough")
    if tests:
        blocks += [Section("Litmus tests"), f"{like_words(tests)}. The first of them:", Items(tuple(tests[:SHOWN]))]
    if devices is not None:
        blocks += [Section("Devices"), Items(tuple(line.strip() for line in devices))]
    return _document(needs, "What {} needs", blocks)


def check_document(
    needs: Needs, verdicts: Sequence[str], final: FinalReport | None = None, *, certified: bool = False
) -> Document:
    """Return whether launches of a kernel pass verdicts as a document, and what was found of an assertion."""
    blocks: list[Block] = [_table(verdict_rows(needs, verdicts))]
    if certified:
        blocks.append("Each verdict is certified.")
    if final is not None:
        sentence, steps, end = final_words(needs, final)
        blocks += [Section("When all threads have ended"), sentence]
        if steps:
            blocks.append(_steps(steps))
        if end:
            blocks.append(end)
    return _document(needs, "Must {} end?", blocks)


def explain_document(needs: Needs, verdicts: Sequence[str]) -> Document:
    """Return how a launch of a kernel may hang under each of some verdicts as a document."""
    blocks = [block for verdict in verdicts for block in _hang(needs, verdict)]
    return _document(needs, f"{{}} under {' and '.join(verdicts)}", blocks)


def _document(needs: Needs, title: str, blocks: list[Block]) -> Document:
    reason = [f"Not known: {reason_of(needs)}."] if needs.is_open else []
    notes = (*reason, *notes_of(needs))
    remarks: list[Block] = [Section("Notes"), Items(notes)] if notes else []
    rests: list[Block] = [Section("What the answer rests on"), Items(tuple(premises_of(needs)))]
    return Document(
        title.format(shortened(needs.kernel.name, _MOST_LETTERS)), (_INTRODUCTION, *blocks, *remarks, *rests)
    )


def _hang(needs: Needs, verdict: str, title: str = "") -> Iterator[Block]:
    text = hang_text(needs, verdict)
    if title:
        yield Section(title)
    yield text.sentence
    if text.before:
        yield _steps(text.before)
    if text.after:
        yield text.then.capitalize()
        yield _steps(text.after)


def _steps(rows: Sequence[tuple[str, ...]]) -> Table:
    return Table("", _COLUMNS, tuple(tuple(entry.strip() for entry in row) for row in rows))


def _table(rows: Sequence[tuple[str, ...]]) -> Table:
    """Return the table of verdicts, whose first row names the columns."""
    (first, *numbers), *others = rows
    return Table("", (first, *numbers), tuple(others))
