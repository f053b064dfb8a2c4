"""Values of which some bits are not defined, such as those of a variable before something is stored in it.

C lets a program copy such bits. It must not let them decide anything. So a thread computes with them, and its run is
refused only where they would matter: in a branch, in the place of an access, or in what other threads may read. A
compiler makes such values when it puts a union or a structure together part by part.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from synth_kernels.operators import compute

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class Partly:
    """A value whose bits in `unknown` are not defined. In `value`, they are 0."""

    value: int
    unknown: int


#: A value of a thread.
Value: TypeAlias = int | Partly


def undefined(width: int) -> Partly:
    """Return a value of so many bits, none of which is defined."""
    return Partly(0, (1 << width) - 1)


def compute_partly(name: str, operands: Sequence[Value], width: int, result: int) -> Value:
    """Return the result of an operator as `operators.compute` does, for operands that may be defined only partly."""
    if name == "select" and isinstance(operands[0], int):
        return operands[1] if operands[0] else operands[2]
    values = [one if isinstance(one, int) else one.value for one in operands]
    masks = [0 if isinstance(one, int) else one.unknown for one in operands]
    every = (1 << result) - 1
    unknown = every
    match name:
        case "and":
            unknown = (masks[0] | masks[1]) & (values[0] | masks[0]) & (values[1] | masks[1])
        case "or":
            unknown = (masks[0] | masks[1]) & ~values[0] & ~values[1]
        case "xor":
            unknown = masks[0] | masks[1]
        case "not" | "zext" | "trunc":
            unknown = masks[0] & every
        case "shl" | "lshr" if not masks[1]:
            unknown = compute(name, [masks[0], values[1]], width, result)
        case _:
            return Partly(0, every)
    found = compute(name, values, width, result) & ~unknown
    return Partly(found, unknown) if unknown else found
