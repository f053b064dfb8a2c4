"""What the launches of each cell came to.

    launches of a cell, in their order  ->  their outcomes  ->  how many had which outcome, and which hung first

A cell declares how many launches it needs. Only so many of the launches that ended or hung count, the first ones. What
came after them cannot make a claim stronger.

Millions of launches are read in seconds: SQLite counts those that ended, and only the others are looked at one by one.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

from synth_campaigns.attempts import attempts_of, deleted_attempts
from synth_campaigns.intervals import wilson
from synth_campaigns.outcomes import outcome_of
from synth_campaigns.queries import StoredLaunch
from synth_campaigns.sources import tallies_of
from synth_devices.ends import Launched

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from synth_campaigns.attempts import AttemptSummary
    from synth_campaigns.cells import Cell
    from synth_campaigns.outcomes import Judged, Outcome
    from synth_campaigns.settings import Launches
    from synth_campaigns.sources import Tally
    from synth_campaigns.store import Store

_WRONG: tuple[Outcome, ...] = ("left early", "suspected hang", "slow", "lost", "crashed", "failed")


class Rate(NamedTuple):
    """How many of some launches hung."""

    hung: int
    launches: int


_NONE = Rate(0, 0)


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


@dataclass(frozen=True, slots=True)
class CellResult:
    """A cell and the outcomes of its launches. `number` is its place in the campaign, from 1 on.

    - `confirmed` is how many hangs are confirmed.
    - `is_published` says that the outcomes are those of a published table.
    - `is_least` says that more launches may have hung than are counted.
    - `is_relaxed` says that the memory has no order between locations.
    - `after_hang` is how many launches the campaign makes after the first hang.
    - `beyond` has the outcomes of the launches after those that the cell declares.
    - `gaps` says in words which launches the results had once and do not have any more, or which cannot be compared.
    - `is_cut` says that the results do not have all launches any more that they had once.
    - `campaign` is the folder of the campaign, and `target` the target whose programs were run.
    - `asked` is how many instances the campaign asks for. It is None if the campaign leaves this to the device.
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
    def trouble(self) -> list[str]:
        """What went wrong in the cell, and how many launches it lacks, in words. The list is empty if all is well."""
        found = [f"{self.outcomes[one]} {one}" for one in _WRONG if self.outcomes.get(one)]
        lacks = self.cell.declared - self.counted
        if lacks > 0 and not self.hung:
            found.append(f"{lacks} of {self.cell.declared} launches missing")
        if self.beyond.get("hung"):
            found.append(f"{self.beyond['hung']} hung after the {self.cell.declared} launches that the cell declares")
        return [*found, *self.gaps]


def results_of(
    store: Store, launches: Launches, device: str, longest: Mapping[str, float] | None = None
) -> list[CellResult]:
    """Return the results of all cells of a device, in the order of the cells.

    `longest` is how many seconds the longest launch took that ended on the device, by mapping. Without it, that of this
    campaign counts.
    """
    if longest is None:
        longest = {mapping: seconds for (name, mapping), seconds in store.longest().items() if name == device}
    is_relaxed = store.is_relaxed(device)
    tallies, lost = tallies_of(store), deleted_attempts(store)
    counts = _counted(store, launches, device, longest)
    found = []
    for number, cell in enumerate(store.cells(), 1):
        if cell.device != device:
            continue
        if number in tallies:
            found.append(_of_tallies(number, cell, tallies[number], is_relaxed=is_relaxed))
            continue
        count = counts.get(number) or _Count(cell)
        gaps = [f"{lost} attempts of the campaign deleted"] if lost else []
        made = count.result(number, launches.after_first_hang, [*count.gaps(), *gaps], is_relaxed=is_relaxed)
        found.append(replace(made, is_cut=bool(lost or count.deleted)))
    return found


@dataclass
class _Count:
    """Counts the launches of a cell, in their order."""

    cell: Cell
    outcomes: Counter[Outcome] = field(default_factory=Counter)
    beyond: Counter[Outcome] = field(default_factory=Counter)
    counted: int = 0
    confirmed: int = 0
    first_hang: int | None = None
    after: Rate = _NONE
    first: Rate = _NONE
    processes: int = 0
    deleted: int = 0
    builds: set[int] = field(default_factory=set)
    targets: set[str] = field(default_factory=set)
    _process: int | None = None

    def begin(self, attempt: AttemptSummary) -> None:
        """Note an attempt whose launches follow."""
        self.deleted += attempt.deleted
        self.builds.add(attempt.build)
        self.targets.add(attempt.target)

    def add_ended(self, attempt: AttemptSummary, number: int, launches: int) -> None:
        """Count launches that ended; the first of them has this number in its attempt."""
        within = min(launches, self.cell.declared - self.counted)
        self._note(attempt, number, Rate(0, within))
        self.outcomes["ended"] += within
        self.beyond["ended"] += launches - within

    def add(self, attempt: AttemptSummary, number: int, judged: Judged) -> None:
        """Count a launch that did not end."""
        if judged.outcome != "hung":
            self.outcomes[judged.outcome] += 1
        elif self.counted >= self.cell.declared:
            self.beyond["hung"] += 1
        else:
            self._note(attempt, number, Rate(1, 1))
            self.outcomes["hung"] += 1
            self.confirmed += judged.is_confirmed

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

    def gaps(self) -> Iterator[str]:
        """Yield in words what the results lack, and why launches cannot be put together."""
        if self.deleted:
            yield f"{self.deleted} launches deleted"
        if len(self.builds) > 1:
            yield f"made with {len(self.builds)} builds, which cannot be put together"

    def result(self, number: int, after_hang: int, gaps: Sequence[str], *, is_relaxed: bool) -> CellResult:
        """Return what was counted."""
        course = Course(self.first_hang, self.after, self.processes, self.first)
        return CellResult(
            number, self.cell, +self.outcomes, self.confirmed, is_relaxed=is_relaxed, after_hang=after_hang,
            course=course, beyond=+self.beyond, gaps=tuple(gaps), target=", ".join(sorted(self.targets)),
        )  # fmt: skip


def _counted(store: Store, launches: Launches, device: str, longest: Mapping[str, float]) -> dict[int, _Count]:
    """Count the launches of each cell of a device, by the number of the cell."""
    cells, decides = store.cells(), store.decides(device)
    found: dict[int, _Count] = {}
    for attempt, stretches in attempts_of(store, device):
        cell = cells[attempt.cell - 1]
        count = found.get(attempt.cell)
        if count is None:
            count = found[attempt.cell] = _Count(cell)
        count.begin(attempt)
        longest_here = longest.get(cell.setting.mapping, 0.0)
        for number, several, end, seconds, quiet in stretches:
            if end == "ended":
                count.add_ended(attempt, number, several)
                continue
            launch = StoredLaunch(
                attempt.number, number, attempt.timeout, attempt.canary, Launched(end, seconds, quiet)
            )  # fmt: skip
            count.add(
                attempt, number, outcome_of(launch, decides=decides, longest=longest_here, confirm_s=launches.confirm_s)
            )
    return found


def _of_tallies(number: int, cell: Cell, tallies: Sequence[Tally], *, is_relaxed: bool) -> CellResult:
    """Return the result of a cell of a published table. A hang is confirmed if the table has a known time-out."""
    outcomes: Counter[Outcome] = Counter()
    for one in tallies:
        outcome: Outcome = "hung" if one.end == "given up" else one.end
        outcomes[outcome] += one.launches
    confirmed = sum(one.launches for one in tallies if one.end == "given up" and one.timeout is not None)
    is_least = any(one.is_least for one in tallies)
    return CellResult(
        number, cell, outcomes, confirmed, is_published=True, is_least=is_least, is_relaxed=is_relaxed,
        target="published",
    )  # fmt: skip
