"""Draw the order of verdicts: a box for each class of verdicts, the fairer class above the less fair one.

An edge joins two classes if no other class lies between them. The text is DOT, see `synth.graphviz`. A solid edge is
proven by the inclusion of fair sets. A dashed red edge is open: no test of the bounds refutes it, and nothing proves
it. Two classes have at most one open edge.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth.graphviz import label

if TYPE_CHECKING:
    from synth.lattice import Lattice


def write_dot(lattice: Lattice) -> str:
    """Return a drawing of the order of verdicts in DOT."""
    number = {name: k for k, names in enumerate(lattice.classes) for name in names}
    bounds = ",".join(map(str, lattice.bounds))
    title = f"upwards: fairer, by inclusion of fair sets with up to {lattice.threads} threads"
    opened = list(dict.fromkeys((number[one], number[other]) for one, other in lattice.open))
    searched = f"a test of {bounds}" if lattice.complete else f"a test of {bounds} that was found"
    legend = [f"dashed: neither proven, nor refuted by {searched}"] if opened else []
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
