"""Questions and programs as Python callers give them: as such, or by the words that the command line takes.

Strings are words: bounds such as `"2x2..3x4"`, comma lists of models and rules, names of tests, ids, files and corpora.
"""

from __future__ import annotations

from collections.abc import Iterable
from os import PathLike, fspath
from typing import TYPE_CHECKING, TypeAlias

from synth.inputs.given_models import given_models, split_words
from synth.inputs.programs import GivenProgram, given_program, given_programs
from synth_checker.errors import InputError, check_type, several
from synth_checker.id_layout import ID_PATTERN
from synth_checker.models import LIBRARY, word_of
from synth_checker.normal import program_of_id
from synth_checker.program import Program
from synth_checker.question import Question, parse_bounds
from synth_checker.text import read_program

if TYPE_CHECKING:
    from collections.abc import Sequence

#: A program as such, as text, by its id or name, or the file that it lies in.
Given: TypeAlias = Program | str | PathLike[str]
_EXPECTED = "a Program, its text, its id, its name, or a file"


def question(  # noqa: PLR0913  (all but the bounds have defaults and names)
    bounds: str | Iterable[str],
    *,
    locations: int = 2,
    values: int = 2,
    without: str | Iterable[str] = (),
    models: str | Iterable[str] = LIBRARY,
    minimal: bool = False,
    up_to: str | Iterable[str] = (),
) -> Question:
    """What to enumerate: `bounds` as on the command line, such as `"3x4"`, `"2x2,2x3"` or `"2x2..3x4"`.

    `models` are words as on the command line, too: names, texts such as `"mine = live & stepped"` or
    `"live & stepped"`, files. Where several words are taken, they may stand in one string with commas between them.

    Raises:
        InputError: a bound, number, rule or model that can't be.
        LimitError: a number beyond the limits.
    """
    judged = tuple(map(word_of, given_models(split_words(several("models", models)))))
    check_type("minimal", minimal, bool, "True or False")
    return Question(
        parse_bounds(several("bounds", bounds)),
        locations,
        values,
        _words("without", without),
        judged,
        minimal,
        _words("up_to", up_to),
    )


def as_question(given: Question | str) -> Question:
    """A question, or that for all tests of some bounds.

    Raises:
        InputError: as `question`.
    """
    if isinstance(given, Question):
        return given
    check_type("question", given, str, "a question that synth.question makes, or bounds such as '3x4'")
    return question(given)


def program_given(given: Given) -> Program:
    """The one program that is given.

    Raises:
        InputError: it can't be read, there is none, or there are several.
    """
    found = named_programs(given)
    if len(found) > 1:
        msg = f"program: found {len(found)} programs in {given}, expected one"
        raise InputError(msg)
    return found[0].program


def programs_given(given: Given | Iterable[Given]) -> list[Program]:
    """The programs that are given: each of several, or all that one file or corpus holds.

    Raises:
        InputError: one can't be read.
    """
    if isinstance(given, Program | str | PathLike):
        return [one.program for one in named_programs(given)]
    check_type("programs", given, Iterable, f"{_EXPECTED}, or several of these")
    return list(map(program_given, given))


def named_programs(given: Given) -> list[GivenProgram]:
    """The programs that a value or a word stands for, at least one, with their names where they have some.

    Raises:
        InputError: it can't be read.
    """
    if isinstance(given, Program):
        return [GivenProgram(None, given, "program")]
    check_type("program", given, (str, PathLike), _EXPECTED)
    if isinstance(given, str) and ID_PATTERN.fullmatch(given):
        return [GivenProgram(None, _of_id(given), given)]
    if isinstance(given, str) and "THREAD" in given:
        return [GivenProgram(None, read_program(given), "text")]
    return given_programs(fspath(given))


def _of_id(word: str) -> Program:
    """The program with an id, or the test that a word calls which only looks like one, such as `mute`."""
    try:
        return program_of_id(word)
    except InputError:
        return given_program(word).program  # which says why it is no id, too


def _words(what: str, given: str | Iterable[str]) -> tuple[str, ...]:
    texts: Sequence[str] = several(what, given)
    return tuple(word.strip() for text in texts for word in text.split(","))
