"""How long a run waits for a launch before it gives it up.

The time-out grows with how long launches take that end on the device under the mapping, because slow is not hung. It
is also longer as long as a hang would be the first against some verdict: such a hang must be confirmed, which takes
waiting.

The design of campaigns takes ten times the longest launch. We take ten times the launch that 95 % of the launches do
not exceed, and twice the longest one. So one slow launch on a busy machine does not make each later hang take long.
"""

from __future__ import annotations

import math
from bisect import insort
from collections import defaultdict
from typing import TYPE_CHECKING

from synth_campaigns.claims import may_be_of_memory, telling_verdicts
from synth_campaigns.outcomes import outcome_of
from synth_campaigns.queries import StoredLaunch

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from synth_campaigns.cell_result import CellResult
    from synth_campaigns.cells import Cell
    from synth_campaigns.settings import LaunchSettings
    from synth_campaigns.store import Store
    from synth_devices.raw_ends import LaunchEnd

#: The time-out of a launch is at least so many times a usual launch that ended on its device under its mapping.
_SLACK = 10.0
#: This part of the launches take no longer than a usual launch.
_USUAL = 0.95
#: The time-out is also at least so many times the longest launch that ended.
_LEAST_SLACK = 2.0


class TimeLimits:
    """The time-outs of a campaign, which change with what its launches show.

    `results` are those so far, weighed against each other. `passes` has the verdicts that each test passes.
    """

    def __init__(
        self,
        store: Store,
        launches: LaunchSettings,
        results: Iterable[CellResult],
        passes: Mapping[str, frozenset[str]],
    ) -> None:
        self._store, self._launches, self._passes = store, launches, passes
        #: The seconds of the launches that ended, in ascending order, by device and mapping.
        self._seconds = store.seconds_of_ended()
        self._violated: defaultdict[str, set[str]] = defaultdict(set)
        for result in results:
            self.note_result(result)

    def timeout(self, cell: Cell) -> int:
        """Return after how many seconds to give up a launch.

        It is more if its hang would be the first against a verdict, or if the launch tells whether a hang counts.
        """
        is_first = bool(cell.purpose) or self.is_first(cell)
        return timeout_of(self._launches, self._seconds_of(cell), is_first=is_first)

    def note(self, cell: Cell, timeout: int, ended: Iterable[LaunchEnd], *, follows_bad: bool) -> bool:
        """Note the launches of an attempt. Return whether one of them hung.

        `follows_bad` says that the last launch before them did not end.
        """
        launches = list(ended)
        for launch in launches:
            if launch.end == "ended" and launch.seconds is not None:
                insort(self._seconds_of(cell), launch.seconds)
        longest, decides = max(self._seconds_of(cell), default=0.0), self._store.decides(cell.device)
        judged = [
            outcome_of(
                StoredLaunch(0, number, timeout, "", launch),
                decides=decides,
                longest=longest,
                confirm_s=self._launches.confirm_s,
            )
            for number, launch in enumerate(launches, 1)
        ]
        is_alone = decides or len(launches) > 1 or not follows_bad
        if is_alone and any(known.is_confirmed for known in judged):
            self._note_witness(cell, is_relaxed=self._store.is_relaxed(cell.device))
        return any(known.outcome == "hung" for known in judged)

    def note_result(self, result: CellResult) -> None:
        """Note the result of a cell. It is a witness if hangs of it are confirmed, unless the memory may be why."""
        if result.confirmed:
            self._note_witness(result.cell, is_relaxed=result.is_relaxed)

    def is_open(self, result: CellResult) -> bool:
        """Return whether hangs of a cell that were waited for do not count, but would be the first against a verdict.

        The result is one that is weighed against the others (`timing.weighed`).
        """
        is_doubtful = result.waited is not None and not result.confirmed
        return (
            is_doubtful
            and not may_be_of_memory(result.cell, is_relaxed=result.is_relaxed)
            and self.is_first(result.cell)
        )

    def is_first(self, cell: Cell) -> bool:
        """Return whether a hang of a cell would be the first against a verdict."""
        return not self._told(cell) <= self._violated[cell.device]

    def _note_witness(self, cell: Cell, *, is_relaxed: bool) -> None:
        if not may_be_of_memory(cell, is_relaxed=is_relaxed):
            self._violated[cell.device] |= self._told(cell)

    def _told(self, cell: Cell) -> frozenset[str]:
        return frozenset() if cell.purpose else telling_verdicts(cell, self._passes[cell.test])

    def _seconds_of(self, cell: Cell) -> list[float]:
        return self._seconds.setdefault((cell.device, cell.setting.mapping), [])


def timeout_of(launches: LaunchSettings, seconds: Sequence[float], *, is_first: bool) -> int:
    """Return after how many seconds to give up a launch.

    `seconds` are how long the launches took that ended on the device under the mapping, in ascending order. The
    time-out is ten times a usual launch, but not more than what confirms a hang. It is always at least twice as long as
    the longest launch. `is_first` says that a hang would be the first against a verdict.
    """
    usual, longest = (seconds[math.ceil(_USUAL * len(seconds)) - 1], seconds[-1]) if seconds else (0.0, 0.0)
    slack = max(min(_SLACK * usual, launches.confirm_s), _LEAST_SLACK * longest)
    return math.ceil(max(launches.timeout_s, slack, launches.confirm_s if is_first else 0))
