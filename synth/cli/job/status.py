"""`synth job status`: how far a job has come, seen from anywhere."""

from __future__ import annotations

import functools
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from synth.cli.job.options import JobFolder
from synth.cli.options import limits
from synth.cli.streams import is_heard
from synth.views.words import clock_time, duration, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from synth.jobs.presence import Present
    from synth.jobs.progress import JobProgress

EXAMPLE = "Example: synth job status 2x3.job --watch"
#: How often a job that is watched is looked at, in seconds.
_WATCH_S = 5.0
#: Has a terminal begin anew at its first line (ECMA-48: CUP, ED).
_CLEAR = "\x1b[H\x1b[2J"


def status_command(
    folder: JobFolder,
    watch: Annotated[
        bool, typer.Option("--watch", help="Print the status again every few seconds, until nobody is at work.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the status as a JSON object.")] = False,
    as_metrics: Annotated[
        bool, typer.Option("--metrics", help="Print the figures in the text format of Prometheus.")
    ] = False,
) -> int:
    """Say how far a job has come: shards done, tests found, time left by split, who is at work, and what has failed.

    Only the folder is looked at, so this works from any machine that sees it, while the job goes on.
    """
    from synth_checker.errors import InputError

    if as_metrics and (as_json or watch):
        msg = f"--metrics: found {'--json' if as_json else '--watch'} with it, expected one of the two"
        raise InputError(msg)
    if as_metrics:
        _say_metrics(folder)
        return 0
    say: Callable[[Path], bool] = functools.partial(_say_json, indent=None if watch else 2)
    if not as_json:
        say = functools.partial(_say, before=_CLEAR if watch and sys.stdout.isatty() else "")
    if not watch:
        say(folder)
        return 0
    with limits(None, None) as stop:
        is_at_work = True
        while is_at_work and is_heard() and stop.look() is None:
            is_at_work = say(folder)
            sys.stdout.flush()
            if is_at_work:
                stop.wait(_WATCH_S)
        return stop.exit_code(complete=False) or 0


def _say(folder: Path, before: str) -> bool:
    """Say it in words, and something before that as soon as it is known; whether somebody is at work."""
    from synth.cli.printing import plain_console, print_table
    from synth.jobs.job import Job
    from synth.jobs.progress import progress_of, sampled_at
    from synth.views.tables import plain_table

    console = plain_console()
    sampled = sampled_at(folder)
    if sampled:
        typer.echo(before, nl=False)
        _say_state(folder, sampled[0].question, "sampling")
        for one in sampled:
            has = f"{one.done} of {one.units} units have a sample" if one.units else "has only begun"
            console.print(f"{shown(one.worker)}: {has}; the job is made when all have one")
        return True
    job = Job(folder)
    progress = progress_of(job)
    typer.echo(before, nl=False)
    _say_state(folder, job.question.name, progress.state)
    for line in _lines(progress):
        console.print(line)
    if progress.cpu_seconds_left:
        table = plain_table("split", "done", "processor time left")
        for split in progress.splits:
            table.add_row(split.split, f"{split.share:.0%}", duration(split.cpu_seconds_left))
        print_table(console, table)
    if progress.workers:
        table = plain_table("at work", "does", "processes", "shards", "tests", "last heard of")
        for one in progress.workers:
            heard = f"{duration(one.silent_seconds)} ago"
            table.add_row(shown(one.worker), one.doing, str(one.processes), str(one.shards), str(one.tests), heard)
        print_table(console, table)
    for failed in progress.failed:
        state = "set aside" if failed.is_set_aside else "to be tried again"
        tries = "once" if failed.tries == 1 else f"{failed.tries} times"
        console.print(f"shard {failed.name}: failed {tries}, {state}: {shown(_last_line(failed.error))}")
    for damaged in progress.damaged:
        console.print(shown(damaged))
    return bool(progress.workers)


def _say_state(folder: Path, question: str, state: str) -> None:
    from synth.cli.printing import plain_console

    plain_console().print(f"{shown(str(folder))}: {question}, {state}", style="bold")


def _lines(progress: JobProgress) -> Iterator[str]:
    from synth.views.words import tests

    kept = f", {progress.kept} of them kept" if progress.kept != progress.tests else ""
    done = f"{progress.done} of {progress.shards} shards done: {tests(progress.tests)}{kept}"
    yield f"{done}, in {duration(progress.cpu_seconds)} of processor time"
    if progress.cpu_seconds_left:
        left = f"{duration(progress.cpu_seconds_left)} of processor time left by estimate"
        if progress.seconds_left is None:
            yield f"{left}; nobody does shards just now"
        else:
            time_left = f"{duration(progress.seconds_left)} with {progress.at_work} at work"
            yield f"{left}; {time_left}, done at {clock_time(progress.seconds_left)}"


def _last_line(text: str) -> str:
    return (text.strip().splitlines() or [""])[-1]


def _say_json(folder: Path, indent: int | None) -> bool:
    """Say it in JSON; whether somebody is at work."""
    import dataclasses
    import json

    from synth.jobs.job import Job
    from synth.jobs.progress import progress_of, sampled_at

    sampled = sampled_at(folder)
    if sampled:
        found = {"question": sampled[0].question, "state": "sampling", "workers": list(map(_present, sampled))}
        typer.echo(json.dumps(found, indent=indent))
        return True
    job = Job(folder)
    progress = progress_of(job)
    fields = dataclasses.asdict(progress)
    fields["failed"] = [one._asdict() | {"set_aside": one.is_set_aside} for one in progress.failed]
    fields["workers"] = list(map(_present, progress.workers))
    typer.echo(json.dumps({"question": job.question.name, **fields}, indent=indent))
    return bool(progress.workers)


def _present(one: Present) -> dict[str, str | float]:
    """What others may want to know of a process that is at work."""
    names = ("worker", "doing", "processes", "shards", "tests", "done", "units", "silent_seconds")
    return {name: getattr(one, name) for name in names}


def _say_metrics(folder: Path) -> None:
    """Say it for a metrics collector."""
    from synth.jobs.job import Job
    from synth.jobs.metrics import metrics
    from synth.jobs.progress import progress_of, sampled_at

    sampled = sampled_at(folder)
    if sampled:
        question, progress = sampled[0].question, None
    else:
        job = Job(folder)
        question, progress = job.question.name, progress_of(job)
    typer.echo(metrics(str(folder.resolve()), question, progress), nl=False)
