"""Making a certificate: with the listed tests blocked there is no model left; if there is, it is a missing test."""

from __future__ import annotations

import itertools
import tempfile
import time
from dataclasses import dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING

from synth.certifying import Refuted
from synth.certifying.folder import CERTIFICATE, FORMULA, PROOF, write_about, write_lines, write_pieces
from synth.certifying.listing import by_split, check_test
from synth.certifying.solving import SOLVER, model_or_proof, pieces_of
from synth_checker.errors import InternalError
from synth_checker.normal import program_of_id, written_out
from synth_checker.question import split_name
from synth_encodings.plain import plain_formula
from synth_storage.folders import put_folder
from synth_storage.provenance import provenance

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from synth_checker.program import Program
    from synth_checker.question import Question


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
    tell: Callable[[SplitSummary], None] | None = None,
) -> list[SplitSummary]:
    """Prove that the tests of a question are those listed, and write the certificate into a new folder.

    `ids` are sorted. `tell` is given each split as soon as it is done.

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
    # As text a proof is large: it lies where there is room for the certificate, in a file that has no name.
    with tempfile.TemporaryFile(dir=folder) as proof:
        model = model_or_proof(itertools.chain(formula.clauses, blocking), proof)
        if model is not None:
            raise _missing(fields.program_of({literal for literal in model if literal > 0}), question)
        write_pieces(folder, PROOF, pieces_of(proof))
    return summary


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
