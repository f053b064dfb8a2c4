"""What the commands that work on a job have in common: their options, the work, and what is said at its end."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from synth.cli.printing import print_lines
from synth.cli.progress import progress_bar
from synth.phrases import count
from synth.views.corpus_written import held_lines
from synth.views.readable import shown, tests
from synth_checker.errors import InputError
from synth_storage.refusals import as_user_errors

if TYPE_CHECKING:
    from synth.jobs.committed import DamagedError
    from synth.jobs.driving import Driven
    from synth.jobs.executors import Executor
    from synth.jobs.job import Job
    from synth.jobs.presence import Presence
    from synth.work.stopping import Stop

Out: TypeAlias = Annotated[
    Path | None, typer.Option(help="The corpus folder.  [default: DIR/corpus]", metavar="CORPUS")
]
JobFolder: TypeAlias = Annotated[Path, typer.Argument(metavar="DIR", help="The folder of a job.")]


def check_seconds(name: str, seconds: float | None) -> None:
    """Raise InputError unless an option that was given is a time."""
    if seconds is not None and not 0 < seconds < math.inf:
        msg = f"{name}: found {seconds:.12g}, expected more than 0"
        raise InputError(msg)


def work_on(job: Job, executor: Executor, jobs: int | None, stop: Stop, out: Path | None) -> int:
    """Do what is left of a job, write its corpus in at most `jobs` threads, say how it went, and give the exit code."""
    from synth.enumeration.saving import corpus_at
    from synth.jobs.committed import DamagedError
    from synth.jobs.finishing import finish
    from synth.jobs.presence import SEARCHING, WRITING, Presence
    from synth.work.execution import Execution, processes, usable_cpus

    place = job.corpus if out is None else out
    there = corpus_at(place, job.question)  # before long work: whether its answer can go there
    if there is not None and there.manifest.complete:
        print_lines(held_lines(there.manifest, place))
        return 0
    _check_shards(job)
    job.engine()  # before long work: whether it is that of this release
    say_who_else(job, executor)
    with Presence(job.folder, stop, job.question.name, SEARCHING, executor.processes) as presence:
        for error in job.committed()[1]:
            _drop(error)
        while True:
            driven = _driven(job, executor, stop, presence)
            if not driven.complete:
                break
            presence.note(doing=WRITING, processes=0)
            try:
                with progress_bar(f"{job.question.name}: writing", "test") as bar:
                    manifest = finish(job, place, Execution(stop, bar, jobs=min(processes(jobs), usable_cpus())))
            except DamagedError as error:
                _drop(error)
                presence.note(doing=SEARCHING, processes=executor.processes)
                continue
            if manifest is None:
                break
            typer.echo(f"{tests(manifest.tests)} in {shown(str(place))}; {count(driven.shards, 'shard')}, complete")
            return stop.exit_code(complete=True) or 0
    return _left_incomplete(job, driven, stop)


def _driven(job: Job, executor: Executor, stop: Stop, presence: Presence) -> Driven:
    """Have the shards of a job done, and say how far it is: to whoever waits here, and in its folder."""
    from synth.jobs.driving import drive
    from synth.work.execution import Oversight

    done = job.committed()[0]
    before, tests_before = len(done), sum(one.tests for one in done.values())
    with progress_bar(job.question.name, "shard", done=before, tests=tests_before) as bar:

        def progress(done: int, shards: int, tests: int) -> None:
            presence.note(shards=done - before, tests=tests - tests_before, processes=executor.processes)
            bar(done, shards, tests)

        return drive(job, executor, Oversight(stop, progress))


def say_who_else(job: Job, executor: Executor) -> None:
    """Warn where others are at work on a job, and an executor doesn't see which shards these do."""
    from synth.jobs.presence import at_work

    others = at_work(job.folder)
    if others and executor.processes:
        names = ", ".join(shown(one.worker) for one in others)
        are = "is" if len(others) == 1 else "are"
        told = f"synth: {shown(str(job.folder))}: {names} {are} at work on it, too; much may be done twice"
        typer.echo(f"{told} (synth job work avoids that)", err=True)


def _check_shards(job: Job) -> None:
    """Raise InputError where a job was done and its shards were removed: another corpus would be all the work anew."""
    from synth.jobs.progress import finished_corpus

    if finished_corpus(job) is not None and job.shards.keys().isdisjoint(job.there()):
        msg = f"{job.folder}: found its corpus and not its shards, which synth job gc has removed"
        raise InputError(f"{msg}, expected them for another corpus: copy {job.corpus}")


def _drop(error: DamagedError) -> None:
    """Tell of a shard that is not as it was written, and have it done again."""
    from synth.jobs.layout import WRITABLE

    typer.echo(f"synth: {shown(str(error))}; it is done again", err=True)
    with as_user_errors(error.path, WRITABLE):
        error.path.unlink(missing_ok=True)


def _left_incomplete(job: Job, driven: Driven, stop: Stop) -> int:
    """Say why a job is not done; gives the exit code."""
    where = f"synth job status {shown(str(job.folder))} says more"
    set_aside = f"; {count(driven.set_aside, 'shard')} set aside after failing" if driven.set_aside else ""
    why = stop.reason.words if stop.reason is not None else "incomplete"
    typer.echo(f"synth: {why}; {driven.done} of {count(driven.shards, 'shard')} done{set_aside}; {where}", err=True)
    return stop.exit_code(complete=False) or 3
