"""The executor `dask`: workers of Dask, on this machine, of a cluster that is there, or asked of a batch system.

Source: dask.distributed and dask-jobqueue, which know of processes that die, machines that come and go, and many batch
systems. Only names of shards go out and a few numbers come back; what is found is in the job's folder, which all
workers must see. Few shards are given out at a time, so that the scheduler has little to lose. Dask has the shard of a
worker that died done once more, and we don't trust it further than that: what it forgets is done with the next round.

Of a cluster of our own nothing listens but on the loopback, and its log is not shown.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import queue
import secrets
import signal
import traceback
from collections import deque
from dataclasses import dataclass
from importlib import metadata
from typing import TYPE_CHECKING, Protocol

from synth.jobs.job import MAX_TRIES
from synth.jobs.running import Failure, Receipt, run_shard
from synth.work.execution import processes
from synth_checker.errors import InputError, InternalError, ResourceError, UserError
from synth_checker.extras import how_to_install
from synth_checker.nearest import unknown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from dask_jobqueue import JobQueueCluster
    from distributed import Client, Future, LocalCluster

    from synth.work.stopping import Stop

#: Shards given out per worker: one that it does, and one for when that is done.
_AHEAD = 2
#: How often the reasons to stop and the number of workers are looked at, in seconds.
_LOOK_S = 0.25
#: The batch systems that dask-jobqueue is asked for, and its names for them.
CLUSTERS = {"slurm": "SLURMCluster", "pbs": "PBSCluster", "lsf": "LSFCluster"}
#: What one worker asks a batch system for, unless dask's configuration says otherwise.
_USUAL_WORKER = {"cores": 1, "processes": 1, "memory": "2GiB"}
#: A worker's page for browsers, which we don't want, would listen on all addresses.
_NO_PAGE = ("--no-dashboard", "--dashboard-address", "127.0.0.1:0")
#: What workers must have installed, in the version that is here.
_PACKAGE = "progress-synth"
#: What Dask would say on standard error; what matters of it we say ourselves.
_LOGS = ("distributed", "distributed.client", "distributed.nanny", "tornado", "tornado.application")


@dataclass(frozen=True, slots=True)
class _Cluster:
    """A cluster that is connected: what it is called in messages, and which of its processes are on this machine."""

    client: Client
    name: str
    pids: Callable[[], list[int]]


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
        _configure()

    def run(self, folder: Path, names: Sequence[str], stop: Stop) -> Iterator[Receipt | Failure]:
        """Have shards done by workers of Dask. Raises as `synth.jobs.executors.Executor` says.

        Workers of a cluster that is not ours finish what they are doing when this stops.
        """
        with self._cluster() as cluster, _told_of_loss(cluster):
            if _can_work(cluster, stop):
                if self._address is not None:
                    self.processes = sum(cluster.client.nthreads().values())
                yield from _done(cluster, folder.resolve(), names, stop)

    @contextlib.contextmanager
    def _cluster(self) -> Iterator[_Cluster]:
        from distributed import Client

        with contextlib.ExitStack() as opened:
            if self._address is not None:
                try:
                    client = Client(self._address, set_as_default=False)
                except (OSError, ValueError) as error:
                    said = " ".join(str(error).split())
                    raise ResourceError(f"dask: {self._address}: {said}, expected a scheduler there") from error
                opened.callback(_close, client)
                yield _Cluster(client, f"the scheduler at {self._address}", list)
                return
            cluster = _local(self._jobs) if self._kind is None else _asked(self._kind, self._jobs)
            opened.callback(_close, cluster)
            client = Client(cluster, set_as_default=False)
            opened.callback(_close, client)
            pids = list if self._kind is not None else lambda: [nanny.pid for nanny in cluster.workers.values()]
            yield _Cluster(client, "its own scheduler", pids)


class _Closable(Protocol):
    def close(self) -> object: ...


def _close(opened: _Closable) -> None:
    with contextlib.suppress(Exception):  # a client minds a lost scheduler, dask-jobqueue jobs that never came to run
        opened.close()


@contextlib.contextmanager
def _told_of_loss(cluster: _Cluster) -> Iterator[None]:
    """Tell of a scheduler that has gone, which whatever is asked of it next raises, each in its own way."""
    try:
        yield
    except (UserError, InternalError):
        raise
    except (Exception, asyncio.CancelledError) as error:
        cancelled = (OSError, concurrent.futures.CancelledError, asyncio.CancelledError)
        if isinstance(error, cancelled) or cluster.client.status != "running":
            raise _lost(cluster) from error
        raise


def _lost(cluster: _Cluster) -> ResourceError:
    return ResourceError(f"dask: lost the connection to {cluster.name}, expected it to last; synth job resume goes on")


def _can_work(cluster: _Cluster, stop: Stop) -> bool:
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


def _done(cluster: _Cluster, folder: Path, names: Sequence[str], stop: Stop) -> Iterator[Receipt | Failure]:
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


def _result(cluster: _Cluster, name: str, future: Future) -> Receipt | Failure:
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


def _local(jobs: int) -> LocalCluster:
    """A cluster of our own: a process for each worker, and in this one a scheduler and who watches over them.

    Raises:
        ResourceError: a worker ended while it was started.
    """
    import logging

    from distributed import LocalCluster

    try:
        with _interrupts_left_to_us():
            return LocalCluster(
                n_workers=jobs,
                threads_per_worker=1,
                processes=True,
                host="127.0.0.1",
                dashboard_address="127.0.0.1:0",
                scheduler_kwargs={"dashboard": False},
                memory_limit=0,  # `Stop` measures it
                silence_logs=logging.CRITICAL,
            )
    except (OSError, RuntimeError) as error:
        msg = f"dask: {' '.join(str(error).split())} Expected to start {jobs} workers; synth job resume tries it anew"
        raise ResourceError(msg) from error


@contextlib.contextmanager
def _interrupts_left_to_us() -> Iterator[None]:
    """Threads and processes that are started meanwhile, and theirs, hear nothing of an interrupt from the terminal."""
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # in a thread that starts processes, it would unblock them
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGHUP})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _asked(kind: str, jobs: int) -> JobQueueCluster:
    """Workers of a batch system, as dask's configuration describes them; new ones are asked for where some end."""
    import dask

    try:
        import dask_jobqueue
    except ImportError as error:
        raise ResourceError(_not_there(error)) from error
    said = {key: dask.config.get(f"jobqueue.{kind}.{key}") for key in _USUAL_WORKER}
    usual = {key: value for key, value in _USUAL_WORKER.items() if said[key] is None}
    extra = [*(dask.config.get(f"jobqueue.{kind}.worker-extra-args") or []), *_NO_PAGE]
    options = dict(dask.config.get(f"jobqueue.{kind}.scheduler-options") or {})
    try:
        cluster = getattr(dask_jobqueue, CLUSTERS[kind])(
            **usual,
            worker_extra_args=extra,
            scheduler_options={"dashboard": False, "dashboard_address": "127.0.0.1:0", **options},
            silence_logs="critical",
        )
    except (OSError, ValueError) as error:
        msg = f"dask: {' '.join(str(error).split())}, expected a dask-jobqueue configuration for {kind}"
        raise InputError(msg) from error
    cluster.adapt(minimum=jobs, maximum=jobs)  # unlike `scale`, asks anew where workers end
    return cluster


def _configure() -> None:
    """Configure Dask before it is loaded, which is when it looks. Raises ResourceError if it isn't there."""
    try:
        import dask
    except ImportError as error:
        raise ResourceError(_not_there(error)) from error
    dask.config.set(
        {"logging": dict.fromkeys(_LOGS, "critical"), "distributed.scheduler.allowed-failures": MAX_TRIES - 1}
    )
    try:
        import distributed  # noqa: F401
    except ImportError as error:
        raise ResourceError(_not_there(error)) from error


def _not_there(error: ImportError) -> str:
    return f"dask: found no {error.name}, expected it for this executor; to install: {how_to_install('dask')}"
