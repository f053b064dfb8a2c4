"""The order of verdicts as a drawing: a box a class of verdicts, the fairer above, an edge where nothing lies between.

The text is DOT, see `synth.graphviz`. An edge that inclusion proves is a line; a dashed red one is open: no test of the
bounds refutes it, and it is not proven. Open edges are drawn between classes, each pair once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth.graphviz import label

if TYPE_CHECKING:
    from synth.lattice import Lattice


def write_dot(lattice: Lattice) -> str:
    """The order as DOT."""
    number = {name: k for k, names in enumerate(lattice.classes) for name in names}
    bounds = ",".join(map(str, lattice.bounds))
    title = f"upwards: fairer, by inclusion of fair sets with up to {lattice.threads} threads"
    opened = list(dict.fromkeys((number[one], number[other]) for one, other in lattice.open))
    searched = bounds if lattice.complete else f"the tests of {bounds} looked at"
    legend = [f"dashed: open up to {searched}"] if opened else []
    return "\n".join(
        [
            "digraph {",
            f"  graph [label={label(title, *legend)}, labelloc=b, rankdir=BT, fontname=monospace]",
            "  node [shape=box, fontname=monospace]",
            "  edge [arrowhead=none]",
            *(f"  v{k} [label={label(*names)}]" for k, names in enumerate(lattice.classes)),
            *(f"  v{number[one[0]]} -> v{number[other[0]]}" for one, other in lattice.edges),
            *(f"  v{one} -> v{other} [style=dashed, color=red, constraint=false]" for one, other in opened),
            "}",
            "",
        ]
    )
