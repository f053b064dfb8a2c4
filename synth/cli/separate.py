"""`synth separate`: find the smallest tests that tell two verdicts apart, in each direction."""

from __future__ import annotations

import itertools
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from synth.cli.find import exit_code_of
from synth.cli.shared.answer_print import print_json, print_lines
from synth.cli.shared.command_line import call_again
from synth.cli.shared.progress_bar import progress_bar
from synth.cli.shared.question_options import (
    OWN_SINGLE_VERDICT,
    Bounds,
    Jobs,
    Locations,
    Memory,
    Threads,
    TimeLimit,
    Values,
    Without,
    limits,
    question_of,
)
from synth.cli.shared.vocabulary import completer
from synth_checker.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from synth_search.directed.separation import Direction
    from synth_workers.stop import Stop

EXAMPLE = "Example: synth separate HSA.weak OBE.weak"
DEFAULT_BOUNDS = "2x2..3x4"


def separate_command(
    ctx: typer.Context,
    first: Annotated[
        str,
        typer.Argument(
            metavar="A",
            help=f"The first verdict: {{verdicts}}. {OWN_SINGLE_VERDICT}",
            autocompletion=completer("models", "verdicts"),
        ),
    ],
    second: Annotated[
        str,
        typer.Argument(
            metavar="B", help="The second verdict, in the same form.", autocompletion=completer("models", "verdicts")
        ),
    ],
    bounds: Bounds = [DEFAULT_BOUNDS],  # noqa: B006  (typer copies it)
    locations: Locations = 2,
    values: Values = 2,
    without: Without = None,
    threads: Threads = 5,
    jobs: Jobs = None,
    memory: Memory = None,
    time_limit: TimeLimit = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON object.")] = False,
) -> int:
    """Find the smallest test that passes A and fails B, and the smallest test that passes B and fails A.

    If A and B are models, their weak verdicts are told apart, and then their strong ones. If only one of them is a
    model, both its verdicts are told apart from the other.

    If there is none, the output says so: up to the bounds, or for all bounds if the inclusion of fair sets proves it.
    It then also says for how many threads.
    """
    from synth_litmus.inputs.models import given_forms, given_verdicts
    from synth_search.directed.answer import direction_answers
    from synth_search.directed.separation import separate

    question = question_of(bounds, locations, values, without, None)
    models, _ = given_verdicts([first, second])
    pairs = _pairs(given_forms(first), given_forms(second))
    with limits(time_limit, memory) as stop:
        with progress_bar(question.name) as progress:
            directions = [
                direction
                for pair in pairs
                for direction in separate(
                    *pair, question, models, threads=threads, jobs=jobs, stop=stop, progress=progress
                )
            ]
        if as_json:
            print_json(direction_answers(directions))
        else:
            from synth_search.views.directed import separate_lines

            answers = direction_answers(directions, described=True)
            print_lines(separate_lines(answers, partial(call_again, ctx)))
        return _exit_code_of(directions, stop)


def _pairs(first: tuple[str, ...], second: tuple[str, ...]) -> list[tuple[str, str]]:
    """Return the pairs of verdicts to tell apart: those of the same form of two models, or else each with each."""
    both = len(first) > 1 and len(second) > 1
    pairs = zip(first, second, strict=True) if both else itertools.product(first, second)
    different = [pair for pair in pairs if pair[0] != pair[1]]
    if not different:
        raise InputError(f"separate: found the verdict {first[0]} twice, expected two different verdicts")
    return different


def _exit_code_of(directions: Sequence[Direction], stop: Stop) -> int:
    """Return 0, or the exit code of a search that was stopped."""
    for direction in directions:
        if direction.search is not None and (code := exit_code_of(direction.search, stop)) > 1:
            return code
    return 0
