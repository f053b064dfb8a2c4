"""A graph that is to be drawn, and its drawing as SVG.

A node is a box with lines of text. An edge may have a label, and words that say more where somebody points at it. The
style of an edge says what it means in this graph, and the legend says it in words. Styles differ not only in colour.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from synth_checker.errors import LimitError
from synth_documents.graphs.layers import Arc
from synth_documents.graphs.places import MARGIN, Size, placement
from synth_documents.phrases import shortened, shown
from synth_documents.svg import LINE, SvgPicture, number, width_of, wrapped

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from synth_documents.graphs.places import Placement, Point

#: Nobody could read a larger drawing.
MOST_NODES = 400
#: The description tells each edge of a graph with so many edges at most.
_MOST_DESCRIBED = 60
#: The letters of a line of the title and of the legend at least, those of a line in a box at most, and the lines of the
#: title at most.
_LETTERS, _MOST_LINES = 72, 4
#: The space inside a box, the height of an edge from a node to itself, its width, and the length of an arrow's tip.
_INSIDE, _LOOP, _OUT, _TIP = 8, 18, 24, 7
#: The length of a sample in the legend, and how far a line between two boxes of a layer bends.
_SAMPLE, _BEND = 32, 24


class Node(NamedTuple):
    """A box. `name` stands for the node in DOT. A bold box is where to begin, and a double one is an end."""

    name: str
    lines: tuple[str, ...]
    bold: bool = False
    double: bool = False


class Edge(NamedTuple):
    """An edge between two nodes, given by their places in the list of nodes.

    `style` is empty or one of `STYLES`. An edge of the style `dashed` does not decide which node is above the other.
    """

    source: int
    target: int
    label: str = ""
    about: str = ""
    style: str = ""


@dataclass(frozen=True, slots=True)
class GraphDrawing:
    """A graph with a title, and a legend: the styles that it uses, each with what it means.

    Sources are above targets, or below them if `upward` is true. Without `arrows`, edges are plain lines. The notes
    stand below the drawing.
    """

    title: str
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    legend: tuple[tuple[str, str], ...] = ()
    upward: bool = False
    arrows: bool = True
    notes: tuple[str, ...] = ()


def _edge(light: str, dark: str, rule: str) -> tuple[str, str, str]:
    return f"fill: none; {rule}", f"stroke: {light}", f"stroke: {dark}"


_COLOURS = {
    "red": ("#cf222e", "#ff7b72", "stroke-width: 2.5"),
    "orange": ("#bc4c00", "#ffa657", "stroke-width: 2.5; stroke-dasharray: 8 3"),
    "blue": ("#0969da", "#79c0ff", "stroke-width: 2.5; stroke-dasharray: 2 3"),
    "green": ("#1a7f37", "#7ee787", "stroke-width: 2.5; stroke-dasharray: 16 2"),
    "dashed": ("#cf222e", "#ff7b72", "stroke-width: 1.2; stroke-dasharray: 5 4"),
    "plain": ("#59636e", "#9198a1", "stroke-width: 1.2"),
}
STYLES = tuple(_COLOURS)
_RULES = {
    "box": ("stroke-width: 1.2; rx: 4px", "fill: #f6f8fa; stroke: #59636e", "fill: #161b22; stroke: #9198a1"),
    "bold": ("stroke-width: 2.6", "", ""),
    "inner": ("fill: none; stroke-width: 1.2; rx: 2px", "stroke: #59636e", "stroke: #9198a1"),
    **{name: _edge(*colours) for name, colours in _COLOURS.items()},
    **{f"tip-{name}": ("", f"fill: {light}", f"fill: {dark}") for name, (light, dark, _) in _COLOURS.items()},
}


def svg_of(graph: GraphDrawing) -> str:
    """Return the drawing of a graph as SVG.

    Raises:
        LimitError: the graph has more than `MOST_NODES` nodes.
    """
    if len(graph.nodes) > MOST_NODES:
        raise LimitError(
            f"svg: found {len(graph.nodes):,} boxes to draw, expected at most {MOST_NODES}; "
            "synth lts --format dot writes any number for Graphviz"
        )
    graph = _shortened(graph)
    arcs = [_arc(edge, upward=graph.upward) for edge in graph.edges]
    at = placement(_sizes(graph), arcs, [Size(3, width_of(edge.label) + 6, LINE) for edge in graph.edges])
    letters = max(_LETTERS, int((at.width - 2 * MARGIN) / width_of("m")))
    title = wrapped(graph.title, letters, _MOST_LINES)
    below = [*_legend(graph, letters), *(("", line) for note in graph.notes for line in wrapped(note, letters, 6))]
    reaches = [*map(width_of, title), *(_indent(style) + width_of(words) for style, words in below)]
    width = max([at.width, *(reach + 2 * MARGIN for reach in reaches)])
    across, down = (width - at.width) // 2, MARGIN + LINE * len(title)
    picture = SvgPicture(graph.title, _description(graph), _RULES)
    for line, words in enumerate(title, 1):
        picture.text(MARGIN, MARGIN + LINE * line - 4, words, "ink strong")
    _draw(picture, graph, at, (across, down))
    bottom = down + at.height
    for line, (style, words) in enumerate(below, 1):
        y = bottom + LINE * line - 4
        if style in STYLES:
            picture.path(f"M{MARGIN} {number(y - 4)}h{_SAMPLE}", style)
        picture.text(MARGIN + _indent(style), y, words)
    return picture.written(width, bottom + LINE * len(below) + (MARGIN if below else 0))


def _shortened(graph: GraphDrawing) -> GraphDrawing:
    """Return a graph whose lines and labels are not too long for a drawing."""
    nodes = (
        node._replace(lines=tuple(shortened(shown(line), _LETTERS) for line in node.lines)) for node in graph.nodes
    )
    edges = (edge._replace(label=shortened(shown(edge.label), _LETTERS)) for edge in graph.edges)
    return replace(graph, nodes=tuple(nodes), edges=tuple(edges))


def _arc(edge: Edge, *, upward: bool) -> Arc:
    ends = (edge.target, edge.source) if upward else (edge.source, edge.target)
    return Arc(*ends, bool(edge.label), edge.style != "dashed")


def _loops(graph: GraphDrawing) -> dict[int, list[Edge]]:
    """Return the edges of each node that lead from it to itself."""
    by_source: dict[int, list[Edge]] = {}
    for edge in graph.edges:
        if edge.source == edge.target:
            by_source.setdefault(edge.source, []).append(edge)
    return by_source


def _sizes(graph: GraphDrawing) -> list[Size]:
    """Return the sizes of boxes, each with the room for edges from a node to itself at its right side."""
    loops, sizes = _loops(graph), []
    for at, node in enumerate(graph.nodes):
        half = float(round(max(map(width_of, node.lines)) / 2 + _INSIDE))
        own = loops.get(at, [])
        room = max((_OUT + width_of(edge.label) for edge in own), default=0)
        sizes.append(Size(half, half + room, max(LINE * len(node.lines) + _INSIDE, _LOOP * len(own))))
    return sizes


def _legend(graph: GraphDrawing, letters: int) -> Iterator[tuple[str, str]]:
    """Yield the lines of the legend, each with the style of which it has a sample. A longer line has no sample."""
    for style, meaning in graph.legend:
        first, *rest = wrapped(meaning, letters - 6, 3)
        yield style, first
        yield from (("more", line) for line in rest)


def _indent(style: str) -> float:
    return _SAMPLE + _INSIDE if style else 0


def _draw(picture: SvgPicture, graph: GraphDrawing, at: Placement, corner: Point) -> None:
    """Draw the edges, and the boxes over them."""
    across, down = corner
    middles = [(x + across, y + down) for x, y in at.middles]
    sizes, loops, drawn = _sizes(graph), _loops(graph), Counter[int]()
    for place, (edge, route) in enumerate(zip(graph.edges, at.routes, strict=True)):
        picture.group("edge", f"{edge.label}: {edge.about}" if edge.about else "")
        style = edge.style or "plain"
        if route:
            points = [(x + across, y + down) for x, y in (route[::-1] if graph.upward else route)]
            if graph.arrows:
                points[-1] = _tip(picture, points[-2], points[-1], style)
            picture.path(_path(points), style)
            if edge.label:
                x, y = at.labels[place]
                picture.text(x + across + 3, y + down + 4, edge.label)
        else:
            x, y = middles[edge.source]
            y += _LOOP * (drawn[edge.source] - (len(loops[edge.source]) - 1) / 2)
            drawn[edge.source] += 1
            x += sizes[edge.source].left
            _loop(picture, x, y, style)
            if edge.label:
                picture.text(x + _OUT, y + 4, edge.label)
        picture.end()
    for node, middle, size in zip(graph.nodes, middles, sizes, strict=True):
        _box(picture, node, middle, size)


def _box(picture: SvgPicture, node: Node, middle: Point, size: Size) -> None:
    x, y = middle
    left, top, width = x - size.left, y - size.height / 2, 2 * size.left
    picture.group("node")
    picture.rect(left, top, width, size.height, "box bold" if node.bold else "box")
    if node.double:
        picture.rect(left + 3, top + 3, width - 6, size.height - 6, "inner")
    first = y - LINE * len(node.lines) / 2
    for line, words in enumerate(node.lines, 1):
        picture.text(x, first + LINE * line - 4, words, "ink centred")
    picture.end()


def _path(points: Sequence[Point]) -> str:
    """Return a route as a path: straight down or up, and curves that begin and end upright in between."""
    (x, y), *rest = points
    steps = [f"M{number(x)} {number(y)}"]
    for to_x, to_y in rest:
        if to_x == x:
            steps.append(f"V{number(to_y)}")
        else:
            middles = (y - _BEND, to_y - _BEND) if to_y == y else ((y + to_y) / 2, (y + to_y) / 2)
            ends = zip((x, to_x, to_x), (*middles, to_y), strict=True)
            steps.append("C" + " ".join(f"{number(first)} {number(other)}" for first, other in ends))
        x, y = to_x, to_y
    return "".join(steps)


def _tip(picture: SvgPicture, before: Point, end: Point, style: str) -> Point:
    """Draw the tip of an arrow that comes upright, and return where the line ends that leads to it."""
    (_, from_y), (x, y) = before, end
    back = -_TIP if from_y < y else _TIP
    picture.path(f"M{number(x)} {number(y)}l-4 {back}h8z", f"tip-{style}")
    return x, y + back / 2


def _loop(picture: SvgPicture, side: float, y: float, style: str) -> None:
    picture.path(f"M{number(side + _TIP)} {number(y + 4)}l-{_TIP} 0l{_TIP} -4v8z", f"tip-{style}")
    picture.path(
        f"M{number(side)} {number(y - 4)}C{number(side + _OUT)} {number(y - 12)} {number(side + _OUT)} {number(y + 8)} "
        f"{number(side + _TIP / 2)} {number(y + 4)}",
        style,
    )


def _description(graph: GraphDrawing) -> str:
    """Return a graph in words, for those who do not see it."""
    meaning = dict(graph.legend)
    sentences = [f"{len(graph.nodes)} boxes and {len(graph.edges)} lines."]
    sentences += [f"{' '.join(node.lines)}." for node in graph.nodes[:_MOST_DESCRIBED]]
    for edge in graph.edges[:_MOST_DESCRIBED]:
        more = ", ".join(filter(None, (edge.label, edge.about, meaning.get(edge.style))))
        ends = " to ".join(graph.nodes[end].lines[0] for end in (edge.source, edge.target))
        sentences.append(f"{ends}{more and ': '}{more}.")
    return " ".join(sentences)
