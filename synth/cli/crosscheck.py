"""`synth crosscheck`: whether engines find the same tests, and oracles give them the same verdicts."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from synth.cli.options import (
    Bounds,
    Jobs,
    Locations,
    Memory,
    Models,
    TimeLimit,
    Values,
    Without,
    limits,
    question_of,
    words,
)
from synth.cli.progress import progress_bar
from synth.cli.vocabulary import completed
from synth.engines.choosing import engine_for, engines_that_take
from synth_checker.errors import InputError, InternalError

if TYPE_CHECKING:
    from synth.engines.choosing import SomeEngine
    from synth.judging.crosschecking import Crosscheck, Disagreement, Part
    from synth.work.stopping import Stop
    from synth_checker.question import Question

EXAMPLE = "Example: synth crosscheck --bounds 2x2"


def crosscheck_command(
    bounds: Bounds,
    locations: Locations = 2,
    values: Values = 2,
    without: Without = None,
    model: Models = None,
    engine: Annotated[
        list[str] | None,
        typer.Option(
            help="Ask only these, two at least: {engines}.  [default: all that take the question]",
            metavar="ENGINE",
            autocompletion=completed("engines"),
        ),
    ] = None,
    all_verdicts: Annotated[
        bool, typer.Option("--all-verdicts", help="Judge all tests, not a sample of 500 where there are more.")
    ] = False,
    jobs: Jobs = None,
    memory: Memory = None,
    time_limit: TimeLimit = None,
    as_json: Annotated[bool, typer.Option("--json", help="As a JSON object.")] = False,
) -> int:
    """Compare the tests that different engines find, and the verdicts by the C++ core and by its Python twin.

    Exits with status 0 if all agree, and with status 1 and the smallest program on which two of them don't.
    """
    from synth.judging.crosschecking import SAMPLE, crosscheck

    question = question_of(bounds, locations, values, without, model)
    engines, unable = _engines(question, words(engine))
    sample = None if all_verdicts else SAMPLE
    with limits(time_limit, memory) as stop:
        found = crosscheck(question, engines, stop, sample=sample, jobs=jobs, watch=progress_bar)
    if found is None:
        return _stopped(stop)
    if as_json:
        _print_json(found)
    else:
        for reason in unable:
            typer.echo(f"not asked: {reason}")
        _print(found)
    return int(bool(found.disagreements))


def _engines(question: Question, names: tuple[str, ...]) -> tuple[dict[str, SomeEngine], list[str]]:
    """The engines to ask, by name, and why the others are not asked.

    Raises:
        InputError: an unknown name, or fewer than two engines.
        LimitError: a named engine does not take the question.
    """
    made, unable = ([engine_for(question, name) for name in names], []) if names else engines_that_take(question)
    engines = {engine.name: engine for engine in made}
    if len(engines) < 2:
        why = f" ({'; '.join(unable)})" if unable else ""
        msg = f"engine: found only {', '.join(engines) or 'none'}, expected two or more to compare{why}"
        raise InputError(msg)
    return engines, unable


def _stopped(stop: Stop) -> int:
    if stop.reason is None:
        msg = "the comparison ended early for no reason"
        raise InternalError(msg)
    typer.echo(f"synth: {stop.fault or stop.reason.words}; nothing was compared", err=True)
    return stop.reason.exit_code


def _print(found: Crosscheck) -> None:
    for engine in found.engines:
        typer.echo(f"engine {engine.name}: {engine.tests} tests, {engine.seconds:.2f} s")
    for oracle in found.oracles:
        typer.echo(f"oracle {oracle.name}: verdicts of {oracle.tests} tests, {oracle.seconds:.2f} s")
    name = found.question.name
    if found.disagreements:
        number = len(found.disagreements)
        typer.echo(f"{name}: disagreement on {number} program{'' if number == 1 else 's'}; the smallest:")
        _print_disagreement(found.disagreements[0], found.verdicts)
    else:
        of = "all" if found.seed is None else f"{found.judged}, drawn with seed {found.seed}"
        typer.echo(f"{name}: all agree on {found.tests} tests and on the verdicts of {of}")


def _print_disagreement(one: Disagreement, verdicts: tuple[str, ...]) -> None:
    from synth_checker.normal import program_of_id
    from synth_checker.text import write_program

    typer.echo(one.id)
    typer.echo(write_program(program_of_id(one.id)), nl=False)
    for name, has in one.found.items():
        typer.echo(f"engine {name}: {'found' if has else 'not found'}")
    for name in one.disputed(verdicts):
        said = (f"{oracle} {letters[name]}" for oracle, letters in one.verdicts(verdicts).items())
        typer.echo(f"{name}: {', '.join(said)}")


def _print_json(found: Crosscheck) -> None:
    smallest = None
    if found.disagreements:
        one = found.disagreements[0]
        smallest = {"id": one.id, "found": dict(one.found), "verdicts": one.verdicts(found.verdicts)}
    fields = {
        "question": found.question.name,
        "agreed": not found.disagreements,
        "tests": found.tests,
        "engines": [_part_fields(part) for part in found.engines],
        "judged": found.judged,
        "seed": found.seed,
        "oracles": [_part_fields(part) for part in found.oracles],
        "disagreements": len(found.disagreements),
        "smallest": smallest,
    }
    typer.echo(json.dumps(fields))


def _part_fields(part: Part) -> dict[str, Any]:
    return {"name": part.name, "tests": part.tests, "seconds": round(part.seconds, 3)}
