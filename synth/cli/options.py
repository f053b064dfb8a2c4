"""What commands have in common: the options that make a question, its limits, and where names are.

Nothing heavy is imported before a command runs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from synth.cli.vocabulary import completer
from synth.work.stopping import Stop, parse_memory, parse_time
from synth_checker.nearest import unknown

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from synth_checker.models import Model
    from synth_checker.question import Question

Bounds: TypeAlias = Annotated[
    list[str], typer.Option(help="TxN (threads x instructions), a comma list, or AxB..CxD.", metavar="BOUNDS")
]
Locations: TypeAlias = Annotated[int, typer.Option(help="At most so many memory locations.", metavar="N")]
Values: TypeAlias = Annotated[int, typer.Option(help="At most so many values, 0 among them.", metavar="N")]
Without: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(help="Drop a rule: {rules}.", metavar="RULE", autocompletion=completer("rules")),
]
Models: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        help="Judge only these models: {models}; an expression, NAME = EXPRESSION, or a file.  "
        "[default: the first six]",
        metavar="MODEL",
        autocompletion=completer("models"),
    ),
]
Minimal: TypeAlias = Annotated[
    bool,
    typer.Option("--minimal", help="Keep only tests without a sub-program that is a test with the same signature."),
]
UniqueBehaviour: TypeAlias = Annotated[
    bool, typer.Option("--unique-behaviour", help="One test of those that no model can tell apart.")
]
UpTo: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        help="'threads': one test of those that differ in thread ids only.",
        metavar="WORD",
        autocompletion=completer("sameness"),
    ),
]
Engine: TypeAlias = Annotated[
    str,
    typer.Option(help="What finds the tests: {engines}.", metavar="ENGINE", autocompletion=completer("engines")),
]
Solver: TypeAlias = Annotated[
    str | None,
    typer.Option(
        help="Ask this solver of PySAT's, and so the engine sat: {solvers}.  [default: cadical195]",
        metavar="SOLVER",
        autocompletion=completer("solvers"),
    ),
]
NamesOf: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--corpus",
        help="Look up names, aliases and beginnings of ids here.  [default: the corpora that ship]",
        metavar="CORPUS",
        autocompletion=completer("corpora"),
    ),
]
Jobs: TypeAlias = Annotated[int | None, typer.Option(help="Processes.  [default: the CPUs at hand]", metavar="N")]
Memory: TypeAlias = Annotated[
    str | None, typer.Option(help="Stop when a process uses more, such as 500M.", metavar="SIZE")
]
TimeLimit: TypeAlias = Annotated[str | None, typer.Option(help="Stop after a time such as 90s or 2h.", metavar="TIME")]


def words(texts: list[str] | None) -> tuple[str, ...]:
    """The words of an option that repeats or takes commas."""
    return tuple(word.strip() for text in texts or [] for word in text.split(","))


def sameness(up_to: list[str] | None, unique_behaviour: bool) -> tuple[str, ...]:
    """What tests may differ in of which one is kept, as two options say."""
    return (*words(up_to), *(["behaviour"] if unique_behaviour else []))


def check_word(option: str, found: str, expected: Sequence[str]) -> None:
    """Raise InputError unless a word is one of those that an option takes."""
    if found not in expected:
        raise unknown(option, found, expected)


def question_of(
    bounds: list[str],
    locations: int,
    values: int,
    without: list[str] | None,
    model: list[str] | None,
    *,
    minimal: bool = False,
    up_to: Sequence[str] = (),
) -> Question:
    """The question that options ask. Raises as `Question` does."""
    from synth_checker.models import word_of
    from synth_checker.question import Question, parse_bounds

    models = tuple(map(word_of, models_of(model)))
    return Question(parse_bounds(bounds), locations, values, words(without), models, minimal, tuple(up_to))


def models_of(model: list[str] | None) -> tuple[Model, ...]:
    """The models that an option names, or the six. Raises as `given_models` does."""
    from synth.inputs.given_models import given_models, split_words
    from synth_checker.models import LIBRARY

    return given_models(split_words(model) if model else LIBRARY)


def limits(time_limit: str | None, memory: str | None, asked: Path | None = None) -> Stop:
    """What stops a run; a file at `asked` does, too. Raises InputError where a limit can't be read."""
    return Stop(
        None if time_limit is None else parse_time(time_limit),
        None if memory is None else parse_memory(memory),
        asked,
    )
