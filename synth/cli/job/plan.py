"""`synth job plan`: predict the cost of a question."""

from __future__ import annotations

from typing import Annotated

import typer

from synth.cli.job.options import check_seconds
from synth.cli.shared.answer_print import print_json, print_lines
from synth.cli.shared.progress_bar import progress_bar
from synth.cli.shared.question_options import (
    BoundsArgument,
    BoundsOption,
    Engine,
    Locations,
    Minimal,
    Models,
    Solver,
    UpTo,
    Values,
    Without,
    bounds_of,
    limits,
    question_of,
    words,
)
from synth_checker.errors import InputError
from synth_search.engines.choice import engine_for

EXAMPLE = "Example: synth job plan 2x3 --minimal --sample-seconds 1"


def plan_command(
    sizes: BoundsArgument = None,
    bounds: BoundsOption = None,
    locations: Locations = 2,
    values: Values = 2,
    without: Without = None,
    model: Models = None,
    minimal: Minimal = False,
    up_to: UpTo = None,
    engine: Engine = "auto",
    solver: Solver = None,
    sample_seconds: Annotated[
        float,
        typer.Option(
            help="Processor seconds for further samples, after two samples of each unit (a part of the search).",
            metavar="SECONDS",
        ),
    ] = 30.0,
    shard_seconds: Annotated[
        float | None, typer.Option(help="About how long a shard may take.", metavar="SECONDS")
    ] = None,
    seed: Annotated[
        int, typer.Option(help="The seed of the random numbers that choose the parts to sample.", metavar="N")
    ] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print the plan as a JSON object.")] = False,
) -> int:
    """Predict the tests, time and disk space of a job from random parts of it, with intervals. It writes nothing.

    Each interval is Student's, at 90 %. Searches are uneven, so with few samples an interval is often too low. The
    interval of the time for minimal tests is wide, because samples do not show how much a whole search learns about
    sub-programs.
    """
    check_seconds("sample seconds", sample_seconds)
    check_seconds("shard seconds", shard_seconds)
    same = words(up_to)
    if "behaviour" in same:
        raise InputError(
            "up to: a plan cannot count behaviours, because samples do not show how many behaviours there are"
        )
    question = question_of(bounds_of(sizes, bounds), locations, values, without, model, minimal=minimal, up_to=same)
    with limits(None, None) as stop:
        import random

        from synth_jobs.estimate import Sampler
        from synth_jobs.plan import FEWEST, plan_of
        from synth_jobs.shards import usual_seconds
        from synth_workers.execution import Oversight

        made_engine = engine_for(question, engine, solver)
        sampler = Sampler(question, made_engine, random.Random(seed))  # noqa: S311  (a sample)
        with progress_bar(f"{question.name}: sampling", "sample") as bar:
            estimates = sampler.estimates(Oversight(stop, bar), FEWEST)
        sampler.refine(estimates, sample_seconds, stop)
        if stop.reason is not None:
            typer.echo(f"synth: {stop.reason.words}; there are too few samples for a plan", err=True)
            return stop.reason.exit_code
        seconds = usual_seconds(estimates) if shard_seconds is None else shard_seconds
        plan = plan_of(question, made_engine, estimates, sampler.found, seconds)
    if as_json:
        print_json(plan, compact=False, indent=2)
    else:
        from synth_jobs.views.plan import lines

        print_lines(lines(question, plan))
    return 0
