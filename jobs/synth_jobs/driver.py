"""Do all shards of a job that are left: hand them to an executor, until none is left.

A shard that fails gets another try after all other shards have had a try. A shard that has failed several times is set
aside, and the job ends incomplete. What is done and what has failed is written only in the folder of the job. So
several processes may call this module for one job at the same time. They may then do some shards twice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from synth_checker.errors import InternalError
from synth_jobs.executors.local import LocalExecutor
from synth_jobs.layout import LOGS, STOP, WRITABLE
from synth_jobs.progress import finished_corpus
from synth_jobs.shard_run import Failure
from synth_jobs.shared_subprograms import shared_orbits
from synth_storage.refusals import as_user_errors

if TYPE_CHECKING:
    from collections.abc import Collection, Container
    from pathlib import Path

    from synth_jobs.executors import Executor
    from synth_jobs.job import Job
    from synth_workers.execution import Oversight


class ShardProgress(NamedTuple):
    """How far a job has come: how many shards are done, how many there are, and how many were set aside.

    A shard is set aside when it has failed too often.
    """

    done: int
    shards: int
    set_aside: int

    @property
    def complete(self) -> bool:
        """Whether all shards are done."""
        return self.done == self.shards


def drive(job: Job, executor: Executor, how: Oversight, only: Container[str] | None = None) -> ShardProgress:
    """Have an executor do the shards of a job that are left; end early if there is a reason to stop.

    If `only` is given, it does no others. Shards that were set aside get new tries, and damaged results are made again.
    The executor has processes of its own. The progress report has the number of shards done, of all shards, and of the
    tests found. The first report counts the shards of earlier runs.

    Raises:
        UserError: a fault that would stop every shard, such as a full disk.
        InternalError: the executor returned without doing some shards.
    """
    retry_failed(job)
    done, _ = job.committed()
    counted = [len(done), sum(counts.tests for counts in done.values())]
    how.progress(counted[0], len(job.shards), counted[1])
    # The workers open the same file. This process is the last to close it, because it outlives them.
    shared = shared_orbits(job.question) if executor.name == LocalExecutor.name else None

    def left() -> list[str]:
        return [name for name in shards_left(job, done) if only is None or name in only]

    while (todo := left()) and not how.stop.look():
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
        if not heard and left() == todo and not how.stop.look():
            raise InternalError(
                f"executor {executor.name}: it has neither done {len(todo)} shards nor reported that they failed; "
                f"the folder {job.folder / LOGS} may tell why"
            )
    del shared
    return ShardProgress(len(done), len(job.shards), _set_aside(job, done))


def retry_failed(job: Job) -> None:
    """Forget the failures of all shards, so that these get new tries."""
    for name in job.failures.all():
        job.failures.forget(name)


def shards_left(job: Job, done: Container[str] | None = None) -> list[str]:
    """Return the shards that are neither done nor set aside, in the order of the list."""
    done = _done(job) if done is None else done
    failed = job.failures.all()
    return [name for name in job.shards if name not in done and not (name in failed and failed[name].set_aside)]


def state_of(job: Job) -> ShardProgress:
    """Return how far a job has come."""
    done = _done(job)
    return ShardProgress(len(done), len(job.shards), _set_aside(job, done))


def _done(job: Job) -> Collection[str]:
    """Return the shards that are done.

    If the corpus is complete, these are all shards, even if their files were removed.
    """
    return job.committed()[0] if finished_corpus(job) is None else job.shards


def _set_aside(job: Job, done: Container[str]) -> int:
    return sum(failed.set_aside and failed.name not in done for failed in job.failures.all().values())


def ask_to_stop(folder: Path) -> None:
    """Ask all processes that work on the job in a folder, on whatever machine, to stop after their current step.

    Raises:
        InputError: the folder is not writable.
        ResourceError: a disk or device failed.
    """
    with as_user_errors(folder / STOP, WRITABLE):
        (folder / STOP).touch()


def clear_stop(job: Job) -> None:
    """Withdraw the request to stop a job, so that processes can work on the job again.

    Raises:
        InputError: the folder is not writable.
        ResourceError: a disk or device failed.
    """
    if job.stop.exists():
        with as_user_errors(job.stop, WRITABLE):
            job.stop.unlink(missing_ok=True)
