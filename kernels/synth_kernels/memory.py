"""Memory while a kernel is run with given numbers: what each place holds, and which accesses to it race.

Two accesses race if no barrier orders them. So memory counts the barriers that each group and the whole launch have
passed.

Of an asynchronous copy, each thread of its group may make each part. So all of them touch its places, which is no race
between them. No barrier orders a copy before what follows until its group has waited for the event of the copy.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from synth_kernels.pair.touches import CONFLICTS
from synth_kernels.program import ID_WIDTH, Access

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from synth_kernels.launch import Thread
    from synth_kernels.program import Barrier, Flag, Kernel, Kind, Space

_SHARED: tuple[Space, ...] = ("local", "global")
#: A place in memory: an array, the group or thread that it belongs to if there is one, and a number of an element.
Location: TypeAlias = tuple[str, tuple[tuple[int, ...], ...] | None, int]


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault that happened, with its threads and lines: of two accesses of some kinds, or of barriers.

    `values` are what the two accesses of a race have read or written. An atomic access has None.
    `parting` is the line of the last branch at which the two threads of a divergence went different ways, or 0.
    """

    kind: Literal["race", "divergence", "assertion", "bounds", "constant-write", "invariant"]
    threads: tuple[Thread, ...]
    lines: tuple[int, ...]
    location: Location | None = None
    kinds: tuple[Kind, ...] = ()
    parting: int = 0
    values: tuple[int | None, ...] = ()


class Pending(NamedTuple):
    """An access to an element that may still race with what threads of other groups do, or `is_near`, of its own.

    A copy that nobody has waited for has an event.
    """

    array: str
    flag: Flag
    element: int
    is_near: bool
    event: int


class Copy(NamedTuple):
    """An asynchronous copy of a group: its line, how many copies of this line the group has made, and its event."""

    line: int
    number: int
    event: int


@dataclass(frozen=True, slots=True)
class _Touch:
    """An access of a thread to a location; `epochs` count the barriers of the group and of the grid before it.

    A write stores `part` in the location. `value` is all that the access has read or written.
    """

    thread: Thread
    kind: Kind
    line: int
    part: int | None
    value: int | None
    epochs: tuple[int, int]
    flag: Flag
    copy: Copy | None
    time: int = 0


class Memory:
    """The memory of a run. `faults` are those of accesses, in the order found; the caller may add others.

    Two writes of the same value are no race if the run is to `tolerate_benign`. With `contents`, a place holds at first
    what that says. `needs_others` says that a thread has read, behind a barrier, what threads that do not run may have
    stored before it. With `waits_fence`, waiting for a copy orders it as a barrier would.
    """

    def __init__(
        self,
        kernel: Kernel,
        *,
        tolerate_benign: bool,
        contents: Callable[[Location], int] | None = None,
        waits_fence: bool = False,
    ) -> None:
        self.faults: list[Fault] = []
        self.needs_others = False
        self._written = {
            one.array
            for block in kernel.blocks
            for one in block.instructions
            if isinstance(one, Access) and one.kind != "read"
        }
        self._arrays = {array.name: array for array in kernel.arrays}
        self._tolerate_benign, self._contents, self._waits_fence = tolerate_benign, contents, waits_fence
        self._memory: dict[Location, int] = {}
        #: The touches of each location, each once, in their order.
        self._touches: dict[Location, dict[_Touch, None]] = {}
        self._group_epochs: dict[tuple[tuple[int, ...], Space], int] = {}
        self._grid_epochs: dict[Space, int] = {}
        #: The number of this step of a warp, and the last step in which two threads accessed an array together.
        self._time = 0
        self._together: dict[tuple[str, Thread, Thread], int] = {}
        #: The copies that groups have not waited for, and the barriers of each space before a group waited for others.
        self._copies: dict[tuple[int, ...], set[Copy]] = {}
        self._settled: dict[tuple[tuple[int, ...], Copy], dict[Space, tuple[int, int]]] = {}

    def access(self, thread: Thread, one: Access, first: int, count: int, value: int) -> int:
        """Make an access to so many places, from an element on. Return what it reads.

        A write stores the value. A place to which nothing gave a value gets it when it is read. An atomic access gives
        the value, whatever is there.
        """
        units = one.width // self._arrays[one.array].width
        self._check_place(thread, one, first, count * units)
        found = self.held(thread, one.array, first, units, value) if one.kind == "read" else value
        for number in range(count * units):
            self._put(thread, one, first + number, number % units, found)
        return found

    def _put(  # noqa: PLR0913, PLR0917
        self, thread: Thread, one: Access, element: int, number: int, value: int, copy: Copy | None = None
    ) -> None:
        """Touch an element, and store there the part of a value with a number if the access writes."""
        location = self._location(one.array, thread, element)
        part = self._part(value, one.array, number) if one.kind == "write" else None
        if self._arrays[one.array].space in {"local", "global"}:
            self._touch(location, thread, one, part, None if one.kind == "atomic" else value, copy)
        if part is not None:
            self._memory[location] = part

    def copy(  # noqa: PLR0913, PLR0917
        self, thread: Thread, one: Access, first: int, step: int, values: Sequence[int], copy: Copy
    ) -> list[int]:
        """Read or write the places of a copy, so many elements apart, and return what they hold.

        A write stores the values. A place to which nothing gave a value gets its value when it is read.
        """
        self._copies.setdefault(thread[0], set()).add(copy)
        units = one.width // self._arrays[one.array].width
        self._check_place(thread, one, first, ((len(values) - 1) * step + 1) * units if values else 0)
        found = []
        for place, value in enumerate(values):
            start = first + place * step * units
            now = self.held(thread, one.array, start, units, value) if one.kind == "read" else value
            for number in range(units):
                self._put(thread, one, start + number, number, now, copy)
            found.append(now)
        return found

    def held(self, thread: Thread, array: str, first: int, units: int, otherwise: int) -> int:
        """Return what some elements hold. An element to which nothing gave a value gets it now, perhaps `otherwise`."""
        found = 0
        space = self._arrays[array].space
        if array in self._written and self._group_epochs.get((thread[0], space), 0):
            self.needs_others = True
        for number in range(units):
            location = self._location(array, thread, first + number)
            part = self._part(otherwise, array, number) if self._contents is None else self._contents(location)
            found |= self._memory.setdefault(location, part) << (number * self._arrays[array].width)
        return found

    def step(self, array: str, lanes: Sequence[Thread]) -> None:
        """Begin a step of a warp, in which some threads make the same access to an array."""
        self._time += 1
        self._together |= dict.fromkeys(((array, *pair) for pair in itertools.permutations(lanes, 2)), self._time)

    def _is_in_lockstep(self, array: str, one: _Touch, other: _Touch) -> bool:
        """Return whether two threads of a warp have made an access together between these, or as one of the two."""
        together = self._together.get((array, one.thread, other.thread))
        return together is not None and one.time < other.time and together >= one.time

    def values(self) -> Mapping[Location, int]:
        """Return what places hold, as far as something was read or written there."""
        return self._memory

    def width(self, array: str) -> int:
        """Return the width of the elements of an array."""
        return self._arrays[array].width

    def pass_barrier(self, barrier: Barrier, groups: Iterable[tuple[int, ...]], events: Collection[int] = ()) -> None:
        """Order what some groups have done before a barrier before what they do after it.

        From here on, barriers order the copies of these events, too.
        """
        groups = list(groups)
        for group in groups if events else ():
            done = {copy for copy in self._copies.get(group, ()) if copy.event in events}
            now = {space: self._epochs(group, space) for space in _SHARED}
            if self._waits_fence:
                now = {space: (-1, epochs[1]) for space, epochs in now.items()}
            self._settled |= {(group, copy): now for copy in done}
            self._copies.get(group, set()).difference_update(done)
        for space in barrier.fences:
            for group in groups:
                self._group_epochs[group, space] = self._group_epochs.get((group, space), 0) + 1
            if barrier.scope == "grid":
                self._grid_epochs[space] = self._grid_epochs.get(space, 0) + 1

    def pending(self, thread: Thread) -> Iterator[Pending]:
        """Yield the accesses of a thread to shared arrays that may still race with what others do next."""
        for (array, _, element), touches in self._touches.items():
            space = self._arrays[array].space
            now = self._epochs(thread[0], space)
            for touch in touches:
                if touch.thread != thread:
                    continue
                if (then := self._ordered(touch, space)) is None:
                    event = 0 if touch.copy is None else touch.copy.event
                    yield Pending(array, touch.flag, element, is_near=True, event=event)
                elif then[1] == now[1]:
                    yield Pending(array, touch.kind, element, then[0] == now[0], 0)

    def _epochs(self, group: tuple[int, ...], space: Space) -> tuple[int, int]:
        """Return how many barriers a group and the launch have passed that fence a space."""
        return self._group_epochs.get((group, space), 0), self._grid_epochs.get(space, 0)

    def _ordered(self, touch: _Touch, space: Space) -> tuple[int, int] | None:
        """Return the barriers before an access, later ones order it; None for a copy that nobody has waited for."""
        if touch.copy is None:
            return touch.epochs
        settled = self._settled.get((touch.thread[0], touch.copy))
        return None if settled is None else settled[space]

    def _part(self, value: int, array: str, number: int) -> int:
        """Return the part of a value that is in one of the elements of an access."""
        width = self._arrays[array].width
        return value >> (number * width) & ((1 << width) - 1)

    def _location(self, array: str, thread: Thread, offset: int) -> Location:
        owner = {"local": thread[:1], "private": thread}.get(self._arrays[array].space)
        return array, owner, offset % (1 << ID_WIDTH)

    def _check_place(self, thread: Thread, one: Access, first: int, length: int) -> None:
        array = self._arrays[one.array]
        if array.space == "constant" and one.kind != "read":
            self.faults.append(Fault("constant-write", (thread,), (one.line,)))
        is_outside = first >> (ID_WIDTH - 1) or (array.size is not None and first + length > array.size)
        if is_outside and length:
            self.faults.append(Fault("bounds", (thread,), (one.line,), (one.array, None, first), (one.kind,)))

    def _touch(  # noqa: PLR0913, PLR0917
        self,
        location: Location,
        thread: Thread,
        one: Access,
        part: int | None,
        value: int | None,
        copy: Copy | None,
    ) -> None:
        """Note an access, and find the accesses of other threads that it races with."""
        space = self._arrays[one.array].space
        epochs = self._epochs(thread[0], space)
        touch = _Touch(thread, one.kind, one.line, part, value, epochs, one.flag, copy, self._time)
        others = self._touches.setdefault(location, {})
        if touch in others:
            return
        for other in others:
            if other.thread == thread or other.kind not in CONFLICTS[one.kind]:
                continue
            is_near = other.thread[0] == thread[0]
            then = self._ordered(other, space)
            if then is not None and (then[1] != epochs[1] or (is_near and then[0] != epochs[0])):
                continue
            if is_near and copy is not None and copy == other.copy:
                continue
            is_copy = copy is not None or other.copy is not None
            if not is_copy and self._is_in_lockstep(one.array, other, touch):
                continue
            is_same = one.kind == other.kind == "write" and other.part == part and not is_copy
            if is_same and self._tolerate_benign:
                continue
            lines, kinds = (other.line, one.line), (other.kind, one.kind)
            pair, held = (other.thread, thread), (other.value, value)
            self.faults.append(Fault("race", pair, lines, location, kinds, values=held))
        others[touch] = None
