"""`synth job status`: how far a job has come, seen from anywhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from synth.cli.job.options import JobFolder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth.jobs.progress import JobProgress

EXAMPLE = "Example: synth job status 2x3.job --json"


def status_command(
    folder: JobFolder,
    as_json: Annotated[bool, typer.Option("--json", help="The same, for programs.")] = False,
) -> None:
    """Say how far a job has come: shards done, tests found, time left by split, who is at work, and what has failed.

    Only the folder is looked at, so this works from any machine that sees it, while the job goes on.
    """
    from synth.cli.streams import shown
    from synth.cli.summary import plain_console, plain_table, print_table
    from synth.jobs.job import Job
    from synth.jobs.progress import progress_of

    job = Job(folder)
    progress = progress_of(job)
    if as_json:
        typer.echo(_json(job.question.name, progress))
        return
    console = plain_console()
    console.print(f"{shown(str(folder))}: {job.question.name}, {progress.state}", style="bold")
    for line in _lines(progress):
        console.print(line)
    if progress.cpu_seconds_left:
        table = plain_table("split", "done", "processor time left")
        for split in progress.splits:
            table.add_row(split.split, f"{split.share:.0%}", duration(split.cpu_seconds_left))
        print_table(console, table)
    if progress.workers:
        table = plain_table("process", "shards", "tests", "tests/s", "last heard of")
        for one in progress.workers:
            rate = one.tests / one.cpu_seconds if one.cpu_seconds else 0.0
            heard = f"{duration(one.silent_seconds)} ago{', at work' * (one.at_work and progress.state != 'complete')}"
            table.add_row(shown(one.worker), str(one.shards), str(one.tests), f"{rate:,.0f}", heard)
        print_table(console, table)
    for failed in progress.failed:
        state = "set aside" if failed.is_set_aside else "to be tried again"
        tries = "once" if failed.tries == 1 else f"{failed.tries} times"
        console.print(f"shard {failed.name}: failed {tries}, {state}: {shown(_last_line(failed.error))}")
    for damaged in progress.damaged:
        console.print(shown(damaged))


def duration(seconds: float) -> str:
    """A time as one says it, in the largest unit of which there are at least two."""
    for unit, size in (("d", 86400), ("h", 3600), ("min", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} s" if seconds >= 10 else f"{seconds:.1f} s"


def _lines(progress: JobProgress) -> Iterator[str]:
    from synth.cli.streams import tests

    kept = f", {progress.kept} of them kept" if progress.kept != progress.tests else ""
    done = f"{progress.done} of {progress.shards} shards done: {tests(progress.tests)}{kept}"
    yield f"{done}, in {duration(progress.cpu_seconds)} of processor time"
    if progress.cpu_seconds_left:
        left = f"{duration(progress.cpu_seconds_left)} of processor time left by estimate"
        if progress.seconds_left is None:
            yield f"{left}; nobody has done a shard lately"
        else:
            yield f"{left}; {duration(progress.seconds_left)} with {progress.at_work} at work"


def _last_line(text: str) -> str:
    return (text.strip().splitlines() or [""])[-1]


def _json(question: str, progress: JobProgress) -> str:
    import dataclasses
    import json

    fields = dataclasses.asdict(progress)
    fields["failed"] = [one._asdict() | {"set_aside": one.is_set_aside} for one in progress.failed]
    return json.dumps({"question": question, **fields}, indent=2)
