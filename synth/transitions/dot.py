r"""Draw transition systems like Figures 2(b) and 6 of the paper: a box for each state, an edge for each step.

An edge is labelled by its thread. The text is DOT (https://graphviz.org/doc/info/lang.html), from which Graphviz's
program `dot` makes a drawing. A fair set stands in the box of its state, and not on the edges as in Figure 6, because
all edges from a state have the same. A label escapes `"`, `\` and `&`, and escapes unprintable characters in the same
way as Python's `repr`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth.graphviz import draw_svg, label
from synth.phrases import written_set

if TYPE_CHECKING:
    from synth.transitions import Lts, Transition
    from synth_checker.transitions.transition_system import AnyState

_COLOURS = {
    "red": "red: may go on for ever",
    "orange": "orange: may go on for ever under the weak form, but not under the strong form",
    "blue": "blue: cannot go on for ever",
}


def write_dot(lts: Lts[AnyState]) -> str:
    """Return the drawing of a transition system as text in DOT."""
    colours = [_colour(lts, transition) for transition in lts.transitions]
    legend = [text for colour, text in _COLOURS.items() if colour in colours]
    lines = [
        "digraph {",
        f"  graph [label={label(lts.title, *legend)}, labelloc=b, fontname=monospace]",
        "  node [shape=box, fontname=monospace]",
        "  edge [fontname=monospace]",
    ]
    lines += [
        f"  s{number} [label={label(*_box(lts, number))}{_border(lts, number)}]"
        for number in range(len(lts.product.states))
    ]
    for transition, colour in zip(lts.transitions, colours, strict=True):
        source, thread, target = transition[:3]
        step = lts.system.told(lts.product.states[source].system, thread)
        painted = f", color={colour}, fontcolor={colour}, penwidth=2" if colour else ""
        lines.append(f"  s{source} -> s{target} [label={label(f'T{thread}')}, tooltip={label(step)}{painted}]")
    return "\n".join([*lines, "}", ""])


def write_svg(lts: Lts[AnyState]) -> str:
    """Return the drawing of a transition system as SVG.

    Raises:
        ResourceError: the program `dot` is missing, or it fails.
    """
    return draw_svg(write_dot(lts))


def _colour(lts: Lts[AnyState], transition: Transition) -> str:
    if not transition.on_cycle:
        return ""
    if not transition.for_ever:
        return "blue"
    return "red" if transition.for_ever == lts.forms else "orange"


def _box(lts: Lts[AnyState], number: int) -> list[str]:
    """Return the lines in the box of a state: its letters, the text of the system, and with a model the fair set."""
    lines = [_letters(number), *lts.system.lines(lts.product.states[number].system)]
    return lines if lts.model is None else [*lines, f"F {written_set(lts.product.fair[number])}"]


def _border(lts: Lts[AnyState], number: int) -> str:
    """Return the border of a box: bold for the start, double for a state in which all threads have ended."""
    start = ", penwidth=2" if number == 0 else ""
    return start if lts.product.successors[number] else f"{start}, peripheries=2"


def _letters(number: int) -> str:
    """Return the letters that name a state: A, B, ... Z, AA, AB, and so on."""
    letters = ""
    while number >= 0:
        number, letter = divmod(number, 26)
        letters = chr(ord("A") + letter) + letters
        number -= 1
    return letters
