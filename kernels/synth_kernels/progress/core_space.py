"""All states that a launch can reach, found by the core.

This gives what `space` gives, for launches with millions of states. The core finds and keeps the states. Each of them
is made into Python's objects only when somebody looks at it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar, overload

from synth_checker._native import LaunchSpace
from synth_kernels.progress.launch_steps import first_state
from synth_kernels.progress.space import until_nothing_races
from synth_kernels.progress.transducer import Transducer

if TYPE_CHECKING:
    from collections.abc import Callable

    from synth_kernels.progress.launch_steps import State
    from synth_kernels.progress.machine import Machine

_T = TypeVar("_T")


class _Lazy(Sequence[_T]):
    """A sequence whose items are computed when they are read."""

    def __init__(self, length: int, item: Callable[[int], _T]) -> None:
        self._length, self._item = length, item

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, number: int) -> _T: ...
    @overload
    def __getitem__(self, number: slice) -> Sequence[_T]: ...
    def __getitem__(self, number: int | slice) -> _T | Sequence[_T]:
        numbers = range(self._length)[number]
        return self._item(numbers) if isinstance(numbers, int) else [self._item(each) for each in numbers]


class CoreSpace:
    """The reachable states, numbered and read as those of `Space`."""

    def __init__(self, machine: Machine, most: int, tick: Callable[[int], None]) -> None:
        self.machine = machine
        self.raced: set[int] = set()
        self.spun: set[int] = set()
        first = first_state(machine)
        self._transducer = transducer = Transducer(machine, tick)
        rules = machine.rules
        self.core = LaunchSpace(
            transducer,
            groups=len(machine.groups),
            threads_of_group=len(machine.members[0]),
            elements=[
                (-1 if group is None else group, transducer.values.number(value))
                for (_, group, _), value in zip(machine.layout.names, first[0], strict=True)
            ],
            subgroup=rules.subgroup,
            lockstep=rules.lockstep,
            leave=rules.leave,
            merges=rules.merges and machine.reduces,
        )
        transducer.held = self.core.held
        try:
            self.core.explore([transducer.locals.number(local) for local in enumerate(first[1])], most)
        finally:
            transducer.held = lambda _: 0  # nothing refers to the core in a circle
        size = len(self.core)
        self.states: Sequence[State] = _Lazy(size, self._state)
        self.successors: Sequence[dict[int, int]] = _Lazy(size, lambda number: dict(self.core.row(number)))
        self.live: Sequence[frozenset[int]] = _Lazy(size, self._live)

    def _state(self, number: int) -> State:
        memory, threads = self.core.state(number)
        values, locals_ = self._transducer.values.values, self._transducer.locals.values
        return tuple(values[word] for word in memory), tuple(locals_[thread][1] for thread in threads)

    def _live(self, number: int) -> frozenset[int]:
        mask = self.core.live(number)
        return frozenset(group for group in range(len(self.machine.groups)) if mask >> group & 1)

    def ended(self) -> list[int]:
        """Return the states in which all threads have ended."""
        return self.core.ended()

    def way_to(self, goal: int) -> list[int]:
        """Return the threads that step on a shortest way from the start to a state."""
        return self.core.way_to(goal)

    def stuck(self) -> list[int]:
        """Return the states in which no thread can take a step, although some thread has not ended."""
        return self.core.stuck()


def explore_fast(machine: Machine, most: int, tick: Callable[[int], None] = lambda _: None) -> CoreSpace:
    """Return all states that a launch can reach. `tick` is called now and then with the number of states.

    Raises:
        InputError: the launch does something that is not supported or not defined.
        LimitError: there are more than `most` states.
    """
    return until_nothing_races(machine, lambda: CoreSpace(machine, most, tick))
