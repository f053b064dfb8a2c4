"""Make a certificate which proves that a list of tests is complete.

The user gives a list of tests, and a question. For each split of the question there is a formula, whose solutions are
the tests of the split. Further clauses exclude each test in the list. Any solution that is left would be a test that is
missing in the list. So a proof that no solution is left shows that the list has every test of the split.
"""

from __future__ import annotations

import itertools
import tempfile
import time
from dataclasses import dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING

from synth_checker.errors import InternalError
from synth_checker.programs.normal import program_of_id, written_out
from synth_checker.question import split_name
from synth_encodings.plain import plain_formula
from synth_search.completeness import RefutedClaim
from synth_search.completeness.folder import (
    CERTIFICATE,
    FORMULA,
    PROOF,
    write_about,
    write_lines,
    write_pieces,
)
from synth_search.completeness.solver import SOLVER, model_or_proof, pieces_of
from synth_search.completeness.test_list import by_split, check_test
from synth_storage.folders import put_folder
from synth_storage.provenance import provenance

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from synth_checker.programs.program import Program
    from synth_checker.question import Question


@dataclass(frozen=True, slots=True)
class SplitSummary:
    """A split with a proof: its name, the number of its tests, and the numbers of variables and clauses of its formula.

    `clauses` also counts the clauses that exclude the tests in the list of the user.
    """

    name: str
    tests: int
    variables: int
    clauses: int


def certify(
    question: Question,
    ids: Sequence[str],
    folder: Path,
    *,
    force: bool = False,
    tell: Callable[[SplitSummary], None] | None = None,
) -> list[SplitSummary]:
    """Prove that the list `ids` has exactly the tests of a question, and write the certificate into a new folder.

    `ids` must be sorted. `certify` calls `tell` with the summary of each split that is done. With `force`, the
    certificate replaces an older one in the folder.

    Raises:
        Refuted: a listed program is no test of the question, or it occurs twice, or a test is missing.
        InputError: the folder is not usable, or the question keeps only some tests.
        LimitError: a split has too many states.
        ResourceError: writing failed.
    """
    start = time.monotonic()
    done: list[SplitSummary] = []

    def fill(new: Path) -> None:
        for sizes, programs in by_split(ids, question).items():
            summary = _certify_split(question, sizes, programs, new / split_name(sizes))
            done.append(summary)
            if tell is not None:
                tell(summary)
        solver = f"{SOLVER} of python-sat {version('python-sat')}"
        write_about(new, question, ids, provenance(time.monotonic() - start, solver=solver))

    put_folder(folder, fill, CERTIFICATE, force=force)
    return done


def _certify_split(question: Question, sizes: tuple[int, ...], tests: list[str], folder: Path) -> SplitSummary:
    folder.mkdir()
    formula, fields = plain_formula(sizes, question.locations, question.values, question.without)
    blocking = [fields.blocking(program_of_id(id_)) for id_ in tests]
    write_lines(folder, FORMULA, formula.dimacs(blocking))
    summary = SplitSummary(split_name(sizes), len(tests), len(formula.names), len(formula.clauses) + len(blocking))
    # A proof is large as text. So it goes to a file without a name, on the disk that has room for the certificate.
    with tempfile.TemporaryFile(dir=folder) as proof:
        model = model_or_proof(itertools.chain(formula.clauses, blocking), proof)
        if model is not None:
            raise _missing(fields.program_of({literal for literal in model if literal > 0}), question)
        write_pieces(folder, PROOF, pieces_of(proof))
    return summary


def _missing(program: Program | None, question: Question) -> RefutedClaim:
    """Return the error for a test that is missing in the list, once the Python twin has confirmed that it is a test."""
    if program is None:
        raise InternalError(
            "the solver found a solution of the plain formula of the certificate, but the solution is no program"
        )
    try:
        check_test(program, question)
    except RefutedClaim as disagreement:
        raise InternalError(
            "the solver found a program that the plain formula of the certificate accepts, but the Python twin says "
            f"that it is no test: {disagreement}"
        ) from None
    return RefutedClaim(f"{written_out(program)} is a test of {question.name}, but the corpus does not list it")
