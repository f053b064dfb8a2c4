"""The answer of `synth certify` and `synth audit`: whether a list has all tests of a question, and why."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from synth_search.completeness import RefutedClaim
from synth_search.completeness.checkers import checker_named
from synth_search.completeness.folder import read_about
from synth_search.completeness.proof import certify
from synth_search.completeness.test_list import read_listing
from synth_search.completeness.verification import VerifiedSplit, verify

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from synth_search.completeness.proof import SplitSummary

#: What the reader of a certificate must trust, besides the checker of the proofs.
_TRUSTED = (
    "docs/understand/certificates.md, which describes a formula and says that every test satisfies it",
    "synth_encodings.plain, which writes that formula",
    "synth_checker.twin, which judged the listed tests",
)
_COMPARED = "the Python and the machine that made the formulas again and compared them with those of the certificate"


@dataclass(frozen=True, slots=True, kw_only=True)
class Completeness:
    """Whether a list has exactly the tests of a question.

    `splits` are those that are proven, and `tests` is the number of tests, or 0 of a certificate that proves nothing.
    `certificate` is the folder of the proof. `checked` says whether a checker has accepted the proofs of all splits; if
    none has, `rests_on` has the solver that made them. If the claim is not `proven`, `reason` says why not.
    """

    question: str = ""
    proven: bool
    checked: bool
    tests: int = 0
    splits: list[VerifiedSplit] = field(default_factory=list)
    certificate: str = ""
    reason: str = ""
    rests_on: list[str] = field(default_factory=list)


def certified(
    source: str,
    bounds: Sequence[str],
    folder: Path,
    *,
    force: bool = False,
    tell: Callable[[SplitSummary], None] | None = None,
) -> Completeness:
    """Prove that a corpus or a file has exactly the tests of its question, and write the certificate into a folder.

    `tell` gets each split that is proven. With `force`, the certificate replaces an older one in the folder.

    Raises:
        InputError: the source or the folder is not usable, or the question keeps only some tests.
        LimitError: a split has too many states.
        ResourceError: writing failed.
    """
    question, ids = read_listing(source, bounds)
    try:
        summaries = certify(question, ids, folder, force=force, tell=tell)
    except RefutedClaim as reason:
        return Completeness(question=question.name, proven=False, checked=False, tests=len(ids), reason=str(reason))
    splits = [VerifiedSplit(summary.name, summary.tests) for summary in summaries]
    number = sum(split.tests for split in splits)
    rests_on = [*_TRUSTED, "the solver that made the proof, which no checker has looked at"]
    return Completeness(
        question=question.name,
        proven=True,
        checked=False,
        tests=number,
        splits=splits,
        certificate=str(folder),
        rests_on=rests_on,
    )


def audited(folder: Path, checker: str = "native", tell: Callable[[VerifiedSplit], None] | None = None) -> Completeness:
    """Check a certificate without trusting who made it.

    `checker` names the program that checks the proofs, as in `synth_search.completeness.checkers`. `tell` gets each
    split whose proof is checked.

    Raises:
        InputError: there is no certificate, a file of it is unreadable, or there is no such checker.
        LimitError: a split has too many states.
    """
    chosen = checker_named(checker)
    splits: list[VerifiedSplit] = []

    def note(split: VerifiedSplit) -> None:
        splits.append(split)
        if tell is not None:
            tell(split)

    try:
        claim = verify(folder, chosen, tell=note)
    except RefutedClaim as reason:
        question, _ = read_about(folder)
        return Completeness(
            question=question.name,
            proven=False,
            checked=False,
            splits=splits,
            certificate=str(folder),
            reason=str(reason),
        )
    rests_on = [*_TRUSTED, chosen.trusted, _COMPARED]
    return Completeness(
        question=claim.question.name,
        proven=True,
        checked=True,
        tests=claim.tests,
        splits=splits,
        certificate=str(folder),
        rests_on=rests_on,
    )
