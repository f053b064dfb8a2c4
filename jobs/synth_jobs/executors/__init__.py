"""Executors: the ways to start the processes that do the shards of a job.

Each of these processes calls `synth_jobs.shard_run`, which does one shard.

An executor may have a shard done twice, in any order, and on any machine that sees the folder of the job. To add an
executor, add a line to `EXECUTORS`.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from synth_checker.errors import InputError
from synth_checker.nearest import check_known

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from synth_jobs.shard_run import Failure, Receipt
    from synth_workers.stop import Stop

#: The module and class of each executor, and the options that it takes. An executor is imported only when it is used,
#: because some import a library.
EXECUTORS: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "local": ("synth_jobs.executors.local", "LocalExecutor", ()),
    "dask": ("synth_jobs.executors.dask_", "DaskExecutor", ("dask_address", "dask_cluster")),
    "slurm-array": ("synth_jobs.executors.slurm_array", "SlurmArrayExecutor", ("slurm_option",)),
}


class Executor(Protocol):
    """The interface of an executor: an object that has shards done by processes of some kind.

    Its class takes the number of processes, or None for the usual number, and the options of the executor.
    """

    name: str
    #: The known number of processes that do shards, or 0 if each process has a file of its own that reports its work.
    processes: int

    def run(self, folder: Path, names: Sequence[str], stop: Stop) -> Iterator[Receipt | Failure]:
        """Have shards done, about in the order of `names`; yield a receipt or a failure for each as it comes.

        The method ends early if `stop` has a reason to stop. When the method has ended, none of its processes works on
        shards any more.

        Raises:
            UserError: a fault that would stop every shard, such as a full disk.
        """


@runtime_checkable
class Detachable(Protocol):
    """The interface of an executor whose processes go on when the process that has started them ends."""

    def submit(self, folder: Path, names: Sequence[str]) -> str:
        """Start the processes without waiting for them, and return their name.

        Raises:
            UserError: the processes do not start.
        """


def executor_for(name: str, jobs: int | None = None, **options: str | Sequence[str]) -> Executor:
    """Return the executor of a given name, with some number of processes and with options.

    Raises:
        InputError: there is no such executor, it cannot have so many processes, or it does not take such an option.
    """
    check_known("executor", name, EXECUTORS)
    module, kind, takes = EXECUTORS[name]
    for option in options:
        if option not in takes:
            takers = ", ".join(other for other, (*_, taken) in EXECUTORS.items() if option in taken)
            raise InputError(
                f"--{option.replace('_', '-')} is no option of the executor {name}, only of {takers or 'none'}"
            )
    executor: Executor = getattr(importlib.import_module(module), kind)(jobs, **options)
    return executor
