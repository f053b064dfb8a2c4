"""What the launches of each cell came to.

    launches of a cell, in their order  ->  their outcomes  ->  how many had which outcome, and which hung first

A cell declares how many launches it needs. Only so many of the launches that ended or hung count, the first ones. What
came after them cannot make a claim stronger.

Millions of launches are read in seconds: SQLite counts those that ended, and only the others are looked at one by one.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from synth_campaigns.cell_launches import cells_launched
from synth_campaigns.cell_result import NONE, CellResult, Circumstances, LaunchCourse, Rate
from synth_campaigns.outcomes import outcome_of, waiting_seconds
from synth_campaigns.queries import StoredLaunch
from synth_campaigns.time_evidence import with_time_evidence
from synth_devices.raw_ends import LaunchEnd

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from synth_campaigns.attempts import AttemptSummary
    from synth_campaigns.cell_launches import CellLaunches
    from synth_campaigns.cells import Cell
    from synth_campaigns.outcomes import LaunchOutcome, Outcome
    from synth_campaigns.settings import LaunchSettings
    from synth_campaigns.store import Store


def results_of(store: Store, launches: LaunchSettings, device: str) -> list[CellResult]:
    """Return the results of all cells of a device that the campaign declares, in the order of the cells."""
    return declared_of(all_results_of(store, launches, device))


def declared_of(results: Sequence[CellResult]) -> list[CellResult]:
    """Return the results of the cells that campaigns declare. `results` are all those of the device."""
    return [result for result in with_time_evidence(results) if not result.cell.purpose]


def all_results_of(store: Store, launches: LaunchSettings, device: str) -> list[CellResult]:
    """Return the results of all cells of a device, in their order. They are not weighed against each other yet."""
    longest = {mapping: seconds for (name, mapping), seconds in store.longest().items() if name == device}
    return [result_of(cell, longest) for cell in cells_launched(store, launches, device)]


def result_of(launches: CellLaunches, longest: Mapping[str, float]) -> CellResult:
    """Return the result of a cell.

    `longest` is how many seconds the longest launch took that ended on the device, by mapping.
    """
    if launches.tallies:
        return _of_tallies(launches)
    count, longest_here = _LaunchCounter(launches.cell), longest.get(launches.cell.setting.mapping, 0.0)
    for attempt, stretches in launches.attempts:
        count.begin(attempt)
        for number, several, end, seconds, quiet, finished, reason in stretches:
            if end == "ended":
                count.add_ended(attempt, number, several)
                continue
            stored = StoredLaunch(
                attempt.number, number, attempt.timeout, attempt.canary,
                LaunchEnd(end, seconds, quiet, {}, finished, reason=reason),
            )  # fmt: skip
            count.add(
                attempt,
                stored,
                outcome_of(
                    stored, decides=launches.decides, longest=longest_here, confirm_s=launches.launches.confirm_s
                ),
            )
    return count.result(launches)


@dataclass
class _LaunchCounter:
    """Counts the launches of a cell, in their order."""

    cell: Cell
    outcomes: Counter[Outcome] = field(default_factory=Counter)
    beyond: Counter[Outcome] = field(default_factory=Counter)
    counted: int = 0
    confirmed: int = 0
    timed: int = 0
    alone: int = 0
    seen_alone: int = 0
    longest: float | None = None
    waited: float | None = None
    reasons: dict[Outcome, str] = field(default_factory=dict)
    timeouts: set[float] = field(default_factory=set)
    circumstances: Circumstances | None = None
    first_hang: int | None = None
    after: Rate = NONE
    first: Rate = NONE
    processes: int = 0
    deleted: int = 0
    builds: set[str] = field(default_factory=set)
    targets: set[str] = field(default_factory=set)
    _process: int | None = None

    def begin(self, attempt: AttemptSummary) -> None:
        """Note an attempt whose launches follow."""
        self.deleted += attempt.deleted
        self.builds.add(attempt.build)
        self.targets.add(attempt.target)
        if attempt.longest is not None:
            self.longest = max(self.longest or 0.0, attempt.longest)

    def add_ended(self, attempt: AttemptSummary, number: int, launches: int) -> None:
        """Count launches that ended; the first of them has this number in its attempt."""
        within = min(launches, self.cell.declared - self.counted)
        self._note(attempt, number, Rate(0, within))
        self.outcomes["ended"] += within
        self.beyond["ended"] += launches - within

    def add(self, attempt: AttemptSummary, stored: StoredLaunch, judged: LaunchOutcome) -> None:
        """Count a launch that did not end."""
        if judged.outcome != "hung":
            self.outcomes[judged.outcome] += 1
            if stored.launch.reason:
                self.reasons.setdefault(judged.outcome, stored.launch.reason)
            return
        if judged.is_confirmed or judged.is_timed:
            is_alone = stored.number > 1 or not attempt.follows_bad
            self.alone += is_alone
            self.seen_alone += is_alone and judged.is_confirmed
            self.waited = min(waiting_seconds(stored), self.waited or math.inf)
            self.timeouts.add(stored.timeout)
            if is_alone and self.circumstances is None:
                before = stored.number - 1
                same = f"{before} launch{'es' if before > 1 else ''} of the same test, which ended"
                self.circumstances = Circumstances(same if stored.number > 1 else attempt.before, attempt.load, ())
        if self.counted >= self.cell.declared:
            self.beyond["hung"] += 1
            return
        self._note(attempt, stored.number, Rate(1, 1))
        self.outcomes["hung"] += 1
        self.confirmed += judged.is_confirmed
        self.timed += judged.is_timed

    def _note(self, attempt: AttemptSummary, number: int, rate: Rate) -> None:
        """Note in which place launches came that ended or hung."""
        if not rate.launches:
            return
        self.counted += rate.launches
        if self.first_hang is not None:
            self.after = Rate(self.after.hung + rate.hung, self.after.launches + rate.launches)
        elif rate.hung:
            self.first_hang = self.counted
        if attempt.process != self._process:
            self._process = attempt.process
            self.processes += 1
        if attempt.number == attempt.process and number == 1:
            self.first = Rate(self.first.hung + rate.hung, self.first.launches + 1)

    def result(self, launches: CellLaunches) -> CellResult:
        """Return what was counted."""
        course = LaunchCourse(self.first_hang, self.after, self.processes, self.first)
        return CellResult(
            launches.number, self.cell, +self.outcomes, self.confirmed, is_relaxed=launches.is_relaxed,
            after_hang=launches.launches.after_first_hang, course=course, beyond=+self.beyond,
            gaps=tuple(self._gaps(launches.deleted_attempts)), is_cut=bool(self.deleted or launches.deleted_attempts),
            campaign=launches.campaign, target=", ".join(sorted(self.targets)), timed=self.timed, alone=self.alone,
            seen_alone=self.seen_alone,
            reasons=self.reasons, longest=self.longest, waited=self.waited, launches=launches.launches,
            decides=launches.decides,
            circumstances=self.circumstances and self.circumstances._replace(timeouts_s=tuple(sorted(self.timeouts))),
        )  # fmt: skip

    def _gaps(self, deleted_attempts: int) -> Iterator[str]:
        """Yield in words what the results lack, and why launches cannot be put together."""
        if self.deleted:
            yield f"{self.deleted} launches deleted"
        if len(self.builds) > 1:
            yield f"made with {len(self.builds)} builds, which cannot be put together"
        if deleted_attempts:
            yield f"{deleted_attempts} attempts of the campaign deleted"


def _of_tallies(launches: CellLaunches) -> CellResult:
    """Return the result of a cell of a published table. A hang is confirmed if the table has a known time-out."""
    outcomes: Counter[Outcome] = Counter()
    for tally in launches.tallies:
        outcome: Outcome = "hung" if tally.end == "given up" else tally.end
        outcomes[outcome] += tally.launches
    confirmed = sum(
        tally.launches for tally in launches.tallies if tally.end == "given up" and tally.timeout is not None
    )
    is_least = any(tally.is_least for tally in launches.tallies)
    return CellResult(
        launches.number, launches.cell, outcomes, confirmed, gaps=launches.contradictions, is_published=True,
        is_least=is_least, is_relaxed=launches.is_relaxed, campaign=launches.campaign, target="published",
    )  # fmt: skip
