"""What the launches of a campaign say about the verdicts of a device.

For a verdict, only the cells count whose test passes it. A device that keeps the promise never hangs there. The claim
is one of four:

- *violates*: some cells have a confirmed hang. These are the witnesses. Those under the mapping `plain` come first, and
  then those with the smallest tests.
- *consistent with*: nothing hung, nothing went wrong, and each cell has all the launches that it needs.
- *inconclusive*: there is no witness, but some launch hung, some are missing, or something went wrong. The claim says
  where.
- *not tested*: no launch of such a cell ended or hung.

No claim says that a device keeps a promise for sure. On a device with relaxed memory, the memory may cause a hang of a
test with two locations. Such a hang is never a witness. Verdicts speak of workgroups, so a cell counts only if each
thread of its test had a workgroup.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from synth_campaigns.outcomes import outcome_of
from synth_campaigns.settings import Z
from synth_campaigns.sources import tallies_of
from synth_checker.models import library, verdict_names
from synth_checker.programs.normal import program_of_id
from synth_checker.verdicts import judge

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from synth_campaigns.cells import Cell
    from synth_campaigns.outcomes import Outcome
    from synth_campaigns.sources import Tally
    from synth_campaigns.store import Store

Status: TypeAlias = Literal["violates", "consistent with", "inconclusive", "not tested"]


@dataclass(frozen=True, slots=True)
class CellResult:
    """A cell and the outcomes of its launches. `number` is its place in the campaign, from 1 on.

    - `is_published` says that the outcomes are those of a published table.
    - `is_least` says that more launches may have hung than are counted.
    """

    number: int
    cell: Cell
    outcomes: Mapping[Outcome, int]
    confirmed: int
    is_published: bool = False
    is_least: bool = False

    @property
    def hung(self) -> int:
        """How many launches hung."""
        return self.outcomes.get("hung", 0)

    @property
    def counted(self) -> int:
        """How many launches ended or hung: the denominator of every rate."""
        return self.outcomes.get("ended", 0) + self.hung

    @property
    def trouble(self) -> list[str]:
        """What went wrong in the cell, and how many launches it lacks, in words. The list is empty if all is well."""
        wrong: tuple[Outcome, ...] = ("left early", "suspected hang", "slow", "lost", "crashed", "failed")
        found = [f"{self.outcomes[one]} {one}" for one in wrong if self.outcomes.get(one)]
        lacks = self.cell.declared - self.counted
        return [*found, *([f"{lacks} of {self.cell.declared} launches missing"] if lacks > 0 and not self.hung else [])]


@dataclass(frozen=True, slots=True)
class Claim:
    """What the launches on a device say about one verdict.

    - `cells` are those whose test passes the verdict, and `launches` is how many of their launches ended or hung.
    - `witnesses` are the cells with a confirmed hang that counts against the verdict, the most telling first.
    - `bound` is the upper end of the 95 % interval of the rate of hangs, in the cell where it is highest. It is None
      unless the claim is *consistent with*.
    - `because` says why the claim is *inconclusive*. It is empty for other claims.
    """

    verdict: str
    status: Status
    cells: tuple[CellResult, ...]
    launches: int
    witnesses: tuple[CellResult, ...]
    bound: float | None
    because: str

    @property
    def is_published(self) -> bool:
        """Whether all that the claim is made of was published by others."""
        return bool(self.cells) and all(one.is_published for one in self.cells)

    @property
    def tests(self) -> int:
        """How many different tests the cells have."""
        return len({one.cell.test for one in self.cells})


def results_of(store: Store, confirm_s: float, device: str) -> list[CellResult]:
    """Return the results of all cells of a device, in the order of the cells."""
    longest, decides, tallies = store.longest(), store.decides(device), tallies_of(store)
    found = []
    for number, cell in enumerate(store.cells(), 1):
        if cell.device == device and number in tallies:
            found.append(_of_tallies(number, cell, tallies[number]))
        elif cell.device == device:
            longest_here = longest.get((device, cell.setting.mapping), 0.0)
            judged = [
                outcome_of(one, decides=decides, longest=longest_here, confirm_s=confirm_s)
                for one in store.launches(number)
            ]
            confirmed = sum(one.is_confirmed for one in judged)
            found.append(CellResult(number, cell, Counter(one.outcome for one in judged), confirmed))
    return found


def _of_tallies(number: int, cell: Cell, tallies: Sequence[Tally]) -> CellResult:
    """Return the result of a cell of a published table. A hang is confirmed if the table has a known time-out."""
    outcomes: Counter[Outcome] = Counter()
    for one in tallies:
        outcome: Outcome = "hung" if one.end == "given up" else one.end
        outcomes[outcome] += one.launches
    confirmed = sum(one.launches for one in tallies if one.end == "given up" and one.timeout is not None)
    is_least = any(one.is_least for one in tallies)
    return CellResult(number, cell, outcomes, confirmed, is_published=True, is_least=is_least)


def claims_of(results: Sequence[CellResult], *, is_relaxed: bool = False) -> list[Claim]:
    """Return a claim for each verdict of the models of the paper, in their order.

    `is_relaxed` says that the memory of the device has no order between locations.
    """
    passes = passed_by({one.cell.test for one in results})
    of_workgroups = [one for one in results if one.cell.across == "workgroups"]
    return [
        _claim(name, [one for one in of_workgroups if name in passes[one.cell.test]], is_relaxed=is_relaxed)
        for name in verdict_names(library())
    ]


def passed_by(tests: Iterable[str]) -> dict[str, frozenset[str]]:
    """Return the verdicts that each test passes, by id."""
    ids, names = sorted(tests), verdict_names(library())
    found = judge(ids) if ids else []
    return {
        id_: frozenset(name for place, name in enumerate(names) if mask >> place & 1)
        for id_, mask in zip(ids, found, strict=True)
    }


def upper_end(launches: int) -> float:
    """Return the upper end of Wilson's 95 % interval for the rate of hangs, if none of so many launches hung."""
    return Z * Z / (launches + Z * Z)


def _claim(verdict: str, cells: Sequence[CellResult], *, is_relaxed: bool) -> Claim:
    launches = sum(one.counted for one in cells)
    witnesses = [one for one in cells if one.confirmed and not (is_relaxed and _locations(one) > 1)]
    troubled = [one for one in cells if one.trouble or one.hung]
    because, bound = "", None
    status: Status
    if witnesses:
        status = "violates"
    elif not launches:
        status = "not tested"
    elif troubled:
        status = "inconclusive"
        first = troubled[0]
        why = "perhaps because of the relaxed memory" if first.confirmed else "but no hang is confirmed"
        what = first.trouble or [f"{first.hung} hung, {why}"]
        because = f"{first.cell.test} under {first.cell.setting.mapping}: {', '.join(what)}"
    else:
        status = "consistent with"
        bound = max(upper_end(one.counted) for one in cells)
    return Claim(verdict, status, tuple(cells), launches, tuple(sorted(witnesses, key=_telling)), bound, because)


def _telling(one: CellResult) -> tuple[bool, int, int, float, str]:
    """The most telling witness is first in this order."""
    cell = one.cell
    return cell.setting.mapping != "plain", len(cell.test), cell.threads, -one.hung / one.counted, cell.test


def _locations(one: CellResult) -> int:
    return program_of_id(one.cell.test).locations()
