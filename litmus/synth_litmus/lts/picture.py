"""Draw transition systems like Figures 2(b) and 6 of the paper: a box for each state, an edge for each step.

An edge is labelled by its thread. A fair set stands in the box of its state, and not on the edges as in Figure 6,
because all edges from a state have the same. The box of the start is bold. That of a state in which all threads have
ended is double.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_documents.graphs.graph import Edge, GraphDrawing, Node
from synth_documents.phrases import written_set

if TYPE_CHECKING:
    from synth_checker.transitions.transition_system import AnyState
    from synth_litmus.lts import Lts, LtsTransition

_MEANINGS = {
    "red": "may go on without end",
    "orange": "may go on without end under the weak form, but not under the strong form",
    "blue": "cannot go on without end",
}


def graph_of(lts: Lts[AnyState]) -> GraphDrawing:
    """Return a transition system as a graph that can be drawn."""
    edges = tuple(_edge(lts, transition) for transition in lts.transitions)
    used = {edge.style for edge in edges}
    return GraphDrawing(
        lts.title,
        tuple(_box(lts, number) for number in range(len(lts.product.states))),
        edges,
        tuple((style, meaning) for style, meaning in _MEANINGS.items() if style in used),
    )


def _edge(lts: Lts[AnyState], transition: LtsTransition) -> Edge:
    source, thread, target = transition[:3]
    step = lts.system.told(lts.product.states[source].system, thread)
    return Edge(source, target, f"T{thread}", step, _colour(lts, transition))


def _colour(lts: Lts[AnyState], transition: LtsTransition) -> str:
    if not transition.on_cycle:
        return ""
    if not transition.for_ever:
        return "blue"
    return "red" if transition.for_ever == lts.forms else "orange"


def _box(lts: Lts[AnyState], number: int) -> Node:
    """Return the box of a state: its letters, the text of the system, and with a model the fair set."""
    lines = [letters(number), *lts.system.lines(lts.product.states[number].system)]
    if lts.model is not None:
        lines.append(f"F {written_set(lts.product.fair[number])}")
    return Node(f"s{number}", tuple(lines), bold=number == 0, double=not lts.product.successors[number])


def letters(number: int) -> str:
    """Return the letters that name a state: A, B, ... Z, AA, AB, and so on."""
    name = ""
    while number >= 0:
        number, letter = divmod(number, 26)
        name = chr(ord("A") + letter) + name
        number -= 1
    return name
