"""Certificates as what JSON can write. Sets of threads are lists of ids; `model` is the state of the automaton."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from synth.explaining.words import threads_in
from synth_checker.certificates.certificate import Lasso

if TYPE_CHECKING:
    from synth_checker.certificates.certificate import Certificate, ProductState


def certificate_fields(certificate: Certificate) -> dict[str, Any]:
    """A lasso step by step, or a ranking state by state in the order of a breadth-first search."""
    if isinstance(certificate, Lasso):
        steps = [state_fields(state, fair) | {"thread": thread} for state, fair, thread in certificate.steps]
        shortest = certificate.is_shortest
        return {"kind": "lasso", "prefix": certificate.prefix, "shortest": shortest, "steps": steps}
    ranks = [
        state_fields(state, fair) | {"rank": rank, "helper": helper}
        for state, (fair, rank, helper) in certificate.ranks.items()
    ]
    return {"kind": "ranking", "ranks": ranks}


def state_fields(state: ProductState, fair: int) -> dict[str, Any]:
    """A state of the product, with its fair set."""
    return {**state._asdict(), "fair": threads_in(fair)}
