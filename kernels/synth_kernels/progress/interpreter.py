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
from synth_kernels.progress.open_values import Unset as UnsetValue
from synth_kernels.progress.partly import Partly, compute_partly, joined, parts_of, undefined
from synth_kernels.progress.steps import Deed, Local, SpinError

if TYPE_CHECKING:
    from synth_kernels.program import Block, Instruction, Operand
    from synth_kernels.progress.launch_constants import Setting
    from synth_kernels.progress.partly import Value
    from synth_kernels.progress.steps import Memory, Status, Touch

#: Between two steps, a thread executes at most so many instructions.
MOST_INSTRUCTIONS = 1_000_000
#: Where arrays are that several threads may access, and that are written.
_SHARED = frozenset({"global", "local"})
#: The atomic operations that are operators.
_OPERATORS = frozenset({"add", "sub", "and", "or", "xor"})


class Run:
    """A thread that runs: its values with those that never change, its private memory, and its plain accesses."""

    def __init__(
        self, setting: Setting, thread: int, memory: Memory, private: list[Value], values: dict[str, Value]
    ) -> None:
        self.setting, self.thread, self.memory, self.private, self.values = setting, thread, memory, private, values
        self.touched: set[Touch] = set()
        self._has_written = False
        self._group = setting.group_of[thread]
        self._has_partly = any(isinstance(value, Partly) for value in values.values())

    def to_the_next_step(self, block: Block, place: int) -> Local:
        """Run to the next sync access, to the next barrier, or to the end."""
        setting = self.setting
        left = MOST_INSTRUCTIONS
        seen: set[tuple[str, tuple[Value, ...], tuple[Value, ...]]] = set()
        while True:
            if (stop := self._stop_in(block, place)) is not None:
                return self._stopped(*stop)
            left -= len(block.instructions) - place + 1
            if not block.end.targets:
                return self._stopped("ended", block, len(block.instructions))
            is_second = len(block.end.targets) == 2 and not self._value(block.end.test, block.end.line)
            target = block.end.targets[is_second]
            given = [
                argument.value if isinstance(argument, Constant) else self.values[argument]
                for argument in target.arguments
            ]
            block, place = setting.block(target.block), 0
            self.values.update(zip((name for name, _ in block.parameters), given, strict=True))
            if self._has_written:
                self._has_written = False
                seen.clear()
            here = (block.name, tuple(self.values[name] for name in setting.live_at(block.name)), tuple(self.private))
            if here in seen:
                raise SpinError(frozenset(element for element, _ in self.touched), block.first_line)
            seen.add(here)
            if left < 0:
                msg = (
                    f"{setting.where(block.end.line or block.line)}: thread {self.thread} executes more than "
                    f"{MOST_INSTRUCTIONS:,} instructions without an atomic or volatile access"
                )
                raise InputError(msg)

    def _stopped(self, status: Status, block: Block, place: int) -> Local:
        """Return the state of a thread that has come to its next step."""
        is_over = status == "ended"
        values = () if is_over else tuple(self.values[name] for name in self.setting.live_at(block.name, place))
        private = () if is_over else tuple(self.private)
        return Local(status, block.name, place, values, private, frozenset(self.touched))

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
        self.setting.reaching.note(self.thread, one, elements)
        width = self.setting.array(one.array).width
        before = None if one.kind == "write" else self._joined(self.memory, elements, width)
        after: Value | None = None
        if before is None:
            after = self._given(one.value)
        elif one.kind == "atomic":
            if not one.operation:
                msg = f"{self.setting.where(one.line)}: not supported: this atomic operation"
                raise InputError(msg)
            after = self._updated(one, before)
        if after is not None:
            self._store(self.memory, elements, width, after)
        if before is not None:
            self._set(one.name, before)
        return Deed(elements, before, after)

    def _updated(self, one: Access, before: Value) -> Value | None:
        """Return what an atomic operation leaves in memory, or None if it only reads."""
        if one.operation == "load":
            return None
        if one.operation in {"store", "exchange"}:
            return self._given(one.operands[0])
        if one.operation in _OPERATORS:
            operands = [before, self._given(one.operands[0])]
            return compute_partly(one.operation, operands, one.width, one.width, self.setting.case.terms)
        held = self.setting.decided(before, self.thread, one.line) if isinstance(before, Partly) else before
        return updated_value(
            one.operation, held, [self._value(operand, one.line) for operand in one.operands], one.width
        )

    def plain(self, one: Access, elements: range) -> None:
        """Make a plain access to some elements."""
        array = self.setting.array(one.array)
        width = array.width
        memory: Memory = self.private if array.space == "private" else self.memory
        if array.space in _SHARED:
            self.setting.reaching.note(self.thread, one, elements)
            found = {(element, one.kind == "write") for element in elements}
            self._has_written |= one.kind == "write" and not found <= self.touched
            self.touched |= found
        if one.kind == "write":
            each = one.width // width
            for first in range(0, len(elements), each):
                self._store(memory, elements[first : first + each], width, self._given(one.value))
        elif one.count:
            msg = f"{self.setting.where(one.line)}: not supported: a copy whose length is not constant"
            raise InputError(msg)
        else:
            self._set(one.name, self._joined(memory, elements, width))

    def _is_sync(self, one: Access, elements: range) -> bool:
        if self.setting.array(one.array).space not in _SHARED:
            return False
        if one.kind == "atomic" or one.is_volatile or not self.setting.reduces:
            return True
        return not self.setting.sync.isdisjoint(elements)

    def _elements(self, one: Access) -> range:
        """Return the numbers of the elements of memory that an access touches.

        Raises:
            InputError: one of them is outside the array.
        """
        setting = self.setting
        array, size = setting.array(one.array), setting.layout.sizes[one.array]
        first = self._value(one.offset, one.line)
        length = one.width // array.width * (self._value(one.count, one.line) if one.count else 1)
        if first + length > size:
            msg = (
                f"{setting.where(one.line)}: thread {self.thread} accesses element {first // array.each} of "
                f"{one.array}, which has {size // array.each}; give it more elements with --arg {one.array}=VALUE:COUNT"
            )
            raise InputError(msg)
        start = setting.layout.start(array, setting.group_of[self.thread]) + first
        return range(start, start + length)

    def _joined(self, memory: Memory, elements: range, width: int) -> Value:
        return joined([memory[element] for element in elements], width, self.setting.case.terms)

    def _store(self, memory: Memory, elements: range, width: int, value: Value) -> None:
        parts = parts_of(value, width, len(elements), self.setting.case.terms)
        for element, part in zip(elements, parts, strict=True):
            memory[element] = part

    def _given(self, operand: Operand) -> Value:
        return operand.value if isinstance(operand, Constant) else self.values[operand]

    def _set(self, name: str, value: Value) -> None:
        self.values[name] = value
        self._has_partly |= isinstance(value, Partly)

    def _value(self, operand: Operand, line: int) -> int:
        """Return a value that matters to the instruction of a line."""
        found = self._given(operand)
        return self.setting.decided(found, self.thread, line) if isinstance(found, Partly) else found

    def _fault(self, one: KernelClaim) -> str:
        """Return what is wrong if an assertion does not hold, in words."""
        if one.is_overflow:
            return f"signed arithmetic overflows in thread {self.thread}"
        if one.is_stray:
            what = self.setting.place(one.line).text or "memory"
            return f"thread {self.thread} accesses {what} through a pointer that is null or not set"
        if one.value == Constant(0, 1) and not self.setting.place(one.line).text:
            return f"thread {self.thread} comes to the end of a function without its value, or to unreachable code"
        return f"the assertion fails for thread {self.thread}"

    def _do(self, one: Arbitrary | Opaque | Peek | ArrayUnset | KernelClaim) -> None:
        match one:
            case Opaque() if can_run(one.function):
                given = list(map(self._given, one.operands))
                if any(isinstance(each, Partly) for each in given):
                    self._set(one.name, undefined(one.width))
                else:
                    operands = cast("list[int]", given)
                    self.values[one.name] = apply_function(one, operands, self.setting.width(one.operands[0]))
            case Arbitrary() if one.usual:
                self._set(one.name, self._given(one.usual))
            case Arbitrary() if one.is_unset:
                unset = UnsetValue(self.setting.place(one.line).text, self._group, self.thread, one.line)
                self._set(one.name, self.setting.case.value(unset, one.width))
            case ArrayUnset():
                self.setting.forget(self.private, one, self.thread)
            case KernelClaim(kind="assert") if not self._value(one.value, one.line):
                raise InputError(f"{self.setting.where(one.line)}: {self._fault(one)}")
            case Arbitrary() | Opaque():
                text = self.setting.place(one.line).text
                value = f"the value of {text}" if text else "a value that is not known"
                what = f"the function {one.function}" if isinstance(one, Opaque) else value
                if isinstance(one, Arbitrary) and one.is_of_lanes:
                    what += (
                        ", which depends on the lanes that run together: where they meet again is up to the compiler"
                    )
                msg = f"{self.setting.where(one.line)}: not supported: {what}"
                raise InputError(msg)
            case Peek():
                msg = f"{self.setting.where(one.line)}: not supported: an annotation that reads an array"
                raise InputError(msg)
            case _:
                pass

    def _computed(self, one: Compute) -> Value:
        values = self.values
        found = [each.value if isinstance(each, Constant) else values[each] for each in one.operands]
        width = self.setting.width(one.operands[-1])
        if self._has_partly and any(isinstance(each, Partly) for each in found):
            if one.operator in BINARY and is_undefined(one.operator, 0, width) and isinstance(found[-1], Partly):
                found[-1] = self.setting.decided(found[-1], self.thread, one.line)
            return compute_partly(one.operator, found, width, one.width, self.setting.case.terms)
        operands = cast("list[int]", found)
        if one.operator in BINARY and is_undefined(one.operator, operands[-1], width):
            msg = f"{self.setting.where(one.line)}: {one.operator} by {operands[-1]} has no defined result"
            raise InputError(msg)
        return compute(one.operator, operands, width, one.width)
