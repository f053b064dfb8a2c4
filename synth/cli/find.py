"""`synth find`: tests with given verdicts, the smallest first."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from synth.cli.options import (
    Bounds,
    Jobs,
    Locations,
    Memory,
    TimeLimit,
    Values,
    Without,
    limits,
    question_of,
    words,
)
from synth.cli.printing import print_json, print_lines
from synth.cli.progress import progress_bar
from synth.cli.vocabulary import completer
from synth_checker.errors import InputError

if TYPE_CHECKING:
    from synth.directed import Directed
    from synth.work.stopping import Stop

EXAMPLE = "Example: synth find --pass OBE.strong --fail HSA.strong,fair.weak --bounds 2x2..3x6"
DEFAULT_BOUNDS = "2x2..3x5"
_VERDICTS = completer("models", "verdicts")


def find_command(
    passes: Annotated[
        list[str] | None,
        typer.Option(
            "--pass",
            help="A verdict to pass: {verdicts}; a model means both of its verdicts; an expression, NAME = EXPRESSION, "
            "NAME.weak = EXPRESSION, or a file.",
            metavar="VERDICT",
            autocompletion=_VERDICTS,
        ),
    ] = None,
    fails: Annotated[
        list[str] | None,
        typer.Option(
            "--fail", help="A verdict to fail; VERDICT as above.", metavar="VERDICT", autocompletion=_VERDICTS
        ),
    ] = None,
    bounds: Bounds = [DEFAULT_BOUNDS],  # noqa: B006  (typer copies it)
    first: Annotated[
        bool, typer.Option("--first/--all", help="One test of the first bound that has any, or all.")
    ] = True,
    least: Annotated[
        bool, typer.Option("--least", help="Of the first bound the least id, also beyond five instructions.")
    ] = False,
    contains: Annotated[
        list[str] | None,
        typer.Option(
            help="It is or contains this program or idiom: {idioms}.",
            metavar="IDIOM|ID",
            autocompletion=completer("idioms"),
        ),
    ] = None,
    uses: Annotated[int | None, typer.Option(min=1, help="Exactly so many locations.", metavar="K")] = None,
    no_exchange_branches: Annotated[
        bool, typer.Option("--no-exchange-branches", help="What exchanges does not branch.")
    ] = False,
    silent_thread: Annotated[bool, typer.Option("--silent-thread", help="Some thread never stores.")] = False,
    thread_symmetric: Annotated[
        bool, typer.Option("--thread-symmetric", help="Every order of its threads is the same program.")
    ] = False,
    locations: Locations = 2,
    values: Values = 2,
    without: Without = None,
    engine: Annotated[
        str,
        typer.Option(
            help="What finds the tests: {finding engines}.",
            metavar="ENGINE",
            autocompletion=completer("finding engines"),
        ),
    ] = "auto",
    jobs: Jobs = None,
    memory: Memory = None,
    time_limit: TimeLimit = None,
    out: Annotated[Path | None, typer.Option(help="Write the tests as records into this file.", metavar="FILE")] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the file if it is there.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="As a JSON object.")] = False,
) -> int:
    """Find tests that pass some verdicts and fail others, over growing bounds, the smallest first.

    Prints one test and what it shrinks to, or with --all the ids of all. Exits with status 1 if there is none. It says
    that only of bounds that it searched to their end, or for which inclusion of fair sets excludes such a test.
    """
    from synth.directed import Query, find_all, find_first
    from synth.directed.answer import FindAnswer, find_fields
    from synth.directed.writing import write_tests
    from synth.inputs.given_models import given_verdicts, split_words
    from synth_checker.wanted import Wanted
    from synth_storage.files import check_file

    if force and out is None:
        msg = "--force: found it without --out, expected both or none"
        raise InputError(msg)
    if least and not first:
        msg = "--least: found it with --all, expected one of the two"
        raise InputError(msg)
    if out is not None:
        check_file(out, force=force)
    question = question_of(bounds, locations, values, without, None)
    to_pass, to_fail = split_words(passes or []), split_words(fails or [])
    models, _ = given_verdicts((*to_pass, *to_fail))
    wanted = Wanted(
        given_verdicts(to_pass)[1],
        given_verdicts(to_fail)[1],
        words(contains),
        uses,
        no_exchange_branches,
        silent_thread,
        thread_symmetric,
        models,
    )
    query = Query(question, wanted)
    with limits(time_limit, memory) as stop:
        with progress_bar(question.name) as progress:
            if first:
                found = find_first(query, least=least, jobs=jobs, engine=engine, stop=stop, progress=progress)
            else:
                found = find_all(query, jobs=jobs, engine=engine, stop=stop, progress=progress)
        if as_json:
            print_json(find_fields(FindAnswer(found)))
        else:
            _print(found, first=first)
        if out is not None:  # behind what is printed: a file that can't be put there loses nothing
            write_tests(found, out, force=force)
        return exit_code_of(found, stop)


def exit_code_of(found: Directed, stop: Stop) -> int:
    """The exit code of a search: 0 with a test, 1 where it is proven that there is none, else why it was stopped."""
    code = stop.exit_code(complete=found.complete)
    return code if code is not None else 0 if found.tests else 1


def _print(found: Directed, *, first: bool) -> None:
    from synth.directed.answer import FindAnswer, describe_first
    from synth.views.directed import count_lines, find_lines

    if first:
        print_lines(find_lines(describe_first(found)))
        return
    for id_ in found.tests:
        typer.echo(id_)
    print_lines(count_lines(FindAnswer(found)), to_stderr=True)
