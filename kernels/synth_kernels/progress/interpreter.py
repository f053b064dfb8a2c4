"""Interpret a thread of a launch from where it stands to its next step."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from synth_checker.errors import InputError
from synth_kernels.atomics import updated_value
from synth_kernels.floats import apply_function, can_run
from synth_kernels.operators import BINARY, compute, is_undefined
from synth_kernels.program import (
    Access,
    Arbitrary,
    ArrayUnset,
    Barrier,
    Call,
    Compute,
    Constant,
    KernelClaim,
    Opaque,
    Peek,
)
from synth_kernels.progress.open_values import UnsetValue
from synth_kernels.progress.partial_values import PartialValue, compute_partly, joined_parts, parts_of, unknown_value
from synth_kernels.progress.steps import AccessEffect, SpinError, ThreadState

if TYPE_CHECKING:
    from synth_kernels.program import Block, Instruction, Operand
    from synth_kernels.progress.launch_constants import LaunchConstants
    from synth_kernels.progress.partial_values import Value
    from synth_kernels.progress.steps import ElementMemory, Status, Touch

#: Between two steps, a thread executes at most so many instructions.
MOST_INSTRUCTIONS = 1_000_000
#: Where arrays are that several threads may access, and that are written.
_SHARED = frozenset({"global", "local"})
#: The atomic operations that are operators.
_OPERATORS = frozenset({"add", "sub", "and", "or", "xor"})


class ThreadRun:
    """A thread that runs: its values with those that never change, its private memory, and its plain accesses."""

    def __init__(
        self,
        setting: LaunchConstants,
        thread: int,
        memory: ElementMemory,
        private: list[Value],
        values: dict[str, Value],
    ) -> None:
        self.setting, self.thread, self.memory, self.private, self.values = setting, thread, memory, private, values
        self.touched: set[Touch] = set()
        self._has_written = False
        self._group = setting.group_of[thread]
        self._has_partly = any(isinstance(value, PartialValue) for value in values.values())

    def to_the_next_step(self, block: Block, place: int) -> ThreadState:
        """Run to the next sync access, to the next barrier, or to the end."""
        setting = self.setting
        budget = MOST_INSTRUCTIONS
        seen: set[tuple[str, tuple[Value, ...], tuple[Value, ...]]] = set()
        while True:
            if (stop := self._stop_in(block, place)) is not None:
                return self._stopped(*stop)
            budget -= len(block.instructions) - place + 1
            if not block.end.targets:
                return self._stopped("ended", block, len(block.instructions))
            is_second = len(block.end.targets) == 2 and not self._value(block.end.test, block.end.line)
            target = block.end.targets[is_second]
            arguments = [
                argument.value if isinstance(argument, Constant) else self.values[argument]
                for argument in target.arguments
            ]
            block, place = setting.block(target.block), 0
            self.values.update(zip((name for name, _ in block.parameters), arguments, strict=True))
            if self._has_written:
                self._has_written = False
                seen.clear()
            state = (block.name, tuple(self.values[name] for name in setting.live_at(block.name)), tuple(self.private))
            if state in seen:
                raise SpinError(frozenset(element for element, _ in self.touched), block.first_line)
            seen.add(state)
            if budget < 0:
                raise InputError(
                    f"{setting.where(block.end.line or block.line)}: thread {self.thread} executes more than "
                    f"{MOST_INSTRUCTIONS:,} instructions without an atomic or volatile access"
                )

    def _stopped(self, status: Status, block: Block, place: int) -> ThreadState:
        """Return the state of a thread that has come to its next step."""
        is_over = status == "ended"
        values = () if is_over else tuple(self.values[name] for name in self.setting.live_at(block.name, place))
        private = () if is_over else tuple(self.private)
        return ThreadState(status, block.name, place, values, private, frozenset(self.touched))

    def _stop_in(self, block: Block, place: int) -> tuple[Status, Block, int] | None:
        """Run to the next step in a block, or to its end. Return the step."""
        for number in range(place, len(block.instructions)):
            instruction = block.instructions[number]
            if isinstance(instruction, Compute):  # most of them are
                self.values[instruction.name] = self._computed(instruction)
            elif isinstance(instruction, Access):
                elements = self._elements(instruction)
                if self._is_sync(instruction, elements):
                    return "access", block, number
                self.plain(instruction, elements)
            elif isinstance(instruction, Barrier):
                return "barrier", block, number
            else:
                assert not isinstance(instruction, Call)  # noqa: S101  (a machine gets kernels with all functions inlined)
                self._do(instruction)
        return None

    def act(self, instruction: Instruction) -> AccessEffect:
        """Make the sync access."""
        assert isinstance(instruction, Access)  # noqa: S101  (the thread stands before it)
        elements = self._elements(instruction)
        self.setting.reaching.note(self.thread, instruction, elements)
        width = self.setting.array(instruction.array).width
        before = None if instruction.kind == "write" else self._joined(self.memory, elements, width)
        after: Value | None = None
        if before is None:
            after = self._given(instruction.value)
        elif instruction.kind == "atomic":
            if not instruction.operation:
                raise InputError(f"{self.setting.where(instruction.line)}: not supported: this atomic operation")
            after = self._updated(instruction, before)
        if after is not None:
            self._store(self.memory, elements, width, after)
        if before is not None:
            self._set(instruction.name, before)
        return AccessEffect(elements, before, after)

    def _updated(self, access: Access, before: Value) -> Value | None:
        """Return what an atomic operation leaves in memory, or None if it only reads."""
        if access.operation == "load":
            return None
        if access.operation in {"store", "exchange"}:
            return self._given(access.operands[0])
        if access.operation in _OPERATORS:
            operands = [before, self._given(access.operands[0])]
            return compute_partly(access.operation, operands, access.width, access.width, self.setting.case.terms)
        present = self.setting.decided(before, self.thread, access.line) if isinstance(before, PartialValue) else before
        return updated_value(
            access.operation, present, [self._value(operand, access.line) for operand in access.operands], access.width
        )

    def plain(self, access: Access, elements: range) -> None:
        """Make a plain access to some elements."""
        array = self.setting.array(access.array)
        width = array.width
        memory: ElementMemory = self.private if array.space == "private" else self.memory
        if array.space in _SHARED:
            self.setting.reaching.note(self.thread, access, elements)
            touches = {(element, access.kind == "write") for element in elements}
            self._has_written |= access.kind == "write" and not touches <= self.touched
            self.touched |= touches
        if access.kind == "write":
            each = access.width // width
            for first in range(0, len(elements), each):
                self._store(memory, elements[first : first + each], width, self._given(access.value))
        elif access.count:
            raise InputError(f"{self.setting.where(access.line)}: not supported: a copy whose length is not constant")
        else:
            self._set(access.name, self._joined(memory, elements, width))

    def _is_sync(self, access: Access, elements: range) -> bool:
        if self.setting.array(access.array).space not in _SHARED:
            return False
        if access.kind == "atomic" or access.is_volatile or not self.setting.reduces:
            return True
        return not self.setting.sync.isdisjoint(elements)

    def _elements(self, access: Access) -> range:
        """Return the numbers of the elements of memory that an access touches.

        Raises:
            InputError: one of them is outside the array.
        """
        setting = self.setting
        array, size = setting.array(access.array), setting.layout.sizes[access.array]
        first = self._value(access.offset, access.line)
        length = access.width // array.width * (self._value(access.count, access.line) if access.count else 1)
        if first + length > size:
            raise InputError(
                f"{setting.where(access.line)}: thread {self.thread} accesses element {first // array.each} of "
                f"{access.array}, which has {size // array.each}; give it more elements with --arg "
                f"{access.array}=VALUE:COUNT"
            )
        start = setting.layout.start(array, setting.group_of[self.thread]) + first
        return range(start, start + length)

    def _joined(self, memory: ElementMemory, elements: range, width: int) -> Value:
        return joined_parts([memory[element] for element in elements], width, self.setting.case.terms)

    def _store(self, memory: ElementMemory, elements: range, width: int, value: Value) -> None:
        parts = parts_of(value, width, len(elements), self.setting.case.terms)
        for element, part in zip(elements, parts, strict=True):
            memory[element] = part

    def _given(self, operand: Operand) -> Value:
        return operand.value if isinstance(operand, Constant) else self.values[operand]

    def _set(self, name: str, value: Value) -> None:
        self.values[name] = value
        self._has_partly |= isinstance(value, PartialValue)

    def _value(self, operand: Operand, line: int) -> int:
        """Return a value that matters to the instruction of a line."""
        value = self._given(operand)
        return self.setting.decided(value, self.thread, line) if isinstance(value, PartialValue) else value

    def _fault(self, claim: KernelClaim) -> str:
        """Return what is wrong if an assertion does not hold, in words."""
        if claim.is_overflow:
            return f"signed arithmetic overflows in thread {self.thread}"
        if claim.is_stray:
            text = self.setting.place(claim.line).expression or "memory"
            return f"thread {self.thread} accesses {text} through a pointer that is null or not set"
        if claim.value == Constant(0, 1) and not self.setting.place(claim.line).expression:
            return f"thread {self.thread} comes to the end of a function without its value, or to unreachable code"
        return f"the assertion fails for thread {self.thread}"

    def _do(self, arbitrary: Arbitrary | Opaque | Peek | ArrayUnset | KernelClaim) -> None:
        match arbitrary:
            case Opaque() if can_run(arbitrary.function):
                values = list(map(self._given, arbitrary.operands))
                if any(isinstance(each, PartialValue) for each in values):
                    self._set(arbitrary.name, unknown_value(arbitrary.width))
                else:
                    operands = cast("list[int]", values)
                    self.values[arbitrary.name] = apply_function(
                        arbitrary, operands, self.setting.width(arbitrary.operands[0])
                    )
            case Arbitrary() if arbitrary.usual:
                self._set(arbitrary.name, self._given(arbitrary.usual))
            case Arbitrary() if arbitrary.is_unset:
                unset = UnsetValue(
                    self.setting.place(arbitrary.line).expression, self._group, self.thread, arbitrary.line
                )
                self._set(arbitrary.name, self.setting.case.value(unset, arbitrary.width))
            case ArrayUnset():
                self.setting.forget(self.private, arbitrary, self.thread)
            case KernelClaim(kind="assert") if not self._value(arbitrary.value, arbitrary.line):
                raise InputError(f"{self.setting.where(arbitrary.line)}: {self._fault(arbitrary)}")
            case Arbitrary() | Opaque():
                text = self.setting.place(arbitrary.line).expression
                value = f"the value of {text}" if text else "a value that is not known"
                unsupported = f"the function {arbitrary.function}" if isinstance(arbitrary, Opaque) else value
                if isinstance(arbitrary, Arbitrary) and arbitrary.is_of_lanes:
                    unsupported += (
                        ", which depends on the lanes that run together: where they meet again is up to the compiler"
                    )
                raise InputError(f"{self.setting.where(arbitrary.line)}: not supported: {unsupported}")
            case Peek():
                raise InputError(
                    f"{self.setting.where(arbitrary.line)}: not supported: an annotation that reads an array"
                )
            case _:
                pass

    def _computed(self, instruction: Compute) -> Value:
        values = self.values
        operand_values = [each.value if isinstance(each, Constant) else values[each] for each in instruction.operands]
        width = self.setting.width(instruction.operands[-1])
        if self._has_partly and any(isinstance(each, PartialValue) for each in operand_values):
            if (
                instruction.operator in BINARY
                and is_undefined(instruction.operator, 0, width)
                and isinstance(operand_values[-1], PartialValue)
            ):
                operand_values[-1] = self.setting.decided(operand_values[-1], self.thread, instruction.line)
            return compute_partly(
                instruction.operator, operand_values, width, instruction.width, self.setting.case.terms
            )
        operands = cast("list[int]", operand_values)
        if instruction.operator in BINARY and is_undefined(instruction.operator, operands[-1], width):
            where = self.setting.where(instruction.line)
            raise InputError(f"{where}: {instruction.operator} by {operands[-1]} has no defined result")
        return compute(instruction.operator, operands, width, instruction.width)
