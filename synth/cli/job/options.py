"""The options, the work and the last messages that the commands `synth job start` and `resume` share."""

from __future__ import annotations

import contextlib
import math
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from synth.cli.shared.answer_print import print_json, print_lines
from synth.cli.shared.progress_bar import progress_bar
from synth_checker.errors import InputError
from synth_corpus.views.written import held_lines
from synth_documents.phrases import count, shown
from synth_documents.readable import tests
from synth_storage.refusals import as_user_errors

if TYPE_CHECKING:
    from collections.abc import Callable, Container

    from synth_jobs.committed import DamagedError
    from synth_jobs.driver import ShardProgress
    from synth_jobs.executors import Executor
    from synth_jobs.job import Job
    from synth_jobs.presence import Presence
    from synth_workers.stop import Stop

Out: TypeAlias = Annotated[
    Path | None, typer.Option(help="The folder for the corpus.  [default: DIR/corpus]", metavar="CORPUS")
]
AsJson: TypeAlias = Annotated[
    bool, typer.Option("--json", help="At the end, print the status of the job as a JSON object.")
]
JobFolder: TypeAlias = Annotated[Path, typer.Argument(metavar="DIR", help="The folder of a job.")]


def telling_status(folder: Path, work: Callable[[], int], *, as_json: bool) -> int:
    """Work on a job, and return the exit code.

    With `as_json`, what the work prints goes to standard error, and then the status of the job is printed as JSON.
    """
    from synth_jobs.answer import status_of
    from synth_jobs.layout import is_job

    if not as_json:
        return work()
    with contextlib.redirect_stdout(sys.stderr):
        code = work()
    if is_job(folder):
        print_json(status_of(folder), compact=False, indent=2)
    return code


def check_seconds(name: str, seconds: float | None) -> None:
    """Raise InputError if an option has a number of seconds that is not above 0."""
    if seconds is not None and not 0 < seconds < math.inf:
        raise InputError(f"{name}: found {seconds:.12g}, expected more than 0")


def check_one_in(one_in: int | None, executor: str, *, detach: bool) -> None:
    """Raise InputError if the option --one-in is not valid, or if it can't be combined with others."""
    if one_in is None:
        return
    if one_in < 1:
        raise InputError(f"one in: found {one_in}, expected at least 1")
    if detach or executor == "slurm-array":
        other = "--detach" if detach else "the executor slurm-array"
        raise InputError(
            f"--one-in cannot be combined with {other}; do these shards first, and then start the rest with {other}"
        )


def work_on(
    job: Job, executor: Executor, jobs: int | None, stop: Stop, out: Path | None, one_in: int | None = None
) -> int:
    """Do the rest of a job, write its corpus, print how it went, and return the exit code.

    `jobs` is the most threads that write the corpus. None means all CPUs. With `one_in`, do only one in so many shards,
    and print what follows for the whole job.
    """
    from synth_jobs import trial
    from synth_jobs.committed import DamagedError
    from synth_jobs.finish import finish
    from synth_jobs.presence import SEARCHING, WRITING, Presence
    from synth_jobs.views.trial import lines as trial_lines
    from synth_search.enumeration.saved import corpus_at
    from synth_workers.execution import Execution, processes, usable_cpus

    place = job.corpus if out is None else out
    corpus = corpus_at(place, job.question)  # raises an error before long work if the corpus can't go there
    if corpus is not None and corpus.manifest.complete:
        print_lines(held_lines(corpus.manifest, place))
        return 0
    _check_shards(job)
    job.engine()  # raises an error before long work if this release has another engine
    warn_of_other_workers(job, executor)
    with Presence(job.folder, stop, job.question.name, SEARCHING, executor.processes) as presence:
        for error in job.committed()[1]:
            _drop(error)
        while True:
            shards = trial.every_nth_shard(one_in or 1, job)
            driven = _drive_with_progress(job, executor, stop, presence, frozenset(shards))
            if not driven.complete:
                if one_in is not None and not driven.set_aside and stop.look() is None:
                    print_lines(trial_lines(job.folder, job.question, trial.trial_result(job, shards)))
                    return 0
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
    return _report_incomplete(job, driven, stop)


def _drive_with_progress(
    job: Job, executor: Executor, stop: Stop, presence: Presence, shards_to_do: Container[str]
) -> ShardProgress:
    """Have some shards of a job done, and report progress on the terminal and in the folder of the job."""
    from synth_jobs.driver import drive
    from synth_workers.execution import Oversight

    done = job.committed()[0]
    before, tests_before = len(done), sum(counts.tests for counts in done.values())
    with progress_bar(job.question.name, "shard", done=before, tests=tests_before) as bar:

        def progress(done: int, shards: int, tests: int) -> None:
            presence.note(shards=done - before, tests=tests - tests_before, processes=executor.processes)
            bar(done, shards, tests)

        return drive(job, executor, Oversight(stop, progress), shards_to_do)


def warn_of_other_workers(job: Job, executor: Executor) -> None:
    """Warn if other processes work on a job and the executor does not see which shards they do."""
    from synth_jobs.presence import at_work

    others = at_work(job.folder)
    if others and executor.processes:
        names = ", ".join(shown(other.worker) for other in others)
        are = "is" if len(others) == 1 else "are"
        message = (
            f"synth: {shown(str(job.folder))}: {names} {are} working on this job, too; some shards may be done twice"
        )
        typer.echo(f"{message} (use synth job work instead: its workers do not do a shard twice)", err=True)


def _check_shards(job: Job) -> None:
    """Raise InputError if a job is finished and its shards were removed.

    Another corpus would need all the work again.
    """
    from synth_jobs.progress import finished_corpus

    if finished_corpus(job) is not None and job.shards.keys().isdisjoint(job.there()):
        msg = (
            f"{job.folder}: synth job gc has removed the shards of this finished job, so no other corpus can be "
            "written from them"
        )
        raise InputError(f"{msg}; copy {job.corpus} instead")


def _drop(error: DamagedError) -> None:
    """Report a damaged shard, and remove its file so that it is done again."""
    from synth_jobs.layout import WRITABLE

    typer.echo(f"synth: {shown(str(error))}; synth removes this file and does the shard again", err=True)
    with as_user_errors(error.path, WRITABLE):
        error.path.unlink(missing_ok=True)


def _report_incomplete(job: Job, driven: ShardProgress, stop: Stop) -> int:
    """Print why a job is not complete, and return the exit code."""
    where = f"synth job status {shown(str(job.folder))} says more"
    set_aside = f"; {count(driven.set_aside, 'shard')} set aside after failing" if driven.set_aside else ""
    why = stop.reason.words if stop.reason is not None else "incomplete"
    typer.echo(f"synth: {why}; {driven.done} of {count(driven.shards, 'shard')} done{set_aside}; {where}", err=True)
    return stop.exit_code(complete=False) or 3
