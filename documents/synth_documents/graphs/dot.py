r"""Write a graph in the language of Graphviz, DOT (https://graphviz.org/doc/info/lang.html).

A label escapes `"`, `\` and `&`, and escapes unprintable characters in the same way as Python's `repr`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from synth_documents.graphs.graph import Edge, GraphDrawing, Node


def dot_of(graph: GraphDrawing) -> str:
    """Return a graph as text in DOT."""
    legend = [f"{style}: {meaning}" for style, meaning in graph.legend]
    upward = ", rankdir=BT" if graph.upward else ""
    return "\n".join(
        [
            "digraph {",
            f"  graph [label={label(graph.title, *legend)}, labelloc=b{upward}, fontname=monospace]",
            "  node [shape=box, fontname=monospace]",
            f"  edge [{'fontname=monospace' if graph.arrows else 'arrowhead=none'}]",
            *(f"  {node.name} [{', '.join(_box(node))}]" for node in graph.nodes),
            *(_line(graph.nodes, edge) for edge in graph.edges),
            "}",
            "",
        ]
    )


def label(*lines: str) -> str:
    """Return lines of text as one quoted label in DOT, with a line break between two lines."""
    printable = ("".join(c if c.isprintable() else repr(c)[1:-1] for c in line) for line in lines)
    # Graphviz reads entities of HTML in any label.
    escaped = (line.replace("&", "&amp;").replace("\\", r"\\").replace('"', r"\"") for line in printable)
    return '"' + r"\n".join(escaped) + '"'


def _box(node: Node) -> list[str]:
    bold, double = ["penwidth=2"] if node.bold else [], ["peripheries=2"] if node.double else []
    return [f"label={label(*node.lines)}", *bold, *double]


def _line(nodes: Sequence[Node], edge: Edge) -> str:
    traits = [f"label={label(edge.label)}"] if edge.label else []
    traits += [f"tooltip={label(edge.about)}"] if edge.about else []
    if edge.style == "dashed":
        traits += ["style=dashed", "color=red", "constraint=false"]
    elif edge.style:
        traits += [f"color={edge.style}", f"fontcolor={edge.style}", "penwidth=2"]
    ends = f"  {nodes[edge.source].name} -> {nodes[edge.target].name}"
    return f"{ends} [{', '.join(traits)}]" if traits else ends
