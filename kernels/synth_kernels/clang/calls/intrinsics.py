"""Functions of LLVM itself, whose names begin with `llvm.`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_kernels.clang import memory
from synth_kernels.clang.arithmetic import compare_integers
from synth_kernels.clang.calls.registry import nothing, opaque
from synth_kernels.program import Constant, KernelClaim

if TYPE_CHECKING:
    from synth_kernels.clang.calls.registry import Handler
    from synth_kernels.clang.frame import Frame, Lowered
    from synth_kernels.clang.ir import IrInstruction
    from synth_kernels.program import Operand

_NOTHING = ("lifetime", "dbg", "experimental.noalias", "assume", "donothing", "prefetch", "stacksave", "stackrestore")
_EXTREMES = {"umin": "ult", "umax": "ugt", "smin": "slt", "smax": "sgt"}


def find(name: str, _codes: str) -> Handler | None:
    """Return what translates a function of LLVM."""
    if not name.startswith("llvm."):
        return None
    rest = name.removeprefix("llvm.")
    if rest.startswith(_NOTHING):
        return nothing
    word = rest.split(".")[0]
    if word in _EXTREMES:
        return _extreme
    if rest.startswith("is.constant"):
        return _no
    return _NAMES.get(word, _unknown)


def _first(frame: Frame, call: IrInstruction) -> Lowered:
    """Return the first operand, of which the others say what it is likely to be."""
    return frame.lowered(call.operands[0])


def _no(_frame: Frame, _call: IrInstruction) -> Lowered:
    """Return that clang does not know a value: it asks so of what is not written as a constant."""
    return (Constant(0, 1),)


def _copy(frame: Frame, call: IrInstruction) -> Lowered:
    memory.copy(frame, call)
    return ()


def _fill(frame: Frame, call: IrInstruction) -> Lowered:
    memory.fill(frame, call)
    return ()


def _trap(frame: Frame, call: IrInstruction) -> Lowered:
    del call
    frame.emit.add(KernelClaim("assert", Constant(0, 1)))
    return ()


def _extreme(frame: Frame, call: IrInstruction) -> Lowered:
    predicate = _EXTREMES[call.detail.split(".")[1]]
    first, second = (frame.lanes(operand) for operand in call.operands)
    return tuple(
        frame.emit.compute(
            "select", (compare_integers(frame, predicate, lane, other, call.name), lane, other), call.name
        )
        for lane, other in zip(first, second, strict=True)
    )


def _absolute(frame: Frame, call: IrInstruction) -> Lowered:
    return tuple(absolute(frame, lane, call.name) for lane in frame.lanes(call.operands[0]))


def absolute(frame: Frame, value: Operand, wish: str) -> Operand:
    """Return the absolute value of a number."""
    zero = Constant(0, frame.emit.width(value))
    is_negative = frame.emit.compute("slt", (value, zero), wish)
    return frame.emit.compute("select", (is_negative, frame.emit.compute("sub", (zero, value), wish), value), wish)


def _unknown(frame: Frame, call: IrInstruction) -> Lowered:
    """Return what a function of numbers gives, of which nothing is known, lane by lane where that is possible."""
    if any(operand.type.kind == "pointer" for operand in call.operands):
        frame.unsupported(f"a call of {call.detail}")
    name = call.detail.split(".")[1]
    lanes = [frame.lanes(operand) for operand in call.operands]
    count = call.type.lanes
    if call.type.kind not in {"int", "float", "vector"} or any(len(operand_lanes) != count for operand_lanes in lanes):
        return opaque(frame, call, name, [lane for operand_lanes in lanes for lane in operand_lanes])
    width = frame.layout.bits(call.type.lane)
    return tuple(frame.emit.opaque(name, group, width, call.name) for group in zip(*lanes, strict=True))


_NAMES: dict[str, Handler] = {
    "expect": _first,
    **dict.fromkeys(("memcpy", "memmove"), _copy),
    "memset": _fill,
    "abs": _absolute,
    "trap": _trap,
}
