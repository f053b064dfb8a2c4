"""What a typed program may have that not every analysis supports: the analysis refuses it by name and place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

from synth_checker.errors import InputError
from synth_kernels.program import Access, Barrier

if TYPE_CHECKING:
    from synth_kernels.program import Instruction, Kernel

Special: TypeAlias = Literal["subgroup", "copy"]
_WORDS: dict[Special, str] = {"subgroup": "a barrier of a subgroup", "copy": "an asynchronous copy"}


def _special(instruction: Instruction) -> Special | None:
    if isinstance(instruction, Barrier) and instruction.scope == "subgroup":
        return "subgroup"
    is_copy = (isinstance(instruction, Access) and instruction.event) or (
        isinstance(instruction, Barrier) and (instruction.same or instruction.waits)
    )
    return "copy" if is_copy else None


def refuse(kernel: Kernel, *specials: Special) -> None:
    """Refuse a kernel that has something of these kinds.

    Raises:
        InputError: it has; the message says what, and where.
    """
    for block in kernel.blocks:
        for instruction in block.instructions:
            if (special := _special(instruction)) in specials and special is not None:
                place = kernel.places.get(instruction.line)
                where = f"{place.file}:{place.line}" if place else f"line {instruction.line}"
                raise InputError(f"{where}: not supported: {_WORDS[special]}")
