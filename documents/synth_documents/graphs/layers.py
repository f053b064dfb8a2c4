"""Put the nodes of a graph into layers, and order each layer so that few edges cross.

These are the first three steps of Sugiyama, Tagawa and Toda:

1. Edges that close a cycle are reversed. A depth-first search finds them.
2. Each node comes into the layer after the last of its predecessors. An edge that passes layers gets a *bend* in each
   of them, so that all edges join neighbouring layers. If an edge has a label, then one of its bends has the label.
3. Sweeps down and up put each node at the mean place of its neighbours in the layer before. After each sweep, two
   neighbours change places if fewer edges cross then. The best order of all sweeps remains.

The same graph always gives the same layers. Edges from a node to itself have no part in this.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from dataclasses import dataclass, field
from itertools import pairwise
from math import fsum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

#: After so many sweeps without a better order, the search ends.
_PATIENCE = 4
_MOST_SWEEPS = 24


class Arc(NamedTuple):
    """An edge between two nodes, given by their numbers.

    An edge with a label passes a layer that has the label. An edge that is not `ranking` may lead up, down or sideways,
    and does not decide in which layers its nodes are.
    """

    source: int
    target: int
    labelled: bool = False
    ranking: bool = True


@dataclass(slots=True)
class Layers:
    """The layers of a graph, from the top to the bottom.

    `order` has the items of each layer from the left to the right. An item is a node or a bend: nodes have the numbers
    that they have in the graph, and bends have higher ones. `chains` has for each edge the items from its upper to its
    lower end; it is empty for an edge within a layer. `upward` says of each edge whether it leads up. `label_at` tells
    for each edge with a label which item has it.
    """

    nodes: int
    order: list[list[int]] = field(default_factory=list)
    chains: list[list[int]] = field(default_factory=list)
    upward: list[bool] = field(default_factory=list)
    label_at: dict[int, int] = field(default_factory=dict)

    def neighbours(self) -> tuple[dict[int, list[int]], dict[int, list[int]]]:
        """Return for each item those in the layer above it, and those in the layer below it, to which edges lead."""
        above: dict[int, list[int]] = {item: [] for layer in self.order for item in layer}
        below: dict[int, list[int]] = {item: [] for layer in self.order for item in layer}
        for chain in self.chains:
            for first, other in pairwise(chain):
                below[first].append(other)
                above[other].append(first)
        return above, below


def layers_of(nodes: int, arcs: Sequence[Arc]) -> Layers:
    """Return the layers of a graph with few crossing edges. The nodes have the numbers from 0 to `nodes - 1`."""
    made = Layers(nodes)
    level = _levels(nodes, arcs)
    made.order = [[] for _ in range(max(level, default=-1) + 1)]
    for node, at in enumerate(level):
        made.order[at].append(node)
    bends = nodes
    for number, (source, target, labelled, _) in enumerate(arcs):
        upward = level[source] > level[target]
        top, bottom = (target, source) if upward else (source, target)
        chain = []
        if level[top] < level[bottom]:
            between = range(bends, bends + level[bottom] - level[top] - 1)
            bends = between.stop
            for bend, layer in zip(between, range(level[top] + 1, level[bottom]), strict=True):
                made.order[layer].append(bend)
            chain = [top, *between, bottom]
            if labelled:
                made.label_at[number] = chain[-2 if upward else 1]
        made.chains.append(chain)
        made.upward.append(upward)
    _reorder(made)
    return made


def _levels(nodes: int, arcs: Sequence[Arc]) -> list[int]:
    """Return the layer of each node. With labels, all nodes are in even layers, and odd ones have room for labels."""
    step = 2 if any(arc.labelled for arc in arcs) else 1
    after = _without_circles(nodes, arcs)
    waiting = [0] * nodes
    for targets in after:
        for target in targets:
            waiting[target] += 1
    first = [node for node in range(nodes) if not waiting[node]]
    level, ready = [0] * nodes, list(first)
    for node in ready:  # grows meanwhile
        for target in after[node]:
            level[target] = max(level[target], level[node] + step)
            waiting[target] -= 1
            if not waiting[target]:
                ready.append(target)
    for node in first:  # a node without predecessors comes just above its successors
        if after[node]:
            level[node] = min(level[target] for target in after[node]) - step
    return level


def _without_circles(nodes: int, arcs: Sequence[Arc]) -> list[list[int]]:
    """Return the successors of each node, with each edge turned round that closes a circle of a depth-first search."""
    after: list[list[int]] = [[] for _ in range(nodes)]
    for source, target, _, ranking in arcs:
        if ranking and source != target:
            after[source].append(target)
    kept: list[list[int]] = [[] for _ in range(nodes)]
    seen, on_path = [False] * nodes, [False] * nodes
    for root in range(nodes):
        if seen[root]:
            continue
        seen[root] = on_path[root] = True
        path = [(root, iter(after[root]))]
        while path:
            node, rest = path[-1]
            to = next(rest, None)
            if to is None:
                on_path[node] = False
                path.pop()
            elif on_path[to]:
                kept[to].append(node)
            else:
                kept[node].append(to)
                if not seen[to]:
                    seen[to] = on_path[to] = True
                    path.append((to, iter(after[to])))
    return kept


def _reorder(made: Layers) -> None:
    """Find an order of each layer with few crossings."""
    above, below = made.neighbours()
    best, fewest, patience = [list(layer) for layer in made.order], crossings(made), _PATIENCE
    for sweep in range(_MOST_SWEEPS):
        if not fewest or not patience:
            break
        downward = sweep % 2 == 0
        layers = made.order if downward else made.order[::-1]
        fixed = above if downward else below
        for before, layer in pairwise(layers):
            place = {item: at for at, item in enumerate(before)}
            own = {item: float(at) for at, item in enumerate(layer)}
            for item in layer:
                if fixed[item]:
                    own[item] = fsum(place[neighbour] for neighbour in fixed[item]) / len(fixed[item])
            layer.sort(key=own.__getitem__)
        _swap(made, above, below)
        found = crossings(made)
        patience -= 1
        if found < fewest:
            best, fewest, patience = [list(layer) for layer in made.order], found, _PATIENCE
    made.order = best


def _swap(made: Layers, above: dict[int, list[int]], below: dict[int, list[int]]) -> None:
    """Let two neighbours change places where that leaves fewer crossings, at most once for each place of a layer."""
    place = {item: at for layer in made.order for at, item in enumerate(layer)}
    for layer in made.order:
        for at in range(len(layer) - 1):
            left, right = layer[at], layer[at + 1]
            gain = 0
            for side in (above, below):
                lefts, rights = (
                    [place[neighbour] for neighbour in side[left]],
                    [place[neighbour] for neighbour in side[right]],
                )
                gain += sum((left_place > other) - (left_place < other) for left_place in lefts for other in rights)
            if gain > 0:
                layer[at], layer[at + 1] = right, left
                place[left], place[right] = at + 1, at


def crossings(made: Layers) -> int:
    """Return how many pairs of edges cross, as inversions: those of the lower ends, sorted by the upper ends."""
    _, below = made.neighbours()
    crossed = 0
    for layer, lower in pairwise(made.order):
        place = {item: at for at, item in enumerate(lower)}
        ends: list[int] = []
        for item in layer:
            mine = [place[neighbour] for neighbour in below[item]]
            crossed += sum(len(ends) - bisect_right(ends, end) for end in mine)
            for end in mine:
                insort(ends, end)
    return crossed
