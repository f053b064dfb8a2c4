"""The executor `dask`: workers of Dask, on this machine, of a cluster that is there, or asked of a batch system.

Source: dask.distributed and dask-jobqueue, which know of processes that die, machines that come and go, and many batch
systems. Only names of shards go out and a few numbers come back; what is found is in the job's folder, which all
workers must see. Few shards are given out at a time, so that the scheduler has little to lose. Dask has the shard of a
worker that died done once more, and we don't trust it further than that: what it forgets is done with the next round.
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

from synth.jobs.executors.dask_clusters import CLUSTERS, configure, connect
from synth.jobs.failures import MAX_TRIES
from synth.jobs.running import Failure, Receipt, run_shard
from synth.work.execution import processes
from synth_checker.errors import InputError, InternalError, ResourceError, UserError
from synth_checker.nearest import unknown

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from distributed import Future

    from synth.jobs.executors.dask_clusters import Cluster
    from synth.work.stopping import Stop

#: Shards given out per worker: one that it does, and one for when that is done.
_AHEAD = 2
#: How often the reasons to stop and the number of workers are looked at, in seconds.
_LOOK_S = 0.25
#: What workers must have installed, in the version that is here.
_PACKAGE = "progress-synth"


class DaskExecutor:
    """So many workers of a cluster of our own, the scheduler at an address, or workers asked of a batch system.

    Raises:
        InputError: fewer than one worker, or options that don't go together.
        ResourceError: Dask is not installed.
    """

    name = "dask"

    def __init__(self, jobs: int | None, dask_address: str | None = None, dask_cluster: str | None = None) -> None:
        if dask_address is not None and (dask_cluster is not None or jobs is not None):
            msg = f"--dask-address: found {'--jobs' if dask_cluster is None else '--dask-cluster'} with it, expected"
            raise InputError(f"{msg} one of the two, for that cluster has the workers that it has")
        if dask_cluster is not None and dask_cluster not in CLUSTERS:
            raise unknown("--dask-cluster", dask_cluster, CLUSTERS)
        if dask_cluster is not None and jobs is None:
            msg = f"--dask-cluster: found no --jobs, expected how many workers to ask {dask_cluster} for"
            raise InputError(msg)
        self._jobs, self._address, self._kind = processes(jobs), dask_address, dask_cluster
        self.processes = self._jobs if dask_address is None else 1  # at least, until it is asked
        configure()

    def run(self, folder: Path, names: Sequence[str], stop: Stop) -> Iterator[Receipt | Failure]:
        """Have shards done by workers of Dask. Raises as `synth.jobs.executors.Executor` says.

        Workers of a cluster that is not ours finish what they are doing when this stops.
        """
        with connect(self._jobs, self._address, self._kind) as cluster, _as_loss(cluster):
            if _can_work(cluster, stop):
                if self._address is not None:
                    self.processes = sum(cluster.client.nthreads().values())
                yield from _done(cluster, folder.resolve(), names, stop)


@contextlib.contextmanager
def _as_loss(cluster: Cluster) -> Iterator[None]:
    """Raise the same error wherever the scheduler has gone; Dask raises many, depending on what is asked of it next."""
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
    return ResourceError(f"dask: lost the connection to {cluster.name}, expected it to last; synth job resume goes on")


def _can_work(cluster: Cluster, stop: Stop) -> bool:
    """Wait for a worker that has the package that we have; False if there is a reason to stop before there is one.

    Asked by a function of Python's own: one that a worker can't load would be sent to it again and again.

    Raises:
        ResourceError: it has none, or another.
    """
    here = _version()
    asked = cluster.client.submit(metadata.version, _PACKAGE, pure=False)
    while not asked.done():
        if stop.look(cluster.pids()):
            return False
        stop.wait(_LOOK_S)
    there = asked.result() if asked.status == "finished" else None
    if there != here:
        found = "no" if there is None else "another"
        msg = f"dask: found {found} {_PACKAGE}{f' ({there})' if there else ''} where the workers of {cluster.name} are"
        raise ResourceError(f"{msg}, expected {here}, which is here")
    return True


def _version() -> str:
    return metadata.version(_PACKAGE)


def _done(cluster: Cluster, folder: Path, names: Sequence[str], stop: Stop) -> Iterator[Receipt | Failure]:
    """Give out shards, some at a time, and take what becomes of them.

    Where a worker ends, Dask suspects all that it was given. Those that it gives up are given out once more at the end,
    one at a time, unless they were alone already: only one of them may have been the cause.
    """
    todo = deque(names)
    given: dict[str, tuple[str, Future]] = {}
    suspect, in_company = deque[str](), set[str]()
    ended: queue.SimpleQueue[Future] = queue.SimpleQueue()
    try:
        while (todo or suspect or given) and not stop.look(cluster.pids()):
            most = _AHEAD * max(1, len(cluster.client.nthreads()))
            while (todo and len(given) < most) or (suspect and not todo and not given):
                name = (todo or suspect).popleft()
                # What Dask remembers of a shard of that name is not what is asked for now.
                key = f"{name}-{secrets.token_hex(4)}"
                future = cluster.client.submit(run_shard, folder, name, key=key, pure=False)
                given[future.key] = name, future
                if len(given) > 1:
                    in_company.update(other for other, _ in given.values())
                future.add_done_callback(ended.put)
            with contextlib.suppress(queue.Empty):
                future = ended.get(timeout=min(_LOOK_S, stop.patience() or _LOOK_S))
                while True:
                    name, _ = given.pop(future.key)
                    if name in in_company and _has_ended_workers(future):
                        in_company.remove(name)
                        suspect.append(name)
                    else:
                        yield _result(cluster, name, future)
                    future = ended.get_nowait()
    finally:
        with contextlib.suppress(Exception):  # it may be the scheduler that has gone
            cluster.client.cancel([future for _, future in given.values()])


def _result(cluster: Cluster, name: str, future: Future) -> Receipt | Failure:
    """What has become of a shard."""
    if future.status == "finished":
        return Receipt(*future.result())
    error = future.exception() if future.status == "error" else None
    if error is None:
        raise _lost(cluster)
    if isinstance(error, UserError):
        raise error
    if isinstance(error, MemoryError):
        return Failure(name, "dask: no memory left, expected more of it or fewer workers")
    if _has_ended_workers(future):
        return Failure(name, f"dask: {error}", tries=MAX_TRIES)
    return Failure(name, "".join(traceback.format_exception(error)))


def _has_ended_workers(future: Future) -> bool:
    """Whether Dask has given up a shard since so many workers have ended that had it."""
    from distributed import KilledWorker

    return future.status == "error" and isinstance(future.exception(), KilledWorker)
