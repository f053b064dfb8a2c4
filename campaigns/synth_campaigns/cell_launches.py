"""All launches of the cells of a device, from one campaign or from several.

Nothing counts twice. The same launches may be in several places: in a copy of a folder, in two campaigns that collected
one file of results, or in a campaign that collected what another one has exported. Two cells are the same if they have
the same number in the same campaign, or if they are alike and share an attempt. The launches of such cells are put
together, and each attempt counts once. An attempt is known by its launches: their seconds to the microsecond, and how
the last one ended. If nobody knows their seconds, or only in milliseconds, it is known by its place in the file that it
was read from.

One launch alone tells little. It shows that cells are the same only if it was the first of both. On a simulated device,
whose launches take microseconds, it never does. A published table is known by its digest.

All other cells stay apart, even if they are alike: the load of the machine may have been another.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from synth_campaigns.attempts import attempts_of, deleted_attempts
from synth_campaigns.sources import tallies_of

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

    from synth_campaigns.attempts import AttemptSummary, Stretch
    from synth_campaigns.cells import Cell
    from synth_campaigns.settings import LaunchSettings
    from synth_campaigns.sources import LaunchTally
    from synth_campaigns.store import Store


@dataclass(frozen=True, slots=True)
class CellLaunches:
    """A cell and its attempts, or its tallies if a table was published.

    - `number` is its place in its campaign, from 1 on. `campaign` is the folder, which `identity` tells from others.
    - `launches` is what the campaign shall do, and `decides` says that the device gives up only what certainly hangs.
    - `is_relaxed` says that the memory may have no order between locations.
    - `deleted_attempts` is how many attempts the campaign does not have any more.
    - `contradictions` says in words what two places say differently about the cell.
    """

    number: int
    cell: Cell
    campaign: str
    identity: str
    launches: LaunchSettings
    decides: bool
    is_relaxed: bool
    deleted_attempts: int
    attempts: tuple[tuple[AttemptSummary, list[Stretch]], ...]
    tallies: tuple[LaunchTally, ...]
    contradictions: tuple[str, ...] = ()

    def prints(self) -> Iterator[Hashable]:
        """Yield what tells the cell, or launches of it, from others."""
        cell = self.cell
        alike = (cell.test, cell.setting, cell.busy, cell.declared, cell.row, cell.heading, cell.purpose)
        yield *alike, self.identity, self.number
        for place, (summary, _) in enumerate(self.attempts):
            if summary.print is not None and (summary.launches > 1 or (place == 0 and not self.decides)):
                yield (*alike, summary.print)
        yield from ((cell.test, cell.row, cell.heading, tally.digest) for tally in self.tallies)


def cells_launched(
    store: Store, launches: LaunchSettings, device: str, campaign: str = "", *, has_prints: bool = False
) -> list[CellLaunches]:
    """Return all cells of a device in one campaign, in their order.

    `campaign` is its folder. `has_prints` asks for what `merged_duplicates` needs.
    """
    tallies, attempts = tallies_of(store), defaultdict[int, list["tuple[AttemptSummary, list[Stretch]]"]](list)
    for attempt in attempts_of(store, device, has_prints=has_prints):
        attempts[attempt[0].cell].append(attempt)
    identity, lost = store.meta("campaign"), deleted_attempts(store)
    decides, is_relaxed = store.decides(device), store.is_relaxed(device)
    return [
        CellLaunches(
            number, cell, campaign, identity, launches, decides, is_relaxed, lost,
            tuple(attempts.get(number, ())), tuple(tallies.get(number, ())),
        )
        for number, cell in enumerate(store.cells(), 1)
        if cell.device == device
    ]  # fmt: skip


def merged_duplicates(cells: Sequence[CellLaunches]) -> list[CellLaunches]:
    """Put together the cells that are the same, each in the place of its first one."""
    leaders: dict[Hashable, int] = {}
    groups: dict[int, list[CellLaunches]] = {}
    for place, cell in enumerate(cells):
        prints = set(cell.prints())
        leading = sorted({leaders[known] for known in prints if known in leaders})
        first = leading[0] if leading else place
        for other in leading[1:]:  # this cell shows that cells are the same that did not look so
            groups[first] += groups.pop(other)
            leaders |= {known: first for known, leader in leaders.items() if leader == other}
        groups.setdefault(first, []).append(cell)
        leaders |= dict.fromkeys(prints, first)
    return [_together(groups[first]) for first in sorted(groups)]


def _together(cells: Sequence[CellLaunches]) -> CellLaunches:
    """Put together one cell of several places. An attempt counts as often as in the place that has it most often.

    The result does not depend on the order of the places. It has all launches of copies of a campaign that went on, and
    declares as many.
    """
    first, *others = sorted(cells, key=_rank)
    attempts, known = list(first.attempts), Counter(summary.print for summary, _ in first.attempts)
    for other in others:
        here: Counter[Hashable] = Counter()
        for attempt in other.attempts:
            here[attempt[0].print] += 1
            if here[attempt[0].print] > known[attempt[0].print]:
                known[attempt[0].print] += 1
                attempts.append(attempt)
    descriptions = {(cell.cell.setting, cell.cell.declared, cell.tallies) for cell in cells if cell.tallies}
    contradictions = (f"the same table is described in {len(descriptions)} ways",) if len(descriptions) > 1 else ()
    more = sum(attempt.launches for attempt, _ in attempts[len(first.attempts) :])
    return replace(
        first,
        cell=replace(first.cell, declared=first.cell.declared + more),
        launches=replace(first.launches, confirm_s=max(cell.launches.confirm_s for cell in cells)),
        attempts=tuple(attempts),
        is_relaxed=any(cell.is_relaxed for cell in cells),
        deleted_attempts=max(cell.deleted_attempts for cell in cells),
        contradictions=contradictions,
    )


def _rank(cell: CellLaunches) -> tuple[object, ...]:
    return -len(cell.attempts), cell.identity, cell.number, tuple(str(attempt.print) for attempt, _ in cell.attempts)
