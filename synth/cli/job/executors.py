"""The options of `synth job` that say which processes do the shards of a job."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from synth.cli.job.detach import detach
from synth.cli.job.options import warn_of_other_workers
from synth.cli.shared.vocabulary import completer
from synth_checker.errors import InputError
from synth_documents.phrases import shown
from synth_jobs.executors import Detachable, executor_for

if TYPE_CHECKING:
    from synth_jobs.executors import Executor
    from synth_jobs.job import Job

#: The executor whose processes run on this machine.
LOCAL = "local"

ExecutorName: TypeAlias = Annotated[
    str,
    typer.Option(
        "--executor",
        help="How to start the processes that do the shards: {executors}.",
        metavar="WHO",
        autocompletion=completer("executors"),
    ),
]
DaskAddress: TypeAlias = Annotated[
    str | None,
    typer.Option(
        help="The address of the Dask scheduler to use.  [default: start one on this machine]",
        metavar="tcp://HOST:PORT",
    ),
]
DaskCluster: TypeAlias = Annotated[
    str | None,
    typer.Option(
        help="The batch system that dask-jobqueue asks for workers: {clusters}.",
        metavar="KIND",
        autocompletion=completer("clusters"),
    ),
]
SlurmOptions: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--slurm-option", help="An option of sbatch, such as partition=main or time=8:00:00.", metavar="OPTION"
    ),
]
Detach: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--detach",
        help="Do not wait for the end of the job. Its processes work without a terminal, or as tasks of slurm-array.",
    ),
]


def executor_of(
    name: str,
    jobs: int | None,
    dask_address: str | None,
    dask_cluster: str | None,
    slurm_option: list[str] | None,
    *,
    detach: bool,
) -> Executor:
    """Return the executor that options of the command line ask for.

    Raises:
        InputError: the name, number of processes or options are not valid, or `detach` is set for an executor that
            can't go on alone.
    """
    options = {"dask_address": dask_address, "dask_cluster": dask_cluster, "slurm_option": slurm_option}
    executor = executor_for(name, jobs, **{name: value for name, value in options.items() if value is not None})
    if detach and not isinstance(executor, Detachable) and name != LOCAL:
        raise InputError(f"--detach cannot be combined with the executor {name}; use {LOCAL} or slurm-array")
    return executor


def check_detached(executor: str, **options: object) -> None:
    """Raise InputError for an option that needs a command that waits for the end of the job.

    Each of `options` is the value of an option, or None if it is not given. An executor starts the processes of a job.
    The local executor allows all options.
    """
    for name, value in options.items():
        if value is not None and executor != LOCAL:
            msg = f"--{name.replace('_', '-')} cannot be combined with --detach, which does not wait for the end"
            raise InputError(f"{msg}; limit the tasks of Slurm instead, such as with --slurm-option time=8:00:00")


def start_detached(job: Job, executor: Executor, **options: object) -> int:
    """Start the processes that do the rest of a job, and return the exit code without waiting for them."""
    from synth_jobs.driver import retry_failed, shards_left

    if not isinstance(executor, Detachable):
        warn_of_other_workers(job, executor)
        return detach(job, options)
    job.engine()  # raises an error before tasks are queued if this release has another engine
    folder = shown(str(job.folder))
    retry_failed(job)
    names = shards_left(job)
    if not names:
        typer.echo(f"all shards are done; synth job resume {folder} writes the corpus")
        return 0
    number = executor.submit(job.folder, names)
    typer.echo(f"job {number} of {executor.name} does {len(names)} of {len(job.shards)} shards")
    typer.echo(f"synth job status {folder} shows its progress; at its end, synth job resume {folder} writes the corpus")
    return 0
