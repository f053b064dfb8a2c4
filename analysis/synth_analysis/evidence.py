"""What campaigns saw of a device, as far as it tells what the device guarantees.

As for claims, only cells count in which each thread of the test had a workgroup. If the memory of the device is
relaxed, tests with two locations do not count either. Unlike for claims, a hang counts even if it is not confirmed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from synth_analysis.belief import HangCounts
from synth_analysis.next_test import Cost
from synth_checker.programs.normal import program_of_id
from synth_checker.verdicts import judge

if TYPE_CHECKING:
    from collections.abc import Iterable

    from synth_analysis.belief import Group
    from synth_campaigns.cells import Cell

#: How many launches were timed, and their seconds in all, by mapping and raw end.
Timed: TypeAlias = dict[tuple[str, str], tuple[int, float]]
_NOTHING = HangCounts()
#: How many seconds a launch takes if none was timed.
_UNKNOWN_S = 1.0


@dataclass
class Evidence:
    """How many launches hung and ended, by group, and by test and mapping."""

    is_relaxed: bool
    groups: dict[Group, HangCounts] = field(default_factory=dict)
    tests: dict[tuple[str, str], HangCounts] = field(default_factory=dict)

    def add(self, cell: Cell, signature: int, hung: float, ended: float) -> None:
        """Take launches of a cell into account, if they tell something. `signature` is that of its test."""
        if hung + ended and cell.across == "workgroups" and is_telling(cell.test, is_relaxed=self.is_relaxed):
            group, test = (signature, cell.setting.mapping), (cell.test, cell.setting.mapping)
            self.groups[group] = self.groups.get(group, _NOTHING).plus(hung, ended)
            self.tests[test] = self.tests.get(test, _NOTHING).plus(hung, ended)


def is_telling(test: str, *, is_relaxed: bool) -> bool:
    """Whether a test tells what a device guarantees, even if the memory of the device is relaxed."""
    return not is_relaxed or program_of_id(test).locations() == 1


def signatures_of(tests: Iterable[str]) -> dict[str, int]:
    """Return the signature of each test, by id: a bit for each verdict of the six models that the test passes."""
    ids = sorted(set(tests))
    return dict(zip(ids, judge(ids), strict=True)) if ids else {}


@dataclass
class Costs:
    """How long launches take on a device, by the launches so far.

    - `timeout_s` is how long a hang takes if none was seen.
    - `decides` says that the device gives up only what certainly hangs.
    """

    timed: Timed
    timeout_s: float
    decides: bool

    def add(self, after: Timed, before: Timed) -> None:
        """Take the launches in `after` into account, without those in `before`."""
        for key, (launches, seconds) in after.items():
            known, earlier = self.timed.get(key, (0, 0.0)), before.get(key, (0, 0.0))
            self.timed[key] = known[0] + launches - earlier[0], known[1] + seconds - earlier[1]

    def under(self, mapping: str) -> Cost:
        """Return how long launches take under a mapping.

        Where none was timed, the mean of the other mappings stands in. A hang that was never seen takes the time-out,
        or as long as another launch if the device gives up only what certainly hangs.
        """
        launch_s = self._mean("ended", mapping) or self._mean("ended") or _UNKNOWN_S
        usual_hang_s = launch_s if self.decides else self._mean("given up") or self.timeout_s
        return Cost(launch_s, self._mean("given up", mapping) or usual_hang_s)

    def _mean(self, end: str, mapping: str | None = None) -> float:
        timed = [entry for key, entry in self.timed.items() if key[1] == end and mapping in {None, key[0]}]
        launches = sum(number for number, _ in timed)
        return sum(seconds for _, seconds in timed) / launches if launches else 0.0
