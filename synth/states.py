"""A state of a program beside the state of a model, as JSON has it."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

from synth.phrases import threads_in

if TYPE_CHECKING:
    from synth_checker.certificates.certificate import ProductState
    from synth_checker.program import State


class StateFields(TypedDict):
    """A state of the product, with its fair set."""

    memory: list[int]
    pcs: list[int]
    model: int
    fair: list[int]


def state_fields(state: ProductState[State], fair: int) -> StateFields:
    """A state of the product, with its fair set."""
    memory, pcs = map(list, state.system)
    return {"memory": memory, "pcs": pcs, "model": state.model, "fair": threads_in(fair)}
