"""Functions that `preparation` puts into LLVM IR: values of variables that are not set, and checked arithmetic."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_kernels.clang import memory
from synth_kernels.clang.marks import CHECKS, GIVES, TRAPS, variable_of
from synth_kernels.program import Constant, KernelClaim

if TYPE_CHECKING:
    from synth_kernels.clang.calls.registry import Handler
    from synth_kernels.clang.frame import Frame, Lowered
    from synth_kernels.clang.ir import IrInstruction
    from synth_kernels.program import Operand


def find(name: str, _codes: str) -> Handler | None:
    """Return what translates a function that `preparation` has put there."""
    if name == TRAPS:
        return _trapped
    return _unset if name.startswith(GIVES) else _checked if name.startswith(CHECKS) else None


def _trapped(_frame: Frame, _call: IrInstruction) -> Lowered:
    return ()  # the end of the block is a claim


def _unset(frame: Frame, call: IrInstruction) -> Lowered:
    return memory.unset(frame, variable_of(call.name), call.type)


def _checked(frame: Frame, call: IrInstruction) -> Lowered:
    """Translate signed arithmetic of which each overflow is a fault."""
    operator = call.detail.removeprefix(CHECKS).split(".")[0]
    pairs = zip(*(frame.lanes(operand) for operand in call.operands), strict=True)
    return tuple(_result(frame, operator, pair, call.name) for pair in pairs)


def _result(frame: Frame, operator: str, pair: tuple[Operand, Operand], wish: str) -> Operand:
    emit = frame.emit
    result = emit.compute(operator, pair, wish)
    if not frame.in_annotation and (fits := _fits(frame, operator, pair, result)) != Constant(1, 1):
        emit.add(KernelClaim("assert", fits, is_overflow=True))
    return result


def _fits(frame: Frame, operator: str, pair: tuple[Operand, Operand], result: Operand) -> Operand:
    """Return whether a result does not overflow: the least number divided by -1 does, and other quotients do not."""
    emit, width = frame.emit, frame.emit.width(result)
    if operator in {"sdiv", "srem"}:
        least = emit.compare("eq", pair[0], Constant(1 << (width - 1), width))
        return emit.no(emit.compute("and", (least, emit.compare("eq", pair[1], Constant((1 << width) - 1, width)))))
    more = 2 * width if operator == "mul" else width + 1
    exact = emit.compute(operator, tuple(emit.compute("sext", (operand,), "wide", more) for operand in pair), "exact")
    return emit.compare("eq", exact, emit.compute("sext", (result,), "wide", more), "fits")
