"""Which of the units that wait a worker gets next.

In their order, where the largest come first so that all workers end at about the same time. Or by neighbourhood, where
they are of one size and a worker keeps what it has learned: neighbours have many sub-programs in common, so a worker
goes through the list until it comes to where another has been, and then begins in the middle of the longest run left.
"""

from __future__ import annotations

from collections import deque
from typing import Protocol


class Waiting(Protocol):
    """Units that wait, by their places in a list; false when there are none."""

    def __init__(self, units: int) -> None: ...

    def __bool__(self) -> bool: ...

    def take(self, last: int | None) -> int:
        """The next one for a worker, which had the unit `last` before this."""
        ...

    def put_back(self, unit: int) -> None:
        """Let one that was taken wait again: whoever asks next may have it."""
        ...


class InOrder:
    """Each unit before those behind it."""

    def __init__(self, units: int) -> None:
        self._units = deque(range(units))

    def __bool__(self) -> bool:
        return bool(self._units)

    def take(self, last: int | None) -> int:  # noqa: ARG002  (whatever it was)
        """The first."""
        return self._units.popleft()

    def put_back(self, unit: int) -> None:
        """Let it be the first."""
        self._units.appendleft(unit)


class ByNeighbourhood:
    """The unit behind a worker's last one, if it is there; there are no more runs than workers, and those put back."""

    def __init__(self, units: int) -> None:
        self._runs = [range(units)] if units else []
        self._had: set[int] = set()  # the last ones of all workers

    def __bool__(self) -> bool:
        return bool(self._runs)

    def take(self, last: int | None) -> int:
        """The next in the list, or else one of the longest run: in its middle if a worker is about to go on with it."""
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
        """Let it be a run, of which nobody is at work."""
        self._had.discard(unit)
        self._runs.append(range(unit, unit + 1))
