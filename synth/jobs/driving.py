"""A job from where it stands to its end: what is not committed is given to an executor, until nothing is left.

Shards that fail are tried again with the next round, when all others have been tried; after some tries they are set
aside, and the job ends incomplete. Nothing is remembered but in the job's folder, so several processes may do this at
once; they do some work twice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from synth.jobs.layout import STOP, WRITABLE
from synth.jobs.progress import finished_corpus
from synth.jobs.running import Failure
from synth_checker.errors import InternalError
from synth_storage.refusals import as_user_errors

if TYPE_CHECKING:
    from collections.abc import Collection, Container
    from pathlib import Path

    from synth.jobs.executors import Executor
    from synth.jobs.job import Job
    from synth.work.execution import Oversight


class Driven(NamedTuple):
    """How far a job has come: shards done, of how many, and how many of the others were set aside."""

    done: int
    shards: int
    set_aside: int

    @property
    def complete(self) -> bool:
        """Whether all shards are there."""
        return self.done == self.shards


def drive(job: Job, executor: Executor, how: Oversight) -> Driven:
    """Have all shards of a job done that are not; ends early where there is a reason to stop.

    What was set aside before is tried anew, and a result that is no longer whole is made anew. The executor has its own
    processes. Progress is told how many shards are done, how many there are, and how many tests were found; first, of
    what is done already.

    Raises:
        UserError: what all shards meet with, such as a full disk.
        InternalError: the executor has left out shards without a word.
    """
    retry_failed(job)
    done, _ = job.committed()
    counted = [len(done), sum(counts.tests for counts in done.values())]
    how.progress(counted[0], len(job.shards), counted[1])
    while (todo := shards_left(job, done)) and not how.stop.look():
        heard = False
        for result in executor.run(job.folder, todo, how.stop):
            heard = True
            if isinstance(result, Failure):
                job.failures.note(*result)
                continue
            job.failures.forget(result.name)
            counted = [counted[0] + 1, counted[1] + result.tests]
            how.progress(counted[0], len(job.shards), counted[1])
        done, _ = job.committed()
        if not heard and shards_left(job, done) == todo and not how.stop.look():
            msg = f"executor {executor.name}: {len(todo)} shards were neither done nor failed"
            raise InternalError(msg)
    return Driven(len(done), len(job.shards), _set_aside(job, done))


def retry_failed(job: Job) -> None:
    """Have those shards tried anew that were tried in vain."""
    for name in job.failures.all():
        job.failures.forget(name)


def shards_left(job: Job, done: Container[str] | None = None) -> list[str]:
    """The shards that are neither done nor set aside, in the order of the list."""
    done = _done(job) if done is None else done
    failed = job.failures.all()
    return [name for name in job.shards if name not in done and not (name in failed and failed[name].is_set_aside)]


def state_of(job: Job) -> Driven:
    """How far a job has come."""
    done = _done(job)
    return Driven(len(done), len(job.shards), _set_aside(job, done))


def _done(job: Job) -> Collection[str]:
    """The shards that are done: all, where the corpus is there, for then those that are gone were not needed."""
    return job.committed()[0] if finished_corpus(job) is None else job.shards


def _set_aside(job: Job, done: Container[str]) -> int:
    return sum(failed.is_set_aside and failed.name not in done for failed in job.failures.all().values())


def ask_to_stop(folder: Path) -> None:
    """Ask all processes that work on a job in a folder, wherever they are, to stop after their current step.

    Raises:
        InputError: nothing can be put into its folder.
        ResourceError: what it lies on failed.
    """
    with as_user_errors(folder / STOP, WRITABLE):
        (folder / STOP).touch()


def forget_stop(job: Job) -> None:
    """Let processes work on a job that was stopped. Raises UserError where that can't be done."""
    if job.stop.exists():
        with as_user_errors(job.stop, WRITABLE):
            job.stop.unlink(missing_ok=True)
