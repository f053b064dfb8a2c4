"""The numbers of a state of the two threads that a solver has found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from synth_kernels.program import DIMENSIONS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from synth_kernels.concrete_run import Inputs
    from synth_kernels.launch import Thread
    from synth_kernels.pair.walk import Walk
    from synth_kernels.terms import Term


@dataclass(frozen=True, slots=True)
class StateNumbers:
    """The numbers of a state: sizes, scalars, the two threads, and what they get from outside."""

    sizes: dict[str, int]
    scalars: dict[str, int]
    pair: tuple[Thread, Thread]
    inputs: Inputs


def roots_of(walk: Walk) -> Iterable[Term]:
    """Return the terms that `numbers_of_state` needs the values of."""
    state = walk.state
    return [
        *state.scalars.values(),
        *(term for ids in state.ids for term in ids.values()),
        *(term for input_ in walk.inputs for term in (input_.happens, input_.value, input_.invented)),
        *(parting.happens for parting in walk.partings),
        *(round_.happens for round_ in walk.rounds),
        *(call.happens for call in walk.calls),
    ]


def numbers_of_state(walk: Walk, values: Mapping[Term, int]) -> StateNumbers:
    """Return the numbers of a state of the two threads."""
    state = walk.state
    first, second = (
        tuple(tuple(values[ids[f"{word}.{dimension}"]] for dimension in range(DIMENSIONS)) for word in ("gid", "lid"))
        for ids in state.ids
    )
    pair = (first[0], first[1]), (second[0], second[1])
    inputs: dict[tuple[Thread, int], list[int]] = {}
    for input_ in walk.inputs:
        if values[input_.happens]:
            inputs.setdefault((pair[input_.thread], input_.line), []).append(values[input_.value])
    sizes = {name: values[term] for name, term in state.ids[0].items() if not name.startswith(("gid", "lid"))}
    return StateNumbers(sizes, {name: values[term] for name, term in state.scalars.items()}, pair, inputs)
