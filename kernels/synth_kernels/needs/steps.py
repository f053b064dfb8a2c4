"""The steps of an execution in words: who takes each, where in the source, and what it does."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from synth_documents.phrases import count
from synth_kernels.progress.launch_steps import step
from synth_kernels.source_place import Placed
from synth_storage.answer_json import HIDDEN

if TYPE_CHECKING:
    from collections.abc import Iterable

    from synth_kernels.needs import JudgedLaunch
    from synth_kernels.progress.launch_steps import State
    from synth_kernels.progress.machine import Machine
    from synth_kernels.progress.steps import AccessEffect


@dataclass(frozen=True, slots=True)
class ThreadRow(Placed):
    """A step: the group and the local id of its thread, where, and what it does. The line is that of the source."""

    group: tuple[int, ...]
    local: tuple[int, ...]
    file: str = field(init=False)
    line: int = field(init=False)
    does: str


@dataclass(frozen=True, slots=True)
class TakenStep(ThreadRow):
    """A step that was taken: also the number of its thread, the elements of its accesses, and whether it writes.

    At a barrier it `passes` if it lets the thread go on; otherwise the thread waits.
    """

    thread: int = field(metadata=HIDDEN)
    elements: range = field(default=range(0), metadata=HIDDEN)
    writes: bool = field(default=False, metadata=HIDDEN)
    is_barrier: bool = field(default=False, metadata=HIDDEN)
    is_grid: bool = field(default=False, metadata=HIDDEN)
    passes: bool = field(default=False, metadata=HIDDEN)

    def is_like(self, other: TakenStep) -> bool:
        """Return whether both are of one workgroup at one place."""
        return (self.group, self.place) == (other.group, other.place)


def replay_steps(judged: JudgedLaunch, threads: Iterable[int]) -> tuple[list[TakenStep], State]:
    """Return the steps of threads that step in this order from the start, and the state behind them."""
    machine = judged.space.machine
    state = judged.space.states[0]
    steps = []
    for thread in threads:
        after, deed, lanes = step(machine, state, thread)
        others = f", together with {count(len(lanes) - 1, 'other lane')}" if len(lanes) > 1 else ""
        local = state[1][thread]
        place, ids = machine.place(machine.line_of(local)), machine.threads[thread]
        does = effect_words(machine, deed) + others
        if deed is None:
            is_grid = machine.barrier_of(local).scope == "grid"
            passes = after[1][thread] != local._replace(status="waiting")
            steps.append(TakenStep(place, *ids, does, thread, is_barrier=True, is_grid=is_grid, passes=passes))
        else:
            steps.append(TakenStep(place, *ids, does, thread, elements=deed.elements, writes=deed.after is not None))
        state = after
    return steps, state


def element_name(machine: Machine, element: int) -> str:
    """Return the name of an element of memory, such as `out[3]`."""
    array, group, number = machine.layout.names[element]
    return f"{array}[{number}]" if group is None else f"{array}[{number}] of group {group}"


def effect_words(machine: Machine, deed: AccessEffect | None) -> str:
    """Return what a step does in words."""
    if deed is None:
        return "arrives at a barrier"
    array, _, number = machine.layout.names[deed.elements[0]]
    element = f"{array}[{number}]"
    if deed.after is None:
        return f"reads {element}, which is {deed.before}"
    if deed.after == deed.before:
        return f"writes {element}, which stays {deed.before}"
    return f"changes {element} from {deed.before} to {deed.after}"
