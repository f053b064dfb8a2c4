"""Memory while a kernel is run with given numbers: what each place holds, and which accesses to it race.

Two accesses race if nothing orders them (`access_order`). Of an asynchronous copy, each thread of its group may make
each part. So all of them touch its places, which is no race between them.

A value may be `InventedNumber`: nothing says that an execution has it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from synth_kernels.access_order import AccessMoment, Copy, Order
from synth_kernels.pair.touches import CONFLICTS
from synth_kernels.program import ID_WIDTH, Access

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from synth_kernels.launch import Thread
    from synth_kernels.program import Flag, Kernel, Kind

#: Of the values that a line of a thread reads or stores at one place, so many are kept in mind. The oldest go first.
MOST_VALUES = 16
#: A place in memory: an array, the group or thread that it belongs to if there is one, and a number of an element.
Location: TypeAlias = tuple[str, tuple[tuple[int, ...], ...] | None, int]


class InventedNumber(int):
    """A value that no execution need have, or that was computed from one."""

    __slots__ = ()


def is_invented(*values: int) -> bool:
    """Return whether one of some values is invented."""
    return any(type(value) is InventedNumber for value in values)


@dataclass(frozen=True, slots=True)
class RunFault:
    """A fault that happened, with its threads and lines: of two accesses of some kinds, or of barriers.

    `values` are what the two accesses of a race have read or written. An atomic access has None.
    `parting` is the line of the last branch at which the two threads of a divergence went different ways, or 0.
    `one_barrier` says of a divergence that the threads would meet if all barriers of a group were one.
    """

    kind: Literal["race", "divergence", "assertion", "overflow", "bounds", "constant-write", "invariant"]
    threads: tuple[Thread, ...]
    lines: tuple[int, ...]
    location: Location | None = None
    kinds: tuple[Kind, ...] = ()
    parting: int = 0
    values: tuple[int | None, ...] = ()
    one_barrier: bool = False


class PendingRunAccess(NamedTuple):
    """An access to an element that may still race with what threads of other groups do, or `is_near`, of its own.

    A copy that nobody has waited for has an event.
    """

    array: str
    flag: Flag
    element: int
    is_near: bool
    event: int


@dataclass(frozen=True, slots=True)
class _Touch:
    """An access of a thread to a location at some moment.

    A write stores `part` in the location: that with the first number of so many, as `of` says. `value` is all that the
    access has read or written. It `counts` for itself if it is atomic or volatile.
    """

    moment: AccessMoment
    kind: Kind
    line: int
    part: int | None
    of: tuple[int, int]
    value: int | None
    flag: Flag
    counts: bool = False


class Memory:
    """The memory of a run. `faults` are those of accesses, in the order found; the caller may add others.

    Two writes of the same value are no race if the run is to `tolerate_benign`. With `contents`, a place holds at first
    what that says. `needs_others` says that a thread has read, behind a barrier, what threads that do not run may have
    stored before it. With `waits_fence`, waiting for a copy orders it as a barrier would. With `volatile_is_atomic`,
    volatile accesses do not race with each other.
    """

    def __init__(
        self,
        kernel: Kernel,
        *,
        tolerate_benign: bool,
        contents: Callable[[Location], int] | None = None,
        waits_fence: bool = False,
        volatile_is_atomic: bool = False,
    ) -> None:
        self.faults: list[RunFault] = []
        self.needs_others = False
        self.order = Order(waits_fence=waits_fence)
        self._written = {instruction.array for instruction in kernel.accesses if instruction.kind != "read"}
        self._arrays = {array.name: array for array in kernel.arrays}
        self._tolerate_benign, self._contents = tolerate_benign, contents
        self._volatile_is_atomic = volatile_is_atomic
        self._memory: dict[Location, int] = {}
        #: Of each location the last touch of each thread by each access. It is ordered before what follows only if
        #: the touches before it are.
        self._touches: dict[Location, dict[tuple[object, ...], _Touch]] = {}
        #: How many values a line of a thread has read or stored at a place.
        self._values: Counter[tuple[object, ...]] = Counter()

    def access(self, thread: Thread, access: Access, first: int, count: int, value: int) -> int:
        """Make an access to so many places, from an element on. Return what it reads.

        A write stores the value. A place to which nothing gave a value gets it when it is read. An atomic access gives
        the value, whatever is there.
        """
        units = access.width // self._arrays[access.array].width
        self._check_place(thread, access, first, count * units)
        held = self.held(thread, access.array, first, units, value) if access.kind == "read" else value
        for number in range(count * units):
            self._put(thread, access, first + number, number % units, held)
        return held

    def update(self, thread: Thread, access: Access, first: int, old: int, new: int | None) -> None:
        """Make an atomic access that has found a value and leaves another one, or none if it only reads."""
        units = access.width // self._arrays[access.array].width
        self._check_place(thread, access, first, units)
        for number in range(units):
            location = self.location(access.array, thread, first + number)
            self._touch(location, thread, access, None, (number, units), old)
            if new is not None:
                self._memory[location] = self._part(new, access.array, number)

    def _put(  # noqa: PLR0913, PLR0917
        self, thread: Thread, access: Access, element: int, number: int, value: int, copy: Copy | None = None
    ) -> None:
        """Touch an element, and store there the part of a value with a number if the access writes."""
        location = self.location(access.array, thread, element)
        part = self._part(value, access.array, number) if access.kind == "write" else None
        if self._arrays[access.array].space in {"local", "global"}:
            of = number, access.width // self._arrays[access.array].width
            self._touch(location, thread, access, part, of, None if access.kind == "atomic" else value, copy)
        if part is not None:
            self._memory[location] = part

    def copy(  # noqa: PLR0913, PLR0917
        self, thread: Thread, access: Access, first: int, step: int, values: Sequence[int], copy: Copy
    ) -> list[int]:
        """Read or write the places of a copy, so many elements apart, and return what they hold.

        A write stores the values. A place to which nothing gave a value gets its value when it is read.
        """
        self.order.begin_copy(thread, copy)
        units = access.width // self._arrays[access.array].width
        self._check_place(thread, access, first, ((len(values) - 1) * step + 1) * units if values else 0)
        contents = []
        for place, value in enumerate(values):
            start = first + place * step * units
            now = self.held(thread, access.array, start, units, value) if access.kind == "read" else value
            for number in range(units):
                self._put(thread, access, start + number, number, now, copy)
            contents.append(now)
        return contents

    def held(self, thread: Thread, array: str, first: int, units: int, otherwise: int) -> int:
        """Return what some elements hold. An element to which nothing gave a value gets it now, perhaps `otherwise`."""
        bits, invented = 0, False
        space = self._arrays[array].space
        if array in self._written and self.order.epochs(thread[0], space)[0]:
            self.needs_others = True
        for number in range(units):
            location = self.location(array, thread, first + number)
            part = self._memory.get(location)
            if part is None:
                part = self._part(otherwise, array, number) if self._contents is None else self._contents(location)
                self._memory[location] = part
            invented |= is_invented(part)
            bits |= part << (number * self._arrays[array].width)
        return InventedNumber(bits) if invented else bits

    def begin(self, location: Location, value: int) -> None:
        """Let a place hold a value at the start, unless something was read or stored there."""
        self._memory.setdefault(location, value)

    def forget(self, thread: Thread, array: str) -> None:
        """Let the elements of a private array hold any values again."""
        for location in [place for place in self._memory if place[0] == array and place[1] == thread]:
            del self._memory[location]

    def values(self) -> Mapping[Location, int]:
        """Return what places hold, as far as something was read or written there."""
        return self._memory

    def width(self, array: str) -> int:
        """Return the width of the elements of an array."""
        return self._arrays[array].width

    def pending(self, thread: Thread) -> Iterator[PendingRunAccess]:
        """Yield the accesses of a thread to shared arrays that may still race with what others do next."""
        for (array, _, element), touches in self._touches.items():
            space = self._arrays[array].space
            now = self.order.epochs(thread[0], space)
            for touch in touches.values():
                copy = touch.moment.copy
                if touch.moment.thread != thread:
                    continue
                if (then := self.order.ordered_from(touch.moment, space)) is None:
                    yield PendingRunAccess(
                        array, touch.flag, element, is_near=True, event=0 if copy is None else copy.event
                    )
                elif then[1] == now[1]:
                    yield PendingRunAccess(array, touch.kind, element, then[0] == now[0], 0)

    def _part(self, value: int, array: str, number: int) -> int:
        """Return the part of a value that is in one of the elements of an access."""
        width = self._arrays[array].width
        part = value >> (number * width) & ((1 << width) - 1)
        return InventedNumber(part) if is_invented(value) else part

    def location(self, array: str, thread: Thread, offset: int) -> Location:
        """Return the location of an element, as a thread sees it."""
        owner = {"local": thread[:1], "private": thread}.get(self._arrays[array].space)
        return array, owner, offset % (1 << ID_WIDTH)

    def is_outside(self, array: str, first: int, length: int) -> bool:
        """Return whether some of so many elements are outside their array. Offsets are read with their sign."""
        size = self._arrays[array].size
        return bool(length) and bool(first >> (ID_WIDTH - 1) or (size is not None and first + length > size))

    def _check_place(self, thread: Thread, access: Access, first: int, length: int) -> None:
        if self._arrays[access.array].space == "constant" and access.kind != "read":
            self.faults.append(RunFault("constant-write", (thread,), (access.line,)))
        if self.is_outside(access.array, first, length):
            self.faults.append(
                RunFault("bounds", (thread,), (access.line,), (access.array, None, first), (access.kind,))
            )

    def _touch(  # noqa: PLR0913, PLR0917
        self,
        location: Location,
        thread: Thread,
        access: Access,
        part: int | None,
        of: tuple[int, int],
        value: int | None,
        copy: Copy | None = None,
    ) -> None:
        """Note an access, and find the accesses of other threads that it races with."""
        space = self._arrays[access.array].space
        now = self.order.now(thread, space, copy)
        counts = self._volatile_is_atomic and (access.is_volatile or access.kind == "atomic")
        touch = _Touch(now, access.kind, access.line, part, of, value, access.flag, counts)
        others, key = self._touches.setdefault(location, {}), (thread, access.line, access.kind, part, of, copy)
        if others.get(key) == touch:
            return
        for other in self._conflicting(touch, others.values()):
            if not self.order.is_before(other.moment, now, access.array, space) and not self._is_benign(touch, other):
                lines, kinds = (other.line, access.line), (other.kind, access.kind)
                pair, held = (other.moment.thread, thread), (other.value, value)
                self.faults.append(RunFault("race", pair, lines, location, kinds, values=held))
        if key not in others:
            line = key[:3]
            self._values[location, *line] += 1
            if self._values[location, *line] > MOST_VALUES:
                del others[next(older for older in others if older[:3] == line)]
        others[key] = touch

    @staticmethod
    def _conflicting(touch: _Touch, others: Iterable[_Touch]) -> Iterator[_Touch]:
        """Yield the accesses of other threads that may race with one."""
        for other in others:
            is_other = other.moment.thread != touch.moment.thread and other.kind in CONFLICTS[touch.kind]
            if is_other and not (touch.counts and other.counts):
                yield other

    def _is_benign(self, touch: _Touch, other: _Touch) -> bool:
        """Return whether two accesses write the same value, or may do so, which is tolerated."""
        is_copy = touch.moment.copy is not None or other.moment.copy is not None
        if not self._tolerate_benign or is_copy or not touch.kind == other.kind == "write" or touch.of != other.of:
            return False
        return touch.part == other.part or is_invented(touch.part or 0, other.part or 0)
