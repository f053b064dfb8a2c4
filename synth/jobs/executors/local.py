"""The executor `local`: worker processes of this one, on this machine."""

from __future__ import annotations

import functools
import traceback
from typing import TYPE_CHECKING

from synth.jobs.running import Failure, Receipt, shard_steps
from synth.work.execution import processes
from synth.work.waiting import ByNeighbourhood
from synth.work.workers import MAX_TRIES, Workers
from synth_checker.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from synth.work.stopping import Stop


class LocalExecutor:
    """So many worker processes, by default as many as there are CPUs.

    Raises:
        InputError: fewer than one.
    """

    name = "local"

    def __init__(self, jobs: int | None) -> None:
        self.processes = processes(jobs)

    def run(self, folder: Path, names: Sequence[str], stop: Stop) -> Iterator[Receipt | Failure]:
        """Have shards done in processes that end with this one. Raises as `synth.jobs.executors.Executor` says."""
        left = len(names)
        with Workers(functools.partial(attempt, folder), self.processes, stop, failure_of_lost) as workers:
            for batch in workers.run(names, ByNeighbourhood):
                left -= batch.done
                yield from filter(None, batch.results)
            if left:
                for batch in workers.stop():
                    yield from filter(None, batch.results)


def attempt(folder: Path, name: str) -> Iterator[Receipt | Failure | None]:
    """The steps of a shard: whoever asks for the next can stop between two."""
    try:
        yield from shard_steps(folder, name)
    except UserError:
        raise
    except MemoryError:  # another shard may need less
        yield Failure(name, "no memory left, expected more of it or fewer jobs")
    except Exception:  # noqa: BLE001  (whatever is wrong with one shard, the others are done)
        yield Failure(name, traceback.format_exc())


def failure_of_lost(name: str, error: str) -> Failure:
    """What has become of a shard that has ended several processes."""
    return Failure(name, error, tries=MAX_TRIES)
