"""Choose which of the waiting units of work a worker process gets next.

`InOrder` hands out the units in the order of their list. The largest units come first in the list, so that all workers
end at about the same time.

`ByNeighbourhood` is for units of about equal size, if a worker can use for a unit what it has learned from earlier
units. Units that stand next to each other in the list have many sub-programs in common. So a worker goes along the list
until it reaches a unit that another worker had. Then it begins again in the middle of the longest run of neighbouring
units that are left.
"""

from __future__ import annotations

from collections import deque
from typing import Protocol


class UnitQueue(Protocol):
    """A set of units that wait for a worker.

    A unit is given by its place in a list. The object is false when no unit waits.
    """

    def __init__(self, units: int) -> None: ...

    def __bool__(self) -> bool: ...

    def take(self, last: int | None) -> int:
        """Remove and return the next unit for a worker; `last` is the unit that this worker had before, or None."""
        ...

    def put_back(self, unit: int) -> None:
        """Let a unit wait again, after the worker that took it was lost."""
        ...


class InOrder:
    """Hand out waiting units in the order of their list."""

    def __init__(self, units: int) -> None:
        self._units = deque(range(units))

    def __bool__(self) -> bool:
        return bool(self._units)

    def take(self, last: int | None) -> int:  # noqa: ARG002  (the order does not depend on it)
        """Remove and return the first waiting unit; `last` makes no difference."""
        return self._units.popleft()

    def put_back(self, unit: int) -> None:
        """Put a unit back at the front of the list."""
        self._units.appendleft(unit)


class ByNeighbourhood:
    """Hand out waiting units so that, where possible, each worker gets the unit that follows its last unit.

    A *run* is a range of neighbouring units that all wait. There are never more runs than workers, apart from the units
    that were put back, each of which is a run of its own.
    """

    def __init__(self, units: int) -> None:
        self._runs = [range(units)] if units else []
        self._had: set[int] = set()  # the last unit of each worker

    def __bool__(self) -> bool:
        return bool(self._runs)

    def take(self, last: int | None) -> int:
        """Remove and return the unit that follows `last` if it waits, or else a unit of the longest run.

        From the longest run it takes the first unit, unless another worker will continue with that one. In this case it
        takes the unit in the middle.
        """
        run = next((run for run in self._runs if last is not None and run.start == last + 1), None)
        if run is None:
            run = max(self._runs, key=len)
            unit = run[len(run) // 2] if run.start - 1 in self._had else run.start
        else:
            unit = run.start
        self._runs.remove(run)
        self._runs += filter(None, (range(run.start, unit), range(unit + 1, run.stop)))
        self._had = self._had - {last} | {unit}
        return unit

    def put_back(self, unit: int) -> None:
        """Let a unit wait again, as a run that has only this unit. No worker is expected to continue with it."""
        self._had.discard(unit)
        self._runs.append(range(unit, unit + 1))
