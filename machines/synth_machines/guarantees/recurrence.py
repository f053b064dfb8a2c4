"""Fair runs that go on without end, in a finite graph whose edges have labels.

A run may also rest: nothing happens any more but the passing of time. So each node has a silent edge to itself, which
has no label. The labels that a run takes again and again, and the nodes that it visits again and again, form a
*recurrent set*: nodes that are strongly connected. A run through all of a recurrent set is fair if

- each weakly fair label that all of its nodes offer is on an edge inside it, and
- each strongly fair label that one of its nodes offers is on an edge inside it.

If the first does not hold of a set, it holds of no part. If the second does not hold, a part without the nodes that
offer such a label may do. So the search takes them out and goes on (Emerson and Lei, Science of Computer Programming 8,
1987, for Streett conditions).
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

from synth_checker.transitions.components import strongly_connected_sets

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    #: For each node, pairs of a label and the node after it.
    Edges = Sequence[Sequence[tuple[int, int]]]


@dataclass(frozen=True, slots=True)
class SchedulerLasso:
    """A run: the edges of `stem` once, and then those of `cycle` without end. An edge is a label and the node after it.

    `start` is the first node. In an empty cycle, the run rests.
    """

    start: int
    stem: tuple[tuple[int, int], ...]
    cycle: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class FairRuns:
    """The fair runs of a graph. `offered[n]`, `weak` and `strong` are sets of labels as bit masks."""

    edges: Edges
    offered: Sequence[int]
    weak: int
    strong: int

    def sets(self, nodes: Collection[int], avoided: int = 0) -> Iterator[set[int]]:
        """Yield recurrent sets among some nodes, whose runs are fair and take none of the labels in `avoided`.

        Each fair run inside the nodes is in one of the sets that are yielded, or there are none.
        """
        to_do: list[Collection[int]] = [nodes]
        while to_do:
            among = to_do.pop()

            def successors(node: int, among: Collection[int] = among) -> Iterable[int]:
                return (after for label, after in self.edges[node] if after in among and not avoided >> label & 1)

            for component in strongly_connected_sets(among, successors):
                always, sometimes, taken = -1, 0, 0
                for node in component:
                    always &= self.offered[node]
                    sometimes |= self.offered[node]
                    for label, after in self.edges[node]:
                        if after in component:
                            taken |= 1 << label
                taken &= ~avoided
                if always & self.weak & ~taken:
                    continue
                missed = sometimes & self.strong & ~taken
                if not missed:
                    yield component
                elif kept := {node for node in component if not self.offered[node] & missed}:
                    to_do.append(kept)

    def lasso(self, starts: Iterable[int], recurrent: Collection[int], avoided: int = 0) -> SchedulerLasso:
        """Return a short run that leads from a start to a fair recurrent set, and goes round in it."""
        start, stem = self._way(starts, recurrent.__contains__)
        node = home = stem[-1][1] if stem else start
        always = sometimes = self.offered[node]
        cycle: list[tuple[int, int]] = []
        taken = 0

        def inside(node: int) -> list[tuple[int, int]]:
            return [edge for edge in self.edges[node] if edge[1] in recurrent and not avoided >> edge[0] & 1]

        def go(way: Iterable[tuple[int, int]]) -> None:
            nonlocal node, always, sometimes, taken
            for label, after in way:
                cycle.append((label, after))
                node, taken = after, taken | 1 << label
                always &= self.offered[after]
                sometimes |= self.offered[after]

        while True:
            missed = (always & self.weak | sometimes & self.strong) & ~taken
            if not missed:
                if node == home:
                    return SchedulerLasso(start, tuple(stem), tuple(cycle))
                go(self._way([node], home.__eq__, inside)[1])
                continue
            label = (missed & -missed).bit_length() - 1
            may_skip = not sometimes & self.strong & ~taken & 1 << label

            def meets(node: int, label: int = label, *, may_skip: bool = may_skip) -> bool:
                return any(edge[0] == label for edge in inside(node)) or (
                    may_skip and not self.offered[node] >> label & 1
                )

            go(self._way([node], meets, inside)[1])
            if self.offered[node] >> label & 1:
                go([next(edge for edge in inside(node) if edge[0] == label)])

    def _way(
        self,
        starts: Iterable[int],
        is_goal: Callable[[int], bool],
        edges: Callable[[int], Iterable[tuple[int, int]]] | None = None,
    ) -> tuple[int, list[tuple[int, int]]]:
        """Return the fewest edges that lead from one of some nodes to a goal, and this node."""
        came: dict[int, tuple[int, tuple[int, int]] | None] = dict.fromkeys(starts)
        to_do = deque(came)
        while not is_goal(node := to_do.popleft()):
            for edge in self.edges[node] if edges is None else edges(node):
                if edge[1] not in came:
                    came[edge[1]] = (node, edge)
                    to_do.append(edge[1])
        way = []
        while (step := came[node]) is not None:
            node, edge = step
            way.append(edge)
        return node, way[::-1]


def offered_labels(edges: Edges) -> list[int]:
    """Return the labels that each node offers, as bit masks."""
    masks = []
    for row in edges:
        mask = 0
        for label, _ in row:
            mask |= 1 << label
        masks.append(mask)
    return masks
