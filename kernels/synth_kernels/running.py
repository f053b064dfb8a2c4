"""Run a kernel with given numbers, and find its races and divergent barriers by comparing threads one by one.

Each thread runs alone until its next barrier, then the next thread does. If a kernel has no race and no divergence,
each other order gives the same result, so this one order shows the first race or divergence whenever there is one. All
threads of a launch may run, or only some, as when a counterexample is tried.

An operator with an arbitrary result gives 0 here. An atomic operation, memory that nothing gave a value and other
arbitrary values give what `inputs` say, or 0. With `contents`, memory holds at first what that says of each place. So a
fault that this finds is real, but a fault that depends on these values may be missed.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

from synth_kernels.floats import applied
from synth_kernels.flow import Flow
from synth_kernels.launch import words_of
from synth_kernels.operators import BINARY, RELATING, compute, is_undefined
from synth_kernels.pair.touches import CONFLICTS
from synth_kernels.program import ID_WIDTH, Access, Arbitrary, Barrier, Claim, Compute, Constant, Opaque, Peek

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from synth_kernels.launch import Thread
    from synth_kernels.program import Instruction, Kernel, Kind, Operand, Space

#: For threads and lines: the values that reads of memory without a value shall give, and other arbitrary values.
Inputs: TypeAlias = "Mapping[tuple[Thread, int], Sequence[int]]"
#: A thread takes at most so many steps.
MOST_STEPS = 10_000
#: A place in memory: an array, the group or thread that it belongs to if there is one, and a number of an element.
Location: TypeAlias = tuple[str, tuple[tuple[int, ...], ...] | None, int]


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault that happened, with its threads and lines: of two accesses of some kinds, or of barriers.

    `values` are what the two accesses of a race have read or written. An atomic access has None.
    `parting` is the line of the last branch at which the two threads of a divergence went different ways, or 0.
    """

    kind: Literal["race", "divergence", "assertion", "bounds", "constant-write"]
    threads: tuple[Thread, ...]
    lines: tuple[int, ...]
    location: Location | None = None
    kinds: tuple[Kind, ...] = ()
    parting: int = 0
    values: tuple[int | None, ...] = ()


@dataclass(slots=True)
class Run:
    """What came of a run. `ends` is false if some thread took more steps, or the run more time, than was allowed."""

    faults: list[Fault] = field(default_factory=list)
    ends: bool = True


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


@dataclass(frozen=True, slots=True)
class _Meeting:
    """Where a thread waits: at a barrier, in these rounds of the loops around it."""

    barrier: Barrier
    place: tuple[str, int]
    rounds: tuple[int, ...]


class _Assumed(Exception):  # noqa: N818  (no error: the run is not one that counts)
    """An assumption does not hold."""


class _Endless(Exception):  # noqa: N818  (as above)
    """A thread took too many steps."""


class Runner:
    """A kernel that is run with one launch: its sizes by name, and its scalars.

    At the time `until`, in seconds of the clock that only goes forward, the run is given up.
    """

    def __init__(  # noqa: PLR0913
        self,
        kernel: Kernel,
        sizes: Mapping[str, int],
        scalars: Mapping[str, int],
        *,
        tolerate_benign: bool = True,
        inputs: Inputs | None = None,
        contents: Callable[[Location], int] | None = None,
        until: float = math.inf,
    ) -> None:
        self._kernel = kernel
        self._flow = Flow(kernel)
        self._sizes, self._scalars = dict(sizes), dict(scalars)
        self._tolerate_benign = tolerate_benign
        self._blocks = {block.name: block for block in kernel.blocks}
        self._spaces = {array.name: array.space for array in kernel.arrays}
        self._widths = {array.name: array.width for array in kernel.arrays}
        self._known = kernel.all_widths()
        self._memory: dict[Location, int] = {}
        self._contents = contents
        self._until = until
        self._inputs = {key: iter(values) for key, values in (inputs or {}).items()}
        #: The touches of each location, each once, in their order.
        self._touches: dict[Location, dict[_Touch, None]] = {}
        self._group_epochs: dict[tuple[tuple[int, ...], Space], int] = {}
        self._grid_epochs: dict[Space, int] = {}
        #: The ways that each thread took, by branches and by the rounds of the loops around them.
        self._ways: dict[Thread, dict[tuple[str, tuple[int, ...]], tuple[int, bool]]] = {}
        self._run = Run()

    def run(self, threads: Sequence[Thread]) -> Run:
        """Run these threads, until they end or a barrier diverges, and return the faults in the order found.

        If an assumption does not hold, the run does not count, and has no faults.
        """
        executed = {thread: self._executed(thread) for thread in threads}
        waiting: dict[Thread, _Meeting | None] = {}
        released = list(threads)
        try:
            while released:
                for thread in released:
                    waiting[thread] = next(executed[thread], None)
                released = self._released(waiting)
        except _Endless:
            self._run.ends = False
        except _Assumed:
            self._run.faults.clear()
        return self._run

    def _released(self, waiting: dict[Thread, _Meeting | None]) -> list[Thread]:
        """Return the threads that may go on: none if all have ended, or a barrier diverges."""
        released: list[Thread] = []
        groups: dict[tuple[int, ...], list[Thread]] = {}
        for thread in waiting:
            groups.setdefault(thread[0], []).append(thread)
        for group, members in groups.items():
            if not self._agree(members, waiting):
                return []
            meeting = waiting[members[0]]
            if meeting is not None and meeting.barrier.scope == "group":
                released += members
                for space in meeting.barrier.fences:
                    self._group_epochs[group, space] = self._group_epochs.get((group, space), 0) + 1
        if released or not self._agree(list(waiting), waiting):
            return released
        meeting = next(iter(waiting.values()))
        if meeting is None:
            return []
        for space in meeting.barrier.fences:
            self._grid_epochs[space] = self._grid_epochs.get(space, 0) + 1
            for group in groups:
                self._group_epochs[group, space] = self._group_epochs.get((group, space), 0) + 1
        return list(waiting)

    def _agree(self, members: list[Thread], waiting: dict[Thread, _Meeting | None]) -> bool:
        """Return whether threads all wait at one barrier, or have all ended; if not, note the divergence."""
        first = members[0]
        for other in members[1:]:
            if waiting[first] != waiting[other]:
                lines = tuple(met.barrier.line for met in (waiting[first], waiting[other]) if met is not None)
                parting = self._parting(first, other)
                self._run.faults.append(Fault("divergence", (first, other), lines, parting=parting))
                return False
        return True

    def _parting(self, first: Thread, other: Thread) -> int:
        """Return the line of the last branch to which both threads came and at which they went different ways."""
        found = 0
        for where, (line, way) in self._ways.get(first, {}).items():
            if self._ways.get(other, {}).get(where, (line, way))[1] != way:
                found = line
        return found

    def _executed(self, thread: Thread) -> Iterator[_Meeting]:
        """Run one thread; it stops at each barrier."""
        values = words_of(thread, self._sizes) | self._scalars
        rounds = dict.fromkeys(self._flow.loops, 0)
        block = self._kernel.blocks[0]
        steps = 0
        while True:
            for place, one in enumerate(block.instructions):
                if isinstance(one, Barrier):
                    counts = tuple(rounds[loop.header] for loop in self._flow.around(block.name))
                    yield _Meeting(one, (block.name, place), counts)
                else:
                    self._do(one, thread, values)
            steps += 1 + len(block.instructions)
            if steps > MOST_STEPS or time.monotonic() > self._until:
                raise _Endless
            if not block.end.targets:
                return
            is_second = len(block.end.targets) == 2 and not _value(values, block.end.test)
            target = block.end.targets[is_second]
            if len(block.end.targets) == 2:
                counts = tuple(rounds[loop.header] for loop in self._flow.around(block.name))
                self._ways.setdefault(thread, {})[block.name, counts] = (block.end.line, is_second)
            given = [_value(values, argument) for argument in target.arguments]
            if target.block in rounds:
                is_again = self._flow.is_back(block.name, target.block)
                rounds[target.block] = rounds[target.block] + 1 if is_again else 0
            block = self._blocks[target.block]
            values.update(zip((name for name, _ in block.parameters), given, strict=True))

    def _do(self, one: Instruction, thread: Thread, values: dict[str, int]) -> None:
        match one:
            case Compute() if one.operator not in RELATING and _are_known(values, one.operands):
                values[one.name] = self._result(values, one)
            case Arbitrary():
                values[one.name] = self._input(thread, one.line)
            case Opaque() if _are_known(values, one.operands):
                values[one.name] = self._applied(values, one)
            case Access():
                self._access(thread, values, one)
            case Peek() if _are_known(values, (one.offset,)):
                units = one.width // self._widths[one.array]
                wanted = self._input(thread, one.line)
                values[one.name] = self._held(one.array, thread, _value(values, one.offset), units, wanted)
            case Claim(kind="assume") if not _are_known(values, (one.value,)):
                raise _Assumed  # a run of single threads can't tell whether an assumption about two of them holds
            case Claim(kind="assert" | "assume") if _are_known(values, (one.value,)) and not _value(values, one.value):
                if one.kind == "assume":
                    raise _Assumed
                self._run.faults.append(Fault("assertion", (thread,), (one.line,)))

    def _result(self, values: dict[str, int], one: Compute) -> int:
        operands = [_value(values, operand) for operand in one.operands]
        width = self._width(one.operands[-1])
        if one.operator in BINARY and is_undefined(one.operator, operands[-1], width):
            return 0
        return compute(one.operator, operands, width, one.width)

    def _applied(self, values: dict[str, int], one: Opaque) -> int:
        operands = [_value(values, operand) for operand in one.operands]
        return applied(one, operands, self._width(one.operands[0]) if operands else one.width)

    def _width(self, operand: Operand) -> int:
        return operand.width if isinstance(operand, Constant) else self._known[operand]

    def _access(self, thread: Thread, values: dict[str, int], one: Access) -> None:
        space = self._spaces[one.array]
        first, units = _value(values, one.offset), one.width // self._widths[one.array]
        stored = _value(values, one.value) if one.kind == "write" else None
        wanted = self._input(thread, one.line) if one.kind != "write" else 0
        count = _value(values, one.count) if one.count else 1
        if count > MOST_STEPS:
            raise _Endless
        self._check_place(one, thread, first, count * units)
        found = self._held(one.array, thread, first, units, wanted) if one.kind == "read" else wanted
        whole = None if one.kind == "atomic" else found if stored is None else stored
        for number in range(count * units):
            location = self._location(one.array, thread, first + number)
            part = None if stored is None else self._part(stored, one.array, number % units)
            if space in {"local", "global"}:
                self._touch(location, thread, one, part, whole)
            if part is not None:
                self._memory[location] = part
        if one.kind != "write":
            values[one.name] = found

    def _part(self, value: int, array: str, number: int) -> int:
        """Return the part of a value that is in one of the elements of an access."""
        width = self._widths[array]
        return value >> (number * width) & ((1 << width) - 1)

    def _held(self, array: str, thread: Thread, first: int, units: int, otherwise: int) -> int:
        """Return what some elements hold. An element to which nothing gave a value gets it now, perhaps `otherwise`."""
        found = 0
        for number in range(units):
            location = self._location(array, thread, first + number)
            part = self._part(otherwise, array, number) if self._contents is None else self._contents(location)
            found |= self._memory.setdefault(location, part) << (number * self._widths[array])
        return found

    def _location(self, array: str, thread: Thread, offset: int) -> Location:
        owner = {"local": thread[:1], "private": thread}.get(self._spaces[array])
        return array, owner, offset % (1 << ID_WIDTH)

    def _input(self, thread: Thread, line: int) -> int:
        return next(self._inputs.get((thread, line), iter(())), 0)

    def _check_place(self, one: Access, thread: Thread, first: int, length: int) -> None:
        array = self._kernel.array(one.array)
        if array.space == "constant" and one.kind != "read":
            self._run.faults.append(Fault("constant-write", (thread,), (one.line,)))
        is_outside = first >> (ID_WIDTH - 1) or (array.size is not None and first + length > array.size)
        if is_outside and length:
            self._run.faults.append(Fault("bounds", (thread,), (one.line,), (one.array, None, first), (one.kind,)))

    def _touch(self, location: Location, thread: Thread, one: Access, part: int | None, value: int | None) -> None:
        """Note an access, and find the accesses of other threads that it races with."""
        space = self._spaces[one.array]
        epochs = (self._group_epochs.get((thread[0], space), 0), self._grid_epochs.get(space, 0))
        touch = _Touch(thread, one.kind, one.line, part, value, epochs)
        others = self._touches.setdefault(location, {})
        if touch in others:
            return
        for other in others:
            if other.thread == thread or other.kind not in CONFLICTS[one.kind]:
                continue
            if other.epochs[1] != epochs[1] or (other.thread[0] == thread[0] and other.epochs[0] != epochs[0]):
                continue
            is_same = one.kind == other.kind == "write" and other.part == part
            if is_same and self._tolerate_benign:
                continue
            lines, kinds = (other.line, one.line), (other.kind, one.kind)
            pair, held = (other.thread, thread), (other.value, value)
            self._run.faults.append(Fault("race", pair, lines, location, kinds, values=held))
        others[touch] = None


def _are_known(values: Mapping[str, int], operands: Sequence[Operand]) -> bool:
    """Return whether operands have values for one thread alone: those about the pair have none."""
    return all(isinstance(operand, Constant) or operand in values for operand in operands)


def _value(values: Mapping[str, int], operand: Operand) -> int:
    return operand.value if isinstance(operand, Constant) else values[operand]
