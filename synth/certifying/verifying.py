"""Verifying a certificate without trusting it: all but its list and its proofs is made anew.

Each listed program is judged by the twin, each formula is written once more and compared line by line, each blocking
clause is read back as a program, and each proof goes to an independent checker.
"""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple

from synth.certifying import Refuted
from synth.certifying.folder import FORMULA, PROOF, read_about, read_text
from synth.certifying.listing import by_split
from synth_checker.normal import written_out
from synth_checker.question import split_name
from synth_encodings.plain import plain_formula

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from synth.certifying.checkers import Checker
    from synth_checker.program import Program
    from synth_checker.question import Question
    from synth_encodings.plain.fields import Fields

#: A line of a formula is shown up to here.
_SHOWN = 60


class Verified(NamedTuple):
    """What a certificate that holds has proven: the question has exactly so many tests."""

    question: Question
    tests: int


def verify(folder: Path, checker: Checker, progress: Callable[[str, int], None] | None = None) -> Verified:
    """Check a certificate; `progress` is told the name and the number of tests of each split that is proven.

    Raises:
        Refuted: it proves nothing; the message says why.
        InputError: there is no certificate, or a file of it can't be read.
        LimitError: a split has too many states.
    """
    question, ids = read_about(folder)
    for sizes, programs in by_split(ids, question).items():
        name = split_name(sizes)
        _verify_split(question, sizes, programs, folder / name, checker)
        if progress is not None:
            progress(name, len(programs))
    return Verified(question, len(ids))


def _verify_split(
    question: Question, sizes: tuple[int, ...], tests: list[Program], folder: Path, checker: Checker
) -> None:
    formula, fields = plain_formula(sizes, question.locations, question.values, question.without)
    text = read_text(folder, FORMULA)
    place = f"{folder.name}/{FORMULA}"
    lines = text.splitlines()
    _compare(lines, formula.dimacs(map(fields.blocking, tests)), place)
    _check_blocking(fields, lines[len(lines) - len(tests) :], tests, place)
    proof = read_text(folder, PROOF)
    place = f"{folder.name}/{PROOF}"
    if proof.splitlines()[-1:] != ["0"]:  # where the formula is refuted without it, no checker would look
        msg = f"{place}: the proof is cut off: it does not end with the empty clause"
        raise Refuted(msg)
    try:
        checker.check(text, proof)
    except Refuted as reason:
        msg = f"{place}: {checker.name} does not accept the proof: {reason}"
        raise Refuted(msg) from None


def _check_blocking(fields: Fields, lines: list[str], tests: list[Program], place: str) -> None:
    """Each blocking clause, read back, is false of exactly one program, and that is a listed test."""
    for line, test in zip(lines, tests, strict=True):
        *clause, _ = map(int, line.split())
        if len(clause) != fields.count or fields.program_of({-literal for literal in clause}) != test:
            msg = f"{place}: found the blocking clause {_shown(line)}, which is not that of {written_out(test)}"
            raise Refuted(msg)


def _compare(found: Iterable[str], expected: Iterable[str], place: str) -> None:
    for number, (line, wanted) in enumerate(zip_longest(found, expected), 1):
        if line != wanted:
            msg = f"{place}:{number}: found {_shown(line)}, expected {_shown(wanted)}"
            raise Refuted(f"{msg}, as the formula of the question and the listed tests has it")


def _shown(line: str | None) -> str:
    if line is None:
        return "the end"
    return repr(line if len(line) <= _SHOWN else f"{line[:_SHOWN]}...")
