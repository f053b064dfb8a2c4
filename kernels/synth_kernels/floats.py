"""Functions on floating-point numbers that a run can compute, each value as its bits, and those on whole words.

Proofs know nothing of these functions but that equal operands give equal results. A run needs values. The arithmetic
here rounds as IEEE 754 says, for floats of 32 and 64 bits. For functions such as `sin`, languages leave the last bits
open; here they are rounded from 64 bits. A function that is not here gives 0.
"""

from __future__ import annotations

import math
import operator
import struct
from fractions import Fraction
from typing import TYPE_CHECKING

from synth_kernels.operators import to_signed
from synth_kernels.word_functions import apply_word_function, is_word_function

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from synth_kernels.program import Opaque

_FORMS = {16: ("<e", 2), 32: ("<f", 4), 64: ("<d", 8)}


def _float(bits: int, width: int) -> float:
    form, size = _FORMS[width]
    return float(struct.unpack(form, (bits & ((1 << width) - 1)).to_bytes(size, "little"))[0])


def float_of(bits: int, width: int) -> float | None:
    """Return the number that some bits stand for, if it has a width that a run can compute with."""
    return _float(bits, width) if width in _FORMS else None


def _bits(value: float, width: int) -> int:
    form, _ = _FORMS[width]
    try:
        return int.from_bytes(struct.pack(form, value), "little")
    except OverflowError:
        return int.from_bytes(struct.pack(form, math.copysign(math.inf, value)), "little")


def _divide(dividend: float, divisor: float) -> float:
    if divisor:
        return dividend / divisor
    return (
        math.nan
        if dividend == 0 or math.isnan(dividend)
        else math.copysign(math.inf, dividend) * math.copysign(1, divisor)
    )


def _multiply_and_add(a: float, b: float, c: float) -> float:
    """Return `a * b + c`. The result is rounded to 64 bits before it is rounded to fewer."""
    if not all(map(math.isfinite, (a, b, c))):
        return a * b + c
    exact = Fraction(a) * Fraction(b) + Fraction(c)
    try:
        return float(exact) if exact else a * b + c
    except OverflowError:
        return math.copysign(math.inf, exact)


def _remainder(dividend: float, divisor: float) -> float:
    return math.fmod(dividend, divisor) if divisor and not math.isinf(dividend) else math.nan


_ARITHMETIC: dict[str, Callable[[float, float], float]] = {
    "fadd": operator.add,
    "fsub": operator.sub,
    "fmul": operator.mul,
    "fdiv": _divide,
    "frem": _remainder,
}


def _least(a: float, b: float) -> float:
    return b if math.isnan(a) else a if math.isnan(b) else min(a, b)


def _greatest(a: float, b: float) -> float:
    return b if math.isnan(a) else a if math.isnan(b) else max(a, b)


def _with_sign_of_operand(rounded: Callable[[float], float]) -> Callable[[float], float]:
    return lambda value: math.copysign(rounded(value), value) if math.isfinite(value) else value


def _round_away(value: float) -> float:
    return math.floor(abs(value) + 0.5)


#: Functions of mathematics by their names in C, without the `f` of floats of 32 bits.
_MATHEMATICS: dict[str, Callable[..., float]] = {
    **dict.fromkeys(("minnum", "fmin"), _least),
    **dict.fromkeys(("maxnum", "fmax"), _greatest),
    "copysign": math.copysign,
    "pow": math.pow,
    "sqrt": math.sqrt,
    "rsqrt": lambda value: _divide(1.0, math.sqrt(value)),
    "exp": math.exp,
    "exp2": lambda value: math.pow(2.0, value),
    "log": math.log,
    "log2": math.log2,
    "log10": math.log10,
    "sin": math.sin,
    "cos": math.cos,
    "tan": math.tan,
    "tanh": math.tanh,
    "floor": _with_sign_of_operand(math.floor),
    "ceil": _with_sign_of_operand(math.ceil),
    "trunc": _with_sign_of_operand(math.trunc),
    "round": lambda value: math.copysign(_round_away(value), value) if math.isfinite(value) else value,
    **dict.fromkeys(("rint", "nearbyint"), _with_sign_of_operand(round)),
    **dict.fromkeys(("divide", "fdividef", "fdivide"), _divide),
    "recip": lambda value: _divide(1.0, value),
    "mad": _multiply_and_add,
    "fabs": math.fabs,
}


def _mathematics(function: str) -> Callable[..., float] | None:
    """Return a function of mathematics by a name such as `sqrt`, `native_sqrt.f`, `sqrtf` or `__expf`."""
    name, _, codes = function.partition(".")
    if codes.strip("fd"):  # the function takes something else than floats of 32 and 64 bits
        return None
    for prefix in ("native_", "half_", "__"):
        name = name.removeprefix(prefix)
    return _MATHEMATICS.get(name) or (_MATHEMATICS.get(name.removesuffix("f")) if not codes else None)


def _calculate(function: Callable[..., float], operands: Sequence[float]) -> float:
    try:
        return function(*operands)
    except OverflowError:
        return math.inf
    except ValueError:  # outside of where the function is defined; of 0, a logarithm goes to minus infinity
        return -math.inf if operands == [0.0] else math.nan


#: A product and a sum that are rounded once.
_FUSED = ("fma", "fmuladd")
#: The comparisons of LLVM: `o` is false if an operand is no number, and `u` true.
_COMPARISONS: dict[str, Callable[[float, float], bool]] = {
    "eq": operator.eq,
    "ne": operator.ne,
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
}


def _compare(predicate: str, a: float, b: float) -> int:
    is_number = not (math.isnan(a) or math.isnan(b))
    if predicate in {"ord", "uno"}:
        return int(is_number == (predicate == "ord"))
    if not is_number:
        return int(predicate[0] == "u")
    return int(_COMPARISONS[predicate[1:]](a, b))


def is_exact(function: str) -> bool:
    """Whether the value of a function is known bit by bit.

    Most names are those of LLVM: `fadd`, `fcmp.olt`, `sitofp.32`, `ctpop`. The number after the name of a
    conversion is the width of its operand.
    """
    name, _, rest = function.partition(".")
    if name == "fcmp":
        return rest in {"ord", "uno"} or (rest[:1] in {"o", "u"} and rest[1:] in _COMPARISONS)
    if name in _CONVERSIONS:
        return rest.isdigit()
    return name in {*_ARITHMETIC, *_FUSED, "fneg", "fabs"} or is_word_function(function)


def can_run(function: str) -> bool:
    """Whether a run has a value for a function, which may differ from that of a device in its last bits."""
    return is_exact(function) or _mathematics(function) is not None


def _to_integer(value: float, width: int, *, has_sign: bool) -> int:
    low, high = (-(1 << (width - 1)), (1 << (width - 1)) - 1) if has_sign else (0, (1 << width) - 1)
    return int(value) if math.isfinite(value) and low <= int(value) <= high else 0


_CONVERSIONS: dict[str, Callable[[int, int, int], int]] = {
    "sitofp": lambda bits, here, width: _bits(float(to_signed(bits, here)), width),
    "uitofp": lambda bits, _, width: _bits(float(bits), width),
    "fptosi": lambda bits, here, width: _to_integer(_float(bits, here), width, has_sign=True),
    "fptoui": lambda bits, here, width: _to_integer(_float(bits, here), width, has_sign=False),
    "fpext": lambda bits, here, width: _bits(_float(bits, here), width),
    "fptrunc": lambda bits, here, width: _bits(_float(bits, here), width),
}


def apply_function(instruction: Opaque, operands: Sequence[int], width: int) -> int:
    """Return what a function gives for these operands, which have this width, or 0 if the function is not known."""
    if is_word_function(instruction.function):
        return apply_word_function(instruction.function, operands, width) & ((1 << instruction.width) - 1)
    if not can_run(instruction.function) or (
        instruction.function.partition(".")[0] not in _CONVERSIONS and width not in _FORMS
    ):
        return 0
    name, _, rest = instruction.function.partition(".")
    if name in _CONVERSIONS:
        result = _CONVERSIONS[name](operands[0], width, instruction.width)
    elif name == "fcmp":
        result = _compare(rest, *(_float(bits, width) for bits in operands))
    elif name in _FUSED:
        result = _bits(_multiply_and_add(*(_float(bits, width) for bits in operands)), width)
    elif name == "fneg":
        result = operands[0] ^ (1 << (width - 1))
    elif name == "fabs":
        result = operands[0] & ((1 << (width - 1)) - 1)
    elif (function := _mathematics(instruction.function)) is not None:
        result = _bits(_calculate(function, [_float(bits, width) for bits in operands]), width)
    else:
        result = _bits(_ARITHMETIC[name](*(_float(bits, width) for bits in operands)), width)
    return result & ((1 << instruction.width) - 1)
