"""How many bytes the types of LLVM IR have in memory, and where the members of structures begin."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from synth_kernels.clang.ir import Type


class Layout:
    """Sizes for a width of addresses, in bytes."""

    def __init__(self, pointer_bits: int) -> None:
        self.pointer = pointer_bits // 8

    def bits(self, type_: Type) -> int:
        """Return the number of bits of a value."""
        match type_.kind:
            case "int" | "float":
                return type_.bits
            case "pointer":
                return self.pointer * 8
            case "vector":
                return type_.count * self.bits(type_.parts[0])
            case "array" | "struct":
                return self.size(type_) * 8
            case _:
                return 0

    def width(self, type_: Type) -> int:
        """Return how many bytes an access to a value of this type touches."""
        return (self.bits(type_) + 7) // 8

    def size(self, type_: Type) -> int:
        """Return how many bytes apart two neighbours in an array are."""
        if type_.kind == "array":
            return type_.count * self.size(type_.parts[0])
        if type_.kind == "struct":
            offsets = self.offsets(type_)
            end = offsets[-1] + self.size(type_.parts[-1]) if offsets else 0
            return _up(end, self.alignment(type_))
        return _up(self.width(type_), self.alignment(type_))

    def alignment(self, type_: Type) -> int:
        """Return the number of which addresses of this type are multiples."""
        match type_.kind:
            case "array":
                return self.alignment(type_.parts[0])
            case "struct":
                return 1 if type_.is_packed else max((self.alignment(part) for part in type_.parts), default=1)
            case _:
                return 1 << max(0, self.width(type_) - 1).bit_length()

    def offsets(self, type_: Type) -> list[int]:
        """Return where the members of a structure begin."""
        offsets, end = [], 0
        for part in type_.parts:
            if not type_.is_packed:
                end = _up(end, self.alignment(part))
            offsets.append(end)
            end += self.size(part)
        return offsets


def _up(number: int, multiple: int) -> int:
    return -(-number // multiple) * multiple
