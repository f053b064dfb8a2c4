"""The order `informative` of a campaign: first the cells that tell most about what the devices guarantee.

Before each cell, the best group of cells is chosen anew (`synth_analysis.next_test`), and in it the smallest test. What
tells nothing comes last. Only the order changes: the campaign runs all its cells, so no claim is biased.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from synth_analysis.belief import Belief
from synth_analysis.evidence import Costs, Evidence, is_telling, signatures_of
from synth_analysis.hypotheses import hypotheses_of
from synth_analysis.next_test import worth_of
from synth_checker.reductions.shrink import size_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from synth_analysis.belief import Group
    from synth_campaigns.cells import Cell
    from synth_campaigns.store import Store


class _Queue(NamedTuple):
    """Cells of one device that are worth the same: their group, and how many launches each of them needs."""

    device: str
    group: Group
    launches: int


@dataclass
class InformativeOrder:
    """The order of cells by what they tell. It reads from the store what came of the cells so far.

    `timeout_s` is how long a hang takes if none was seen.
    """

    store: Store
    timeout_s: float
    _evidence: dict[str, Evidence] = field(default_factory=dict)
    _beliefs: dict[str, Belief] = field(default_factory=dict)
    _costs: dict[str, Costs] = field(default_factory=dict)

    def __call__(self, todo: Sequence[int]) -> Iterator[int]:
        """Yield the numbers of cells in their order. Each is chosen after the cell before it was run."""
        cells = {number: cell for number, cell in enumerate(self.store.cells(), 1) if not cell.purpose}
        signatures = signatures_of(cell.test for cell in cells.values())
        self._begin(list(cells.values()), signatures)
        launched = self._launched()
        for number, (hung, ended) in launched.items():
            if number not in cells:
                continue
            self._evidence[cells[number].device].add(cells[number], signatures[cells[number].test], hung, ended)
        queues: dict[_Queue, deque[int]] = {}
        last = []
        for number in sorted(todo, key=lambda cell_number: size_of(cells[cell_number].test)):
            cell = cells[number]
            if cell.across == "workgroups" and is_telling(cell.test, is_relaxed=self._evidence[cell.device].is_relaxed):
                group = signatures[cell.test], cell.setting.mapping
                launches = cell.declared - sum(launched.get(number, (0, 0)))
                queues.setdefault(_Queue(cell.device, group, max(1, launches)), deque()).append(number)
            else:
                last.append(number)
        while queues:
            queue = self._best(queues)
            number = queues[queue].popleft()
            if not queues[queue]:
                del queues[queue]
            cell, before = cells[number], launched.get(number, (0, 0))
            timed = self.store.seconds(cell.device, number)
            yield number
            hung, ended = self._launched(number).get(number, (0, 0))
            self._evidence[cell.device].add(cell, signatures[cell.test], hung - before[0], ended - before[1])
            self._costs[cell.device].add(self.store.seconds(cell.device, number), timed)
        yield from last

    def _begin(self, cells: Sequence[Cell], signatures: dict[str, int]) -> None:
        hypotheses = hypotheses_of(signatures.values())
        for name in dict.fromkeys(cell.device for cell in cells):
            evidence = Evidence(self.store.is_relaxed(name))
            self._evidence[name] = evidence
            self._beliefs[name] = Belief(hypotheses, seen=evidence.groups)
            self._costs[name] = Costs(self.store.seconds(name), self.timeout_s, decides=self.store.decides(name))

    def _best(self, queues: dict[_Queue, deque[int]]) -> _Queue:
        probabilities = {name: belief.probabilities() for name, belief in self._beliefs.items()}

        def score(queue: _Queue) -> float:
            cost = self._costs[queue.device].under(queue.group[1])
            belief = self._beliefs[queue.device]
            return worth_of(belief, probabilities[queue.device], queue.group, queue.launches, cost).score

        return max(queues, key=score)

    def _launched(self, number: int | None = None) -> dict[int, tuple[int, int]]:
        """Return how many launches of each cell, or of one cell, were given up, and how many ended."""
        counts = self.store.counts(number)
        return {of: (count.ends.get("given up", 0), count.ends.get("ended", 0)) for of, count in counts.items()}
