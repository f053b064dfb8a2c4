"""The names of functions: C++ and OpenCL C put the types of the parameters into them, as the Itanium ABI says."""

from __future__ import annotations

import re

_MANGLED = re.compile(r"_Z(\d+)(.*)", re.DOTALL)
_FIRST = re.compile(r"(?:Dv\d+_)?(D[a-z]|[a-z])")
_SIGNED = {"a", "c", "s", "i", "l", "x"}
_FLOATS = {"f", "d", "Dh"}
#: The sizes of the types of OpenCL C by their codes.
_BYTES = (
    dict.fromkeys("cah", 1) | dict.fromkeys(("s", "t", "Dh"), 2) | dict.fromkeys("ijf", 4) | dict.fromkeys("lmd", 8)
)


def plain_name_and_codes(name: str) -> tuple[str, str]:
    """Return the name of a function as the source has it, and the codes of its parameters."""
    if not (match := _MANGLED.match(name)):
        return name, ""
    length = int(match[1])
    return match[2][:length], match[2][length:]


def _first(codes: str) -> str:
    match = _FIRST.match(codes)
    return match[1] if match else ""


def pointee(codes: str) -> str:
    """Return the codes without what says that the first parameter is a pointer to something, perhaps atomic."""
    return re.sub(r"^P(U3AS\d+)?[VKr]*(U7_Atomic)?", "", codes)


def copied_bytes(name: str) -> int:
    """Return how many bytes an element has that a function copies: the first parameter points to such elements."""
    _, codes = plain_name_and_codes(name)
    match = re.match(r"(?:Dv(\d+)_)?(Dh|[a-z])", pointee(codes))
    lanes = int(match[1] or 1) if match else 1
    return _BYTES[match[2] if match else "c"] * (4 if lanes == 3 else lanes)


def is_signed(codes: str) -> bool:
    """Return whether the first parameter is an integer with a sign."""
    return _first(codes) in _SIGNED


def is_float(codes: str) -> bool:
    """Return whether the first parameter is a floating-point number."""
    return _first(codes) in _FLOATS
