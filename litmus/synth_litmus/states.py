"""Describe a state of a program together with the state of a progress model, for answers in JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from synth_documents.phrases import threads_in

if TYPE_CHECKING:
    from synth_checker.certificates.certificate import ProductState
    from synth_checker.programs.program import State


@dataclass(frozen=True, slots=True)
class DescribedState:
    """A state of a program and a model that run together.

    `memory` has the value of each location, `pcs` the program location of each thread, `model` the number of the
    model's state, and `fair` the ids of the threads that the model promises to run there.
    """

    memory: tuple[int, ...]
    pcs: tuple[int, ...]
    model: int
    fair: list[int]


def state_values(state: ProductState[State], fair: int) -> tuple[tuple[int, ...], tuple[int, ...], int, list[int]]:
    """Return the values of the fields of `DescribedState`; `fair` is the bit mask of the threads promised to run."""
    return *state.system, state.model, threads_in(fair)
