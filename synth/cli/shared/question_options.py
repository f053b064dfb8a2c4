"""The options that several commands share: those for a question, for its limits, and for the names of tests.

The module imports nothing large before a command runs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from synth.cli.shared.vocabulary import completer
from synth_checker.errors import InputError
from synth_workers.stop import Stop, parse_memory, parse_time

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from typer.models import ArgumentInfo

    from synth_checker.models import Model
    from synth_checker.question import Question

#: How a user writes a model that synth does not know, in the help of an option.
OWN_MODEL = (
    "A model of your own is an expression such as 'live & stepped', or a definition 'NAME = EXPRESSION'. A file of "
    "definitions means all models in it."
)
#: The same for an option that takes verdicts.
OWN_VERDICT = (
    f"A model means both of its verdicts. {OWN_MODEL} 'NAME.weak = EXPRESSION' means only the weak verdict of that "
    "model."
)
#: The same for an option that takes one verdict, or both of one model.
OWN_SINGLE_VERDICT = (
    "A model means both of its verdicts. A model of your own is an expression, 'NAME = EXPRESSION', or FILE:NAME for "
    "the model NAME of a file. 'NAME.weak = EXPRESSION' and FILE:NAME.weak mean only its weak verdict."
)

_SIZES = "The sizes: TxN (T threads and N instructions), several with commas, or AxB..CxD."
Bounds: TypeAlias = Annotated[list[str], typer.Option(help=_SIZES, metavar="BOUNDS")]
#: The same of a command that may also take them as its only argument.
BoundsArgument: TypeAlias = Annotated[list[str] | None, typer.Argument(metavar="BOUNDS", help=_SIZES)]
BoundsOption: TypeAlias = Annotated[
    list[str] | None, typer.Option(help="The sizes, instead of as an argument.", metavar="BOUNDS")
]
Threads: TypeAlias = Annotated[
    int,
    typer.Option(
        min=1,
        help="Compare models for programs of up to T threads, and of as many as the bounds have.",
        metavar="T",
    ),
]
Locations: TypeAlias = Annotated[int, typer.Option(help="Programs use at most N memory locations.", metavar="N")]
Values: TypeAlias = Annotated[int, typer.Option(help="Programs use at most N values; 0 is one of them.", metavar="N")]
Without: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        help="Allow programs that break this rule: {rules}.", metavar="RULE", autocompletion=completer("rules")
    ),
]
Models: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        help=f"Judge only under this model: {{models}}. {OWN_MODEL}  [default: the first six]",
        metavar="MODEL",
        autocompletion=completer("models"),
    ),
]
Minimal: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--minimal",
        help="Keep only minimal tests: those of which no sub-program is a test with the same verdicts.",
    ),
]
UniqueBehaviour: TypeAlias = Annotated[
    bool, typer.Option("--unique-behaviour", help="Of several tests that no model can tell apart, keep only one.")
]
UpTo: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        help="Write 'threads' to keep only one of several tests that differ only in the order of their threads.",
        metavar="WORD",
        autocompletion=completer("sameness"),
    ),
]
Engine: TypeAlias = Annotated[
    str,
    typer.Option(
        help="The engine that finds the tests: {engines}.", metavar="ENGINE", autocompletion=completer("engines")
    ),
]
Solver: TypeAlias = Annotated[
    str | None,
    typer.Option(
        help="Use the engine sat with this solver of PySAT: {solvers}.  [default: cadical195]",
        metavar="SOLVER",
        autocompletion=completer("solvers"),
    ),
]
NamesOf: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--corpus",
        help="The corpus in which to look up the name, alias or first digits of the id of a test.  "
        "[default: the corpora that ship with synth]",
        metavar="CORPUS",
        autocompletion=completer("corpora"),
    ),
]
Aliases: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--aliases",
        help="In the tables tests, conformance and strong-weak: count the published names of tests, as the paper does, "
        "and not the tests. One test may have several names.",
    ),
]
Jobs: TypeAlias = Annotated[
    int | None, typer.Option(help="How many processes to use.  [default: one for each CPU]", metavar="N")
]
Memory: TypeAlias = Annotated[
    str | None, typer.Option(help="Stop when a process uses more memory than this, such as 500M.", metavar="SIZE")
]
TimeLimit: TypeAlias = Annotated[
    str | None, typer.Option(help="Stop after this time, such as 90s or 2h.", metavar="TIME")
]


def bounds_argument(default: str) -> ArgumentInfo:
    """Return the argument `BoundsArgument` of a command with default bounds."""
    argument: ArgumentInfo = typer.Argument(metavar="BOUNDS", help=f"{_SIZES}  [default: {default}]")
    return argument


def words(texts: list[str] | None) -> tuple[str, ...]:
    """Return the single words of an option that repeats or takes commas."""
    return tuple(word.strip() for text in texts or [] for word in text.split(","))


def bounds_of(argument: list[str] | None, option: list[str] | None, default: str | None = None) -> list[str]:
    """Return the bounds of a command that takes them as an argument or as an option.

    Raises:
        InputError: they are given twice, or not at all where there is no default.
    """
    if argument and option:
        raise InputError(f"bounds: found {','.join(argument)} and --bounds {','.join(option)}, expected one of them")
    bounds = argument or option or ([] if default is None else [default])
    if not bounds:
        raise InputError("bounds: found none, expected sizes such as 2x3, which are 2 threads and 3 instructions")
    return bounds


def sameness(up_to: list[str] | None, unique_behaviour: bool) -> tuple[str, ...]:
    """Return in what respects a question counts tests as the same, from two options."""
    return (*words(up_to), *(["behaviour"] if unique_behaviour else []))


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
    """Return the question that options of the command line ask.

    Raises:
        InputError: a bound, number, rule or model is not valid.
        LimitError: a number is above its limit.
    """
    from synth_checker.models import word_of
    from synth_checker.question import Question, parse_bounds

    models = tuple(map(word_of, models_of(model)))
    return Question(parse_bounds(bounds), locations, values, words(without), models, minimal, tuple(up_to))


def models_of(model: list[str] | None) -> tuple[Model, ...]:
    """Return the models that an option names, or the six models of the library.

    Raises:
        InputError: a word names no model, or a text or file can't be read.
    """
    from synth_checker.models import LIBRARY
    from synth_litmus.inputs.models import given_models, split_words

    return given_models(split_words(model) if model else LIBRARY)


def limits(time_limit: str | None, memory: str | None, stop_file: Path | None = None) -> Stop:
    """Return the object that stops a run at its limits, or when a file appears at the path `stop_file`.

    Raises:
        InputError: a limit can't be read.
    """
    return Stop(
        None if time_limit is None else parse_time(time_limit),
        None if memory is None else parse_memory(memory),
        stop_file,
    )
