"""Start or connect to the clusters of the executor `dask`: on this machine, at an address, or under a batch system.

A cluster that this module starts on this machine listens only on the loopback interface, and shows no log.
"""

from __future__ import annotations

import contextlib
import signal
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from synth_checker.errors import InputError, ResourceError
from synth_checker.extras import how_to_install
from synth_jobs.failures import MAX_TRIES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from dask_jobqueue import JobQueueCluster
    from distributed import Client, LocalCluster

#: The batch systems that a user can name, and their classes in dask-jobqueue.
CLUSTERS = {"slurm": "SLURMCluster", "pbs": "PBSCluster", "lsf": "LSFCluster"}
#: The resources that a worker asks a batch system for, unless the configuration of Dask says otherwise.
_USUAL_WORKER = {"cores": 1, "processes": 1, "memory": "2GiB"}
#: Options that switch off the web page of a worker, which would listen on all addresses.
_NO_PAGE = ("--no-dashboard", "--dashboard-address", "127.0.0.1:0")
#: The loggers of Dask that are silenced. This module reports what matters itself.
_LOGS = ("distributed", "distributed.client", "distributed.nanny", "tornado", "tornado.application")


@dataclass(frozen=True, slots=True)
class Cluster:
    """A connected cluster: its client, its name in messages, and a function that lists its local processes."""

    client: Client
    name: str
    pids: Callable[[], list[int]]


@contextlib.contextmanager
def connect(jobs: int, address: str | None, kind: str | None) -> Iterator[Cluster]:
    """Connect to the scheduler at an address, or start a cluster with `jobs` workers; a context manager.

    The workers run on this machine, or under the batch system `kind`.

    Raises:
        InputError: the configuration of the batch system is wrong.
        ResourceError: there is no scheduler at the address, a worker ended as it started, or a package is missing.
    """
    from distributed import Client

    with contextlib.ExitStack() as opened:
        if address is not None:
            try:
                client = Client(address, set_as_default=False)
            except (OSError, ValueError) as error:
                said = " ".join(str(error).split())
                raise ResourceError(f"dask: cannot connect to a scheduler at {address}: {said}") from error
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
    with contextlib.suppress(
        Exception
    ):  # a client raises an error if its scheduler is lost, and dask-jobqueue does for jobs that never ran
        opened.close()


def _local(jobs: int) -> LocalCluster:
    """Start a cluster on this machine: a process for each worker, and a scheduler in this process.

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
                memory_limit=0,  # `Stop` measures the memory
                silence_logs=logging.CRITICAL,
            )
    except (OSError, RuntimeError) as error:
        raise ResourceError(
            f"dask: cannot start {jobs} workers: {' '.join(str(error).split())} Try again with synth job resume"
        ) from error


@contextlib.contextmanager
def _leave_interrupts_to_us() -> Iterator[None]:
    """Keep interrupts of the terminal from all threads and processes that start meanwhile, and from their children."""
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # if a thread started it later, it would unblock the signals
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGHUP})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _ask_for_workers(kind: str, jobs: int) -> JobQueueCluster:
    """Start workers under a batch system, as the configuration of Dask describes them.

    Dask replaces workers that end.
    """
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
        raise InputError(
            f"dask: {' '.join(str(error).split())}; correct the configuration of dask-jobqueue for {kind}"
        ) from error
    cluster.adapt(minimum=jobs, maximum=jobs)  # unlike `scale`, this replaces workers that end
    return cluster


def configure() -> None:
    """Configure Dask before it is imported, which is when it reads its configuration.

    Raises:
        ResourceError: Dask is missing.
    """
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
    return (
        f"dask: the package {error.name} is missing, which this executor needs; to install it: {how_to_install('dask')}"
    )
