"""Describe a state of a program together with the state of a progress model, for answers in JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

from synth_documents.phrases import threads_in

if TYPE_CHECKING:
    from synth_checker.certificates.certificate import ProductState
    from synth_checker.programs.program import State


class StateFields(TypedDict):
    """A state of a program and a model that run together.

    `memory` has the value of each location, `pcs` the program location of each thread, `model` the number of the
    model's state, and `fair` the ids of the threads that the model promises to run there.
    """

    memory: list[int]
    pcs: list[int]
    model: int
    fair: list[int]


def state_fields(state: ProductState[State], fair: int) -> StateFields:
    """Return a state of a program and a model as JSON has it; `fair` is the bit mask of the threads promised to run."""
    memory, pcs = map(list, state.system)
    return {"memory": memory, "pcs": pcs, "model": state.model, "fair": threads_in(fair)}
