"""The commands below `synth job` as functions. Written by `make reference`; edit the options and not this file."""

import builtins
from collections.abc import Iterable, Mapping, Sequence
from os import PathLike

from synth_jobs.answer import SamplingAnswer
from synth_jobs.garbage import RemovedFiles
from synth_jobs.job_list import ListedJob
from synth_jobs.plan import Plan
from synth_jobs.progress import JobProgress

def plan(
    sizes: str | Iterable[str] | None = None,
    *,
    bounds: str | Iterable[str] | None = None,
    locations: int = 2,
    values: int = 2,
    without: str | Iterable[str] | None = None,
    model: str | Iterable[str] | None = None,
    minimal: bool = False,
    up_to: str | Iterable[str] | None = None,
    engine: str = 'auto',
    solver: str | None = None,
    sample_seconds: float = 30.0,
    shard_seconds: float | None = None,
    seed: int = 0,
) -> Plan:
    """Predict the tests, time and disk space of a job from random parts of it, with intervals. It writes nothing."""

def start(
    folder: str | PathLike[str] | None = None,
    *,
    bounds: str | Iterable[str],
    locations: int = 2,
    values: int = 2,
    without: str | Iterable[str] | None = None,
    model: str | Iterable[str] | None = None,
    minimal: bool = False,
    unique_behaviour: bool = False,
    up_to: str | Iterable[str] | None = None,
    engine: str = 'auto',
    solver: str | None = None,
    executor: str = 'local',
    jobs: int | None = None,
    shard_seconds: float | None = None,
    one_in: int | None = None,
    out: str | PathLike[str] | None = None,
    memory: str | int | None = None,
    time_limit: str | float | None = None,
    dask_address: str | None = None,
    dask_cluster: str | None = None,
    slurm_option: str | Iterable[str] | None = None,
    detach: bool = False,
    notify: str | None = None,
) -> SamplingAnswer | JobProgress:
    """Enumerate tests as a job, which is done in parts (shards). Each result is saved at once, so a stop loses little."""

def status(
    folder: str | PathLike[str],
    *,
    watch: bool = False,
    metrics: bool = False,
) -> SamplingAnswer | JobProgress:
    """Show how far a job has come: shards done, tests found, time left for each split, processes at work, and failures."""

def list(
    folder: str | PathLike[str] = '.',
) -> builtins.list[ListedJob]:
    """List the jobs that lie in a folder or in folders below it, and show how far each has come."""

def stop(
    folder: str | PathLike[str],
) -> SamplingAnswer | JobProgress:
    """Ask all processes that work on a job, on whatever machine, to stop after their current step."""

def resume(
    folder: str | PathLike[str],
    *,
    executor: str = 'local',
    jobs: int | None = None,
    out: str | PathLike[str] | None = None,
    memory: str | int | None = None,
    time_limit: str | float | None = None,
    dask_address: str | None = None,
    dask_cluster: str | None = None,
    slurm_option: str | Iterable[str] | None = None,
    detach: bool = False,
    notify: str | None = None,
) -> SamplingAnswer | JobProgress:
    """Continue a job that was stopped, for whatever reason, even if its folder has moved since."""

def work(
    folder: str | PathLike[str],
    *,
    memory: str | int | None = None,
    time_limit: str | float | None = None,
    lease: str | float = '2m',
    requeue: bool = False,
    notify: str | None = None,
) -> SamplingAnswer | JobProgress:
    """Do shards of a job, one at a time, until none is left."""

def plot(
    folder: str | PathLike[str],
    *,
    out: str | PathLike[str] | None = None,
    force: bool = False,
) -> str | None:
    """Draw how many tests a job has found, and which part of its work is done, over the processor time spent."""

def gc(
    folder: str | PathLike[str],
    *,
    all: bool = False,
) -> RemovedFiles:
    """Remove the files that killed processes have left in the folder of a job."""
