"""Executors: which processes do the shards of a job. What is done of a shard is `synth.jobs.running`.

They may do a shard twice, in any order and anywhere that the folder can be seen; a new one is a line in `EXECUTORS`.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from synth_checker.errors import InputError
from synth_checker.nearest import unknown

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from synth.jobs.running import Failure, Receipt
    from synth.work.stopping import Stop

#: Where each executor lives, and the options it takes; loaded when it is asked for, as some bring a library with them.
EXECUTORS: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "local": ("synth.jobs.executors.local", "LocalExecutor", ()),
    "dask": ("synth.jobs.executors.dask_", "DaskExecutor", ("dask_address", "dask_cluster")),
    "slurm-array": ("synth.jobs.executors.slurm_array", "SlurmArrayExecutor", ("slurm_option",)),
}


class Executor(Protocol):
    """Has shards done by processes of some kind; made with the number of these, None for the usual, and its options."""

    name: str
    #: How many processes do shards, as far as is known; 0 where each says itself that it is at work.
    processes: int

    def run(self, folder: Path, names: Sequence[str], stop: Stop) -> Iterator[Receipt | Failure]:
        """Have shards done, in about this order; a receipt or a failure for each, as they come.

        Ends early where there is a reason to stop; no process is then left at work.

        Raises:
            UserError: what all shards will meet with: the folder, a full disk.
        """


@runtime_checkable
class Detachable(Protocol):
    """An executor whose processes need nobody once they are started."""

    def submit(self, folder: Path, names: Sequence[str]) -> str:
        """Have them started, and wait for nothing; gives what they are called.

        Raises:
            UserError: they can't be.
        """


def executor_for(name: str, jobs: int | None = None, **options: str | Sequence[str]) -> Executor:
    """The executor of that name, with so many processes, and with such options as it takes.

    Raises:
        InputError: there is none, it can't have so many, or it has no such option.
    """
    if name not in EXECUTORS:
        raise unknown("executor", name, EXECUTORS)
    module, kind, takes = EXECUTORS[name]
    for option in options:
        if option not in takes:
            takers = ", ".join(other for other, (*_, taken) in EXECUTORS.items() if option in taken)
            msg = f"--{option.replace('_', '-')}: found executor {name}, expected {takers or 'no such option'}"
            raise InputError(msg)
    made: Executor = getattr(importlib.import_module(module), kind)(jobs, **options)
    return made
