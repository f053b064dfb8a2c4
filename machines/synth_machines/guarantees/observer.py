"""A scheduler beside a model's automaton, which observes its steps.

An automaton must know whether a thread ends with a step, but the machine says so only later. So each step of a thread
is taken in two ways: as its last step, and as one after which it is still live. The next event of the thread decides
which of them it was. An event of `goes_on` or another step says that it was not the last. An event of `ends` or the end
of its life says that it was. The other way ends there. If nothing decides, both ways remain, since the machine may be
executing either kind of program. If the automaton moves in the same way in both cases, there is nothing to decide.

Runs are fair if they are fair for the machine alone. So an event counts as possible even if what was taken for granted
about a step forbids it. Then each fair run of the machine is here in at least one way, and nothing else is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth_checker.models.automaton import Automaton
    from synth_machines.guarantees.graph import SchedulerGraph
    from synth_machines.guarantees.scheduler_parts import Reading

    #: A state of the scheduler and one of the automaton, threads whose last step was taken for one after which they are
    #: live, and those for which it was taken for their last. Both sets are bit masks.
    Node = tuple[int, int, int, int]


class ObservedScheduler:
    """The nodes of a scheduler beside an automaton: `nodes`, `edges` from each, and the labels that each offers."""

    def __init__(self, graph: SchedulerGraph, reading: Reading, automaton: Automaton) -> None:
        self.graph, self.automaton = graph, automaton
        self._decides_live = {
            number for number, instance in enumerate(graph.instances) if instance.event in reading.goes_on
        }
        self._decides_last = {
            number for number, instance in enumerate(graph.instances) if instance.event in reading.ends
        }
        numbers: dict[Node, int] = {(state, 0, 0, 0): place for place, state in enumerate(graph.starts)}
        self.nodes = list(numbers)
        self.edges: list[list[tuple[int, int]]] = []
        for node in self.nodes:  # grows
            row = []
            for label, after in graph.edges[node[0]]:
                for next_node in self._after(node, label, after):
                    if next_node not in numbers:
                        numbers[next_node] = len(self.nodes)
                        self.nodes.append(next_node)
                    row.append((label, numbers[next_node]))
            self.edges.append(row)

    def fair(self) -> list[int]:
        """Return the fair set of each node, as bit masks."""
        live = self.graph.live
        return [live[state] & self.automaton.fair[at][live[state]] for state, at, _, _ in self.nodes]

    def _after(self, node: Node, label: int, after: int) -> Iterator[Node]:
        state, at, going, over = node
        thread = self.graph.instances[label].thread
        mine = 1 << thread if thread >= 0 else 0
        steps = self.graph.steps[label] >= 0
        if steps or label in self._decides_live:
            if over & mine:
                return
            going &= ~mine
        elif label in self._decides_last:
            if going & mine:
                return
            over &= ~mine
        dead = self.graph.live[state] & ~self.graph.live[after]
        if dead & going:
            return
        over &= ~dead
        if not steps:
            yield after, at, going, over
            return
        live, last = self.automaton.steps[at][thread], self.automaton.ends[at][thread]
        if live == last:
            yield after, live, going, over
        else:
            if not dead & mine:
                yield after, live, going | mine, over
            yield after, last, going, over | mine & ~dead
