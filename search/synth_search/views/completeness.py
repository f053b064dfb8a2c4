"""The texts of `synth certify` and `synth audit`: each split that is proven or checked, and what is proven."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_documents.phrases import shell_word
from synth_documents.readable import tests

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth_search.completeness.answer import Completeness
    from synth_search.completeness.proof import SplitSummary
    from synth_search.completeness.verification import VerifiedSplit


def certified_split_lines(split: SplitSummary) -> Iterator[str]:
    """Yield a line which says that the tests of a split are proven to be complete."""
    yield (
        f"{split.name}: {tests(split.tests)}; a proof about {split.clauses} clauses shows that the split has no "
        "other test"
    )


def certified_lines(answer: Completeness) -> Iterator[str]:
    """Yield a line which says that the tests of a question are proven to be complete, and how to check the proof."""
    if not answer.proven:
        yield f"refuted: {answer.reason}"
        return
    yield (
        f"{answer.question} has {tests(answer.tests)} and no others; to check the proof, run: "
        f"synth audit {shell_word(answer.certificate)}"
    )


def audited_split_lines(split: VerifiedSplit) -> Iterator[str]:
    """Yield a line which says that the proof of a split was checked."""
    yield f"{split.name}: {tests(split.tests)}, proof checked"


def audited_lines(answer: Completeness) -> Iterator[str]:
    """Yield a line which says what a certificate proves, and then lines about what a reader must still trust."""
    if not answer.proven:
        yield f"refuted: {answer.reason}"
        return
    yield f"proven: {answer.question} has exactly {tests(answer.tests)}, which are those in {answer.certificate}"
    yield "This rests on the following, which you still have to trust:"
    *parts, last = answer.rests_on
    yield from (f"- {part};" for part in parts)
    yield f"- {last}."
