"""The table at the end of `synth verify FOLDER`: each kernel, the number of each verdict, and what they rest on."""

from __future__ import annotations

import collections
from typing import TYPE_CHECKING

from synth_documents.phrases import listed
from synth_kernels.premises import premises_text
from synth_kernels.verification.answer import answer_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from synth_kernels.verification.answer import VerifiedKernel
    from synth_kernels.verification.folder import KernelOutcome

#: So many premises of some proofs are shown.
_MOST = 12
_COLUMNS = ("file", "kernel", "verdict", "seconds")


def folder_lines(outcomes: Sequence[KernelOutcome]) -> Iterator[str]:
    """Yield the lines of the table. Its columns are as wide as what stands in them."""
    answers = [None if outcome.verified is None else answer_of(outcome.verified) for outcome in outcomes]
    rows = [_COLUMNS, *map(_row, outcomes, answers)]
    widths = [max(len(row[number]) for row in rows) for number in range(len(_COLUMNS))]
    for row in rows:
        *texts, last = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        yield "  ".join([*texts, last.strip().rjust(widths[-1])])
    verdicts = collections.Counter(outcome.verdict for outcome in outcomes)
    parts = [f"{number} {verdict}" for verdict, number in verdicts.most_common()]
    yield f"In all: {listed(parts)}"
    if proved := [answer.rests_on for answer in answers if answer and answer.verdict == "verified"]:
        every = list(dict.fromkeys(premise for premises in proved for premise in premises))
        common = [premise for premise in every if all(premise in premises for premises in proved)]
        if others := [premise for premise in every if premise not in common]:
            more = f"; and {len(others) - _MOST} more" if len(others) > _MOST else ""
            yield f"Some proofs also rest on the following, and --json says which: {'; '.join(others[:_MOST])}{more}."
        if common:
            yield premises_text(common)


def _row(outcome: KernelOutcome, answer: VerifiedKernel | None) -> tuple[str, ...]:
    kernel, verdict = ("", outcome.verdict) if answer is None else (answer.kernel, answer.verdict_in_short)
    return outcome.path.name, kernel, verdict, f"{outcome.seconds:.1f}"
