"""The text of `synth job status`: what is done, what is left by estimate, who works on the job, and what has failed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_documents.columns import plain_table
from synth_documents.lines import Heading
from synth_documents.phrases import shown
from synth_documents.readable import clock_time, duration, tests
from synth_jobs.answer import SamplingAnswer

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from rich.table import Table

    from synth_documents.lines import Lines
    from synth_jobs.answer import StatusAnswer
    from synth_jobs.presence import WorkerRecord
    from synth_jobs.progress import JobProgress


def lines(folder: Path, answer: StatusAnswer) -> Lines:
    """Yield lines about a job: its state, the shards done, the time left, the processes at work, and the failures."""
    yield Heading(f"{shown(str(folder))}: {answer.question}, {answer.state}")
    if isinstance(answer, SamplingAnswer):
        for worker in answer.workers:
            has = f"{worker.done} of {worker.units} units have a sample" if worker.units else "has taken no sample yet"
            yield f"{shown(worker.worker)}: {has}; synth makes the job when all units have a sample"
    else:
        yield from _progress(answer)


def _progress(progress: JobProgress) -> Lines:
    yield from _counts(progress)
    if progress.cpu_seconds_left:
        table = plain_table("split", "done", "processor time left")
        for split in progress.splits:
            table.add_row(split.split, f"{split.share:.0%}", duration(split.cpu_seconds_left))
        yield table
    if progress.workers:
        yield _workers(progress.workers)
    for failed in progress.failed:
        state = "set aside" if failed.set_aside else "to be tried again"
        tries = "once" if failed.tries == 1 else f"{failed.tries} times"
        yield f"shard {failed.name}: failed {tries}, {state}: {shown(_last_line(failed.error))}"
    yield from map(shown, progress.damaged)


def _counts(progress: JobProgress) -> Iterator[str]:
    kept = f", {progress.kept} of them kept" if progress.kept != progress.tests else ""
    done = f"{progress.done} of {progress.shards} shards done: {tests(progress.tests)}{kept}"
    yield f"{done}, in {duration(progress.cpu_seconds)} of processor time"
    if progress.cpu_seconds_left:
        time_left = duration(progress.cpu_seconds_left)
        if progress.seconds_left is None:
            yield f"about {time_left} of processor time is left; no process does shards at present"
        else:
            yield (
                f"about {time_left} of processor time is left; {duration(progress.seconds_left)} with "
                f"{progress.at_work} processes, so that the job is done at {clock_time(progress.seconds_left)}"
            )


def _workers(workers: Sequence[WorkerRecord]) -> Table:
    table = plain_table("at work", "does", "processes", "shards", "tests", "last heard of")
    for worker in workers:
        heard = f"{duration(worker.silent_seconds)} ago"
        table.add_row(
            shown(worker.worker), worker.doing, str(worker.processes), str(worker.shards), str(worker.tests), heard
        )
    return table


def _last_line(text: str) -> str:
    return (text.strip().splitlines() or [""])[-1]
