"""All states of a split, and all transitions between them.

A state is (memory, pcs), whether or not a program reaches it; the variable `reached` of the state says whether it does.
A transition is a step of one thread from one state to another. The edge of the thread's instruction says whether the
program makes this step.
"""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, NamedTuple

from synth_encodings.plain.fields import Place
from synth_encodings.plain.step import Memory, written

if TYPE_CHECKING:
    from synth_encodings.plain.fields import Fields
    from synth_encodings.plain.formula import Formula
    from synth_encodings.plain.step import Steps


class PlainState(NamedTuple):
    """A state: the value of every memory location, and the program location of every thread."""

    memory: Memory
    pcs: tuple[int, ...]

    def __str__(self) -> str:
        return f"{written(self.memory)}@{written(self.pcs)}"


class Transition(NamedTuple):
    """A step of a thread that some program of the split can make.

    The literal `edge` says whether the program makes it.
    """

    before: PlainState
    thread: int
    after: PlainState
    edge: int


class States:
    """All states of a split, with the variable `reached` of each, and all transitions between them."""

    def __init__(self, formula: Formula, fields: Fields, steps: Steps) -> None:
        self.sizes = fields.sizes
        self.places = fields.places
        self.memories = steps.memories
        pcs = itertools.product(*(range(size + 1) for size in fields.sizes))
        self.all = [PlainState(memory, pc) for pc in pcs for memory in steps.memories]
        self.start = PlainState((0,) * fields.locations, (0,) * len(fields.sizes))
        self.reached = {state: formula.variable("reached", state) for state in self.all}
        self.transitions = [
            Transition(state, thread, PlainState(memory, (*state.pcs[:thread], pc, *state.pcs[thread + 1 :])), edge)
            for state in self.all
            for thread in self.live(state)
            for (memory, pc), edge in steps.edge[Place(thread, state.pcs[thread]), state.memory].items()
        ]

    def live(self, state: PlainState) -> list[int]:
        """Return the threads that are not at their end in a state."""
        return [thread for thread, size in enumerate(self.sizes) if state.pcs[thread] < size]


def count_states(sizes: tuple[int, ...], locations: int, values: int) -> int:
    """Return how many states a split has with so many locations and values."""
    memories: int = values**locations
    return memories * math.prod(size + 1 for size in sizes)
