"""Run one thread of a launch from one of its steps to the next.

An access to global or local memory is *sync* if it is atomic or volatile, or if its element is one that plain accesses
race for. All other accesses are *plain*. A step of a thread is one sync access, and then everything that the thread
does before its next one. An arrival at a barrier is a step of its own: the thread then waits. So a thread always stands
before a sync access or a barrier, waits at a barrier, or has ended.

Memory is sequentially consistent. A plain access is executed together with the sync access before it. `space` checks
the premise of this: that no other thread has an access in between that conflicts with it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from synth_checker.errors import InputError
from synth_kernels.atomics import updated
from synth_kernels.floats import applied, can_run
from synth_kernels.launch import words_of
from synth_kernels.operators import BINARY, compute, is_undefined
from synth_kernels.program import (
    Access,
    Arbitrary,
    Barrier,
    Call,
    Claim,
    Compute,
    Constant,
    Opaque,
    Peek,
    Place,
    Unset,
)
from synth_kernels.progress.arguments import scalars_of
from synth_kernels.progress.layout import Layout
from synth_kernels.progress.live_values import live_before
from synth_kernels.progress.partly import Partly, compute_partly, undefined
from synth_kernels.progress.steps import Deed, Local, Rules, SpinError
from synth_kernels.supporting import refuse

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from synth_kernels.launch import Thread
    from synth_kernels.program import Array, Block, Instruction, Kernel, Operand
    from synth_kernels.progress.arguments import Given
    from synth_kernels.progress.partly import Value
    from synth_kernels.progress.steps import Memory, Status, Touch

#: Between two steps, a thread executes at most so many instructions.
MOST_INSTRUCTIONS = 1_000_000
#: Where arrays are that several threads may access, and that are written.
_SHARED = frozenset({"global", "local"})


class Machine:
    """The threads of a launch, their memory, and how each thread runs.

    `members` are the threads of each workgroup. `sync` are the elements that plain accesses race for. Without
    `reduces`, each access to global or local memory is sync, and each arrival at a barrier is a step of its own.

    Raises:
        InputError: the arguments do not fit the kernel, or it has asynchronous copies.
    """

    def __init__(  # noqa: PLR0913
        self,
        kernel: Kernel,
        sizes: Mapping[str, int],
        threads: Sequence[Thread],
        given: Mapping[str, Given],
        *,
        reduces: bool = True,
        rules: Rules | None = None,
    ) -> None:
        refuse(kernel, "copy")
        self.kernel, self.threads = kernel, tuple(threads)
        self.groups = sorted({group for group, _ in threads})
        self.group_of = [self.groups.index(group) for group, _ in threads]
        self.members = [
            [thread for thread, found in enumerate(self.group_of) if found == group]
            for group in range(len(self.groups))
        ]
        self.rules = rules or Rules()
        self.sync: set[int] = set()
        self.reduces = reduces
        scalars = scalars_of(kernel, given)
        self._fixed = [words_of(thread, dict(sizes)) | scalars for thread in threads]
        self._blocks = {block.name: block for block in kernel.blocks}
        self._widths = kernel.all_widths()
        self._arrays = {array.name: array for array in kernel.arrays}
        self._live = live_before(kernel, self._fixed[0])
        self.layout = Layout(kernel, given, len(self.groups))

    def starting(self, thread: int, memory: Memory) -> Local:
        """Run a thread from its beginning to its first step. Its plain accesses change the memory."""
        run = _Run(self, thread, memory, list(self.layout.private), dict(self._fixed[thread]))
        return run.to_the_next_step(self.kernel.blocks[0], 0)

    def after_access(self, thread: int, local: Local, memory: Memory) -> tuple[Local, Deed]:
        """Take the step of a thread that stands before a sync access. It changes the memory."""
        run = self._resumed(thread, local, memory)
        block = self._blocks[local.block]
        deed = run.act(block.instructions[local.place])
        return run.to_the_next_step(block, local.place + 1), deed

    def after_barrier(self, thread: int, local: Local, memory: Memory) -> Local:
        """Run a thread on that waited at a barrier, to its next step."""
        run = self._resumed(thread, local, memory)
        return run.to_the_next_step(self._blocks[local.block], local.place + 1)

    def barrier_of(self, local: Local) -> Barrier:
        """Return the barrier that a thread stands before or waits at."""
        found = self._blocks[local.block].instructions[local.place]
        assert isinstance(found, Barrier)  # noqa: S101  (the status says so)
        return found

    def object_of(self, local: Local) -> tuple[str, ...]:
        """Return what tells the barrier at which a thread stands from others. It may stand at several places."""
        scope = self.barrier_of(local).scope
        is_one = scope == "grid" or (scope == "group" and self.rules.one_barrier)
        return (scope,) if is_one else (scope, local.block, str(local.place))

    def mask_of(self, thread: int, local: Local) -> int:
        """Return the lanes that meet at the barrier where a thread is, as bits, or 0 if the barrier has no mask.

        Raises:
            InputError: the thread is not in the mask, or it is not defined.
        """
        barrier = self.barrier_of(local)
        if not barrier.mask:
            return 0
        members = self.members[self.group_of[thread]]
        lane = (thread - members[0]) % self.rules.subgroup
        lanes = min(self.rules.subgroup, len(members) - (thread - members[0]) + lane)
        values = self._fixed[thread] | dict(zip(self._live[local.block][local.place], local.values, strict=True))
        found = barrier.mask.value if isinstance(barrier.mask, Constant) else values[barrier.mask]
        if isinstance(found, Partly) or not found >> lane & 1:
            mask = "a mask that is not defined" if isinstance(found, Partly) else f"the mask {found:#x}"
            msg = f"{self.where(barrier.line)}: thread {thread} is lane {lane}, and gives {mask}"
            raise InputError(f"{msg}; a lane must be in its mask")
        return found & ((1 << lanes) - 1)

    def line_of(self, local: Local) -> int:
        """Return the line of the instruction before which a thread stands."""
        return self._blocks[local.block].instructions[local.place].line

    def _resumed(self, thread: int, local: Local, memory: Memory) -> _Run:
        values = self._fixed[thread] | dict(zip(self._live[local.block][local.place], local.values, strict=True))
        return _Run(self, thread, memory, list(local.private), values)

    def stopped(self, run: _Run, status: Status, block: Block, place: int) -> Local:
        """Return the state of a thread that has come to its next step."""
        values = tuple(run.values[name] for name in self._live[block.name][place]) if status != "ended" else ()
        private = tuple(run.private) if status != "ended" else ()
        return Local(status, block.name, place, values, private, frozenset(run.touched))

    def fixed(self, thread: int) -> Mapping[str, int]:
        """Return the values of a thread that never change: its ids, the sizes and the scalars."""
        return self._fixed[thread]

    def block(self, name: str) -> Block:
        """Return the block of this name."""
        return self._blocks[name]

    def live_at(self, block: str) -> tuple[str, ...]:
        """Return the values that are live before the first instruction of a block."""
        return self._live[block][0]

    def width(self, operand: Operand) -> int:
        """Return the number of bits of an operand."""
        return operand.width if isinstance(operand, Constant) else self._widths[operand]

    def array(self, name: str) -> Array:
        """Return the array of this name."""
        return self._arrays[name]

    def held(self, elements: range, memory: Sequence[int]) -> int:
        """Return the value that some elements of one array hold together."""
        return _joined(list(memory), elements, self.array(self.layout.names[elements[0]][0]).width)

    def place(self, line: int) -> Place:
        """Return the place of an instruction in the source. The file is empty for a typed program."""
        return self.kernel.places.get(line) or Place("", line)

    def where(self, line: int) -> str:
        """Return the place of an instruction in the source, as messages have it."""
        return written(self.place(line))


def written(place: Place) -> str:
    """Return a place in the source as messages have it, such as `scan.cl:7`."""
    return f"{place.file}:{place.line}" if place.file else f"line {place.line}"


def _joined(memory: Memory, elements: range, width: int) -> int:
    if len(elements) == 1:
        return memory[elements[0]]
    return sum(memory[element] << (place * width) for place, element in enumerate(elements))


class _Run:
    """A thread that runs: its values with those that never change, its private memory, and its plain accesses."""

    def __init__(
        self, machine: Machine, thread: int, memory: Memory, private: list[int], values: dict[str, Value]
    ) -> None:
        self.machine, self.thread, self.memory, self.private, self.values = machine, thread, memory, private, values
        self.touched: set[Touch] = set()
        self._has_written = False
        self._has_partly = any(isinstance(one, Partly) for one in values.values())

    def to_the_next_step(self, block: Block, place: int) -> Local:
        """Run to the next sync access, to the next barrier, or to the end."""
        machine = self.machine
        left = MOST_INSTRUCTIONS
        seen: set[tuple[str, tuple[Value, ...], tuple[int, ...]]] = set()
        while True:
            if (stop := self._stop_in(block, place)) is not None:
                return machine.stopped(self, *stop)
            left -= len(block.instructions) - place + 1
            if not block.end.targets:
                return machine.stopped(self, "ended", block, len(block.instructions))
            is_second = len(block.end.targets) == 2 and not self._value(block.end.test, block.end.line)
            target = block.end.targets[is_second]
            given = [one.value if isinstance(one, Constant) else self.values[one] for one in target.arguments]
            block, place = machine.block(target.block), 0
            self.values.update(zip((name for name, _ in block.parameters), given, strict=True))
            if self._has_written:
                self._has_written = False
                seen.clear()
            here = (block.name, tuple(self.values[name] for name in machine.live_at(block.name)), tuple(self.private))
            if here in seen:
                raise SpinError(frozenset(element for element, _ in self.touched), block.first_line)
            seen.add(here)
            if left < 0:
                msg = (
                    f"{machine.where(block.end.line or block.line)}: thread {self.thread} executes more than "
                    f"{MOST_INSTRUCTIONS:,} instructions without an atomic or volatile access"
                )
                raise InputError(msg)

    def _stop_in(self, block: Block, place: int) -> tuple[Status, Block, int] | None:
        """Run to the next step in a block, or to its end. Return the step."""
        for number in range(place, len(block.instructions)):
            one = block.instructions[number]
            if isinstance(one, Compute):  # most of them are
                self.values[one.name] = self._computed(one)
            elif isinstance(one, Access):
                elements = self._elements(one)
                if self._is_sync(one, elements):
                    return "access", block, number
                self.plain(one, elements)
            elif isinstance(one, Barrier):
                return "barrier", block, number
            else:
                assert not isinstance(one, Call)  # noqa: S101  (a machine gets kernels with all functions inlined)
                self._do(one)
        return None

    def act(self, one: Instruction) -> Deed:
        """Make the sync access."""
        assert isinstance(one, Access)  # noqa: S101  (the thread stands before it)
        elements = self._elements(one)
        width = self.machine.array(one.array).width
        before = None if one.kind == "write" else _joined(self.memory, elements, width)
        after: int | None = None
        if before is None:
            after = self._value(one.value, one.line)
        elif one.kind == "atomic":
            if not one.operation:
                msg = f"{self.machine.where(one.line)}: not supported: this atomic operation"
                raise InputError(msg)
            after = updated(
                one.operation, before, [self._value(operand, one.line) for operand in one.operands], one.width
            )
        if after is not None:
            self._store(self.memory, elements, width, after)
        if before is not None:
            self.values[one.name] = before
        return Deed(elements, before, after)

    def plain(self, one: Access, elements: range) -> None:
        """Make a plain access to some elements."""
        array = self.machine.array(one.array)
        width = array.width
        memory: Memory = self.private if array.space == "private" else self.memory
        if array.space in _SHARED:
            found = {(element, one.kind == "write") for element in elements}
            self._has_written |= one.kind == "write" and not found <= self.touched
            self.touched |= found
        if one.kind == "write":
            each = one.width // width
            for first in range(0, len(elements), each):
                self._store(memory, elements[first : first + each], width, self._value(one.value, one.line))
        elif one.count:
            msg = f"{self.machine.where(one.line)}: not supported: a copy whose length is not constant"
            raise InputError(msg)
        else:
            self.values[one.name] = _joined(memory, elements, width)

    def _is_sync(self, one: Access, elements: range) -> bool:
        if self.machine.array(one.array).space not in _SHARED:
            return False
        if one.kind == "atomic" or one.is_volatile or not self.machine.reduces:
            return True
        return not self.machine.sync.isdisjoint(elements)

    def _elements(self, one: Access) -> range:
        """Return the numbers of the elements of memory that an access touches.

        Raises:
            InputError: one of them is outside the array.
        """
        machine = self.machine
        array, size = machine.array(one.array), machine.layout.sizes[one.array]
        first = self._value(one.offset, one.line)
        length = one.width // array.width * (self._value(one.count, one.line) if one.count else 1)
        if first + length > size:
            msg = (
                f"{machine.where(one.line)}: thread {self.thread} accesses element {first} of {one.array}, which has "
                f"{size}; give it more elements with --arg {one.array}=VALUE:COUNT"
            )
            raise InputError(msg)
        start = machine.layout.start(array, machine.group_of[self.thread]) + first
        return range(start, start + length)

    @staticmethod
    def _store(memory: Memory, elements: range, width: int, value: int) -> None:
        for place, element in enumerate(elements):
            memory[element] = value >> (place * width) & ((1 << width) - 1)

    def _value(self, operand: Operand, line: int) -> int:
        """Return a value that matters to the instruction of a line."""
        found = operand.value if isinstance(operand, Constant) else self.values[operand]
        if isinstance(found, Partly):
            where = self.machine.where(line)
            msg = f"{where}: what thread {self.thread} does here depends on a value that is not defined"
            raise InputError(msg)
        return found

    def _do(self, one: Arbitrary | Opaque | Peek | Unset | Claim) -> None:
        match one:
            case Opaque() if can_run(one.function):
                operands = [self._value(operand, one.line) for operand in one.operands]
                self.values[one.name] = applied(one, operands, self.machine.width(one.operands[0]))
            case Arbitrary() if one.usual:
                self.values[one.name] = self._value(one.usual, one.line)
            case Arbitrary() if one.is_unset:
                self.values[one.name] = undefined(one.width)
                self._has_partly = True
            case Claim(kind="assert") if not self._value(one.value, one.line):
                msg = f"{self.machine.where(one.line)}: the assertion fails for thread {self.thread}"
                raise InputError(msg)
            case Arbitrary() | Opaque():
                text = self.machine.place(one.line).text
                value = f"the value of {text}" if text else "a value that is not known"
                what = f"the function {one.function}" if isinstance(one, Opaque) else value
                msg = f"{self.machine.where(one.line)}: not supported: {what}"
                raise InputError(msg)
            case Peek():
                msg = f"{self.machine.where(one.line)}: not supported: an annotation that reads an array"
                raise InputError(msg)
            case _:
                pass

    def _computed(self, one: Compute) -> Value:
        values = self.values
        found = [each.value if isinstance(each, Constant) else values[each] for each in one.operands]
        width = self.machine.width(one.operands[-1])
        if self._has_partly and any(isinstance(each, Partly) for each in found):
            return compute_partly(one.operator, found, width, one.width)
        operands = cast("list[int]", found)
        if one.operator in BINARY and is_undefined(one.operator, operands[-1], width):
            msg = f"{self.machine.where(one.line)}: {one.operator} by {operands[-1]} has no defined result"
            raise InputError(msg)
        return compute(one.operator, operands, width, one.width)
