"""How the benchmarks take the time of something that is called."""

from __future__ import annotations

import os
import time
from concurrent.futures import ProcessPoolExecutor
from typing import TYPE_CHECKING, NamedTuple, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_T = TypeVar("_T")


class Taken(NamedTuple):
    """Seconds of a clock, and of processors: those of processes that have ended included."""

    wall: float
    cpu: float


def timed(work: Callable[[], _T]) -> tuple[Taken, _T]:
    """What something took, and what it gave."""
    start, before = time.monotonic(), os.times()
    result = work()
    after = os.times()
    taken = Taken(time.monotonic() - start, sum(after[:4]) - sum(before[:4]))  # without the clock, which is the fifth
    return taken, result


def timed_side_by_side(works: Sequence[Callable[[], object]]) -> list[Taken]:
    """What several things take at the same time, each in a process of its own.

    Machines are faster or slower by the minute, and a core is slower while others are busy. Processor seconds of things
    that are done side by side, on a core each, can be compared none the less.
    """
    with ProcessPoolExecutor(len(works)) as pool:
        return [running.result()[0] for running in [pool.submit(timed, work) for work in works]]
