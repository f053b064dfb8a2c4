"""The formats in which commands write a transition system."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from synth_checker.transitions.transition_system import AnyState
    from synth_litmus.lts import Lts

FORMATS = ("dot", "svg", "aut", "json")


def lts_text(lts: Lts[AnyState], form: str, json_text: Callable[[], str]) -> str:
    """Return a transition system in one of FORMATS. `json_text` writes it as JSON, whose keys each kind chooses."""
    from synth_documents.graphs.dot import dot_of
    from synth_documents.graphs.graph import svg_of
    from synth_litmus.lts.picture import graph_of
    from synth_litmus.lts.tables import write_aut

    writers = {
        "dot": lambda: dot_of(graph_of(lts)),
        "svg": lambda: svg_of(graph_of(lts)),
        "aut": lambda: write_aut(lts),
        "json": json_text,
    }
    return writers[form]()
