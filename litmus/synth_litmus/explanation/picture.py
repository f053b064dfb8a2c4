"""Draw an explanation: the states of program and model, with the execution that never ends, or with the ranks.

A state has the lines that a drawing of `synth lts` gives it. Each step of the execution has its number. If there are
too many states to look at, then only some are drawn: the states of the execution, or states that can come back. If no
state can come back, then the first ones are drawn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_checker.certificates.certificate import Lasso
from synth_checker.certificates.certification import program_product
from synth_documents.graphs.graph import Edge, GraphDrawing, Node
from synth_documents.phrases import written_set
from synth_litmus.lts.picture import letters

if TYPE_CHECKING:
    from collections.abc import Sequence

    from synth_checker.certificates.certificate import Certificate, ProductState
    from synth_checker.models import Model
    from synth_checker.programs.program import State
    from synth_litmus.lts.drawn_program import DrawnProgram

#: A drawing with more states would be hard to follow.
_MOST_STATES = 60


def proof_graph(
    program: DrawnProgram, model: Model, certificate: Certificate[State], rounds: Sequence[ProductState[State]]
) -> GraphDrawing:
    """Return a certificate as a graph that can be drawn. `rounds` are the states that can come back."""
    product = program_product(program.program, model.beside(len(program.program)))
    shown, notes = set(product.states), []
    if len(shown) > _MOST_STATES:
        of_proof = (
            [step.state for step in certificate.steps] if isinstance(certificate, Lasso) else rounds or product.states
        )
        shown = set(list(dict.fromkeys(of_proof))[:_MOST_STATES])
        notes.append(f"The drawing has {len(shown)} of {len(product.states):,} states.")
    place = {state: at for at, state in enumerate(state for state in product.states if state in shown)}
    taken = _taken(certificate)
    nodes, edges = [], []
    for state, fair, after in zip(product.states, product.fair, product.successors, strict=True):
        if state not in place:
            continue
        lines = [letters(place[state]), *program.lines(state.system), f"promised {written_set(fair)}"]
        if not isinstance(certificate, Lasso):
            lines.append(f"rank {certificate.ranks[state].rank}")
        nodes.append(Node(f"s{place[state]}", tuple(lines), bold=state == product.states[0], double=not after))
        for thread, target in after.items():
            if product.states[target] in place:
                style, numbers = taken.get((state, thread), ("", []))
                label = f"{','.join(map(str, numbers))}. T{thread}" if numbers else f"T{thread}"
                name = program.told(state.system, thread)
                edges.append(Edge(place[state], place[product.states[target]], label, name, style))
    used = {edge.style for edge in edges}
    legend = tuple((style, meaning) for style, meaning in _MEANINGS.items() if style in used)
    return GraphDrawing(program.title, tuple(nodes), tuple(edges), legend, notes=tuple(notes))


_MEANINGS = {
    "blue": "steps before the cycle, with their numbers",
    "red": "steps of the cycle, which repeat without end",
    "green": "the step of a thread that is promised one; it lowers the rank",
}


def _taken(certificate: Certificate[State]) -> dict[tuple[ProductState[State], int], tuple[str, list[int]]]:
    """Return the style of each step that the proof is about, and the numbers of the step in an execution."""
    if not isinstance(certificate, Lasso):
        return {
            (state, rank.helper): ("green", []) for state, rank in certificate.ranks.items() if rank.helper is not None
        }
    taken: dict[tuple[ProductState[State], int], tuple[str, list[int]]] = {}
    for number, (state, _, thread) in enumerate(certificate.steps, 1):
        in_cycle = number > certificate.prefix or taken.get((state, thread), ("",))[0] == "red"
        _, numbers = taken.get((state, thread), ("", []))
        taken[state, thread] = ("red" if in_cycle else "blue", [*numbers, number])
    return taken
