"""Verifying a certificate without trusting it: all but its list and its proofs is made anew.

Each listed program is judged by the twin, each formula is written once more and compared line by line, each blocking
clause is read back as a program, and each proof goes to an independent checker.
"""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple

from synth.certifying import Refuted
from synth.certifying.folder import FORMULA, PROOF, read_about, read_lines, read_pieces
from synth.certifying.listing import by_split
from synth_checker.errors import InternalError
from synth_checker.normal import program_of_id
from synth_checker.question import split_name
from synth_encodings.plain import plain_formula

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from synth.certifying.checkers import Checker
    from synth_checker.question import Question
    from synth_encodings.plain.fields import Fields
    from synth_encodings.plain.formula import Clause

#: A line of a formula is shown up to here.
_SHOWN = 60
#: The empty clause, behind the end of another line.
_LAST_STEP = b"\n0\n"


class VerifiedSplit(NamedTuple):
    """A split that is proven: its name, and how many tests it has."""

    name: str
    tests: int


class Verified(NamedTuple):
    """What a certificate that holds has proven: the question has exactly so many tests."""

    question: Question
    tests: int


def verify(folder: Path, checker: Checker, tell: Callable[[VerifiedSplit], None] | None = None) -> Verified:
    """Check a certificate; `tell` is given each split as soon as it is proven.

    Raises:
        Refuted: it proves nothing; the message says why.
        InputError: there is no certificate, or a file of it can't be read.
        LimitError: a split has too many states.
    """
    question, ids = read_about(folder)
    listed = by_split(ids, question)
    for sizes, programs in listed.items():
        name = split_name(sizes)
        _verify_split(question, sizes, programs, folder / name, checker)
        if tell is not None:
            tell(VerifiedSplit(name, len(programs)))
    return Verified(question, sum(map(len, listed.values())))


def _verify_split(question: Question, sizes: tuple[int, ...], tests: list[str], folder: Path, checker: Checker) -> None:
    expected = _formula_anew(question, sizes, tests)
    formula = _compared(read_lines(folder, FORMULA), expected, f"{folder.name}/{FORMULA}")
    place = f"{folder.name}/{PROOF}"
    reason = checker.refusal(formula, _whole(read_pieces(folder, PROOF), place))
    if reason is not None:
        msg = f"{place}: {checker.name} does not accept the proof: {reason}"
        raise Refuted(msg)


def _formula_anew(question: Question, sizes: tuple[int, ...], tests: list[str]) -> Iterator[str]:
    """The lines of a split's formula, its tests blocked."""
    formula, fields = plain_formula(sizes, question.locations, question.values, question.without)
    blocking = [fields.blocking(program_of_id(id_)) for id_ in tests]
    _check_blocking(fields, blocking, tests)
    yield from formula.dimacs(blocking)


def _check_blocking(fields: Fields, blocking: list[Clause], tests: list[str]) -> None:
    """Each blocking clause, read back, is false of exactly one program, and that is a listed test."""
    for clause, id_ in zip(blocking, tests, strict=True):
        if len(clause) != fields.count or fields.program_of({-literal for literal in clause}) != program_of_id(id_):
            msg = f"the blocking clause of {id_} is that of another program: {_shown(' '.join(map(str, clause)))}"
            raise InternalError(msg)


def _compared(found: Iterable[str], expected: Iterable[str], place: str) -> Iterator[bytes]:
    """The lines of a formula that was made anew, each as soon as it is known that the stored one has it, too."""
    for number, (line, wanted) in enumerate(zip_longest(found, expected), 1):
        if line != wanted:
            msg = f"{place}:{number}: found {_shown(line)}, expected {_shown(wanted)}"
            raise Refuted(f"{msg}, as the formula of the question and the listed tests has it")
        yield f"{wanted}\n".encode("ascii")


def _whole(proof: Iterable[bytes], place: str) -> Iterator[bytes]:
    """A proof, read to its end, which must be the empty clause: not every checker asks for that."""
    end = b"\n"
    for piece in proof:
        yield piece
        end = (end + piece)[-len(_LAST_STEP) :]
    if end != _LAST_STEP:
        msg = f"{place}: the proof is cut off: it does not end with the empty clause"
        raise Refuted(msg)


def _shown(line: str | None) -> str:
    if line is None:
        return "the end"
    return repr(line if len(line) <= _SHOWN else f"{line[:_SHOWN]}...")
