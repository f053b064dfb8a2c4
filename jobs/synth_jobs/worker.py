"""A worker that needs no executor: it claims shards of a job, one at a time, until all shards are done.

Any number of such workers may work on a job, on any machines that see its folder. It does not matter who starts them:
the tasks of a Slurm array are such workers. Each begins at a random place in the list of shards, so that two workers
rarely want the same shard. When other workers have claimed all shards that are left, a worker waits until these are
done. If another worker dies meanwhile, the waiting worker does its shard.

The worker starts a separate process for each shard. So the worker can report a crash of that process. On a request to
stop, the worker gives back its claim at once, whatever that process is doing.
"""

from __future__ import annotations

import functools
import secrets
from typing import TYPE_CHECKING

from synth_jobs.committed import SUFFIX, DamagedError
from synth_jobs.executors.local import attempt, failure_of_lost
from synth_jobs.layout import LEASES
from synth_jobs.presence import SEARCHING, Presence
from synth_jobs.progress import finished_corpus
from synth_jobs.shard_run import Failure
from synth_jobs.shared_subprograms import shared_orbits
from synth_storage.leases import USUAL_S, Leases
from synth_workers.pool import Workers

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from synth_jobs.job import Job
    from synth_jobs.shard_run import Receipt
    from synth_workers.execution import Oversight
    from synth_workers.stop import Stop

#: While other workers have claimed all shards that are left, a worker looks after so many seconds whether these are
#: done.
_PAUSE_S = 2.0


def work(job: Job, how: Oversight, lease_s: float = USUAL_S) -> int:
    """Claim and do shards until each is done or set aside; end early if there is a reason to stop.

    Other workers take over a claim that this worker has not renewed for `lease_s` seconds. The result is the number of
    shards that this worker has done. The progress report has the number of shards done by all workers, and the number
    of all shards.

    Raises:
        UserError: a fault that would stop every shard, such as a full disk.
    """
    done, tests, stop = 0, 0, how.stop
    if finished_corpus(job) is not None:  # a user may have removed the shards of a finished job
        return done
    job.engine()  # raises an error if this release has another engine, with which all shards would fail
    solve = functools.partial(attempt, job.folder)
    shared = shared_orbits(job.question)  # as in `synth_jobs.driver`
    with (
        Presence(job.folder, stop, job.question.name, SEARCHING, processes=1) as presence,
        Leases(job.folder / LEASES, lease_s) as leases,
        Workers(solve, 1, stop, failure_of_lost) as workers,
    ):
        for name in _claimed(job, leases, stop):
            result = _done(workers, name)
            if result is None:  # stopped
                leases.give_back(name)
            elif isinstance(result, Failure):
                job.failures.note(*result)
                leases.give_back(name)
            else:
                job.failures.forget(name)
                leases.finish(name)
                done, tests = done + 1, tests + result.tests
                presence.note(shards=done, tests=tests)
            how.progress(len(job.there()), len(job.shards), 0)
    del shared
    return done


def _done(workers: Workers[str, Receipt | Failure | None], name: str) -> Receipt | Failure | None:
    """Return the result of a shard, or None if there was a reason to stop."""
    for batches in (workers.run([name]), workers.stop()):
        results = [result for batch in batches for result in batch.results if result is not None]
        if results:
            return results[0]
    return None


def _claimed(job: Job, leases: Leases, stop: Stop) -> Iterator[str]:
    """Yield shards that this worker has claimed.

    The caller finishes each one or gives it back before it asks for the next.
    """
    done, damaged = job.committed()
    todo = [name for name in job.shards if name not in done]
    suspect = {error.path.name.removesuffix(SUFFIX) for error in damaged}
    while todo := _still(job, todo, suspect):
        has_got_some = False
        for name in _from_anywhere(todo):
            if stop.look():
                return
            if _is_done(job, name):  # other workers are ahead of this one, so it looks again what is left
                break
            if leases.claim(name):
                if _is_done(job, name):
                    leases.finish(name)
                else:
                    has_got_some = True
                    yield name
        else:
            if not has_got_some:
                stop.wait(min(leases.patience, _PAUSE_S))


def _still(job: Job, todo: Sequence[str], suspect: set[str]) -> list[str]:
    """Return the shards of a list that are neither done nor set aside; look into the files of suspect shards."""
    there = job.there()
    aside = {failed.name for failed in job.failures.all().values() if failed.set_aside}
    return [
        name
        for name in todo
        if name not in aside and not (name in there and (name not in suspect or _is_done(job, name)))
    ]


def _is_done(job: Job, name: str) -> bool:
    try:
        return job.counts(name) is not None
    except DamagedError:
        return False


def _from_anywhere(names: Sequence[str]) -> Iterator[str]:
    """Yield all names once, in a circle, from a place that is chosen at random."""
    first = secrets.randbelow(len(names))
    for number in range(len(names)):
        yield names[(first + number) % len(names)]
