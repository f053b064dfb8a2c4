"""How the benchmarks take the time of something that is called."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, NamedTuple, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

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
