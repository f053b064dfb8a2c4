"""Values of LLVM IR and the operands that they are lowered to, which parameters of blocks and functions are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_kernels.clang.frame import SELECTOR_WIDTH, Members
from synth_kernels.clang.regions import UNKNOWN, Pointer
from synth_kernels.program import ID_WIDTH

if TYPE_CHECKING:
    from synth_kernels.clang.frame import Frame, Lowered
    from synth_kernels.clang.ir import Type
    from synth_kernels.program import Operand


def regions_of(frame: Frame, name: str) -> tuple[str, ...]:
    """Return the arrays to which a pointer of this name may point."""
    return tuple(sorted(frame.pointers.of.get(name, set()))) or (UNKNOWN,)


def operand_widths(frame: Frame, type_: Type, name: str = "") -> list[int]:
    """Return the widths of the operands that a value of a type is lowered to."""
    if type_.kind == "pointer":
        return [ID_WIDTH] if len(regions_of(frame, name)) == 1 else [ID_WIDTH, SELECTOR_WIDTH]
    if type_.kind == "struct":
        return [width for part in type_.parts for width in operand_widths(frame, part)]
    if type_.kind == "array":
        return operand_widths(frame, type_.parts[0]) * type_.count
    return [] if type_.kind in {"other", "void"} else frame.type_lanes(type_)


def from_operands(frame: Frame, type_: Type, operands: list[Operand], regions: tuple[str, ...] = ()) -> Lowered:
    """Return a value of a type from the operands that it is lowered to, which are taken from the list."""
    if type_.kind == "pointer":
        offset = operands.pop(0)
        regions = regions or (UNKNOWN,)
        return Pointer(regions, offset, operands.pop(0) if len(regions) > 1 else None)
    if type_.kind in {"struct", "array"}:
        parts = type_.parts if type_.kind == "struct" else type_.parts * type_.count
        return Members(from_operands(frame, part, operands) for part in parts)
    return tuple(operands.pop(0) for _ in range(type_.lanes)) if type_.kind not in {"other", "void"} else ()


def to_operands(frame: Frame, value: Lowered, regions: tuple[str, ...] = ()) -> list[Operand]:
    """Return the operands that a value is lowered to, as `from_operands` takes them."""
    if isinstance(value, Pointer):
        return [value.offset] if len(regions) <= 1 else [value.offset, frame.selector(value)]
    if isinstance(value, Members):
        return [operand for part in value for operand in to_operands(frame, part)]
    return list(value)
