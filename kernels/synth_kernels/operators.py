"""The operators on values: what each one computes with numbers, and its name in SMT-LIB.

A value is a number of so many bits, read as unsigned. A value of 1 bit is a truth value. A division by zero, and a
shift by the width or more, has an arbitrary result: `is_undefined` tells for which second operand.
"""

from __future__ import annotations

import operator
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


def to_signed(value: int, width: int) -> int:
    """Read a value of so many bits as a number with a sign."""
    return value - (1 << width) if value >> (width - 1) else value


def _divide(a: int, b: int, width: int) -> int:
    x, y = to_signed(a, width), to_signed(b, width)
    return abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)


def _remainder(a: int, b: int, width: int) -> int:
    x = to_signed(a, width)
    return abs(x) % abs(to_signed(b, width)) * (1 if x >= 0 else -1)


@dataclass(frozen=True, slots=True)
class Binary:
    """An operator on two values of the same width: its function, its name in SMT-LIB, and that name for truth values.

    `compares` says that the result is a truth value. `divides` and `shifts` say which second operands are undefined.
    """

    compute: Callable[[int, int, int], int]
    smt: str
    of_truths: str | None = None
    compares: bool = False
    divides: bool = False
    shifts: bool = False


def _plain(compute: Callable[[int, int], int]) -> Callable[[int, int, int], int]:
    return lambda a, b, _: compute(a, b)


def _with_sign(compute: Callable[[int, int], int]) -> Callable[[int, int, int], int]:
    return lambda a, b, width: compute(to_signed(a, width), to_signed(b, width))


BINARY = {
    "add": Binary(_plain(operator.add), "bvadd"),
    "sub": Binary(_plain(operator.sub), "bvsub"),
    "mul": Binary(_plain(operator.mul), "bvmul"),
    "and": Binary(_plain(operator.and_), "bvand", "and"),
    "or": Binary(_plain(operator.or_), "bvor", "or"),
    "xor": Binary(_plain(operator.xor), "bvxor", "xor"),
    "udiv": Binary(_plain(operator.floordiv), "bvudiv", divides=True),
    "urem": Binary(_plain(operator.mod), "bvurem", divides=True),
    "sdiv": Binary(_divide, "bvsdiv", divides=True),
    "srem": Binary(_remainder, "bvsrem", divides=True),
    "shl": Binary(_plain(operator.lshift), "bvshl", shifts=True),
    "lshr": Binary(_plain(operator.rshift), "bvlshr", shifts=True),
    "ashr": Binary(lambda a, b, width: to_signed(a, width) >> b, "bvashr", shifts=True),
    "eq": Binary(_plain(operator.eq), "=", "=", compares=True),
    "ult": Binary(_plain(operator.lt), "bvult", compares=True),
    "ule": Binary(_plain(operator.le), "bvule", compares=True),
    "slt": Binary(_with_sign(operator.lt), "bvslt", compares=True),
    "sle": Binary(_with_sign(operator.le), "bvsle", compares=True),
}
#: Operators that change the width of a value.
CASTS = ("zext", "sext", "trunc")
#: Operators that look at the other thread: whether it has the same value, and which value it has.
RELATING = ("uniform", "other")
#: Keeps for later claims what a word such as `write.A` says at this place. Only contracts of functions need it.
KEEP = "keep"
#: All operators by name, each with its number of operands.
ARITIES = dict.fromkeys(BINARY, 2) | dict.fromkeys((*CASTS, "not", *RELATING), 1) | {"select": 3}


def is_undefined(name: str, second: int, width: int) -> bool:
    """Whether an operator has an arbitrary result for this second operand."""
    spec = BINARY[name]
    return (spec.divides and second == 0) or (spec.shifts and second >= width)


def compute(name: str, values: list[int], width: int, result: int) -> int:
    """Return the result of an operator; `width` is that of the last operand, `result` that of the result."""
    if name == "select":
        return values[1] if values[0] else values[2]
    if name == "not":
        value = ~values[0]
    elif name == "sext":
        value = to_signed(values[0], width)
    elif name in CASTS:
        value = values[0]
    else:
        value = int(BINARY[name].compute(values[0], values[1], width))
    return value & ((1 << result) - 1)
