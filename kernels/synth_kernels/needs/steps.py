"""The steps of an execution in words: one by one for programs, and in few rows for people.

In few rows, what only one order of threads makes long is told in one row.

Two steps may change places if they are of different threads and neither is at a barrier where the other thread may
wait. Besides, they must not touch the same element, or both must only read it. So the steps before a cycle are put into
an order in which a workgroup goes on for as long as it can, and its threads do the same one after the other. This is
done only if it changes nothing: each step still does the same, and the launch comes to the same state. The steps of a
cycle keep their order, because a promise may rest on each of its states. A cycle that reads the same twice is shown
once.

A row then tells what the threads of a workgroup do at one place. A barrier that a workgroup passes is told in the row
of what the workgroup did before.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from synth_documents.phrases import count, listed
from synth_kernels.progress import launch_steps
from synth_kernels.source_place import Placed
from synth_storage.answer_json import HIDDEN

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from synth_kernels.needs import JudgedLaunch
    from synth_kernels.progress.launch_steps import State
    from synth_kernels.progress.machine import Machine
    from synth_kernels.progress.steps import AccessEffect
    from synth_kernels.progress.verdicts import Hang
    from synth_kernels.source_place import SourcePlace

#: Executions with more steps keep their order, and a row tells of at most so many steps.
_MOST_STEPS, _TOLD = 400, 3


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
        after, deed, lanes = launch_steps.step(machine, state, thread)
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
        return f"leaves {element} at {deed.before}"
    return f"changes {element} from {deed.before} to {deed.after}"


class FoldedStep(NamedTuple):
    """What some threads of a workgroup do at one place. `locals` are their local ids."""

    group: tuple[int, ...]
    locals: tuple[tuple[int, ...], ...]
    place: SourcePlace
    does: str


def folded_rows(judged: JudgedLaunch, execution: Hang) -> tuple[list[FoldedStep], list[FoldedStep]]:
    """Return the rows before the cycle of an execution, and those of its cycle."""
    before = in_order(judged, execution.before)
    steps, _ = replay_steps(judged, (*(done.thread for done in before), *execution.cycle))
    return rows_of_steps(steps[: len(before)]), rows_of_steps(_single_round(steps[len(before) :]))


def in_order(judged: JudgedLaunch, threads: Sequence[int]) -> list[TakenStep]:
    """Return the steps of some threads from the start, in an order that needs few rows."""
    steps, end = replay_steps(judged, threads)
    if len(steps) > _MOST_STEPS or not judged.space.machine.rules.merges:  # a model may tell the orders apart
        return steps
    order = _ordered(steps)
    threads = [steps[place].thread for place in order]
    again, state = replay_steps(judged, threads)
    does_the_same = [done.does for done in again] == [steps[place].does for place in order]
    return again if state == end and does_the_same else steps


def _ordered(steps: Sequence[TakenStep]) -> list[int]:
    """Return the places of the steps in the new order."""
    waits_for = [
        {earlier for earlier in range(number) if _depend(steps[earlier], steps[number])} for number in range(len(steps))
    ]
    keys = _keys(steps)
    not_placed = list(range(len(steps)))
    order: list[int] = []
    done: set[int] = set()
    while not_placed:
        ready = [number for number in not_placed if waits_for[number] <= done]
        partly = {keys[number] for number in not_placed if number not in ready}
        last = steps[order[-1]].group if order else None
        first = min(ready, key=lambda number: (keys[number] in partly, steps[number].group != last, number))
        chosen = [number for number in ready if keys[number] == keys[first]]
        order += chosen
        done.update(chosen)
        not_placed = [number for number in not_placed if number not in done]
    return order


def _keys(steps: Iterable[TakenStep]) -> list[tuple[object, ...]]:
    """Return for each step its workgroup and place, and how often its thread was there before."""
    been: Counter[tuple[object, ...]] = Counter()
    keys: list[tuple[object, ...]] = []
    for step in steps:
        place = (step.group, step.place)
        keys.append((*place, been[*place, step.thread]))
        been[*place, step.thread] += 1
    return keys


def _depend(first: TakenStep, second: TakenStep) -> bool:
    if first.thread == second.thread or (first.group == second.group and (first.is_barrier or second.is_barrier)):
        return True
    if first.is_barrier or second.is_barrier:
        return first.is_grid or second.is_grid
    return (first.writes or second.writes) and not set(first.elements).isdisjoint(second.elements)


def _single_round(steps: list[TakenStep]) -> list[TakenStep]:
    """Return one round of a cycle that goes the same rounds again, whatever the order of threads at one place."""
    rounds = _runs(steps)
    contents = [sorted((step.local, step.place, step.does) for step in run) for run in rounds]
    for length in range(1, len(contents)):
        if len(contents) % length == 0 and contents == contents[:length] * (len(contents) // length):
            return [done for run in rounds[:length] for done in run]
    return steps


def _runs(steps: Iterable[TakenStep]) -> list[list[TakenStep]]:
    """Divide steps into runs of those of one workgroup at one place, each of another thread."""
    runs: list[list[TakenStep]] = []
    for step in steps:
        if runs and step.is_like(runs[-1][0]) and all(step.thread != other.thread for other in runs[-1]):
            runs[-1].append(step)
        else:
            runs.append([step])
    return runs


def rows_of_steps(steps: Iterable[TakenStep]) -> list[FoldedStep]:
    """Return the rows that tell some steps."""
    rows: list[FoldedStep] = []
    passed: list[list[int]] = []  # the lines of the barriers that the workgroup of a row passes
    for run in _runs(steps):
        first, passes = run[0], any(done.passes for done in run)
        if passes and rows and rows[-1].group == first.group and rows[-1].place.file == first.place.file:
            passed[-1].append(first.place.line)
            continue
        run.sort(key=lambda step: step.thread)
        does = "" if passes else "; ".join(dict.fromkeys(done.does for done in run[:_TOLD]))
        does += f"; and {len(run) - _TOLD} more" if len(run) > _TOLD and not first.is_barrier else ""
        rows.append(FoldedStep(first.group, tuple(done.local for done in run), first.place, does))
        passed.append([first.place.line] if passes else [])
    return [row._replace(does=_with_passed_barriers(row.does, lines)) for row, lines in zip(rows, passed, strict=True)]


def _with_passed_barriers(does: str, lines: Sequence[int]) -> str:
    """Return what a row tells, with the barriers that its workgroup passes."""
    if not lines:
        return does
    several = len(set(lines)) > 1
    barriers = f"passes the barrier{'s' * (len(lines) > 1)} of line{'s' * several}"
    return f"{does}{'; ' if does else ''}{barriers} {listed([str(line) for line in dict.fromkeys(lines)])}"
