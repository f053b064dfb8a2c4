"""Do the first units of work in this process, for a moment.

A small search takes some milliseconds. To start worker processes and to end them takes several times as long. So work
that is quick begins in this process, with the last units, which are the smallest. What is left after the moment is for
worker processes.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from synth_checker.errors import InternalError, ResourceError, UserError
from synth_workers.batches import Batch, out_of_memory

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from synth_workers.batches import R, U
    from synth_workers.stop import Stop

#: For how many seconds this process works.
MOMENT_S = 0.1
#: For how many seconds results are taken when there is a reason to stop.
_STOP_S = 1.0


def begin_in_process(
    solve: Callable[[U], Iterable[R]], units: Sequence[U], stop: Stop
) -> tuple[list[Batch[U, R]], Sequence[U]]:
    """Do the last units until the moment is over, and return their batches and the units that are left.

    `solve` must give each result within milliseconds. If the moment ends during a unit, this drops the results of the
    unit and leaves it to the workers. If there is a reason to stop, it keeps the results of the unit so far. One such
    reason is a failed resource, which it notes in `stop`.

    Raises:
        UserError: `solve` raised it, and it is no ResourceError.
        InternalError: `solve` raised anything else.
    """
    batches: list[Batch[U, R]] = []
    end = time.monotonic() + MOMENT_S
    for last in reversed(range(len(units))):
        unit, remaining, before = units[last], units[: last + 1], len(batches)
        if stop.look():
            return batches, remaining
        try:
            for result in solve(unit):
                batches.append(Batch(unit, [result], done=False, first=len(batches) == before))
                if stop.look():
                    return batches, remaining
                if time.monotonic() > end:
                    return batches[:before], remaining
        except (ResourceError, MemoryError) as error:
            stop.note_fault(error if isinstance(error, ResourceError) else out_of_memory(unit))
            return batches, remaining
        except UserError:
            raise
        except Exception as error:
            raise InternalError(f"synth failed while it solved {unit}") from error
        batches.append(Batch(unit, [], done=True, first=len(batches) == before))
    return batches, ()


def batches_until_stop(batches: Iterable[Batch[U, R]], stop: Stop) -> Iterator[Batch[U, R]]:
    """Yield batches, but not for long when there is a reason to stop."""
    end = None
    for batch in batches:
        if stop.look():
            end = end or time.monotonic() + _STOP_S
            if time.monotonic() > end:
                return
        yield batch
