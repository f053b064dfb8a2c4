"""Executors: which processes do the shards of a job. Each calls `synth.jobs.running.run_shard` and nothing else.

They may do a shard twice, in any order and anywhere that the folder can be seen; a new one is a line in `EXECUTORS`.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Protocol

from synth_checker.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from synth.jobs.running import Failure, Receipt
    from synth.stopping import Stop

#: Where each executor lives; loaded when it is asked for, as some bring a library with them.
EXECUTORS = {
    "local": ("synth.jobs.executors.local", "LocalExecutor"),
}
DEFAULT = "local"


class Executor(Protocol):
    """Has shards done by processes of some kind; made with the number of these, None for the usual."""

    name: str

    def __init__(self, jobs: int | None) -> None: ...

    def run(self, folder: Path, names: Sequence[str], stop: Stop) -> Iterator[Receipt | Failure]:
        """Have shards done, in about this order; a receipt or a failure for each, as they come.

        Ends early where there is a reason to stop; no process is then left at work.

        Raises:
            UserError: what all shards will meet with: the folder, a full disk.
        """


def executor_for(name: str, jobs: int | None = None) -> Executor:
    """The executor of that name, with so many processes.

    Raises:
        InputError: there is none, or it can't have so many.
    """
    if name not in EXECUTORS:
        msg = f"executor: found {name!r}, expected one of {', '.join(EXECUTORS)}"
        raise InputError(msg)
    module, kind = EXECUTORS[name]
    made: Executor = getattr(importlib.import_module(module), kind)(jobs)
    return made
