"""Verify a certificate without trusting it: make everything in it again, except the list of tests and the proofs.

The Python twin judges each listed program. This module writes each formula again and compares it with the stored one
line by line. It reads each clause that excludes a test back as a program. An independent checker checks each proof.
"""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple

from synth_checker.errors import InternalError
from synth_checker.programs.normal import program_of_id
from synth_checker.question import split_name
from synth_encodings.plain import plain_formula
from synth_search.completeness import RefutedClaim
from synth_search.completeness.folder import FORMULA, PROOF, read_about, read_lines, read_pieces
from synth_search.completeness.test_list import by_split

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from synth_checker.question import Question
    from synth_encodings.plain.fields import Fields
    from synth_encodings.plain.formula import Clause
    from synth_search.completeness.checkers import Checker

#: How many characters of a line a message shows.
_SHOWN = 60
#: The empty clause, after the line break of another line.
_LAST_STEP = b"\n0\n"


class VerifiedSplit(NamedTuple):
    """A split that is proven: its name, and how many tests it has."""

    name: str
    tests: int


class VerifiedClaim(NamedTuple):
    """The result of a certificate that proves its claim: the question, and the proven number of its tests."""

    question: Question
    tests: int


def verify(folder: Path, checker: Checker, tell: Callable[[VerifiedSplit], None] | None = None) -> VerifiedClaim:
    """Check a certificate, and call `tell` with each split as soon as it is proven.

    Raises:
        Refuted: the certificate proves nothing; the message says why.
        InputError: there is no certificate, or a file of it is unreadable.
        LimitError: a split has too many states.
    """
    question, ids = read_about(folder)
    listed = by_split(ids, question)
    for sizes, programs in listed.items():
        name = split_name(sizes)
        _verify_split(question, sizes, programs, folder / name, checker)
        if tell is not None:
            tell(VerifiedSplit(name, len(programs)))
    return VerifiedClaim(question, sum(map(len, listed.values())))


def _verify_split(question: Question, sizes: tuple[int, ...], tests: list[str], folder: Path, checker: Checker) -> None:
    expected = _formula_anew(question, sizes, tests)
    formula = _matching_lines(read_lines(folder, FORMULA), expected, f"{folder.name}/{FORMULA}")
    place = f"{folder.name}/{PROOF}"
    reason = checker.refusal(formula, _whole(read_pieces(folder, PROOF), place))
    if reason is not None:
        raise RefutedClaim(f"{place}: {checker.name} does not accept the proof: {reason}")


def _formula_anew(question: Question, sizes: tuple[int, ...], tests: list[str]) -> Iterator[str]:
    """Yield the lines of the formula of a split, with the clauses that exclude its tests."""
    formula, fields = plain_formula(sizes, question.locations, question.values, question.without)
    blocking = [fields.blocking(program_of_id(id_)) for id_ in tests]
    _check_blocking(fields, blocking, tests)
    yield from formula.dimacs(blocking)


def _check_blocking(fields: Fields, blocking: list[Clause], tests: list[str]) -> None:
    """Check that each excluding clause, read back, is false for exactly one program, and that this is a listed test."""
    for clause, id_ in zip(blocking, tests, strict=True):
        if len(clause) != fields.count or fields.program_of({-literal for literal in clause}) != program_of_id(id_):
            raise InternalError(
                f"the clause that should exclude {id_} excludes another program: {_shown(' '.join(map(str, clause)))}"
            )


def _matching_lines(lines: Iterable[str], expected: Iterable[str], place: str) -> Iterator[bytes]:
    """Yield each line of a formula that was written again, once the stored formula is known to have the same line."""
    for number, (line, expected_line) in enumerate(zip_longest(lines, expected), 1):
        if line != expected_line:
            msg = f"{place}:{number}: found {_shown(line)}, expected {_shown(expected_line)}"
            raise RefutedClaim(f"{msg}, the line that the formula for the question and the listed tests has there")
        yield f"{expected_line}\n".encode("ascii")


def _whole(proof: Iterable[bytes], place: str) -> Iterator[bytes]:
    """Yield a proof to its end, and check that it ends with the empty clause, which not every checker asks for."""
    end = b"\n"
    for piece in proof:
        yield piece
        end = (end + piece)[-len(_LAST_STEP) :]
    if end != _LAST_STEP:
        raise RefutedClaim(f"{place}: the end of the proof is missing: it does not end with the empty clause")


def _shown(line: str | None) -> str:
    if line is None:
        return "the end"
    return repr(line if len(line) <= _SHOWN else f"{line[:_SHOWN]}...")
