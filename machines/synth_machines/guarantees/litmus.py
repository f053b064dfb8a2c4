"""Litmus tests on a scheduler: which of them end in every fair run.

A workgroup of a test is a thread of the scheduler. Its next instruction is executed when the scheduler's step event
happens to it. Events that a reading calls `goes_on` wait until the workgroup's last step has left it live, and those
called `ends` until it has ended it. All other events happen side by side with the test.

A test *ends* on a scheduler if no fair run stays without end in states in which some of its threads are live.

The scheduler of a setting is made smaller once, before any test. An event of a thread is *eager* if it commutes with
all that may happen before it, can't be undone, and does not depend on the test. Then it may as well happen at once, and
each fair run has a twin in which it does. `Scheduler(..., is_whole=True)` leaves the scheduler as it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_checker.transitions.components import strongly_connected_sets
from synth_machines.guarantees.recurrence import FairRuns
from synth_machines.guarantees.state_search import fairness_masks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from synth_machines.guarantees.fairness import Fairness
    from synth_machines.guarantees.graph import SchedulerGraph
    from synth_machines.guarantees.recurrence import SchedulerLasso
    from synth_machines.guarantees.scheduler_parts import Reading

    #: A row for each state of a program: the state after a step of each thread, or −1 for one that has ended.
    Table = Sequence[Sequence[int]]

#: What an event of a thread has to do with the program.
_FREE, _STEP, _GOES_ON, _ENDS = range(4)


class LitmusScheduler:
    """A scheduler in a setting, ready for tests with as many threads as it has.

    `edges[k]` has for each edge of state k: the label, the state after it, what it has to do with the program, and the
    thread. States are those of the graph.
    """

    def __init__(self, graph: SchedulerGraph, reading: Reading, fairness: Fairness, *, is_whole: bool = False) -> None:
        self.graph = graph
        self.weak, self.strong = fairness_masks(graph, fairness)
        kinds = []
        for instance in graph.instances:
            if instance.thread < 0:
                kinds.append(_FREE)  # the test has no such thread
            elif instance.event == reading.step:
                kinds.append(_STEP)
            else:
                kinds.append(
                    _GOES_ON
                    if instance.event in reading.goes_on
                    else _ENDS
                    if instance.event in reading.ends
                    else _FREE
                )
        eager = frozenset() if is_whole else _EagerClasses(graph, kinds, self.weak).classes
        self.edges: list[list[tuple[int, int, int, int]]] = []
        for row in graph.edges:
            first = next((edge for edge in row if graph.class_of(edge[0]) in eager), None)
            kept = row if first is None else [first]
            self.edges.append([(label, after, kinds[label], graph.instances[label].thread) for label, after in kept])

    def endless(self, table: Table) -> SchedulerLasso | None:
        """Return a fair run on which a program does not end, or None if it ends in all.

        The labels are instances of the graph.
        """
        product = LitmusProduct(self, table)
        runs = FairRuns(product.edges, product.offered, self.weak, self.strong)
        recurrent = next(runs.sets(product.unfinished), None)
        return None if recurrent is None else runs.lasso(range(len(self.graph.starts)), recurrent)

    def ends(self, table: Table) -> bool:
        """Return whether a program ends in every fair run."""
        product = LitmusProduct(self, table)
        runs = FairRuns(product.edges, product.offered, self.weak, self.strong)
        return next(runs.sets(product.unfinished), None) is None


class LitmusProduct:
    """A scheduler and a program side by side: pairs of a state of each, and the edges between them."""

    def __init__(self, scheduler: LitmusScheduler, table: Table) -> None:
        rows = scheduler.edges
        size = len(table)
        numbers = {state * size: place for place, state in enumerate(scheduler.graph.starts)}
        self.pairs = list(numbers)
        self.edges: list[list[tuple[int, int]]] = []
        self.offered: list[int] = []
        for pair in self.pairs:  # grows
            state, at = divmod(pair, size)
            steps = table[at]
            row = []
            mask = 0
            for label, after, kind, thread in rows[state]:
                to = at
                if kind:
                    to = steps[thread]
                    if (to < 0) != (kind == _ENDS):
                        continue
                    if kind != _STEP:
                        to = at
                key = after * size + to
                number = numbers.setdefault(key, len(numbers))
                if number == len(self.pairs):
                    self.pairs.append(key)
                row.append((label, number))
                mask |= 1 << label
            self.edges.append(row)
            self.offered.append(mask)
        live = [any(after >= 0 for after in row) for row in table]
        self.unfinished = {number for number, pair in enumerate(self.pairs) if live[pair % size]}


class _EagerClasses:
    """Finds the classes of events that are eager. A *class* is an event of a thread, with all other parameters.

    Bisimilar states offer the same classes. So none is eager if a class that is not eager has several instances, to
    which a run must be fair one by one.
    """

    def __init__(self, graph: SchedulerGraph, kinds: Sequence[int], weak: int) -> None:
        self.graph = graph
        self.blocks = _bisimilar(graph)
        free = {graph.class_of(label) for label, kind in enumerate(kinds) if kind == _FREE and weak >> label & 1}
        free -= {graph.class_of(label) for label, kind in enumerate(kinds) if kind or not weak >> label & 1}
        cyclic = set()
        for component in strongly_connected_sets(
            range(len(graph.states)), lambda number: (to for _, to in graph.edges[number])
        ):
            cyclic |= {
                graph.class_of(label) for number in component for label, to in graph.edges[number] if to in component
            }
        eager = frozenset(pair for pair in free - cyclic if self._commutes(pair))
        others = [pair for pair in map(graph.class_of, range(len(graph.instances))) if pair not in eager]
        self.classes = eager if len(others) == len(set(others)) else frozenset()

    def _commutes(self, pair: tuple[str, int]) -> bool:
        graph, blocks = self.graph, self.blocks
        for row in graph.edges:
            mine = [edge for edge in row if graph.class_of(edge[0]) == pair]
            if len({blocks[after] for _, after in mine}) > 1:
                return False
            for label, after in mine:
                for other, elsewhere in row:
                    if graph.class_of(other) == pair:
                        continue
                    first = {blocks[to] for again, to in graph.edges[elsewhere] if again == label}
                    second = {blocks[to] for again, to in graph.edges[after] if again == other}
                    if not first or first != second:
                        return False
        return True


def _bisimilar(graph: SchedulerGraph) -> list[int]:
    """Return for each state the number of its block of bisimilar states; labels are the classes of events."""
    blocks = list(graph.live)
    while True:
        keys = [
            (block, frozenset((graph.class_of(label), blocks[after]) for label, after in row))
            for block, row in zip(blocks, graph.edges, strict=True)
        ]
        numbers = {key: place for place, key in enumerate(dict.fromkeys(keys))}
        renumbered = [numbers[key] for key in keys]
        if len(numbers) == len(set(blocks)):
            return renumbered
        blocks = renumbered
