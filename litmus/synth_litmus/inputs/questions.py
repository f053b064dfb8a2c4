"""Read the questions and programs that Python callers give, as objects or as words of the command line.

Such words are bounds such as `"2x2..3x4"`, models and rules with commas between them, names and ids of tests, files,
and corpora.
"""

from __future__ import annotations

from collections.abc import Iterable
from os import PathLike, fspath
from typing import TYPE_CHECKING, TypeAlias

from synth_checker.errors import InputError, check_type, list_of_texts
from synth_checker.models import LIBRARY, word_of
from synth_checker.programs.id_layout import ID_PATTERN
from synth_checker.programs.normal import program_of_id
from synth_checker.programs.program import Program
from synth_checker.programs.text import read_program
from synth_checker.question import Question, parse_bounds
from synth_litmus.inputs.models import given_models, split_words
from synth_litmus.inputs.programs import GivenProgram, given_program, given_programs

if TYPE_CHECKING:
    from collections.abc import Sequence

#: A program as a caller may give it: a `Program`, its text, its id or name, or the path of a file that holds it.
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
    """Return the question that asks for all tests of some bounds.

    `bounds` is written as on the command line, such as `"3x4"`, `"2x2,2x3"` or `"2x2..3x4"`. `locations` and `values`
    limit how many a program may use. `without` names rules to drop. `models` has the models of the verdicts: names,
    definitions such as `"mine = live & stepped"`, expressions such as `"live & stepped"`, or files. With `minimal`, the
    question keeps only minimal tests. With `up_to="threads"`, it keeps one of several tests that differ only in the
    order of their threads; with `up_to="behaviour"`, it keeps one of several tests that no model can tell apart. An
    argument that takes several words also takes one string with commas between them.

    Raises:
        InputError: a bound, number, rule or model is not valid.
        LimitError: a number is above its limit.
    """
    judged = tuple(map(word_of, given_models(split_words(list_of_texts("models", models)))))
    check_type("minimal", minimal, bool, "True or False")
    return Question(
        parse_bounds(list_of_texts("bounds", bounds)),
        locations,
        values,
        _words("without", without),
        judged,
        minimal,
        _words("up_to", up_to),
    )


def as_question(text: Question | str) -> Question:
    """Return a question as it is, or make one from bounds such as `"3x4"`.

    Raises:
        InputError: the bounds are not valid.
    """
    if isinstance(text, Question):
        return text
    check_type("question", text, str, "a result of synth.question, or bounds such as '3x4'")
    return question(text)


def program_given(program: Given) -> Program:
    """Return the single program that a caller gives.

    Raises:
        InputError: the program can't be read, or a file holds none or several.
    """
    programs = named_programs(program)
    if len(programs) > 1:
        raise InputError(f"program: found {len(programs)} programs in {program}, expected a single program")
    return programs[0].program


def programs_given(programs: Given | Iterable[Given]) -> list[Program]:
    """Return the programs that a caller gives: each of several, or all programs of a single file or corpus.

    Raises:
        InputError: a program can't be read.
    """
    if isinstance(programs, Program | str | PathLike):
        return [named_program.program for named_program in named_programs(programs)]
    check_type("programs", programs, Iterable, f"one or several programs, each of them {_EXPECTED}")
    return list(map(program_given, programs))


def named_programs(program: Given) -> list[GivenProgram]:
    """Return the programs that a value stands for, at least one, each with its name if it has one.

    Raises:
        InputError: the value can't be read as programs.
    """
    if isinstance(program, Program):
        return [GivenProgram(None, program, "program")]
    check_type("program", program, (str, PathLike), _EXPECTED)
    if isinstance(program, str) and ID_PATTERN.fullmatch(program):
        return [GivenProgram(None, _of_id(program), program)]
    if isinstance(program, str) and "THREAD" in program:
        return [GivenProgram(None, read_program(program), "text")]
    return given_programs(fspath(program))


def _of_id(word: str) -> Program:
    """Return the program with an id, or the test whose name only looks like an id, such as `mute`."""
    try:
        return program_of_id(word)
    except InputError:
        return given_program(word).program  # its message says also why the word is no id


def _words(what: str, words: str | Iterable[str]) -> tuple[str, ...]:
    texts: Sequence[str] = list_of_texts(what, words)
    return tuple(word.strip() for text in texts for word in text.split(","))
