"""All states that a launch can reach, and the step of each thread that can take one.

The order of steps is free. A thread that waits at a barrier takes no step. The arrival of the last thread of the group
(or of the launch, for a barrier of the grid) lets all of them go on to their next steps.

Plain accesses are executed together with the step before them. This changes no verdict if they do not race: no access
of another thread in between conflicts with them. docs/progress.md has the proof. Each step is checked: its accesses
must not conflict with the plain accesses that another thread has made since that thread's last step began. Elements for
which they do become sync, and the exploration begins again.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from synth_checker.errors import InputError, LimitError
from synth_kernels.progress.steps import SpinError, conflicts

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from synth_kernels.progress.machine import Machine
    from synth_kernels.progress.steps import Deed, Local, Touch

#: The memory, and the state of each thread.
State: TypeAlias = "tuple[tuple[int, ...], tuple[Local, ...]]"
#: The limits are looked at once in so many states.
_OFTEN = 256


class RaceError(Exception):
    """Plain accesses conflict on these elements."""

    def __init__(self, elements: frozenset[int]) -> None:
        super().__init__(elements)
        self.elements = elements


class Step(NamedTuple):
    """A step of a thread: the state after it, and what its access did. At a barrier there is no access."""

    after: State
    deed: Deed | None


@dataclass(slots=True)
class Space:
    """The reachable states, numbered in breadth-first order from the start, which is 0.

    `successors[number]` maps each thread that can take a step to the number of the state after it. `live[number]` are
    the groups that are live in a state: some thread of theirs has not ended. `raced` are the
    elements of memory that plain accesses race for, and `spun` the lines of loops that spin on plain accesses.
    """

    machine: Machine
    states: list[State] = field(default_factory=list)
    successors: list[dict[int, int]] = field(default_factory=list)
    live: list[frozenset[int]] = field(default_factory=list)
    raced: set[int] = field(default_factory=set)
    spun: set[int] = field(default_factory=set)

    def stuck(self) -> list[int]:
        """Return the states in which no thread can take a step, although some thread has not ended."""
        return [number for number, row in enumerate(self.successors) if not row and self.live[number]]


def explore(machine: Machine, most: int, tick: Callable[[], None] = lambda: None) -> Space:
    """Return all states that a launch can reach. `tick` is called now and then.

    Raises:
        InputError: the launch does something that is not supported or not defined.
        LimitError: there are more than `most` states.
    """
    raced: set[int] = set()
    spun: set[int] = set()
    while True:
        try:
            space = _explored(machine, most, tick)
        except RaceError as race:
            raced |= race.elements
            machine.sync |= race.elements
        except SpinError as spin:
            if spin.elements <= machine.sync:
                msg = (
                    f"{machine.where(spin.line)}: a thread goes round this loop for ever, whatever the others do; no "
                    "progress model is enough"
                )
                raise InputError(msg) from None
            spun.add(spin.line)
            machine.sync |= spin.elements
        else:
            space.raced, space.spun = raced, spun
            return space


def _explored(machine: Machine, most: int, tick: Callable[[], None]) -> Space:
    space = Space(machine)
    first = _started(machine)
    numbers = {first: 0}
    space.states.append(first)
    for state in space.states:  # grows while it is read
        row = {}
        for thread in range(len(machine.threads)):
            if state[1][thread].status in {"access", "barrier"}:
                after = step(machine, state, thread).after
                row[thread] = numbers.setdefault(after, len(space.states))
                if row[thread] == len(space.states):
                    space.states.append(after)
        space.successors.append(row)
        alive = (place for place, local in enumerate(state[1]) if local.status != "ended")
        space.live.append(frozenset(machine.group_of[place] for place in alive))
        if len(space.states) > most:
            msg = f"states: the launch has more than {most:,}; use fewer or smaller workgroups"
            raise LimitError(msg)
        if len(space.successors) % _OFTEN == 0:
            tick()
    return space


def _started(machine: Machine) -> State:
    memory = list(machine.layout.shared)
    threads: list[Local] = []
    for number in range(len(machine.threads)):
        local = machine.starting(number, memory)
        _check(local.touched, threads)
        threads.append(local)
    return tuple(memory), tuple(threads)


def step(machine: Machine, state: State, thread: int) -> Step:
    """Return the step of a thread that can take one.

    Raises:
        RaceError: an access of the step conflicts with a plain access of another thread.
    """
    memory, threads = list(state[0]), list(state[1])
    local = threads[thread]
    others = [one for number, one in enumerate(threads) if number != thread]
    if local.status == "access":
        threads[thread], deed = machine.after_access(thread, local, memory)
        _check(threads[thread].touched | {(element, deed.after is not None) for element in deed.elements}, others)
        return Step((tuple(memory), tuple(threads)), deed)
    threads[thread] = local._replace(status="waiting", touched=frozenset())
    _release(machine, threads, thread, memory)
    return Step((tuple(memory), tuple(threads)), None)


def _release(machine: Machine, threads: list[Local], thread: int, memory: list[int]) -> None:
    """Let the threads go on that wait at a barrier, if this thread was the last to arrive."""
    barrier = machine.barrier_of(threads[thread])
    group = machine.group_of[thread]
    meeting = [number for number in range(len(threads)) if barrier.scope == "grid" or machine.group_of[number] == group]
    if any(
        threads[number].status != "waiting" or machine.barrier_of(threads[number]) is not barrier for number in meeting
    ):
        return
    for number in meeting:
        threads[number] = machine.after_barrier(number, threads[number], memory)
        _check(threads[number].touched, [one for other, one in enumerate(threads) if other != number])


def _check(touched: frozenset[Touch], others: Sequence[Local]) -> None:
    """Raise `RaceError` if accesses conflict with the plain accesses of other threads."""
    found = frozenset[int]().union(*(conflicts(touched, other.touched) for other in others if other.touched))
    if found:
        raise RaceError(found)
