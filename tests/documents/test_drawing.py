"""Drawings of graphs: nothing overlaps, nothing is cut off, few edges cross, and any text stays text."""

import itertools
import re
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from names_of_others import HOSTILE
from synth_checker.errors import LimitError
from synth_documents.graphs.dot import dot_of
from synth_documents.graphs.graph import (
    MOST_NODES,
    STYLES,
    Edge,
    GraphDrawing,
    Node,
    svg_of,
)
from synth_documents.graphs.layers import Arc, crossings, layers_of
from synth_documents.graphs.places import Size, nearest_rising, placement

SVG = "{http://www.w3.org/2000/svg}"
LABEL = Size(3, 25, 16)


@st.composite
def graphs(draw):
    """Nodes with sizes, and edges of any kind between them, also several between the same two."""
    sizes = draw(
        st.lists(
            st.builds(lambda half, height: Size(half, half, height), st.integers(5, 90), st.integers(20, 70)),
            min_size=1,
            max_size=9,
        )
    )
    ends = st.integers(0, len(sizes) - 1)
    arcs = draw(st.lists(st.builds(Arc, ends, ends, st.booleans(), st.sampled_from([True, True, False])), max_size=14))
    return sizes, arcs


def boxes_of(sizes, made):
    return [
        (x - size.left, y - size.height / 2, x + size.right, y + size.height / 2)
        for size, (x, y) in zip(sizes, made.middles, strict=True)
    ]


def on_route(route):
    """Some points of a route as `synth_documents.graphs.graph` draws it: one that goes sideways bends upward."""
    for (x, y), (to_x, to_y) in itertools.pairwise(route):
        bend = (y - 24, to_y - 24) if y == to_y else ((y + to_y) / 2,) * 2
        for part in range(21):
            t = part / 20
            yield (
                (x * (1 - t) ** 2 * (1 + 2 * t) + to_x * t**2 * (3 - 2 * t)),
                y * (1 - t) ** 3 + 3 * bend[0] * t * (1 - t) ** 2 + 3 * bend[1] * t**2 * (1 - t) + to_y * t**3,
            )


@given(graphs())
def test_boxes_and_labels_do_not_overlap_and_edges_run_around_boxes(graph):
    sizes, arcs = graph
    made = placement(sizes, arcs, [LABEL] * len(arcs))
    boxes = boxes_of(sizes, made)
    labels = [
        (x - LABEL.left, y - LABEL.height / 2, x + LABEL.right, y + LABEL.height / 2) for x, y in made.labels.values()
    ]
    for box, other in itertools.combinations([*boxes, *labels], 2):
        assert box[2] < other[0] or other[2] < box[0] or box[3] < other[1] or other[3] < box[1]
    for left, top, right, bottom in [*boxes, *labels]:
        assert 0 < left < right < made.width
        assert 0 < top < bottom < made.height
    for arc, route in zip(arcs, made.routes, strict=True):
        assert bool(route) == (arc.source != arc.target)
        for x, y in on_route(route):
            assert not any(left < x < right and top < y < bottom for left, top, right, bottom in boxes)
            assert 0 <= x <= made.width
            assert 0 <= y <= made.height
        for end, (x, y) in zip((arc.source, arc.target), (route[0], route[-1]) if route else (), strict=False):
            left, top, right, bottom = boxes[end]
            assert left <= x <= right
            assert y in {top, bottom}


@given(graphs())
def test_edges_join_layers_downward_and_each_item_has_one_place(graph):
    sizes, arcs = graph
    made = layers_of(len(sizes), arcs)
    level = {item: at for at, layer in enumerate(made.order) for item in layer}
    assert sorted(level) == list(range(len(level)))
    assert sum(map(len, made.order)) == len(level)
    for arc, chain, upward in zip(arcs, made.chains, made.upward, strict=True):
        assert [level[item] - level[chain[0]] for item in chain] == list(range(len(chain)))
        if chain:
            assert (chain[0], chain[-1]) == ((arc.target, arc.source) if upward else (arc.source, arc.target))
        elif arc.ranking:
            assert arc.source == arc.target


@given(graphs())
def test_crossings_are_counted_as_by_looking_at_all_pairs_of_edges(graph):
    sizes, arcs = graph
    made = layers_of(len(sizes), arcs)
    place = {item: at for layer in made.order for at, item in enumerate(layer)}
    level = {item: at for at, layer in enumerate(made.order) for item in layer}
    steps = [step for chain in made.chains for step in itertools.pairwise(chain)]
    assert crossings(made) == sum(
        (place[a] - place[c]) * (place[b] - place[d]) < 0
        for (a, b), (c, d) in itertools.combinations(steps, 2)
        if level[a] == level[c]
    )


def test_edges_that_need_not_cross_do_not():
    cube = [Arc(corner, corner | 1 << bit) for corner in range(8) for bit in range(3) if not corner >> bit & 1]
    assert crossings(layers_of(8, cube)) <= 4
    crossed = [Arc(0, 5), Arc(1, 4), Arc(2, 3)]
    assert crossings(layers_of(6, crossed)) == 0


@pytest.mark.full
@given(st.lists(st.tuples(st.integers(-50, 50), st.integers(1, 9)), min_size=1, max_size=12))
def test_places_in_rising_order_are_those_of_scipy(wanted):
    from scipy.optimize import isotonic_regression

    values, weights = zip(*wanted, strict=True)
    assert nearest_rising(values, weights) == pytest.approx(isotonic_regression(values, weights=weights).x)


def drawn(name):
    nodes = (Node("a", (name, "0"), bold=True), Node("b", ("B",), double=True))
    edges = (Edge(0, 1, name, name, "red"), Edge(1, 1, "T0"), Edge(1, 0, "T1", style="blue"))
    return GraphDrawing(name, nodes, edges, (("red", name),), notes=(name,))


@pytest.mark.parametrize("name", HOSTILE, ids=lambda name: name[:8].encode("unicode_escape").decode())
def test_any_name_is_text(name):
    text = svg_of(drawn(name))
    assert text == svg_of(drawn(name))
    picture = ET.fromstring(text)  # noqa: S314  (our own)
    assert {element.tag.removeprefix(SVG) for element in picture.iter()} == {
        "svg",
        "title",
        "desc",
        "style",
        "rect",
        "path",
        "g",
        "text",
    }
    assert {name for element in picture.iter() for name in element.attrib} <= {
        "class",
        "role",
        "width",
        "height",
        "viewBox",
        "x",
        "y",
        "rx",
        "d",
        "{http://www.w3.org/XML/1998/namespace}space",
    }
    assert "<!--" not in text
    assert "\u202e" not in text
    assert len(text) < 40_000
    assert float(picture.get("width")) < 2000
    assert dot_of(drawn(name)).count("\n") == 10


def test_a_picture_has_a_title_and_says_what_it_shows():
    picture = ET.fromstring(svg_of(drawn("name")))  # noqa: S314  (our own)
    assert [child.tag.removeprefix(SVG) for child in picture][:2] == ["title", "desc"]
    assert picture.get("role") == "img"
    assert picture[0].text == "name"
    assert picture[1].text == (
        "2 boxes and 3 lines. name 0. B. name to B: name, name, name. B to B: T0. B to name: T1."
    )


def test_a_style_looks_different_on_dark_pages_and_not_only_by_its_colour():
    text = svg_of(drawn("name"))
    light, dark = text.split("@media (prefers-color-scheme: dark)")
    rules = {style: re.findall(rf"\.{style} {{fill: none; (.*?)}}", light)[0] for style in STYLES}
    assert len({re.sub("stroke: #.*", "", rule) for rule in rules.values()}) == len(STYLES)
    for style in STYLES:
        assert re.findall(rf"\.{style} {{(stroke: .*?)}}", dark)[0] not in rules[style]


def test_too_many_boxes_are_refused_with_a_way_out():
    nodes = tuple(Node(f"n{k}", ("x",)) for k in range(MOST_NODES + 1))
    with pytest.raises(LimitError, match="--format dot"):
        svg_of(GraphDrawing("many", nodes, ()))
    assert svg_of(GraphDrawing("many", nodes[:-1], ())).count('class="node"') == MOST_NODES
