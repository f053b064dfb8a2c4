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

from synth_kernels.operators import signed
from synth_kernels.word_functions import applied_to_words, is_word_function

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


def _divided(one: float, other: float) -> float:
    if other:
        return one / other
    return math.nan if one == 0 or math.isnan(one) else math.copysign(math.inf, one) * math.copysign(1, other)


def _fused(one: float, other: float, more: float) -> float:
    """Return `one * other + more`. The result is rounded to 64 bits before it is rounded to fewer."""
    if not all(map(math.isfinite, (one, other, more))):
        return one * other + more
    exact = Fraction(one) * Fraction(other) + Fraction(more)
    try:
        return float(exact) if exact else one * other + more
    except OverflowError:
        return math.copysign(math.inf, exact)


def _remainder(one: float, other: float) -> float:
    return math.fmod(one, other) if other and not math.isinf(one) else math.nan


_ARITHMETIC: dict[str, Callable[[float, float], float]] = {
    "fadd": operator.add,
    "fsub": operator.sub,
    "fmul": operator.mul,
    "fdiv": _divided,
    "frem": _remainder,
}


def _least(one: float, other: float) -> float:
    return other if math.isnan(one) else one if math.isnan(other) else min(one, other)


def _greatest(one: float, other: float) -> float:
    return other if math.isnan(one) else one if math.isnan(other) else max(one, other)


def _whole(rounded: Callable[[float], float]) -> Callable[[float], float]:
    return lambda x: math.copysign(rounded(x), x) if math.isfinite(x) else x


def _away(x: float) -> float:
    return math.floor(abs(x) + 0.5)


#: Functions of mathematics by their names in C, without the `f` of floats of 32 bits.
_MATHEMATICS: dict[str, Callable[..., float]] = {
    **dict.fromkeys(("minnum", "fmin"), _least),
    **dict.fromkeys(("maxnum", "fmax"), _greatest),
    "copysign": math.copysign,
    "pow": math.pow,
    "sqrt": math.sqrt,
    "rsqrt": lambda x: _divided(1.0, math.sqrt(x)),
    "exp": math.exp,
    "exp2": lambda x: math.pow(2.0, x),
    "log": math.log,
    "log2": math.log2,
    "log10": math.log10,
    "sin": math.sin,
    "cos": math.cos,
    "tan": math.tan,
    "tanh": math.tanh,
    "floor": _whole(math.floor),
    "ceil": _whole(math.ceil),
    "trunc": _whole(math.trunc),
    "round": lambda x: math.copysign(_away(x), x) if math.isfinite(x) else x,
    **dict.fromkeys(("rint", "nearbyint"), _whole(round)),
    **dict.fromkeys(("divide", "fdividef", "fdivide"), _divided),
    "recip": lambda x: _divided(1.0, x),
    "mad": _fused,
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


def _calculated(function: Callable[..., float], operands: Sequence[float]) -> float:
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


def _compared(predicate: str, one: float, other: float) -> int:
    is_number = not (math.isnan(one) or math.isnan(other))
    if predicate in {"ord", "uno"}:
        return int(is_number == (predicate == "ord"))
    if not is_number:
        return int(predicate[0] == "u")
    return int(_COMPARISONS[predicate[1:]](one, other))


def is_known(function: str) -> bool:
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
    return is_known(function) or _mathematics(function) is not None


def _to_integer(value: float, width: int, *, has_sign: bool) -> int:
    low, high = (-(1 << (width - 1)), (1 << (width - 1)) - 1) if has_sign else (0, (1 << width) - 1)
    return int(value) if math.isfinite(value) and low <= int(value) <= high else 0


_CONVERSIONS: dict[str, Callable[[int, int, int], int]] = {
    "sitofp": lambda bits, here, width: _bits(float(signed(bits, here)), width),
    "uitofp": lambda bits, _, width: _bits(float(bits), width),
    "fptosi": lambda bits, here, width: _to_integer(_float(bits, here), width, has_sign=True),
    "fptoui": lambda bits, here, width: _to_integer(_float(bits, here), width, has_sign=False),
    "fpext": lambda bits, here, width: _bits(_float(bits, here), width),
    "fptrunc": lambda bits, here, width: _bits(_float(bits, here), width),
}


def applied(opaque: Opaque, operands: Sequence[int], width: int) -> int:
    """Return what a function gives for these operands, which have this width, or 0 if the function is not known."""
    if is_word_function(opaque.function):
        return applied_to_words(opaque.function, operands, width) & ((1 << opaque.width) - 1)
    if not can_run(opaque.function) or (opaque.function.partition(".")[0] not in _CONVERSIONS and width not in _FORMS):
        return 0
    name, _, rest = opaque.function.partition(".")
    if name in _CONVERSIONS:
        found = _CONVERSIONS[name](operands[0], width, opaque.width)
    elif name == "fcmp":
        found = _compared(rest, *(_float(bits, width) for bits in operands))
    elif name in _FUSED:
        found = _bits(_fused(*(_float(bits, width) for bits in operands)), width)
    elif name == "fneg":
        found = operands[0] ^ (1 << (width - 1))
    elif name == "fabs":
        found = operands[0] & ((1 << (width - 1)) - 1)
    elif (function := _mathematics(opaque.function)) is not None:
        found = _bits(_calculated(function, [_float(bits, width) for bits in operands]), width)
    else:
        found = _bits(_ARITHMETIC[name](*(_float(bits, width) for bits in operands)), width)
    return found & ((1 << opaque.width) - 1)
