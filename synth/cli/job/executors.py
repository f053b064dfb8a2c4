"""The options that say who does the shards of a job, and how."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from synth.cli.job.detaching import detach
from synth.cli.job.options import say_who_else
from synth.cli.vocabulary import completer
from synth.jobs.executors import Detachable, executor_for
from synth.views.readable import shown
from synth_checker.errors import InputError

if TYPE_CHECKING:
    from synth.jobs.executors import Executor
    from synth.jobs.job import Job

#: The executor whose processes are of this machine.
LOCAL = "local"

ExecutorName: TypeAlias = Annotated[
    str,
    typer.Option(
        "--executor", help="Who does the shards: {executors}.", metavar="WHO", autocompletion=completer("executors")
    ),
]
DaskAddress: TypeAlias = Annotated[
    str | None,
    typer.Option(
        help="The Dask scheduler to use.  [default: one of our own, on this machine]", metavar="tcp://HOST:PORT"
    ),
]
DaskCluster: TypeAlias = Annotated[
    str | None,
    typer.Option(
        help="Have dask-jobqueue ask for workers: {clusters}.", metavar="KIND", autocompletion=completer("clusters")
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
        help="Don't wait for the end: a process goes on without the terminal, or the tasks of slurm-array do.",
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
    """The executor that options ask for.

    Raises:
        InputError: as `executor_for`; or it is to work alone, and can't.
    """
    options = {"dask_address": dask_address, "dask_cluster": dask_cluster, "slurm_option": slurm_option}
    made = executor_for(name, jobs, **{name: value for name, value in options.items() if value is not None})
    if detach and not isinstance(made, Detachable) and name != LOCAL:
        msg = f"--detach: found executor {name}, expected {LOCAL} or slurm-array, whose processes need nobody"
        raise InputError(msg)
    return made


def check_detached(executor: str, **options: object) -> None:
    """Raise InputError where an option was given, by its name, that whoever waits for the end would see to."""
    for name, value in options.items():
        if value is not None and executor != LOCAL:
            msg = f"--{name.replace('_', '-')}: found --detach with it, expected it where one waits for the end"
            raise InputError(f"{msg}; tasks have the limits that --slurm-option gives them")


def start_detached(job: Job, executor: Executor, **options: object) -> int:
    """Start what does the shards that are left, with such options, and leave it alone; gives the exit code."""
    from synth.jobs.driving import retry_failed, shards_left

    if not isinstance(executor, Detachable):
        say_who_else(job, executor)
        return detach(job, options)
    job.engine()  # before tasks are queued: whether it is that of this release
    folder = shown(str(job.folder))
    retry_failed(job)
    left = shards_left(job)
    if not left:
        typer.echo(f"nothing is left to do; synth job resume {folder} writes the corpus")
        return 0
    number = executor.submit(job.folder, left)
    typer.echo(f"job {number} of {executor.name} does {len(left)} of {len(job.shards)} shards")
    typer.echo(f"synth job status {folder} says how far it is; at its end, synth job resume {folder} writes the corpus")
    return 0
