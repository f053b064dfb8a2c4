"""The texts of `synth certify`: each split once it is proven or checked, and what the certificate proves in the end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_documents.readable import tests

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from synth_checker.question import Question
    from synth_search.completeness.checkers import Checker
    from synth_search.completeness.proof import SplitSummary
    from synth_search.completeness.verification import VerifiedClaim, VerifiedSplit


def certified_split_lines(split: SplitSummary) -> Iterator[str]:
    """Yield a line which says that the tests of a split are proven to be complete."""
    yield (
        f"{split.name}: {tests(split.tests)}; a proof about {split.clauses} clauses shows that the split has no "
        "other test"
    )


def certified_lines(question: Question, splits: list[SplitSummary], folder: Path) -> Iterator[str]:
    """Yield a line which says that the tests of a question are proven to be complete, and how to check the proof."""
    number = sum(split.tests for split in splits)
    yield f"{question.name} has {tests(number)} and no others; to check the proof, run: synth certify --verify {folder}"


def verified_split_lines(split: VerifiedSplit) -> Iterator[str]:
    """Yield a line which says that the proof of a split was checked."""
    yield f"{split.name}: {tests(split.tests)}, proof checked"


def verified_lines(proven: VerifiedClaim, folder: Path, checker: Checker) -> Iterator[str]:
    """Yield a line which says what a certificate proves, and then lines about what a reader must still trust."""
    yield f"proven: {proven.question.name} has exactly {tests(proven.tests)}, which are those in {folder}"
    yield "This rests on the following, which you still have to trust:"
    yield "- docs/certificates.md, which describes a formula and says that every test satisfies it;"
    yield "- synth_encodings.plain, which writes that formula;"
    yield "- synth_checker.twin, which judged the listed tests;"
    yield f"- {checker.trusted};"
    yield "- the Python and the machine that made the formulas again and compared them with those of the certificate."
