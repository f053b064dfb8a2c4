"""The functions of OpenCL C on numbers: those of integers exactly, and others as unknown functions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from synth_kernels.clang import memory
from synth_kernels.clang.arithmetic import compare_integers
from synth_kernels.clang.calls.intrinsics import absolute
from synth_kernels.clang.calls.registry import opaque
from synth_kernels.clang.mangled_names import is_float, is_signed, plain_name_and_codes
from synth_kernels.program import Constant

if TYPE_CHECKING:
    from collections.abc import Callable

    from synth_kernels.clang.calls.registry import Handler
    from synth_kernels.clang.frame import Frame, Lowered
    from synth_kernels.clang.ir import IrInstruction
    from synth_kernels.program import Operand


def with_pointer(frame: Frame, call: IrInstruction) -> Lowered:
    """Translate a function of mathematics that gives a second result through a pointer."""
    name, _ = plain_name_and_codes(call.detail)
    *values, last = call.operands
    operands = [lane for value in values for lane in frame.lanes(value)]
    size = 4 * call.type.lanes if name in {"frexp", "lgamma_r", "remquo"} else frame.layout.width(call.type)
    memory.write(frame, frame.pointer(last), frame.emit.opaque(f"{name}.second", operands, size * 8, name))
    return opaque(frame, call, name, operands)


def pure(frame: Frame, call: IrInstruction) -> Lowered:
    """Translate a function of which nothing is known but that it looks at its operands only."""
    name, codes = plain_name_and_codes(call.detail)
    operands = [lane for value in call.operands if value.type.kind != "other" for lane in frame.lanes(value)]
    others = "".join(f".{value.name}" for value in call.operands if value.type.kind == "other")
    return opaque(frame, call, f"{name}{f'.{codes}' if codes else ''}{others}", operands)


class _Lane(NamedTuple):
    """What a function of integers gets in one lane. `is_signed` says how to read it, and `wish` names the result."""

    frame: Frame
    values: tuple[Operand, ...]
    is_signed: bool
    wish: str

    def compute(self, operator: str, *operands: Operand) -> Operand:
        """Return the result of an operator."""
        return self.frame.emit.compute(operator, operands, self.wish)

    def is_less(self, first: Operand, second: Operand) -> Operand:
        """Return whether a value is less than another one."""
        return compare_integers(self.frame, "slt" if self.is_signed else "ult", first, second, self.wish)


def _lanewise(compute: Callable[[_Lane], Operand]) -> Handler:
    """Return the translation of a function of integers that works lane by lane; of floats, nothing is known."""

    def handler(frame: Frame, call: IrInstruction) -> Lowered:
        _, codes = plain_name_and_codes(call.detail)
        if is_float(codes):
            return pure(frame, call)
        count = call.type.lanes
        lanes = [frame.lanes(operand) for operand in call.operands]
        wide = [lane * count if len(lane) == 1 else lane for lane in lanes]
        return tuple(compute(_Lane(frame, group, is_signed(codes), call.name)) for group in zip(*wide, strict=True))

    return handler


def _least(lane: _Lane) -> Operand:
    first, second = lane.values
    return lane.compute("select", lane.is_less(second, first), second, first)


def _greatest(lane: _Lane) -> Operand:
    first, second = lane.values
    return lane.compute("select", lane.is_less(first, second), second, first)


def _clamp(lane: _Lane) -> Operand:
    value, low, high = lane.values
    return _least(lane._replace(values=(_greatest(lane._replace(values=(value, low))), high)))


def _abs(lane: _Lane) -> Operand:
    return absolute(lane.frame, lane.values[0], lane.wish) if lane.is_signed else lane.values[0]


def _abs_diff(lane: _Lane) -> Operand:
    high, low = _greatest(lane), _least(lane)
    return lane.compute("sub", high, low)


def _mul24(lane: _Lane) -> Operand:
    lane.frame.grant("24 bits")
    first, second, *added = lane.values
    product = lane.compute("mul", first, second)
    return lane.compute("add", product, *added) if added else product


def _rotate(lane: _Lane) -> Operand:
    value, by = lane.values
    width = lane.frame.emit.width(value)
    mask = Constant(width - 1, width)
    by = lane.compute("and", by, mask)
    back = lane.compute("and", lane.compute("sub", Constant(0, width), by), mask)
    return lane.compute("or", lane.compute("shl", value, by), lane.compute("lshr", value, back))


def convert(frame: Frame, call: IrInstruction) -> Lowered:
    """Translate a conversion without rounding and saturation to what LLVM calls it."""
    name, codes = plain_name_and_codes(call.detail)
    match = re.fullmatch(r"convert_(u?)(char|short|int|long|float|double|half)\d*", name)
    if match is None:
        return pure(frame, call)
    width, here = frame.layout.bits(call.type.lane), frame.layout.bits(call.operands[0].type.lane)
    is_from, is_to = is_float(codes), match[2] in {"float", "double", "half"}
    lanes = frame.lanes(call.operands[0])
    if not is_from and not is_to:
        operator = "trunc" if width < here else "sext" if is_signed(codes) else "zext"
        return tuple(frame.emit.compute(operator, (lane,), call.name, width) for lane in lanes)
    if is_from and is_to and width == here:
        return lanes
    if is_from:
        function = ("fptrunc" if width < here else "fpext") if is_to else "fptoui" if match[1] else "fptosi"
    else:
        function = "sitofp" if is_signed(codes) else "uitofp"
    return tuple(frame.emit.opaque(f"{function}.{here}", (lane,), width, call.name) for lane in lanes)


#: What translates each function of integers by its name. Of floats, these functions are unknown.
INTEGERS: dict[str, Handler] = {
    "min": _lanewise(_least),
    "max": _lanewise(_greatest),
    "clamp": _lanewise(_clamp),
    "abs": _lanewise(_abs),
    "abs_diff": _lanewise(_abs_diff),
    "mul24": _lanewise(_mul24),
    "mad24": _lanewise(_mul24),
    "rotate": _lanewise(_rotate),
}
