"""What pointers are in the translation: regions, which are the arrays of the source, and offsets in them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from synth_kernels.program import Operand, Space

#: To what a null pointer points, one that nothing was stored in, and one of which nothing is known.
NULL, NOWHERE, UNKNOWN = "null", "nowhere", "unknown"


@dataclass(frozen=True, slots=True)
class Region:
    """An array of the source: its name in LLVM IR, its space, its size in bytes, and whether it is a parameter."""

    name: str
    space: Space
    size: int | None = None
    is_parameter: bool = False
    is_restrict: bool = False


@dataclass(frozen=True, slots=True)
class Pointer:
    """An address: an offset in one of some regions. `selector` has the number of the region if there are several."""

    regions: tuple[str, ...]
    offset: Operand
    selector: Operand | None = None
