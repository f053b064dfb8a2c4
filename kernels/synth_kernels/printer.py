"""Print typed programs as the text that `text` reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_kernels.operators import CASTS
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

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from synth_kernels.program import Instruction, JumpTarget, Kernel, Operand


def operand_text(operand: Operand) -> str:
    """Return an operand as it is written."""
    return f"{operand.value}:i{operand.width}" if isinstance(operand, Constant) else operand


def _operands_text(operands: Iterable[Operand]) -> str:
    return ", ".join(map(operand_text, operands))


def _target_text(target: JumpTarget) -> str:
    return target.block + (f"({_operands_text(target.arguments)})" if target.arguments else "")


def _computation_text(instruction: Compute | Arbitrary | Opaque | Peek) -> str:
    match instruction:
        case Arbitrary():
            usual = f" usually {operand_text(instruction.usual)}" if instruction.usual else ""
            kind = (
                " uniform" * instruction.is_uniform + " unset" * instruction.is_unset + " event" * instruction.is_event
            )
            kind += " lanes" * instruction.is_of_lanes
            return f"any{kind} i{instruction.width}{usual}"
        case Opaque():
            return f"opaque i{instruction.width} {instruction.function}({_operands_text(instruction.operands)})"
        case Peek():
            return f"peek i{instruction.width} {instruction.array}[{operand_text(instruction.offset)}]"
        case _ if instruction.operator in CASTS:
            return f"{instruction.operator} {_operands_text(instruction.operands)} to i{instruction.width}"
        case _:
            return f"{instruction.operator} {_operands_text(instruction.operands)}"


def _instruction_text(instruction: Instruction) -> str:  # noqa: PLR0911  (instruction for each kind)
    match instruction:
        case Compute() | Arbitrary() | Opaque() | Peek():
            return f"{instruction.name} = {_computation_text(instruction)}"
        case Access():
            place = f"i{instruction.width} {instruction.array}[{operand_text(instruction.offset)}]"
            words = {"for": instruction.count, "step": instruction.step, "event": instruction.event}
            count = "".join(f" {word} {operand_text(operand)}" for word, operand in words.items() if operand)
            kind = (
                f"{instruction.reach} " * bool(instruction.reach)
                + "volatile " * instruction.is_volatile
                + instruction.kind
            )
            if instruction.kind == "write":
                return f"{kind} {place} = {operand_text(instruction.value)}{count}"
            operation = (
                f" {instruction.operation} {_operands_text(instruction.operands)}".rstrip()
                if instruction.operation
                else ""
            )
            return f"{instruction.name} = {kind} {place}{count}{operation}"
        case Barrier():
            parts = (
                ("same", instruction.same),
                ("waits", instruction.waits),
                ("of", (instruction.mask,) if instruction.mask else ()),
            )
            more = [f"{word} {_operands_text(of)}" for word, of in parts if of]
            return " ".join(
                ["barrier", instruction.scope, *sorted(instruction.fences), *more, *["gives"] * instruction.gives]
            )
        case KernelClaim():
            marks = f"{' once' * instruction.once}{' no overflow' * instruction.is_overflow}"
            return f"{instruction.kind}{marks} {operand_text(instruction.value)}"
        case ArrayUnset():
            return f"unset {instruction.array}"
        case Call():
            return _call_text(instruction)


def _call_text(call: Call) -> str:
    """Return a call for readers and for hashes. Typed programs have no functions, so `parse` does not read it."""
    changed = [*(f"{flag}.{array}" for array, flag in call.flags), *sorted(call.fences)]
    arrays = [f"{there} is {here}" for there, here in call.arrays]
    anywhere = [f"{kind} {array}" for array, kind in call.anywhere]
    parts = [[operand_text(operand) for operand in call.arguments], arrays, changed, anywhere]
    return f"call {call.unit or 'before'} {'; '.join(', '.join(part) for part in parts)}".rstrip("; ")


def _lines(kernel: Kernel) -> Iterator[str]:
    yield f"kernel {kernel.name}"
    if kernel.local_size:
        yield f"size {', '.join(map(str, kernel.local_size))}"
    for array in kernel.arrays:
        yield f"{array.space} {array.name}: i{array.width}" + ("" if array.size is None else f"[{array.size}]")
    yield from (f"scalar {name}: i{width}" for name, width in kernel.scalars)
    for block in kernel.blocks:
        parameters = ", ".join(f"{name}: i{width}" for name, width in block.parameters)
        yield block.name + (f"({parameters})" if parameters else "") + ":"
        yield from (f"  {_instruction_text(instruction)}" for instruction in block.instructions)
        match block.end.targets:
            case ():
                yield "  return"
            case (target,):
                yield f"  jump {_target_text(target)}"
            case (first, second):
                yield f"  branch {operand_text(block.end.test)} ? {_target_text(first)} : {_target_text(second)}"


def kernel_text(kernel: Kernel) -> str:
    """Return the text of a kernel, which `parse` reads."""
    return "\n".join(_lines(kernel)) + "\n"
