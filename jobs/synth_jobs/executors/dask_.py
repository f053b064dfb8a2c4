"""The executor `dask`: the workers are those of Dask, on this machine, in an existing cluster, or under a batch system.

Source: dask.distributed and dask-jobqueue, which handle processes that die, machines that come and go, and many batch
systems. The executor sends only names of shards to the workers, and gets a few numbers back. The workers write the
results into the folder of the job, which all of them must see. The executor hands out few shards at a time, so that few
are lost if the scheduler dies. If a worker dies, Dask lets another worker do its shard. If Dask loses a shard,
`synth_jobs.driver` hands it out again.

A cluster that this executor starts listens only on the loopback interface, and shows no log.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import queue
import secrets
import traceback
from collections import deque
from importlib import metadata
from typing import TYPE_CHECKING

from synth_checker.errors import InputError, InternalError, ResourceError, UserError
from synth_checker.nearest import unknown
from synth_jobs.executors.dask_clusters import CLUSTERS, configure, connect
from synth_jobs.failures import MAX_TRIES
from synth_jobs.shard_run import Failure, Receipt, run_shard
from synth_workers.execution import processes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from distributed import Future

    from synth_jobs.executors.dask_clusters import Cluster
    from synth_workers.stop import Stop

#: How many shards each worker has: one that it does, and one that comes next.
_AHEAD = 2
#: Seconds between two looks at the reasons to stop and at the number of workers.
_LOOK_S = 0.25
#: The package that workers must have, in the same version as this process.
_PACKAGE = "progress-synth"


class DaskExecutor:
    """The executor that has Dask workers do shards.

    It starts a cluster with `jobs` workers on this machine, or connects to the scheduler at `dask_address`, or asks the
    batch system `dask_cluster` for `jobs` workers.

    Raises:
        InputError: `jobs` is less than 1, or the options contradict each other.
        ResourceError: Dask is missing.
    """

    name = "dask"

    def __init__(self, jobs: int | None, dask_address: str | None = None, dask_cluster: str | None = None) -> None:
        if dask_address is not None and (dask_cluster is not None or jobs is not None):
            raise InputError(
                f"--dask-address cannot be combined with {'--jobs' if dask_cluster is None else '--dask-cluster'}, "
                "because the cluster at that address has its workers already"
            )
        if dask_cluster is not None and dask_cluster not in CLUSTERS:
            raise unknown("--dask-cluster", dask_cluster, CLUSTERS)
        if dask_cluster is not None and jobs is None:
            raise InputError(f"--dask-cluster needs --jobs N, the number of workers to ask {dask_cluster} for")
        self._jobs, self._address, self._kind = processes(jobs), dask_address, dask_cluster
        self.processes = self._jobs if dask_address is None else 1  # at least one, until the scheduler tells the number
        configure()

    def run(self, folder: Path, names: Sequence[str], stop: Stop) -> Iterator[Receipt | Failure]:
        """Have shards done by Dask workers, and yield a receipt or a failure for each.

        If this call stops early, and the executor did not start the cluster, the workers go on until their present
        shards are done.

        Raises:
            UserError: a fault that would stop every shard, such as a full disk.
        """
        with connect(self._jobs, self._address, self._kind) as cluster, _as_loss(cluster):
            if _can_work(cluster, stop):
                if self._address is not None:
                    self.processes = sum(cluster.client.nthreads().values())
                yield from _done(cluster, folder.resolve(), names, stop)


@contextlib.contextmanager
def _as_loss(cluster: Cluster) -> Iterator[None]:
    """Turn the errors that follow the loss of a scheduler into a single error. Dask raises many different ones."""
    try:
        yield
    except (UserError, InternalError):
        raise
    except (Exception, asyncio.CancelledError) as error:
        cancelled = (OSError, concurrent.futures.CancelledError, asyncio.CancelledError)
        if isinstance(error, cancelled) or cluster.client.status != "running":
            raise _lost(cluster) from error
        raise


def _lost(cluster: Cluster) -> ResourceError:
    return ResourceError(f"dask: lost the connection to {cluster.name}; continue with synth job resume")


def _can_work(cluster: Cluster, stop: Stop) -> bool:
    """Wait for a worker that has this version of the package; return False if there is a reason to stop first.

    The request is a function of Python itself. Dask would send a function that a worker can't import again and again.

    Raises:
        ResourceError: the worker lacks the package, or has another version of it.
    """
    here = _version()
    version = cluster.client.submit(metadata.version, _PACKAGE, pure=False)
    while not version.done():
        if stop.look(cluster.pids()):
            return False
        stop.wait(_LOOK_S)
    there = version.result() if version.status == "finished" else None
    if there != here:
        words = "no version" if there is None else f"version {there}"
        msg = f"dask: the workers of {cluster.name} have {words} of {_PACKAGE}; install version {here} there"
        raise ResourceError(f"{msg}, which this machine has")
    return True


def _version() -> str:
    return metadata.version(_PACKAGE)


def _done(cluster: Cluster, folder: Path, names: Sequence[str], stop: Stop) -> Iterator[Receipt | Failure]:
    """Hand out shards, some at a time, and yield their results.

    When a worker ends, Dask suspects all shards that it had, although only one of them may be the cause. So the shards
    that Dask gives up are handed out again at the end, one at a time, unless they were alone already.
    """
    todo = deque(names)
    submitted: dict[str, tuple[str, Future]] = {}
    suspect, in_company = deque[str](), set[str]()
    ended: queue.SimpleQueue[Future] = queue.SimpleQueue()
    try:
        while (todo or suspect or submitted) and not stop.look(cluster.pids()):
            most = _AHEAD * max(1, len(cluster.client.nthreads()))
            while (todo and len(submitted) < most) or (suspect and not todo and not submitted):
                name = (todo or suspect).popleft()
                # A new key, so that Dask does not return what it remembers of an earlier try.
                key = f"{name}-{secrets.token_hex(4)}"
                future = cluster.client.submit(run_shard, folder, name, key=key, pure=False)
                submitted[future.key] = name, future
                if len(submitted) > 1:
                    in_company.update(other for other, _ in submitted.values())
                future.add_done_callback(ended.put)
            with contextlib.suppress(queue.Empty):
                future = ended.get(timeout=min(_LOOK_S, stop.patience() or _LOOK_S))
                while True:
                    name, _ = submitted.pop(future.key)
                    if name in in_company and _has_ended_workers(future):
                        in_company.remove(name)
                        suspect.append(name)
                    else:
                        yield _result(cluster, name, future)
                    future = ended.get_nowait()
    finally:
        with contextlib.suppress(Exception):  # the scheduler may be gone
            cluster.client.cancel([future for _, future in submitted.values()])


def _result(cluster: Cluster, name: str, future: Future) -> Receipt | Failure:
    """Return the result of a shard, a receipt or a failure."""
    if future.status == "finished":
        return Receipt(*future.result())
    error = future.exception() if future.status == "error" else None
    if error is None:
        raise _lost(cluster)
    if isinstance(error, UserError):
        raise error
    if isinstance(error, MemoryError):
        return Failure(name, "dask: no memory was left; use fewer workers or machines with more memory")
    if _has_ended_workers(future):
        return Failure(name, f"dask: {error}", tries=MAX_TRIES)
    return Failure(name, "".join(traceback.format_exception(error)))


def _has_ended_workers(future: Future) -> bool:
    """Return whether Dask gave up a shard because too many workers have ended while they had it."""
    from distributed import KilledWorker

    return future.status == "error" and isinstance(future.exception(), KilledWorker)
