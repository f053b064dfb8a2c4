"""Making a certificate: with the listed tests blocked there is no model left; if there is, it is a missing test."""

from __future__ import annotations

import time
from dataclasses import dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING

from synth.certifying import Refuted
from synth.certifying.folder import CERTIFICATE, FORMULA, PROOF, write_about, write_text
from synth.certifying.listing import by_split, check_test
from synth.provenance import provenance
from synth_checker.errors import InternalError
from synth_checker.normal import written_out
from synth_checker.question import split_name
from synth_corpus.folders import put_folder
from synth_encodings.plain import plain_formula

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from synth_checker.program import Program
    from synth_checker.question import Question

#: Of PySAT's solvers that write proofs the one whose proofs are checked fastest; see docs/certificates.md.
SOLVER = "glucose4"


@dataclass(frozen=True, slots=True)
class SplitSummary:
    """A certified split: its name, its tests, and the size of its formula, blocking clauses included."""

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
    progress: Callable[[SplitSummary], None] | None = None,
) -> list[SplitSummary]:
    """Prove that the tests of a question are those listed, and write the certificate into a new folder.

    `ids` are sorted. `progress` is told of each split that is done.

    Raises:
        Refuted: they are not: a listed program is no test of the question, or listed twice, or a test is missing.
        InputError: the folder can't be used (with `force` a certificate there is replaced), or the question is one of
            which there are no certificates.
        LimitError: a split has too many states.
        ResourceError: writing failed.
    """
    start = time.monotonic()
    done: list[SplitSummary] = []

    def fill(new: Path) -> None:
        for sizes, programs in by_split(ids, question).items():
            summary = _certify_split(question, sizes, programs, new / split_name(sizes))
            done.append(summary)
            if progress is not None:
                progress(summary)
        solver = f"{SOLVER} of python-sat {version('python-sat')}"
        write_about(new, question, ids, provenance(time.monotonic() - start, solver=solver))

    put_folder(folder, fill, CERTIFICATE, force=force)
    return done


def _certify_split(question: Question, sizes: tuple[int, ...], tests: list[Program], folder: Path) -> SplitSummary:
    from pysat.solvers import Solver

    formula, fields = plain_formula(sizes, question.locations, question.values, question.without)
    blocking = [fields.blocking(test) for test in tests]
    with Solver(SOLVER, bootstrap_with=[*formula.clauses, *blocking], with_proof=True) as solver:
        if solver.solve():
            raise _missing(fields.program_of({literal for literal in solver.get_model() if literal > 0}), question)
        proof = solver.get_proof() or ["0"]  # no step where propagation alone refutes the formula as it is read
    if proof[-1:] != ["0"]:
        msg = f"the proof of {SOLVER} for split {split_name(sizes)} ends before the empty clause"
        raise InternalError(msg)
    folder.mkdir()
    write_text(folder, FORMULA, "\n".join(formula.dimacs(blocking)) + "\n")
    write_text(folder, PROOF, "\n".join(proof) + "\n")
    return SplitSummary(split_name(sizes), len(tests), len(formula.names), len(formula.clauses) + len(blocking))


def _missing(program: Program | None, question: Question) -> Refuted:
    """The reason that a model is: a test that is not listed, if the twin says so, too."""
    if program is None:
        msg = "a model of the plain formula is no program"
        raise InternalError(msg)
    try:
        check_test(program, question)
    except Refuted as disagreement:
        msg = f"a model of the plain formula is no test by the twin: {disagreement}"
        raise InternalError(msg) from None
    return Refuted(f"{written_out(program)} is a test of {question.name}, and is not listed")
