"""The functions of OpenCL C on numbers: those of integers exactly, and others as unknown functions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

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


def _lanewise(compute: Callable[[Frame, list[Operand], bool, str], Operand]) -> Handler:
    """Return the translation of a function of integers that works lane by lane; of floats, nothing is known."""

    def handler(frame: Frame, call: IrInstruction) -> Lowered:
        _, codes = plain_name_and_codes(call.detail)
        if is_float(codes):
            return pure(frame, call)
        count = call.type.lanes
        lanes = [frame.lanes(operand) for operand in call.operands]
        wide = [lane * count if len(lane) == 1 else lane for lane in lanes]
        return tuple(compute(frame, list(group), is_signed(codes), call.name) for group in zip(*wide, strict=True))

    return handler


def _less(frame: Frame, values: list[Operand], signed: bool, wish: str) -> Operand:  # noqa: FBT001  (as `_lanewise`)
    first, second = values
    is_less = compare_integers(frame, "slt" if signed else "ult", second, first, wish)
    return frame.emit.compute("select", (is_less, second, first), wish)


def _more(frame: Frame, values: list[Operand], signed: bool, wish: str) -> Operand:  # noqa: FBT001  (as above)
    first, second = values
    is_less = compare_integers(frame, "slt" if signed else "ult", first, second, wish)
    return frame.emit.compute("select", (is_less, second, first), wish)


def _clamp(frame: Frame, values: list[Operand], signed: bool, wish: str) -> Operand:  # noqa: FBT001  (as above)
    value, low, high = values
    return _less(frame, [_more(frame, [value, low], signed, wish), high], signed, wish)


def _abs(frame: Frame, values: list[Operand], signed: bool, wish: str) -> Operand:  # noqa: FBT001  (as above)
    return absolute(frame, values[0], wish) if signed else values[0]


def _abs_diff(frame: Frame, values: list[Operand], signed: bool, wish: str) -> Operand:  # noqa: FBT001  (as above)
    high, low = _more(frame, values, signed, wish), _less(frame, values, signed, wish)
    return frame.emit.compute("sub", (high, low), wish)


def _mul24(frame: Frame, values: list[Operand], _signed: bool, wish: str) -> Operand:  # noqa: FBT001  (as above)
    frame.grant("24 bits")
    product = frame.emit.compute("mul", (values[0], values[1]), wish)
    return frame.emit.compute("add", (product, values[2]), wish) if len(values) > 2 else product


def _rotate(frame: Frame, values: list[Operand], _signed: bool, wish: str) -> Operand:  # noqa: FBT001  (as above)
    emit, (value, by) = frame.emit, values
    width = emit.width(value)
    mask = Constant(width - 1, width)
    by = emit.compute("and", (by, mask), wish)
    back = emit.compute("and", (emit.compute("sub", (Constant(0, width), by), wish), mask), wish)
    return emit.compute("or", (emit.compute("shl", (value, by), wish), emit.compute("lshr", (value, back), wish)), wish)


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
    if is_from and is_to:
        if width == here:
            return lanes
        function = "fptrunc" if width < here else "fpext"
    elif is_to:
        function = "sitofp" if is_signed(codes) else "uitofp"
    else:
        function = "fptoui" if match[1] else "fptosi"
    return tuple(frame.emit.opaque(f"{function}.{here}", (lane,), width, call.name) for lane in lanes)


#: What translates each function of integers by its name. Of floats, these functions are unknown.
INTEGERS: dict[str, Handler] = {
    "min": _lanewise(_less),
    "max": _lanewise(_more),
    "clamp": _lanewise(_clamp),
    "abs": _lanewise(_abs),
    "abs_diff": _lanewise(_abs_diff),
    "mul24": _lanewise(_mul24),
    "mad24": _lanewise(_mul24),
    "rotate": _lanewise(_rotate),
}
