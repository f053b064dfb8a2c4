"""All states that a launch can reach, and the step of each thread that can take one.

The order of steps is free. If plain accesses race, their elements become sync, and the exploration begins again. So at
the end no plain access races.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, TypeVar

from synth_checker.errors import InputError, LimitError
from synth_kernels.progress.launch_steps import RaceError, able_threads, first_state, step
from synth_kernels.progress.steps import SpinError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from synth_kernels.progress.launch_steps import State
    from synth_kernels.progress.machine import Machine

#: The limits are looked at once in so many states.
_OFTEN = 256


class LaunchStates(Protocol):
    """What `Space` has, whoever keeps the states."""

    machine: Machine
    raced: set[int]
    spun: set[int]

    @property
    def states(self) -> Sequence[State]: ...  # noqa: D102
    @property
    def successors(self) -> Sequence[dict[int, int]]: ...  # noqa: D102
    @property
    def live(self) -> Sequence[frozenset[int]]: ...  # noqa: D102
    def stuck(self) -> list[int]: ...  # noqa: D102
    def ended(self) -> list[int]: ...  # noqa: D102
    def way_to(self, goal: int) -> list[int]: ...  # noqa: D102


_Found = TypeVar("_Found", bound=LaunchStates)


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

    def ended(self) -> list[int]:
        """Return the states in which all threads have ended."""
        return [number for number, live in enumerate(self.live) if not live]

    def way_to(self, goal: int) -> list[int]:
        """Return the threads that step on a shortest way from the start to a state."""
        came = {0: (0, 0)}
        for number in range(goal):
            for thread, after in self.successors[number].items():
                came.setdefault(after, (number, thread))
        way = []
        while goal:
            goal, thread = came[goal]
            way.append(thread)
        return way[::-1]


def explore(machine: Machine, most: int, tick: Callable[[], None] = lambda: None) -> Space:
    """Return all states that a launch can reach. `tick` is called now and then.

    Raises:
        InputError: the launch does something that is not supported or not defined.
        LimitError: there are more than `most` states.
    """
    return until_nothing_races(machine, lambda: _explored(machine, most, tick))


def until_nothing_races(machine: Machine, explored: Callable[[], _Found]) -> _Found:
    """Explore a launch until no plain access races, and no thread spins on plain accesses.

    Raises:
        InputError: a thread goes round a loop without end, whatever the others do.
    """
    raced: set[int] = set()
    spun: set[int] = set()
    while True:
        try:
            space = explored()
        except RaceError as race:
            raced |= race.elements
            machine.sync |= race.elements
        except SpinError as spin:
            if spin.elements <= machine.sync:
                raise InputError(
                    f"{machine.where(spin.line)}: a thread goes round this loop without end, whatever the others do; "
                    "no progress model is enough"
                ) from None
            spun.add(spin.line)
            machine.sync |= spin.elements
        else:
            space.raced, space.spun = raced, spun
            return space


def _explored(machine: Machine, most: int, tick: Callable[[], None]) -> Space:
    space = Space(machine)
    first = first_state(machine)
    numbers = {first: 0}
    space.states.append(first)
    for state in space.states:  # grows while it is read
        row = {}
        for thread in able_threads(machine, state):
            after = step(machine, state, thread).after
            row[thread] = numbers.setdefault(after, len(space.states))
            if row[thread] == len(space.states):
                space.states.append(after)
        space.successors.append(row)
        alive = (place for place, local in enumerate(state[1]) if local.status != "ended")
        space.live.append(frozenset(machine.group_of[place] for place in alive))
        if len(space.states) > most:
            raise LimitError(f"states: the launch has more than {most:,}; use fewer or smaller workgroups")
        if len(space.successors) % _OFTEN == 0:
            tick()
    return space
