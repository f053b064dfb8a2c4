"""What the launches of a cell came to, as values that others read (`results` counts them)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from synth_campaigns.intervals import wilson

if TYPE_CHECKING:
    from collections.abc import Mapping

    from synth_campaigns.cells import Cell
    from synth_campaigns.outcomes import Outcome
    from synth_campaigns.settings import LaunchSettings

_WRONG: tuple[Outcome, ...] = ("left early", "suspected hang", "slow", "lost result", "lost", "crashed", "failed")


class Rate(NamedTuple):
    """How many of some launches hung."""

    hung: int
    launches: int


#: No launches.
NONE = Rate(0, 0)
#: So many letters of a reason are told.
_REASON = 160
#: What confirmed hangs rest on: flags that were quiet while some thread had not finished, time alone (`time_evidence`),
#: a simulation that decides, or a table that somebody has published. Empty if no hang is confirmed.
Evidence: TypeAlias = Literal["", "flags", "time", "simulation", "published"]


@dataclass(frozen=True, slots=True)
class LaunchCourse:
    """What the order of the launches of a cell tells. A published table does not tell it.

    - `first_hang` is which of the launches that ended or hung was the first to hang, counted from 1.
    - `after` is the rate of those after it.
    - `processes` is how many processes made the launches, and `first` is the rate of the first launches of these.
    """

    first_hang: int | None = None
    after: Rate = NONE
    processes: int = 0
    first: Rate = NONE


@dataclass(frozen=True, slots=True)
class ByTime:
    """Why slowness does not explain a hang.

    - `control_s` is how many seconds the test without its waiting took at most, and `waited_s` how many the program
      waited for the hang at least.
    - `sizes` are the numbers of instances that hung.
    - `ended` is the number of instances, below all of these, that ended at once; None if the smallest size is one
      instance.
    """

    control_s: float
    waited_s: float
    sizes: tuple[int, ...]
    ended: int | None


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
    - `alone` is how many hangs of both kinds did not come directly after a launch that was given up, also beyond the
      launches that the cell declares. `seen_alone` is how many of these were seen by flags.
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
    - `circumstances` are those of the first hang among `alone`.
    """

    number: int
    cell: Cell
    outcomes: Mapping[Outcome, int]
    confirmed: int
    is_published: bool = False
    is_least: bool = False
    is_relaxed: bool = False
    after_hang: int = 0
    course: LaunchCourse | None = None
    beyond: Mapping[Outcome, int] = field(default_factory=dict)
    gaps: tuple[str, ...] = ()
    is_cut: bool = False
    campaign: str = ""
    target: str = ""
    asked: int | None = None
    timed: int = 0
    alone: int = 0
    seen_alone: int = 0
    longest: float | None = None
    waited: float | None = None
    by_time: ByTime | None = None
    doubt: str = ""
    launches: LaunchSettings | None = None
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
        return any(self.outcomes.get(outcome) for outcome in _WRONG)

    @property
    def trouble(self) -> list[str]:
        """What went wrong in the cell, and how many launches it lacks, in words. The list is empty if all is well."""
        troubles = [self._wrong(outcome) for outcome in _WRONG if self.outcomes.get(outcome)]
        lacks = self.cell.declared - self.counted
        if lacks > 0 and not self.hung:
            troubles.append(f"{lacks} of {self.cell.declared} launches missing")
        if self.beyond.get("hung"):
            troubles.append(
                f"{self.beyond['hung']} hung after the {self.cell.declared} launches that the cell declares"
            )
        return [*troubles, *self.gaps]

    def _wrong(self, outcome: Outcome) -> str:
        number, reason = self.outcomes[outcome], self.reasons.get(outcome)
        words = "lost results" if outcome == "lost result" and number > 1 else outcome
        if not reason:
            return f"{number} {words}"
        return f"{number} {words} ({reason if len(reason) <= _REASON else f'{reason[:_REASON]} ...'})"
