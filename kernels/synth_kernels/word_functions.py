"""Functions of LLVM, OpenCL and CUDA on whole words that a run can compute: counts and orders of bits, and products.

The names are those of LLVM (`cttz`) and of OpenCL (`clz.j`), where letters behind the point are the codes of the
parameters in a mangled name. A value is a number of so many bits, read as unsigned.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_kernels.operators import to_signed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

#: The codes of whole numbers with a sign.
_SIGNED = frozenset("acsilx")


def _zeros_before(value: int, width: int) -> int:
    return width - value.bit_length()


def _zeros_behind(value: int, width: int) -> int:
    return (value & -value).bit_length() - 1 if value else width


def _reverse_bits(value: int, width: int) -> int:
    return int(f"{value:0{width}b}"[::-1], 2)


def _swap_bytes(value: int, width: int) -> int:
    return int.from_bytes(value.to_bytes(width // 8, "little"), "big")


def _high(a: int, b: int, width: int) -> int:
    return a * b >> width


def _half_sum(a: int, b: int, _width: int) -> int:
    return a + b >> 1


def _half_sum_up(a: int, b: int, _width: int) -> int:
    return a + b + 1 >> 1


_OF_ONE: dict[str, Callable[[int, int], int]] = {
    **dict.fromkeys(("ctpop", "popcount"), lambda value, _: value.bit_count()),
    **dict.fromkeys(("ctlz", "clz"), _zeros_before),
    **dict.fromkeys(("cttz", "ctz"), _zeros_behind),
    "bitreverse": _reverse_bits,
    "bswap": _swap_bytes,
}
#: Functions of OpenCL on two numbers, with or without a sign.
_OF_TWO: dict[str, Callable[[int, int, int], int]] = {
    "mul_hi": _high,
    "hadd": _half_sum,
    "rhadd": _half_sum_up,
}
#: A word and its neighbour, shifted by a number of bits: the upper or the lower half of the result.
_FUNNELS = ("fshl", "fshr")


def is_word_function(function: str) -> bool:
    """Whether this module knows a function."""
    name, _, codes = function.partition(".")
    return name in _OF_ONE or name in _FUNNELS or (name in _OF_TWO and bool(codes))


def apply_word_function(function: str, operands: Sequence[int], width: int) -> int:
    """Return what a function gives for operands of this width. LLVM's counts of zeros have a second one, a flag."""
    name, _, codes = function.partition(".")
    every = (1 << width) - 1
    if name in _OF_ONE:
        return _OF_ONE[name](operands[0], width)
    if name in _OF_TWO:
        a, b = (to_signed(value, width) if codes[0] in _SIGNED else value for value in operands)
        return _OF_TWO[name](a, b, width) & every
    both, by = operands[0] << width | operands[1], operands[2] % width
    return both >> (width - by if name == "fshl" else by) & every
