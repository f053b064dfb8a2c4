"""`synth find`: find tests with given verdicts, the smallest first."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from synth.cli.shared.answer_print import print_json, print_lines
from synth.cli.shared.output_files import ReplaceFile, check_force
from synth.cli.shared.progress_bar import progress_bar
from synth.cli.shared.question_options import (
    OWN_VERDICT,
    BoundsOption,
    Jobs,
    Locations,
    Memory,
    TimeLimit,
    Values,
    Without,
    bounds_argument,
    bounds_of,
    limits,
    question_of,
    words,
)
from synth.cli.shared.vocabulary import completer
from synth_checker.errors import InputError

if TYPE_CHECKING:
    from synth_search.directed import Directed
    from synth_workers.stop import Stop

EXAMPLE = "Example: synth find --pass OBE.strong --fail HSA.strong,fair.weak 2x2..3x6"
DEFAULT_BOUNDS = "2x2..3x5"
_VERDICTS = completer("models", "verdicts")


def find_command(
    sizes: Annotated[list[str] | None, bounds_argument(DEFAULT_BOUNDS)] = None,
    passes: Annotated[
        list[str] | None,
        typer.Option(
            "--pass",
            help=f"Find only tests that pass this verdict: {{verdicts}}. {OWN_VERDICT}",
            metavar="VERDICT",
            autocompletion=_VERDICTS,
        ),
    ] = None,
    fails: Annotated[
        list[str] | None,
        typer.Option(
            "--fail",
            help="Find only tests that fail this verdict, which is written as for --pass.",
            metavar="VERDICT",
            autocompletion=_VERDICTS,
        ),
    ] = None,
    bounds: BoundsOption = None,
    first: Annotated[
        bool,
        typer.Option(
            "--first/--all",
            help="Find one test, in the first bound that has such a test; or find all such tests of all bounds.",
        ),
    ] = True,
    least: Annotated[
        bool,
        typer.Option(
            "--least",
            help="Find the test with the least id of its bound. Tests of up to five instructions have the least id "
            "without --least, too.",
        ),
    ] = False,
    contains: Annotated[
        list[str] | None,
        typer.Option(
            help="Find only tests that are or contain this program or idiom: {idioms}.",
            metavar="IDIOM|ID",
            autocompletion=completer("idioms"),
        ),
    ] = None,
    uses: Annotated[
        int | None, typer.Option(min=1, help="Find only tests that use exactly K locations.", metavar="K")
    ] = None,
    no_exchange_branches: Annotated[
        bool,
        typer.Option(
            "--no-exchange-branches", help="Find only tests without an instruction that both exchanges and branches."
        ),
    ] = False,
    silent_thread: Annotated[
        bool, typer.Option("--silent-thread", help="Find only tests with a thread that never writes.")
    ] = False,
    thread_symmetric: Annotated[
        bool,
        typer.Option(
            "--thread-symmetric", help="Find only tests that are the same program in every order of their threads."
        ),
    ] = False,
    locations: Locations = 2,
    values: Values = 2,
    without: Without = None,
    engine: Annotated[
        str,
        typer.Option(
            help="The engine that finds the tests: {finding engines}.",
            metavar="ENGINE",
            autocompletion=completer("finding engines"),
        ),
    ] = "auto",
    jobs: Jobs = None,
    memory: Memory = None,
    time_limit: TimeLimit = None,
    out: Annotated[
        Path | None, typer.Option(help="The file into which to write the tests as records.", metavar="FILE")
    ] = None,
    force: ReplaceFile = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON object.")] = False,
) -> int:
    """Find tests that pass some verdicts and fail others, in growing bounds, the smallest first.

    Prints one test and what it shrinks to, or with --all the ids of all tests. Exits with status 1 if there is no such
    test. It says "none" only of bounds that it has searched to their end, or for which the inclusion of fair sets
    proves that there is no such test.
    """
    from synth_checker.wanted import Wanted
    from synth_litmus.inputs.models import given_verdicts, split_words
    from synth_search.directed import Query, find_all, find_first
    from synth_search.directed.answer import find_answer
    from synth_search.directed.found_records import write_tests
    from synth_storage.files import check_file

    check_force(out, force=force)
    if least and not first:
        raise InputError("--least cannot be combined with --all; use one of the two")
    if out is not None:
        check_file(out, force=force)
    question = question_of(bounds_of(sizes, bounds, DEFAULT_BOUNDS), locations, values, without, None)
    to_pass, to_fail = split_words(passes or []), split_words(fails or [])
    models, _ = given_verdicts((*to_pass, *to_fail))
    verdicts_wanted = Wanted(
        given_verdicts(to_pass)[1],
        given_verdicts(to_fail)[1],
        words(contains),
        uses,
        no_exchange_branches,
        silent_thread,
        thread_symmetric,
        models,
    )
    query = Query(question, verdicts_wanted)
    with limits(time_limit, memory) as stop:
        with progress_bar(question.name) as progress:
            if first:
                result = find_first(query, least=least, jobs=jobs, engine=engine, stop=stop, progress=progress)
            else:
                result = find_all(query, jobs=jobs, engine=engine, stop=stop, progress=progress)
        if as_json:
            print_json(find_answer(result))
        else:
            _print(result, first=first)
        if out is not None:  # after printing, so that nothing is lost if the file can't be written
            write_tests(result, out, force=force)
        return exit_code_of(result, stop)


def exit_code_of(result: Directed, stop: Stop) -> int:
    """Return the exit code of a search: 0 with a test, 1 if there is proven to be none, or the code of a stop."""
    code = stop.exit_code(complete=result.complete)
    return code if code is not None else 0 if result.tests else 1


def _print(result: Directed, *, first: bool) -> None:
    from synth_search.directed.answer import find_answer
    from synth_search.views.directed import count_lines, find_lines

    if first:
        print_lines(find_lines(find_answer(result, described=True)))
        return
    for id_ in result.tests:
        typer.echo(id_)
    print_lines(count_lines(find_answer(result)), to_stderr=True)
