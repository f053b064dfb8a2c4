"""Run a kernel with given numbers, and find its races and divergent barriers by comparing threads one by one.

Each thread runs alone until its next barrier, then the next thread does. If a kernel has no race and no divergence,
each other order gives the same result, so this one order shows the first race or divergence whenever there is one. All
threads of a launch may run, or only some.

An operator with an arbitrary result gives 0 here. An atomic operation, memory that nothing gave a value and other
arbitrary values give what `inputs` say, or 0. With `contents`, memory holds at first what that says of each place. So
this is a run of the two-thread program, and perhaps not of the kernel: `confirming.execution` runs that.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from synth_kernels.access_order import Copy
from synth_kernels.floats import apply_function
from synth_kernels.flow import Flow
from synth_kernels.launch import warp_of, words_of
from synth_kernels.memory import Memory, RunFault
from synth_kernels.operators import BINARY, RELATING, compute, is_undefined
from synth_kernels.program import Access, Arbitrary, ArrayUnset, Barrier, Compute, Constant, KernelClaim, Opaque, Peek

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from synth_kernels.launch import Thread
    from synth_kernels.memory import Location
    from synth_kernels.program import Block, Instruction, Kernel, Operand

#: For threads and lines: the values that reads of memory without a value shall give, and other arbitrary values.
Inputs: TypeAlias = "Mapping[tuple[Thread, int], Sequence[int]]"
#: Is told of each access: the thread, the access, the rounds of the loops around it, and the offset.
Seen: TypeAlias = "Callable[[Thread, Access, tuple[int, ...], int], None]"
#: What is told of a thread at the header of a loop: the rounds of this loop and those around it, and its values.
AtHeader: TypeAlias = "Callable[[Thread, Block, tuple[int, ...], Mapping[str, int]], None]"
#: A thread takes at most so many steps.
MOST_STEPS = 10_000


@dataclass(slots=True)
class RunResult:
    """What came of a run. `ends` is false if some thread took more steps, or the run more time, than was allowed.

    `needs_others` says that it depends on what threads that did not run may have stored. `counts` is false if an
    assumption did not hold.
    """

    faults: list[RunFault] = field(default_factory=list)
    ends: bool = True
    counts: bool = True
    needs_others: bool = False


@dataclass(frozen=True, slots=True)
class Meeting:
    """Where a thread waits: at a barrier, in these rounds of the loops around it, and with these values and events."""

    barrier: Barrier
    place: tuple[str, int]
    rounds: tuple[int, ...]
    same: tuple[int, ...] = ()
    events: tuple[int, ...] = ()


class WarpStep(NamedTuple):
    """Where a thread of a warp is: before an access to an array."""

    key: tuple[int, ...]
    array: str


#: What a thread that stops says: it has had its turn.
TURN: Literal["turn"] = "turn"
#: A thread that runs, and stops where it meets others, in a warp before each access, or when it has had its turn.
Running: TypeAlias = "Iterator[Meeting | WarpStep | Literal['turn']]"


class AssumedError(Exception):
    """An assumption does not hold."""


class EndlessError(Exception):
    """A thread took too many steps."""


class Runner:
    """A kernel that is run with one launch: its sizes by name, and its scalars. `seen` is told of each access.

    At the time `until`, in seconds of the clock that only goes forward, the run is given up. `at_header` is told each
    time a thread comes to the header of a loop. With a `warp`, so many threads of a group run in lockstep: those that
    are furthest behind take a step together. `waits_fence` is that of the launch, `check_bounds` that of the
    options. If barriers of a group are `one_barrier`, threads meet wherever they wait.
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
        seen: Seen | None = None,
        at_header: AtHeader | None = None,
        warp: int = 0,
        waits_fence: bool = False,
        check_bounds: bool = False,
        one_barrier: bool = False,
        volatile_is_atomic: bool = False,
    ) -> None:
        self._kernel = kernel
        self._at_header = at_header
        self._flow = Flow(kernel)
        self._sizes, self._scalars = dict(sizes), dict(scalars)
        self._blocks = {block.name: block for block in kernel.blocks}
        self._known = kernel.all_widths()
        #: What the run leaves in memory.
        self.memory = Memory(
            kernel,
            tolerate_benign=tolerate_benign,
            contents=contents,
            waits_fence=waits_fence,
            volatile_is_atomic=volatile_is_atomic,
        )
        self._until, self._seen, self._warp = until, seen, warp
        self._check_bounds, self._one_barrier = check_bounds, one_barrier
        self._numbers = {name: number for number, name in enumerate(self._flow.order)}
        self._inputs = {key: iter(values) for key, values in (inputs or {}).items()}
        #: The ways that each thread took, by branches and by the rounds of the loops around them.
        self._ways: dict[Thread, dict[tuple[str, tuple[int, ...]], tuple[int, bool]]] = {}
        #: Of each thread: the last event, how many copies of each line it has made, and what it has read for copies.
        self._events: dict[Thread, int] = {}
        self._copies: dict[tuple[Thread, int], int] = {}
        self._copied: dict[tuple[Thread, Operand], list[int]] = {}
        self._result = RunResult(self.memory.faults)

    def run(self, threads: Sequence[Thread]) -> RunResult:
        """Run these threads, until they end or a barrier diverges, and return the faults in the order found.

        If an assumption does not hold, the run does not count, and has no faults.
        """
        try:
            self._run(threads)
        except EndlessError:
            self._result.ends = False
        except AssumedError:
            self._result.faults.clear()
            self._result.counts = False
        self._result.needs_others = self.memory.needs_others or bool(self._warp)
        return self._result

    def _run(self, threads: Sequence[Thread]) -> None:
        executed = {thread: self._executed(thread) for thread in threads}
        waiting: dict[Thread, Meeting | None] = {}
        released: Sequence[Thread] = threads
        while released:
            for lanes in self._warps(released):
                for _ in self._advancing(lanes, executed, waiting):
                    pass
            released = self._released(waiting, threads)

    def _warps(self, threads: Sequence[Thread]) -> Iterable[Sequence[Thread]]:
        """Return threads by their warps. Without lockstep, each is a warp of its own."""
        if not self._warp:
            return [(thread,) for thread in threads]
        warps: dict[object, list[Thread]] = {}
        for thread in threads:
            warps.setdefault(warp_of(thread, self._sizes, self._warp), []).append(thread)
        return warps.values()

    def _advancing(
        self, lanes: Sequence[Thread], executed: Mapping[Thread, Running], waiting: dict[Thread, Meeting | None]
    ) -> Iterator[None]:
        """Run the threads of a warp to their next barriers or their ends, and note where they are then.

        It stops when a thread has had its turn.
        """
        at: dict[Thread, WarpStep] = {}
        todo = lanes
        while todo:
            for thread in todo:
                while (stop := next(executed[thread], None)) == TURN:
                    yield
                if isinstance(stop, WarpStep):
                    at[thread] = stop
                else:
                    assert stop is None or isinstance(stop, Meeting)  # noqa: S101  (turns are over)
                    waiting[thread] = stop
            first = min((step.key for step in at.values()), default=())
            todo = [thread for thread, step in at.items() if step.key == first]
            if todo:
                self.memory.order.step(at[todo[0]].array, todo)
            for thread in todo:
                del at[thread]

    def _key(self, block: str, place: int, rounds: Mapping[str, int]) -> tuple[int, ...]:
        """Return numbers that order the places of threads of a warp, as the walk of two threads goes through them."""
        loops = reversed(self._flow.around(block))
        before = [number for loop in loops for number in (self._numbers[loop.header], rounds[loop.header])]
        return (*before, self._numbers[block], place)

    def _released(self, waiting: dict[Thread, Meeting | None], threads: Sequence[Thread]) -> list[Thread]:
        """Return the threads that may go on: none if all have ended, or a barrier diverges.

        Threads of a group meet when none of them runs any more.
        """
        released: list[Thread] = []
        groups: dict[tuple[int, ...], list[Thread]] = {}
        for thread in threads:
            groups.setdefault(thread[0], []).append(thread)
        for members in groups.values():
            if not all(thread in waiting for thread in members):
                continue
            if not self._agree(members, waiting):
                return []
            meeting = waiting[members[0]]
            if meeting is not None and meeting.barrier.scope == "group":
                released += self._pass(members, waiting)
        if released or len(waiting) < len(threads) or not self._agree(threads, waiting):
            return released
        return [] if waiting[threads[0]] is None else self._pass(threads, waiting)

    def _pass(self, members: Sequence[Thread], waiting: dict[Thread, Meeting | None]) -> list[Thread]:
        """Let threads go on that wait for each other."""
        meetings = [meeting for thread in members if (meeting := waiting[thread]) is not None]
        barriers = {id(meeting.barrier): meeting.barrier for meeting in meetings}
        groups = dict.fromkeys(group for group, _ in members)
        self.memory.order.pass_barriers(barriers.values(), groups, self._who_meets(members), meetings[0].events)
        for thread in members:
            del waiting[thread]
        return list(members)

    def _who_meets(self, members: Sequence[Thread]) -> Sequence[Thread]:  # noqa: ARG002
        """Return threads that learn of each other at a barrier: nobody, as no atomic operation orders anything."""
        return ()

    def _agree(self, members: Sequence[Thread], waiting: Mapping[Thread, Meeting | None]) -> bool:
        """Return whether threads all wait at one barrier, or have all ended; if not, note the divergence."""
        first = members[0]
        for other in members[1:]:
            meeting, other_meeting = waiting[first], waiting[other]
            if (
                meeting != other_meeting
                and not (self._one_barrier and _is_one_object(meeting, other_meeting))
                and not _is_one_grid(meeting, other_meeting)
            ):
                lines = tuple(met.barrier.line for met in (meeting, other_meeting) if met is not None)
                is_one = all(_is_one_object(meeting, waiting[thread]) for thread in members)
                parting = self._parting(first, other)
                fault = RunFault("divergence", (first, other), lines, parting=parting, one_barrier=is_one)
                self._result.faults.append(fault)
                return False
        return True

    def _parting(self, first: Thread, other: Thread) -> int:
        """Return the line of the last branch to which both threads came and at which they went different ways."""
        last_line = 0
        for where, (line, way) in self._ways.get(first, {}).items():
            if self._ways.get(other, {}).get(where, (line, way))[1] != way:
                last_line = line
        return last_line

    def _executed(self, thread: Thread) -> Running:
        """Run one thread; it stops at each barrier, and if it is in a warp, before each access."""
        values = words_of(thread, self._sizes) | self._scalars
        rounds = dict.fromkeys(self._flow.loops, 0)
        block = self._kernel.blocks[0]
        steps = 0
        while True:
            for place, instruction in enumerate(block.instructions):
                if isinstance(instruction, Access) and self._warp:
                    yield WarpStep(self._key(block.name, place, rounds), instruction.array)
                self._tell(thread, instruction, block.name, rounds, values)
                if isinstance(instruction, Barrier):
                    counts = tuple(rounds[loop.header] for loop in self._flow.around(block.name))
                    same, events = (
                        tuple(self.deciding(values, operand) for operand in operands)
                        for operands in (instruction.same, instruction.waits)
                    )
                    yield Meeting(instruction, (block.name, place), counts, same, events)
                else:
                    self._do(instruction, thread, values)
            steps += 1 + len(block.instructions)
            if self._has_had_its_turn(1 + len(block.instructions), steps):
                yield TURN
            if not block.end.targets:
                return
            is_second = len(block.end.targets) == 2 and not self.deciding(values, block.end.test)
            target = block.end.targets[is_second]
            if len(block.end.targets) == 2:
                counts = tuple(rounds[loop.header] for loop in self._flow.around(block.name))
                self._ways.setdefault(thread, {})[block.name, counts] = (block.end.line, is_second)
            arguments = [_value(values, argument) for argument in target.arguments]
            if target.block in rounds:
                is_again = self._flow.is_back(block.name, target.block)
                rounds[target.block] = rounds[target.block] + 1 if is_again else 0
            block = self._blocks[target.block]
            values.update(zip((name for name, _ in block.parameters), arguments, strict=True))
            if self._at_header is not None and block.name in rounds:
                counts = tuple(rounds[loop.header] for loop in self._flow.around(block.name))
                self._at_header(thread, block, counts, values)

    def _has_had_its_turn(self, _more: int, steps: int) -> bool:
        """Return whether a thread lets others run, after some more steps. Here each thread runs alone.

        Raises:
            EndlessError: it has taken too many steps, or the time is over.
        """
        if steps > MOST_STEPS or time.monotonic() > self._until:
            raise EndlessError
        return False

    def _tell(
        self, thread: Thread, instruction: Instruction, block: str, rounds: Mapping[str, int], values: Mapping[str, int]
    ) -> None:
        """Tell `seen` of an access."""
        if isinstance(instruction, Access) and self._seen is not None:
            counts = tuple(rounds[loop.header] for loop in self._flow.around(block))
            self._seen(thread, instruction, counts, _value(values, instruction.offset))

    def deciding(self, values: Mapping[str, int], operand: Operand) -> int:
        """Return a value that decides where a thread goes, what it accesses or whom it meets."""
        return _value(values, operand)

    def _do(self, instruction: Instruction, thread: Thread, values: dict[str, int]) -> None:
        match instruction:
            case Compute() if instruction.operator not in RELATING and _are_known(values, instruction.operands):
                values[instruction.name] = self._computed(values, instruction)
            case Arbitrary():
                values[instruction.name] = (
                    self._event(thread) if instruction.is_event else self._arbitrary(thread, instruction, values)
                )
            case Opaque() if _are_known(values, instruction.operands):
                values[instruction.name] = self._applied(values, instruction)
            case Access():
                self._access(thread, values, instruction)
            case ArrayUnset():
                self.memory.forget(thread, instruction.array)
            case Peek() if _are_known(values, (instruction.offset,)):
                units = instruction.width // self.memory.width(instruction.array)
                first, otherwise = self.deciding(values, instruction.offset), self._input(thread, instruction.line)
                values[instruction.name] = self.memory.held(thread, instruction.array, first, units, otherwise)
            case KernelClaim(kind="assume") if not _are_known(values, (instruction.value,)):
                raise AssumedError  # a run of single threads can't tell whether an assumption about two of them holds
            case KernelClaim(kind="assert" | "assume" | "invariant") if _are_known(values, (instruction.value,)):
                if not self.deciding(values, instruction.value):
                    self._fails(instruction, thread)

    def _fails(self, claim: KernelClaim, thread: Thread) -> None:
        """Note that a claim does not hold, or give up the run if it takes the claim for granted."""
        if claim.inside == "access" and self._check_bounds:
            return
        if claim.kind == "assume" and not (claim.inside and self._check_bounds):
            raise AssumedError
        kind: Literal["assertion", "overflow", "invariant", "bounds"] = (
            "bounds" if claim.inside else "assertion" if claim.kind == "assert" else "invariant"
        )
        self._result.faults.append(RunFault("overflow" if claim.is_overflow else kind, (thread,), (claim.line,)))

    def _computed(self, values: dict[str, int], instruction: Compute) -> int:
        operands = [_value(values, operand) for operand in instruction.operands]
        width = self._width(instruction.operands[-1])
        if instruction.operator in BINARY and is_undefined(instruction.operator, operands[-1], width):
            return 0
        return compute(instruction.operator, operands, width, instruction.width)

    def _applied(self, values: dict[str, int], instruction: Opaque) -> int:
        operands = [_value(values, operand) for operand in instruction.operands]
        return apply_function(
            instruction, operands, self._width(instruction.operands[0]) if operands else instruction.width
        )

    def _width(self, operand: Operand) -> int:
        return operand.width if isinstance(operand, Constant) else self._known[operand]

    def _copy(self, thread: Thread, values: dict[str, int], access: Access, count: int) -> None:
        """Let a thread make all parts of a copy. What it writes is what it has read at last under the same name."""
        number = self._copies[thread, access.line] = self._copies.get((thread, access.line), 0) + 1
        copy = Copy(access.line, number, self.deciding(values, access.event))
        step = self.deciding(values, access.step) if access.step else 1
        parts = self._copied.get((thread, access.value)) if access.kind == "write" else None
        if parts is None:
            parts = [
                _value(values, access.value) if access.kind == "write" else self._input(thread, access.line)
            ] * count
        held = self.memory.copy(thread, access, self.deciding(values, access.offset), step, parts, copy)
        if access.kind == "read":
            self._copied[thread, access.name] = held
            values[access.name] = held[0] if held else 0

    def _access(self, thread: Thread, values: dict[str, int], access: Access) -> None:
        value = _value(values, access.value) if access.kind == "write" else self._input(thread, access.line)
        count = self.deciding(values, access.count) if access.count else 1
        if count > MOST_STEPS:
            raise EndlessError
        if access.event:
            self._copy(thread, values, access, count)
            return
        held = self.memory.access(thread, access, self.deciding(values, access.offset), count, value)
        if access.kind != "write":
            values[access.name] = held

    def _event(self, thread: Thread) -> int:
        self._events[thread] = event = self._events.get(thread, 0) + 1
        return event

    def _arbitrary(self, thread: Thread, instruction: Arbitrary, values: Mapping[str, int]) -> int:  # noqa: ARG002
        return self._input(thread, instruction.line)

    def _input(self, thread: Thread, line: int) -> int:
        return next(self._inputs.get((thread, line), iter(())), 0)


def _is_one_object(meeting: Meeting | None, other: Meeting | None) -> bool:
    """Return whether two threads of a group would meet if all barriers of a group were one object.

    A barrier at which threads must have the same values, or that gives them one, is a call of its own.
    """
    if (
        meeting is None
        or other is None
        or meeting.same
        or other.same
        or meeting.events
        or other.events
        or meeting.barrier.gives
    ):
        return meeting == other
    return meeting.barrier.scope == other.barrier.scope and (meeting == other or not other.barrier.gives)


def _is_one_grid(meeting: Meeting | None, other: Meeting | None) -> bool:
    """Return whether two threads wait at the barrier of the grid, of which there is one."""
    return meeting is not None and other is not None and meeting.barrier.scope == other.barrier.scope == "grid"


def _are_known(values: Mapping[str, int], operands: Sequence[Operand]) -> bool:
    """Return whether operands have values for one thread alone: those about the pair have none."""
    return all(isinstance(operand, Constant) or operand in values for operand in operands)


def _value(values: Mapping[str, int], operand: Operand) -> int:
    return operand.value if isinstance(operand, Constant) else values[operand]
