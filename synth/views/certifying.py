"""The texts of `synth certify`: each split as it is proven or checked, and what the certificate proves in the end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth.views.readable import tests

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from synth.certifying.checkers import Checker
    from synth.certifying.making import SplitSummary
    from synth.certifying.verifying import Verified, VerifiedSplit
    from synth_checker.question import Question


def certified_split_lines(split: SplitSummary) -> Iterator[str]:
    """A split that is proven."""
    yield f"{split.name}: {tests(split.tests)}; {split.clauses} clauses with all of them blocked have no model"


def certified_lines(question: Question, splits: list[SplitSummary], folder: Path) -> Iterator[str]:
    """What is proven of the question, and how to check it."""
    number = sum(split.tests for split in splits)
    yield f"{tests(number)} of {question.name}, and no other; to check that: synth certify --verify {folder}"


def verified_split_lines(split: VerifiedSplit) -> Iterator[str]:
    """A split whose proof was checked."""
    yield f"{split.name}: {tests(split.tests)}, proof checked"


def verified_lines(proven: Verified, folder: Path, checker: Checker) -> Iterator[str]:
    """What a certificate proves, and what must be trusted still."""
    yield f"proven: {proven.question.name} has exactly {tests(proven.tests)}, those in {folder}"
    yield "Still to be trusted:"
    formula = "that every test satisfies the formula it describes, and that synth_encodings.plain writes that"
    yield f"- docs/certificates.md: {formula};"
    yield "- synth_checker.twin, which judged the listed tests;"
    yield f"- {checker.trusted};"
    yield "- this Python and this machine, on which the formulas were made anew and compared."
