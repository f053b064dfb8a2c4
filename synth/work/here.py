"""Do the first units of work in this process, for a moment.

A small search takes some milliseconds. To start worker processes and to end them takes several times as long. So work
that is quick begins in this process, with the last units, which are the smallest. What is left after the moment is for
worker processes.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from synth.work.batches import Batch

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from synth.work.batches import R, U
    from synth.work.stopping import Stop

#: For how many seconds this process works.
MOMENT_S = 0.1


def begun_here(
    solve: Callable[[U], Iterable[R]], units: Sequence[U], stop: Stop
) -> tuple[list[Batch[U, R]], Sequence[U]]:
    """Do the last units until the moment is over, and return their batches and the units that are left.

    `solve` must give each result within milliseconds. If the moment ends during a unit, its results are dropped, and
    the unit is left. If there is a reason to stop, its results so far are kept.

    Raises:
        Exception: whatever `solve` raises.
    """
    batches: list[Batch[U, R]] = []
    end = time.monotonic() + MOMENT_S
    for last in reversed(range(len(units))):
        if stop.look():
            return batches, units[: last + 1]
        results: list[R] = []
        for result in solve(units[last]):
            results.append(result)
            if stop.look():
                return [*batches, Batch(units[last], results, done=False, first=True)], units[: last + 1]
            if time.monotonic() > end:
                return batches, units[: last + 1]
        batches.append(Batch(units[last], results, done=True, first=True))
    return batches, ()
