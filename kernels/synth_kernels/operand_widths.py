"""Check that the operands of a typed program have the widths that their instructions ask for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from synth_checker.nearest import check_known
from synth_kernels.operators import BINARY, CASTS
from synth_kernels.program import ID_WIDTH, Access, Arbitrary, Barrier, Compute, KernelClaim, Opaque, Peek

if TYPE_CHECKING:
    from synth_checker.errors import InputError
    from synth_kernels.program import Instruction, JumpTarget, Kernel, Operand


class WidthReader(Protocol):
    """What has read a program: it knows the widths of names, and which line an error is about."""

    line: int

    def width(self, operand: Operand) -> int:
        """Return the width of an operand."""
        ...

    def check(self, operand: Operand, width: int, what: str) -> None:
        """Refuse an operand of another width. `what` says what it is."""
        ...

    def fail(self, found: str, expected: str) -> InputError:
        """Return an error about the line."""
        ...


def check_widths(kernel: Kernel, reader: WidthReader) -> None:
    """Refuse operands of the wrong width, and jumps that do not fit their block."""
    for block in kernel.blocks:
        for instruction in block.instructions:
            reader.line = instruction.line
            _check_instruction(instruction, reader)
        reader.line = block.end.line
        if len(block.end.targets) == 2:
            reader.check(block.end.test, 1, "a truth value")
        for target in block.end.targets:
            _check_jump(target, kernel, reader)


def _check_instruction(instruction: Instruction, reader: WidthReader) -> None:
    if isinstance(instruction, Access | Peek):
        reader.check(instruction.offset, ID_WIDTH, "an offset")
    match instruction:
        case Compute():
            _check_operands(instruction, reader)
        case Opaque(operands=operands):
            list(map(reader.width, operands))
        case Access():
            _check_access(instruction, reader)
        case Arbitrary() if instruction.usual:
            reader.check(instruction.usual, instruction.width, "a value")
        case Barrier():
            _check_barrier(instruction, reader)
        case KernelClaim():
            reader.check(instruction.value, 1, "a truth value")


def _check_access(access: Access, reader: WidthReader) -> None:
    if access.kind == "write":
        reader.check(access.value, access.width, "a value")
    for operand, what in ((access.count, "a count"), (access.step, "a step"), (access.event, "an event")):
        if operand:
            reader.check(operand, ID_WIDTH, what)
    if access.event and not access.count:
        raise reader.fail("a copy without a count", "`for` and a number of places before `event`")
    for operand in access.operands:
        reader.check(operand, access.width, "a value")


def _check_barrier(barrier: Barrier, reader: WidthReader) -> None:
    for operand in barrier.same:
        reader.width(operand)
    for operand in barrier.waits:
        reader.check(operand, ID_WIDTH, "an event")


def _check_operands(instruction: Compute, reader: WidthReader) -> None:
    *before, last = instruction.operands
    here = reader.width(last)
    if instruction.operator == "select":
        reader.check(before.pop(0), 1, "a truth value")
    for operand in before:
        reader.check(operand, here, "a value")
    if instruction.operator in BINARY and here == 1 and BINARY[instruction.operator].of_truths is None:
        raise reader.fail(instruction.operator, "and, or, xor or eq for truth values")
    if instruction.operator in CASTS and (
        instruction.width >= here if instruction.operator == "trunc" else instruction.width <= here
    ):
        change = "fewer" if instruction.operator == "trunc" else "more"
        raise reader.fail(f"{instruction.operator} to i{instruction.width}", f"{change} than {here} bits")


def _check_jump(target: JumpTarget, kernel: Kernel, reader: WidthReader) -> None:
    blocks = {block.name: block for block in kernel.blocks}
    check_known(f"line {reader.line}: block", target.block, blocks)
    parameters = blocks[target.block].parameters
    if len(target.arguments) != len(parameters):
        raise reader.fail(f"{len(target.arguments)} values for {target.block}", f"{len(parameters)}")
    for operand, (name, width) in zip(target.arguments, parameters, strict=True):
        reader.check(operand, width, f"a value for {name}")
