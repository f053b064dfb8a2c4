"""The transducer: from the state of a thread and memory's answers to its next state and accesses.

A thread between two steps is deterministic. What a step does depends only on the state of the thread and on the values
that the step reads. So each such pair is interpreted once, by `machine`, and the core keeps the result. The core makes
the steps of workgroups of them. For the core, states of threads and values are numbers.

`compiled` is the slow twin of this: it shares no interpreter with `machine`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeAlias, TypeVar

from synth_kernels.progress.launch_steps import RaceError

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Sequence

    from synth_kernels.progress.machine import Machine
    from synth_kernels.progress.partial_values import Value
    from synth_kernels.progress.steps import ThreadState, Touch

_T = TypeVar("_T", bound="Hashable")
#: Numbers of elements of memory, each with that of a value.
Pairs: TypeAlias = list[tuple[int, int]]
#: The numbers that the core has for where a thread stands, and for whose threads meet at a barrier.
_SCOPE = {"group": 0, "grid": 1, "subgroup": 2}
_STATUS = {"access": 0, "barrier": 1, "waiting": 2, "ended": 3}
_HELD = 4


class Numbering(Generic[_T]):
    """Values, each of which has a number."""

    def __init__(self, *first: _T) -> None:
        self.values: list[_T] = list(first)
        self._numbers = {value: number for number, value in enumerate(first)}

    def number(self, value: _T) -> int:
        """Return the number of a value."""
        number = self._numbers.setdefault(value, len(self.values))
        if number == len(self.values):
            self.values.append(value)
        return number


class _WatchedMemory:
    """Memory that notes what is read from it, except for what was written before, and what is written."""

    def __init__(self, value_of: Callable[[int], Value]) -> None:
        self._held = value_of
        self.reads: dict[int, Value] = {}
        self.writes: dict[int, Value] = {}

    def __getitem__(self, element: int) -> Value:
        if element in self.writes:
            return self.writes[element]
        if element not in self.reads:
            self.reads[element] = self._held(element)
        return self.reads[element]

    def __setitem__(self, element: int, value: Value) -> None:
        self.writes[element] = value


class Transducer:
    """The threads of a launch for the core, which asks what they do.

    `held` gives the number of the value that an element of memory holds now. The core calls `tick` now and then.
    """

    def __init__(self, machine: Machine, tick: Callable[[int], None]) -> None:
        self.machine, self.tick = machine, tick
        self.held: Callable[[int], int] = lambda _: 0
        self.values: Numbering[Value] = Numbering()
        self.locals: Numbering[tuple[int, ThreadState]] = Numbering()
        self._places: Numbering[tuple[str, int]] = Numbering()
        #: What barriers are. What is none has the number 0.
        self._objects: Numbering[tuple[str, ...]] = Numbering(())

    def describe(self, number: int) -> tuple[int, int, int, int, int, int, int, list[int]]:
        """Return what the core must know of the state of a thread, as `Described` of the core has it."""
        thread, local = self.locals.values[number]
        other = released = scope = mask = barrier = 0
        if local.held is not None:
            other = self.locals.number((thread, local._replace(held=None)))
            return _HELD, 0, 0, self._places.number(local.held), 0, other, 0, _accesses(local.touched)
        if local.status in {"barrier", "waiting"}:
            scope = _SCOPE[self.machine.barrier_of(local).scope]
            mask = self.machine.mask_of(thread, local)
            barrier = self._objects.number(self.machine.object_of(local))
            opposite = local._replace(status="waiting" if local.status == "barrier" else "barrier")
            other = self.locals.number((thread, opposite))
            released = self.locals.number((thread, local._replace(status="waiting", touched=frozenset())))
        place = self._places.number((local.block, local.place))
        return _STATUS[local.status], scope, mask, place, barrier, other, released, _accesses(local.touched)

    def take(self, number: int) -> tuple[Pairs, Pairs, int, int, list[int]]:
        """Take the step of a thread: what it reads and writes, its state after it, and all that it touches.

        The second state is that of a lane that is held.
        """
        thread, local = self.locals.values[number]
        memory = _WatchedMemory(lambda element: self.values.values[self.held(element)])
        if local.status == "access":
            after, deed = self.machine.after_access(thread, local, memory)
            touched = after.touched | {(element, deed.after is not None) for element in deed.elements}
        else:
            after = self.machine.after_barrier(thread, local, memory)
            touched = after.touched
        lane = after
        if self.machine.rules.lockstep and local.status == "access" and after.status != "ended":
            lane = after._replace(held=(local.block, local.place))
        value = self.values.number
        return (
            [(element, value(item)) for element, item in memory.reads.items()],
            [(element, value(item)) for element, item in memory.writes.items()],
            self.locals.number((thread, after)),
            self.locals.number((thread, lane)),
            _accesses(touched),
        )

    def raced(self, elements: Sequence[int]) -> None:
        """Raise `RaceError`, because plain accesses to these elements race."""
        raise RaceError(frozenset(elements))


def _accesses(touched: Iterable[Touch]) -> list[int]:
    """Return a set of accesses as the core has it."""
    return sorted(2 * element + is_write for element, is_write in touched)
