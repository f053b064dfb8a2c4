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
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from synth_campaigns.intervals import wilson
from synth_campaigns.launched import cells_launched
from synth_campaigns.outcomes import outcome_of, waited_for
from synth_campaigns.queries import StoredLaunch
from synth_campaigns.timing import weighed
from synth_devices.ends import Launched

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from synth_campaigns.attempts import AttemptSummary
    from synth_campaigns.cells import Cell
    from synth_campaigns.launched import CellLaunches
    from synth_campaigns.outcomes import Judged, Outcome
    from synth_campaigns.settings import Launches
    from synth_campaigns.store import Store
    from synth_campaigns.timing import ByTime

_WRONG: tuple[Outcome, ...] = ("left early", "suspected hang", "slow", "lost result", "lost", "crashed", "failed")


class Rate(NamedTuple):
    """How many of some launches hung."""

    hung: int
    launches: int


_NONE = Rate(0, 0)
#: So many letters of a reason are told.
_REASON = 160
#: What confirmed hangs rest on: flags that were quiet while some thread had not finished, time alone (`timing`), a
#: simulation that decides, or a table that somebody has published. Empty if no hang is confirmed.
Evidence: TypeAlias = Literal["", "flags", "time", "simulation", "published"]


@dataclass(frozen=True, slots=True)
class Course:
    """What the order of the launches of a cell tells. A published table does not tell it.

    - `first_hang` is which of the launches that ended or hung was the first to hang, counted from 1.
    - `after` is the rate of those after it.
    - `processes` is how many processes made the launches, and `first` is the rate of the first launches of these.
    """

    first_hang: int | None = None
    after: Rate = _NONE
    processes: int = 0
    first: Rate = _NONE


class Circumstances(NamedTuple):
    """What is known of the launch that makes a cell a witness.

    - `before` says what the device ran before it; it is empty if that is unknown.
    - `load` is how busy the machine was, as `os.getloadavg` tells it; None if that is unknown.
    - `timeouts_s` are the seconds after which the hangs of the cell were given up that were waited for.
    """

    before: str
    load: float | None
    timeouts_s: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class CellResult:
    """A cell and the outcomes of its launches. `number` is its place in the campaign, from 1 on.

    - `confirmed` is how many hangs are confirmed, and `timed` how many were waited for where nobody sees flags.
    - `alone` is how many of both did not come directly after another hang on the device.
    - `by_time` says why slowness does not explain the hangs, if they are confirmed by time. `doubt` says why hangs that
      were waited for do not count.
    - `longest` is how many seconds the longest launch took that ended, and `waited` how many a program waited at least
      for a hang among `confirmed` or `timed`. Each is None if there is none.
    - `is_published` says that the outcomes are those of a published table.
    - `is_least` says that more launches may have hung than are counted.
    - `is_relaxed` says that the memory has no order between locations, or that nobody knows.
    - `after_hang` is how many launches the campaign makes after the first hang.
    - `beyond` has the outcomes of the launches after those that the cell declares.
    - `gaps` says in words which launches the results had once and do not have any more, or which cannot be compared.
    - `is_cut` says that the results do not have all launches any more that they had once.
    - `campaign` is the folder of the campaign, and `target` the target whose programs were run.
    - `asked` is how many instances the campaign asks for. It is None if the campaign leaves this to the device.
    - `launches` is how often the campaign launches each cell, and how long it waits; None for a published table.
    - `decides` says that the device gives up only what certainly hangs.
    - `reasons` has by outcome why the first launch had it, as far as its program says this.
    - `circumstances` are those of the first hang that was waited for and did not come directly after another one.
    """

    number: int
    cell: Cell
    outcomes: Mapping[Outcome, int]
    confirmed: int
    is_published: bool = False
    is_least: bool = False
    is_relaxed: bool = False
    after_hang: int = 0
    course: Course | None = None
    beyond: Mapping[Outcome, int] = field(default_factory=dict)
    gaps: tuple[str, ...] = ()
    is_cut: bool = False
    campaign: str = ""
    target: str = ""
    asked: int | None = None
    timed: int = 0
    alone: int = 0
    longest: float | None = None
    waited: float | None = None
    by_time: ByTime | None = None
    doubt: str = ""
    launches: Launches | None = None
    decides: bool = False
    circumstances: Circumstances | None = None
    reasons: Mapping[Outcome, str] = field(default_factory=dict)

    @property
    def evidence(self) -> Evidence:
        """What the confirmed hangs of the cell rest on."""
        if not self.confirmed:
            return ""
        if self.is_published:
            return "published"
        return "time" if self.by_time else "simulation" if self.decides else "flags"

    @property
    def hung(self) -> int:
        """How many launches hung."""
        return self.outcomes.get("hung", 0)

    @property
    def counted(self) -> int:
        """How many launches ended or hung: the denominator of every rate."""
        return self.outcomes.get("ended", 0) + self.hung

    @property
    def is_finished(self) -> bool:
        """Whether the cell has all launches that it will have."""
        return self.hung > 0 or self.counted >= self.cell.declared

    @property
    def interval(self) -> tuple[float, float] | None:
        """Wilson's 95 % interval for the rate of hangs, or None if `sample` has no launches."""
        return wilson(*self.sample) if self.sample and self.sample.launches else None

    @property
    def sample(self) -> Rate | None:
        """The rate of launches whose number does not depend on how they ended, or None if there are no such launches.

        A cell may end some launches after its first hang. Then only the launches after this hang are such a sample.
        """
        if not self.hung:
            return Rate(0, self.counted)
        if self.is_least:
            return None
        if self.is_published or (self.counted >= self.cell.declared and self.after_hang >= self.cell.declared - 1):
            return Rate(self.hung, self.counted)
        return self.course.after if self.course and self.course.after.launches else None

    @property
    def went_wrong(self) -> bool:
        """Whether some launch neither ended nor hung."""
        return any(self.outcomes.get(one) for one in _WRONG)

    @property
    def trouble(self) -> list[str]:
        """What went wrong in the cell, and how many launches it lacks, in words. The list is empty if all is well."""
        found = [self._wrong(one) for one in _WRONG if self.outcomes.get(one)]
        lacks = self.cell.declared - self.counted
        if lacks > 0 and not self.hung:
            found.append(f"{lacks} of {self.cell.declared} launches missing")
        if self.beyond.get("hung"):
            found.append(f"{self.beyond['hung']} hung after the {self.cell.declared} launches that the cell declares")
        return [*found, *self.gaps]

    def _wrong(self, outcome: Outcome) -> str:
        number, reason = self.outcomes[outcome], self.reasons.get(outcome)
        words = "lost results" if outcome == "lost result" and number > 1 else outcome
        if not reason:
            return f"{number} {words}"
        return f"{number} {words} ({reason if len(reason) <= _REASON else f'{reason[:_REASON]} ...'})"


def results_of(store: Store, launches: Launches, device: str) -> list[CellResult]:
    """Return the results of all cells of a device that the campaign declares, in the order of the cells."""
    return declared_of(all_results_of(store, launches, device))


def declared_of(results: Sequence[CellResult]) -> list[CellResult]:
    """Return the results of the cells that campaigns declare. `results` are all those of the device."""
    return [one for one in weighed(results) if not one.cell.purpose]


def all_results_of(store: Store, launches: Launches, device: str) -> list[CellResult]:
    """Return the results of all cells of a device, in their order. They are not weighed against each other yet."""
    longest = {mapping: seconds for (name, mapping), seconds in store.longest().items() if name == device}
    return [result_of(one, longest) for one in cells_launched(store, launches, device)]


def result_of(found: CellLaunches, longest: Mapping[str, float]) -> CellResult:
    """Return the result of a cell.

    `longest` is how many seconds the longest launch took that ended on the device, by mapping.
    """
    if found.tallies:
        return _of_tallies(found)
    count, longest_here = _Count(found.cell), longest.get(found.cell.setting.mapping, 0.0)
    for attempt, stretches in found.attempts:
        count.begin(attempt)
        for number, several, end, seconds, quiet, finished, reason in stretches:
            if end == "ended":
                count.add_ended(attempt, number, several)
                continue
            stored = StoredLaunch(
                attempt.number, number, attempt.timeout, attempt.canary,
                Launched(end, seconds, quiet, {}, finished, reason=reason),
            )  # fmt: skip
            count.add(
                attempt,
                stored,
                outcome_of(stored, decides=found.decides, longest=longest_here, confirm_s=found.launches.confirm_s),
            )
    return count.result(found)


@dataclass
class _Count:
    """Counts the launches of a cell, in their order."""

    cell: Cell
    outcomes: Counter[Outcome] = field(default_factory=Counter)
    beyond: Counter[Outcome] = field(default_factory=Counter)
    counted: int = 0
    confirmed: int = 0
    timed: int = 0
    alone: int = 0
    longest: float | None = None
    waited: float | None = None
    reasons: dict[Outcome, str] = field(default_factory=dict)
    timeouts: set[float] = field(default_factory=set)
    circumstances: Circumstances | None = None
    first_hang: int | None = None
    after: Rate = _NONE
    first: Rate = _NONE
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

    def add(self, attempt: AttemptSummary, stored: StoredLaunch, judged: Judged) -> None:
        """Count a launch that did not end."""
        if judged.outcome != "hung":
            self.outcomes[judged.outcome] += 1
            if stored.launch.reason:
                self.reasons.setdefault(judged.outcome, stored.launch.reason)
            return
        if judged.is_confirmed or judged.is_timed:
            is_alone = stored.number > 1 or not attempt.follows_hang
            self.alone += is_alone
            self.waited = min(waited_for(stored), self.waited or math.inf)
            self.timeouts.add(stored.timeout)
            if is_alone and self.circumstances is None:
                same = f"{stored.number - 1} launches of the same test, which ended"
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

    def result(self, found: CellLaunches) -> CellResult:
        """Return what was counted."""
        course = Course(self.first_hang, self.after, self.processes, self.first)
        return CellResult(
            found.number, self.cell, +self.outcomes, self.confirmed, is_relaxed=found.is_relaxed,
            after_hang=found.launches.after_first_hang, course=course, beyond=+self.beyond,
            gaps=tuple(self._gaps(found.deleted_attempts)), is_cut=bool(self.deleted or found.deleted_attempts),
            campaign=found.campaign, target=", ".join(sorted(self.targets)), timed=self.timed, alone=self.alone,
            reasons=self.reasons, longest=self.longest, waited=self.waited, launches=found.launches,
            decides=found.decides,
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


def _of_tallies(found: CellLaunches) -> CellResult:
    """Return the result of a cell of a published table. A hang is confirmed if the table has a known time-out."""
    outcomes: Counter[Outcome] = Counter()
    for one in found.tallies:
        outcome: Outcome = "hung" if one.end == "given up" else one.end
        outcomes[outcome] += one.launches
    confirmed = sum(one.launches for one in found.tallies if one.end == "given up" and one.timeout is not None)
    is_least = any(one.is_least for one in found.tallies)
    return CellResult(
        found.number, found.cell, outcomes, confirmed, is_published=True, is_least=is_least,
        is_relaxed=found.is_relaxed, campaign=found.campaign, target="published",
    )  # fmt: skip
