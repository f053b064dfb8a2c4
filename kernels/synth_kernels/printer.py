"""Print typed programs as the text that `text` reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_kernels.operators import CASTS
from synth_kernels.program import Access, Arbitrary, Barrier, Call, Claim, Compute, Constant, Opaque, Peek, Unset

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from synth_kernels.program import Instruction, Kernel, Operand, Target


def shown(operand: Operand) -> str:
    """Return an operand as it is written."""
    return f"{operand.value}:i{operand.width}" if isinstance(operand, Constant) else operand


def _list(operands: Iterable[Operand]) -> str:
    return ", ".join(map(shown, operands))


def _target(target: Target) -> str:
    return target.block + (f"({_list(target.arguments)})" if target.arguments else "")


def _computed(one: Compute | Arbitrary | Opaque | Peek) -> str:
    match one:
        case Arbitrary():
            usual = f" usually {shown(one.usual)}" if one.usual else ""
            kind = " uniform" * one.is_uniform + " unset" * one.is_unset + " event" * one.is_event
            kind += " lanes" * one.is_of_lanes
            return f"any{kind} i{one.width}{usual}"
        case Opaque():
            return f"opaque i{one.width} {one.function}({_list(one.operands)})"
        case Peek():
            return f"peek i{one.width} {one.array}[{shown(one.offset)}]"
        case _ if one.operator in CASTS:
            return f"{one.operator} {_list(one.operands)} to i{one.width}"
        case _:
            return f"{one.operator} {_list(one.operands)}"


def _instruction(one: Instruction) -> str:  # noqa: PLR0911  (one for each kind)
    match one:
        case Compute() | Arbitrary() | Opaque() | Peek():
            return f"{one.name} = {_computed(one)}"
        case Access():
            place = f"i{one.width} {one.array}[{shown(one.offset)}]"
            words = {"for": one.count, "step": one.step, "event": one.event}
            count = "".join(f" {word} {shown(operand)}" for word, operand in words.items() if operand)
            kind = f"{one.reach} " * bool(one.reach) + "volatile " * one.is_volatile + one.kind
            if one.kind == "write":
                return f"{kind} {place} = {shown(one.value)}{count}"
            operation = f" {one.operation} {_list(one.operands)}".rstrip() if one.operation else ""
            return f"{one.name} = {kind} {place}{count}{operation}"
        case Barrier():
            parts = (("same", one.same), ("waits", one.waits), ("of", (one.mask,) if one.mask else ()))
            more = [f"{word} {_list(of)}" for word, of in parts if of]
            return " ".join(["barrier", one.scope, *sorted(one.fences), *more, *["gives"] * one.gives])
        case Claim():
            return f"{one.kind}{' once' * one.once}{' no overflow' * one.is_overflow} {shown(one.value)}"
        case Unset():
            return f"unset {one.array}"
        case Call():
            return _call(one)


def _call(one: Call) -> str:
    """Return a call for readers and for hashes. Typed programs have no functions, so `parse` does not read it."""
    changed = [*(f"{flag}.{array}" for array, flag in one.flags), *sorted(one.fences)]
    arrays = [f"{there} is {here}" for there, here in one.arrays]
    anywhere = [f"{kind} {array}" for array, kind in one.anywhere]
    parts = [[shown(operand) for operand in one.arguments], arrays, changed, anywhere]
    return f"call {one.unit or 'before'} {'; '.join(', '.join(part) for part in parts)}".rstrip("; ")


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
        yield from (f"  {_instruction(instruction)}" for instruction in block.instructions)
        match block.end.targets:
            case ():
                yield "  return"
            case (target,):
                yield f"  jump {_target(target)}"
            case (first, second):
                yield f"  branch {shown(block.end.test)} ? {_target(first)} : {_target(second)}"


def printed(kernel: Kernel) -> str:
    """Return the text of a kernel, which `parse` reads."""
    return "\n".join(_lines(kernel)) + "\n"
