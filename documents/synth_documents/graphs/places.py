"""Place the layers of a graph on a sheet, and find the routes of its edges.

This is the fourth step of Sugiyama, Tagawa and Toda. Each item of a layer wants to be at the mean place of its
neighbours in the layers above and below. Bends want it more than nodes do, so that long edges become straight (the
weights are those of Gansner et al., *A Technique for Drawing Directed Graphs*, 1993). The items of a layer keep their
order and their distances, so their places are the solution of an *isotonic regression*: the numbers in rising order
that are nearest to the wanted ones. `rising` finds it by pooling neighbours that violate the order.

A route goes straight through the layers that it passes, and bends only between layers. So no edge runs through a box.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import fsum
from typing import TYPE_CHECKING, NamedTuple

from synth_documents.graphs.layers import Layers, layers_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from synth_documents.graphs.layers import Arc

#: Distances in pixels: between two items of a layer, between two layers at least and at most, and around all.
_BESIDE, _BELOW, _MOST_BELOW, MARGIN = 14, 20, 64, 14
#: For each pixel between two layers, an edge may go so many pixels sideways before the layers move apart.
_SLANT = 5
_ROUNDS = 24
#: An edge meets a box within this part of its width.
_CORNER = 0.75
#: How much an item wants to be near a neighbour, by the number of bends among the two.
_PULLS = (1.0, 2.0, 8.0)

Point = tuple[float, float]


class Size(NamedTuple):
    """How far a box reaches to the left and to the right of its middle, and its height."""

    left: float
    right: float
    height: float


@dataclass(frozen=True, slots=True)
class Placed:
    """The places of a graph: the size of the sheet, the middle of each node, and of each edge its route and label.

    A route leads from the source of an edge to its target. It is straight between two points with the same x. Between
    two others, it is a curve that begins and ends upright. An edge from a node to itself has no route.
    """

    width: float
    height: float
    middles: list[Point]
    routes: list[list[Point]]
    labels: dict[int, Point]


def placed(sizes: Sequence[Size], arcs: Sequence[Arc], labels: Sequence[Size]) -> Placed:
    """Return the places of a graph, given the sizes of its nodes and of the labels of its edges."""
    layers = layers_of(len(sizes), arcs)
    bends = 1 + max((item for layer in layers.order for item in layer), default=-1) - len(sizes)
    boxes = [*sizes, *(Size(0, 0, 0) for _ in range(bends))]
    for number, item in layers.label_at.items():
        boxes[item] = labels[number]
    x = _across(layers, boxes)
    sideways = any(not chain and arc.source != arc.target for chain, arc in zip(layers.chains, arcs, strict=True))
    tops, bottoms = _down(layers, boxes, x, sideways=sideways)
    height = (bottoms[-1] if bottoms else 0.0) + MARGIN
    width = max((x[item] + box.right for item, box in enumerate(boxes)), default=0.0) + MARGIN
    level = {item: at for at, layer in enumerate(layers.order) for item in layer}
    y = [(tops[level[item]] + bottoms[level[item]]) / 2 for item in range(len(boxes))]
    ports = _ports(layers, sizes, x)
    routes = []
    for number, arc in enumerate(arcs):
        route: list[Point] = []
        if not layers.chains[number] and arc.source != arc.target:
            (x0, y0), (x1, y1) = ((x[end], y[end] - sizes[end].height / 2) for end in (arc.source, arc.target))
            top = tops[level[arc.source]]
            route = [(x0, y0), (x0, top), (x1, top), (x1, y1)]
        for at, item in enumerate(layers.chains[number]):
            across = x[item] + ports.get((number, item), 0.0)
            top, bottom = tops[level[item]], bottoms[level[item]]
            if at == 0:
                top = y[item] + sizes[item].height / 2
            elif at == len(layers.chains[number]) - 1:
                bottom = y[item] - sizes[item].height / 2
            route += [(across, top), (across, bottom)]
        route = [point for point, before in zip(route, [None, *route], strict=False) if point != before]
        routes.append(route[::-1] if layers.upward[number] else route)
    at_labels = {number: (x[item], y[item]) for number, item in layers.label_at.items()}
    return Placed(width, height, [(x[node], y[node]) for node in range(len(sizes))], routes, at_labels)


def _across(layers: Layers, boxes: Sequence[Size]) -> list[float]:
    """Return the x of each item."""
    above, below = layers.neighbours()
    x = [0.0] * len(boxes)
    apart = []
    for layer in layers.order:
        gaps = [0.0]
        for first, other in pairwise(layer):
            gaps.append(gaps[-1] + boxes[first].right + _BESIDE + boxes[other].left)
        apart.append(gaps)
        for item, gap in zip(layer, gaps, strict=True):
            x[item] = gap - gaps[-1] / 2
    rounds = list(zip(layers.order, apart, strict=True))
    for number in range(_ROUNDS):
        for layer, gaps in rounds if number % 2 == 0 else rounds[::-1]:
            wanted, pulls = [], []
            for item, gap in zip(layer, gaps, strict=True):
                near = [*above[item], *below[item]]
                weights = [_PULLS[(item >= layers.nodes) + (neighbour >= layers.nodes)] for neighbour in near]
                pulls.append(fsum(weights) or 1.0)
                mean = (
                    fsum(w * x[neighbour] for w, neighbour in zip(weights, near, strict=True)) / pulls[-1]
                    if near
                    else x[item]
                )
                wanted.append(mean - gap)
            for item, gap, place in zip(layer, gaps, rising(wanted, pulls), strict=True):
                x[item] = place + gap
    left = min((x[item] - box.left for item, box in enumerate(boxes)), default=0.0)
    return [float(round(place - left + MARGIN)) for place in x]


def rising(wanted: Sequence[float], weights: Sequence[float]) -> list[float]:
    """Return the numbers in rising order that are nearest to the wanted ones, by the sum of weighted squares."""
    pools: list[tuple[float, float, int]] = []  # the mean of some neighbours, their weight, and how many they are
    for value, weight in zip(wanted, weights, strict=True):
        mean, total, many = value, weight, 1
        while pools and pools[-1][0] > mean:
            other, its, more = pools.pop()
            mean = (other * its + mean * total) / (its + total)
            total, many = its + total, more + many
        pools.append((mean, total, many))
    return [mean for mean, _, many in pools for _ in range(many)]


def _down(
    layers: Layers, boxes: Sequence[Size], x: Sequence[float], *, sideways: bool
) -> tuple[list[float], list[float]]:
    """Return the top and the bottom of each layer. Layers are farther apart where edges go far sideways."""
    _, below = layers.neighbours()
    tops: list[float] = []
    bottoms: list[float] = []
    y = float(MARGIN + (_BELOW if sideways else 0))
    for layer in layers.order:
        tops.append(y)
        bottoms.append(y + max(boxes[item].height for item in layer))
        farthest = max((abs(x[item] - x[other]) for item in layer for other in below[item]), default=0.0)
        y = bottoms[-1] + min(_MOST_BELOW, max(_BELOW, round(farthest / _SLANT)))
    return tops, bottoms


def _ports(layers: Layers, sizes: Sequence[Size], x: Sequence[float]) -> dict[tuple[int, int], float]:
    """Return for each edge and each of its nodes where it meets the node, from the middle of the node.

    The edges at one side of a node meet it at places of their own, in the order in which they come. A single edge meets
    it where it comes straight down.
    """
    sides: dict[tuple[int, bool], list[tuple[float, int]]] = {}
    for number, chain in enumerate(layers.chains):
        if chain:
            sides.setdefault((chain[0], True), []).append((x[chain[1]], number))
            sides.setdefault((chain[-1], False), []).append((x[chain[-2]], number))
    found = {}
    for (node, _), edges in sides.items():
        half = sizes[node].left
        for at, (comes, number) in enumerate(sorted(edges), 1):
            if len(edges) == 1:
                found[number, node] = max(-half * _CORNER, min(half * _CORNER, comes - x[node]))
            else:
                found[number, node] = float(round(half * (2 * at / (len(edges) + 1) - 1)))
    return found
