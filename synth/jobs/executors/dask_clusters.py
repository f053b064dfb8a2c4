"""The clusters that the executor `dask` has: one of our own, one that is there, or one asked of a batch system.

Of a cluster of our own nothing listens but on the loopback, and its log is not shown.
"""

from __future__ import annotations

import contextlib
import signal
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from synth.jobs.failures import MAX_TRIES
from synth_checker.errors import InputError, ResourceError
from synth_checker.extras import how_to_install

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from dask_jobqueue import JobQueueCluster
    from distributed import Client, LocalCluster

#: The batch systems that dask-jobqueue is asked for, and its names for them.
CLUSTERS = {"slurm": "SLURMCluster", "pbs": "PBSCluster", "lsf": "LSFCluster"}
#: What one worker asks a batch system for, unless dask's configuration says otherwise.
_USUAL_WORKER = {"cores": 1, "processes": 1, "memory": "2GiB"}
#: A worker's page for browsers, which we don't want, would listen on all addresses.
_NO_PAGE = ("--no-dashboard", "--dashboard-address", "127.0.0.1:0")
#: What Dask would say on standard error; what matters of it we say ourselves.
_LOGS = ("distributed", "distributed.client", "distributed.nanny", "tornado", "tornado.application")


@dataclass(frozen=True, slots=True)
class Cluster:
    """A cluster that is connected: what it is called in messages, and which of its processes are on this machine."""

    client: Client
    name: str
    pids: Callable[[], list[int]]


@contextlib.contextmanager
def connect(jobs: int, address: str | None, kind: str | None) -> Iterator[Cluster]:
    """The cluster of the scheduler at an address, or one with so many workers of our own or of a kind of batch system.

    Raises:
        InputError: the configuration of the batch system is wrong.
        ResourceError: there is no scheduler at the address, a worker ended as it was started, or a package is missing.
    """
    from distributed import Client

    with contextlib.ExitStack() as opened:
        if address is not None:
            try:
                client = Client(address, set_as_default=False)
            except (OSError, ValueError) as error:
                said = " ".join(str(error).split())
                raise ResourceError(f"dask: {address}: {said}, expected a scheduler there") from error
            opened.callback(_close, client)
            yield Cluster(client, f"the scheduler at {address}", list)
            return
        cluster = _local(jobs) if kind is None else _ask_for_workers(kind, jobs)
        opened.callback(_close, cluster)
        client = Client(cluster, set_as_default=False)
        opened.callback(_close, client)
        pids = list if kind is not None else lambda: [nanny.pid for nanny in cluster.workers.values()]
        yield Cluster(client, "its own scheduler", pids)


class _Closable(Protocol):
    def close(self) -> object: ...


def _close(opened: _Closable) -> None:
    with contextlib.suppress(Exception):  # a client minds a lost scheduler, dask-jobqueue jobs that never came to run
        opened.close()


def _local(jobs: int) -> LocalCluster:
    """A cluster of our own: a process for each worker, and in this one a scheduler and who watches over them.

    Raises:
        ResourceError: a worker ended while it was started.
    """
    import logging

    from distributed import LocalCluster

    try:
        with _leave_interrupts_to_us():
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
def _leave_interrupts_to_us() -> Iterator[None]:
    """Threads and processes that are started meanwhile, and theirs, hear nothing of an interrupt from the terminal."""
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # in a thread that starts processes, it would unblock them
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGHUP})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _ask_for_workers(kind: str, jobs: int) -> JobQueueCluster:
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


def configure() -> None:
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
