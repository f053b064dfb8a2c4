"""The executor `local`: worker processes on this machine that this process starts."""

from __future__ import annotations

import functools
import traceback
from typing import TYPE_CHECKING

from synth_checker.errors import UserError
from synth_jobs.shard_run import Failure, Receipt, shard_steps
from synth_workers.execution import processes
from synth_workers.pool import MAX_TRIES, Workers
from synth_workers.unit_queue import ByNeighbourhood

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from synth_workers.stop import Stop


class LocalExecutor:
    """The executor with `jobs` worker processes, by default as many as there are CPUs.

    Raises:
        InputError: `jobs` is less than 1.
    """

    name = "local"

    def __init__(self, jobs: int | None) -> None:
        self.processes = processes(jobs)

    def run(self, folder: Path, names: Sequence[str], stop: Stop) -> Iterator[Receipt | Failure]:
        """Have shards done in processes that end with this one, and yield a receipt or a failure for each.

        Raises:
            UserError: a fault that would stop every shard, such as a full disk.
        """
        remaining = len(names)
        with Workers(functools.partial(attempt, folder), self.processes, stop, failure_of_lost) as workers:
            for batch in workers.run(names, ByNeighbourhood):
                remaining -= batch.done
                yield from filter(None, batch.results)
            if remaining:
                for batch in workers.stop():
                    yield from filter(None, batch.results)


def attempt(folder: Path, name: str) -> Iterator[Receipt | Failure | None]:
    """Do a shard in steps: yield None after each step, and at last a receipt or a failure.

    The caller can stop between two steps.
    """
    try:
        yield from shard_steps(folder, name)
    except UserError:
        raise
    except MemoryError:  # another shard may need less
        yield Failure(name, "no memory was left; use fewer jobs or a machine with more memory")
    except Exception:  # noqa: BLE001  (an error in one shard must not keep the others from being done)
        yield Failure(name, traceback.format_exc())


def failure_of_lost(name: str, error: str) -> Failure:
    """Return the failure of a shard for which several worker processes have ended without a result.

    `name` is the name of the shard, and `error` the error message. The shard gets no further try.
    """
    return Failure(name, error, tries=MAX_TRIES)
