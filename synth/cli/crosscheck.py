"""`synth crosscheck`: compare the tests that engines find, and the verdicts that oracles decide."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from synth.cli.shared.answer_print import print_json, print_lines
from synth.cli.shared.exit_status import report_early_end
from synth.cli.shared.progress_bar import progress_bar
from synth.cli.shared.question_options import (
    BoundsArgument,
    BoundsOption,
    Jobs,
    Locations,
    Memory,
    Models,
    TimeLimit,
    Values,
    Without,
    bounds_of,
    limits,
    question_of,
    words,
)
from synth.cli.shared.vocabulary import completer
from synth_checker.errors import InputError
from synth_search.engines.choice import engine_for, engines_that_take

if TYPE_CHECKING:
    from synth_checker.question import Question
    from synth_search.engines.choice import SomeEngine

EXAMPLE = "Example: synth crosscheck 2x2"


def crosscheck_command(
    sizes: BoundsArgument = None,
    bounds: BoundsOption = None,
    locations: Locations = 2,
    values: Values = 2,
    without: Without = None,
    model: Models = None,
    engine: Annotated[
        list[str] | None,
        typer.Option(
            help="Compare only these engines, at least two: {engines}.  [default: all that can search these bounds]",
            metavar="ENGINE",
            autocompletion=completer("engines"),
        ),
    ] = None,
    all_verdicts: Annotated[
        bool,
        typer.Option(
            "--all-verdicts", help="Judge all tests. Otherwise at most 500 of them are judged, chosen at random."
        ),
    ] = False,
    jobs: Jobs = None,
    memory: Memory = None,
    time_limit: TimeLimit = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON object.")] = False,
) -> int:
    """Compare the tests that different engines find, and the verdicts of the C++ core with those of its Python twin.

    Exits with status 0 if all agree. Otherwise prints the smallest program about which two of them differ, and exits
    with status 1.
    """
    from synth_search.crosscheck import SAMPLE, crosscheck
    from synth_search.views.crosscheck import lines

    question = question_of(bounds_of(sizes, bounds), locations, values, without, model)
    engines, unable = _engines(question, words(engine))
    sample = None if all_verdicts else SAMPLE
    with limits(time_limit, memory) as stop:
        report = crosscheck(question, engines, stop, sample=sample, jobs=jobs, watch=progress_bar)
    if report is None:
        return report_early_end(stop, "nothing was compared")
    if as_json:
        print_json(report, compact=False)
    else:
        for reason in unable:
            print_lines([f"an engine is left out of the comparison: {reason}"])
        print_lines(lines(report))
    return int(bool(report.disagreements))


def _engines(question: Question, names: tuple[str, ...]) -> tuple[dict[str, SomeEngine], list[str]]:
    """Return the engines to ask, by name, and for each other engine the reason why it takes no part.

    Raises:
        InputError: a name is unknown, or there are fewer than two engines.
        LimitError: the question is too large for a named engine.
    """
    chosen, unable = ([engine_for(question, name) for name in names], []) if names else engines_that_take(question)
    engines = {engine.name: engine for engine in chosen}
    if len(engines) < 2:
        why = f" ({'; '.join(unable)})" if unable else ""
        raise InputError(
            f"engine: found only {', '.join(engines) or 'none'}, expected at least two engines to compare{why}"
        )
    return engines, unable
