"""The atomic operations: how many operands each one has, and what it leaves in memory.

An atomic access gives the value that was there before. A value is a number of so many bits, read as unsigned.
`umin` and `umax` compare the numbers as they are, `min` and `max` read them with a sign. `inc` and `dec` are those of
CUDA, which begin again at 0 and at their operand. Names that begin with `f` are those of floats.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_kernels.floats import apply_function
from synth_kernels.operators import to_signed
from synth_kernels.program import Opaque

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

#: An operation with one operand: its result from what was there before, the operand, and the width.
_UPDATES: dict[str, Callable[[int, int, int], int]] = {
    "store": lambda _old, new, _: new,
    "exchange": lambda _old, new, _: new,
    "add": lambda old, more, _: old + more,
    "sub": lambda old, less, _: old - less,
    "and": lambda old, mask, _: old & mask,
    "nand": lambda old, mask, _: ~(old & mask),
    "or": lambda old, mask, _: old | mask,
    "xor": lambda old, mask, _: old ^ mask,
    "umin": lambda old, other, _: min(old, other),
    "umax": lambda old, other, _: max(old, other),
    "min": lambda old, other, width: min(old, other, key=lambda value: to_signed(value, width)),
    "max": lambda old, other, width: max(old, other, key=lambda value: to_signed(value, width)),
    "inc": lambda old, most, _: 0 if old >= most else old + 1,
    "dec": lambda old, most, _: most if old == 0 or old > most else old - 1,
}
#: Operations on floats, each with the function that gives what they leave.
OF_FLOATS = {"fadd": "fadd", "fsub": "fsub", "fmin": "minnum", "fmax": "maxnum"}
#: All operations, each with its number of operands. Those of `compare-exchange` are the expected and the new value.
OPERATIONS = {"load": 0, "compare-exchange": 2} | dict.fromkeys((*_UPDATES, *OF_FLOATS), 1)


def updated_value(operation: str, old: int, operands: Sequence[int], width: int) -> int | None:
    """Return what an operation leaves in memory, or None if it does not write."""
    if operation == "load":
        return None
    if operation == "compare-exchange":
        expected, new = operands
        return new if old == expected else None
    if operation in OF_FLOATS:
        return apply_function(Opaque("", OF_FLOATS[operation], (), width), [old, operands[0]], width)
    return _UPDATES[operation](old, operands[0], width) & ((1 << width) - 1)
