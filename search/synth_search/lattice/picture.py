"""Draw the order of verdicts: a box for each class of verdicts, the fairer class above the less fair one.

An edge joins two classes if no other class lies between them. A plain edge is proven by the inclusion of fair sets. A
dashed red edge is open: no test of the bounds refutes it, and nothing proves it. Two classes have at most one open
edge.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_documents.graphs.graph import Edge, GraphDrawing, Node
from synth_documents.phrases import count

if TYPE_CHECKING:
    from synth_search.lattice import Lattice


def graph_of(lattice: Lattice) -> GraphDrawing:
    """Return the order of verdicts as a graph that can be drawn."""
    number = {name: k for k, names in enumerate(lattice.classes) for name in names}
    bounds = ",".join(map(str, lattice.bounds))
    opened = list(dict.fromkeys((number[name], number[other]) for name, other in lattice.open))
    searched = f"a test of {bounds}" if lattice.complete else f"a test of {bounds} that was found"
    threads = f"up to {count(lattice.threads, 'thread')}" if lattice.unsettled else "any number of threads"
    others = "" if opened else f"; {searched} refutes each other pair"
    return GraphDrawing(
        f"upwards: fairer, by inclusion of fair sets with {threads}{others}",
        tuple(Node(f"v{k}", names) for k, names in enumerate(lattice.classes)),
        (
            *(Edge(number[class_[0]], number[other[0]]) for class_, other in lattice.edges),
            *(Edge(place, other, style="dashed") for place, other in opened),
        ),
        (("dashed", f"neither proven, nor refuted by {searched}"),) if opened else (),
        upward=True,
        arrows=False,
    )
