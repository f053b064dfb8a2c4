"""What a translation of calls looks like, and what several of them share."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from synth_kernels.clang.frame import Frame, Lowered
from synth_kernels.clang.ir import IrInstruction
from synth_kernels.clang.memory import from_bits
from synth_kernels.program import Constant, JumpTarget

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from synth_kernels.program import Operand, Space

Handler: TypeAlias = Callable[[Frame, IrInstruction], Lowered]
#: Returns what translates a function of some name and codes of parameters, or None if that is not known here.
Lookup: TypeAlias = Callable[[str, str], "Handler | None"]


def nothing(frame: Frame, call: IrInstruction) -> Lowered:
    """Do nothing; a result is arbitrary."""
    return arbitrary(frame, call)


def unsupported_function(what: str) -> Handler:
    """Return the translation of a function that is not supported."""

    def handler(frame: Frame, _call: IrInstruction) -> Lowered:
        return frame.unsupported(what)

    return handler


def arbitrary(frame: Frame, call: IrInstruction, *, is_uniform: bool = False) -> Lowered:
    """Return an arbitrary value."""
    width = frame.layout.width(call.type) * 8
    if call.type.kind in {"void", "other"} or not width:
        return ()
    if call.type.kind in {"struct", "array", "pointer"}:
        return from_bits(frame, frame.emit.any(width, call.name), call.type, call.name)
    return tuple(
        frame.emit.any(bits, call.name or "unused", is_uniform=is_uniform) for bits in frame.type_lanes(call.type)
    )


def opaque(frame: Frame, call: IrInstruction, function: str, operands: Sequence[Operand]) -> Lowered:
    """Return the results of a function of which nothing is known, one for each lane."""
    widths = frame.type_lanes(call.type) if call.type.kind not in {"void", "other"} else []
    if call.type.kind in {"struct", "array", "pointer"}:
        return arbitrary(frame, call)
    names = [function] if len(widths) == 1 else [f"{function}.{number}" for number in range(len(widths))]
    return tuple(
        frame.emit.opaque(name, operands, width, call.name or "unused")
        for name, width in zip(names, widths, strict=True)
    )


def by_dimension(frame: Frame, call: IrInstruction, values: Iterable[Operand], otherwise: int) -> Lowered:
    """Return the value for the dimension that a call asks for, with the width of the call."""
    width = frame.layout.bits(call.type)
    dimension = frame.operand(call.operands[0])
    known = frame.emit.width(dimension)
    chosen: Operand = Constant(otherwise, 32)
    for number, value in reversed(list(enumerate(values))):
        here = frame.emit.compute("eq", (dimension, Constant(number, known)), call.name)
        chosen = frame.emit.compute("select", (here, value, chosen), call.name)
    return (frame.emit.compute("zext", (chosen,), call.name, width),)


def fencing(frame: Frame, call: IrInstruction, flags: Operand, spaces: dict[int, Space]) -> Lowered:
    """Add a barrier of a group with fence flags, which may be computed: then there is a barrier for each choice."""
    if isinstance(flags, Constant):
        frame.emit.barrier(space for bit, space in spaces.items() if flags.value & bit)
        return nothing(frame, call)
    emit, every = frame.emit, sum(spaces)
    place, width = emit.place, emit.width(flags)
    known = emit.compute("and", (flags, Constant(every, width)), "flags")
    after = emit.name("after")
    for choice in range(every + 1):
        rest = emit.name("else") if choice < every else after
        if choice < every:
            here = emit.name("fence")
            test = emit.compute("eq", (known, Constant(choice, width)), "is")
            emit.end(JumpTarget(here), JumpTarget(rest), test=test)
            emit.start(here)
        emit.barrier(space for bit, space in spaces.items() if choice & bit)
        emit.end(JumpTarget(after))
        emit.start(rest)
        emit.place = place
    return nothing(frame, call)
