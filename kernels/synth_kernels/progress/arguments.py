"""What a launch gives a kernel: a number for each scalar, and a size and first contents for each array.

The text of an argument is one of these:

- `NAME=VALUE` for a scalar;
- `NAME=VALUE:COUNT` for an array of COUNT elements that all hold VALUE;
- `NAME=VALUE,VALUE,...` for an array that holds these values. With `:COUNT`, the values repeat.

A value is a whole number, or a number with a point for an element that is a float. Local arrays that are parameters
need a size, too. A variable of the program holds at the start what the source says. Other local and private memory
holds 0.
"""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING

from synth_checker.errors import InputError, quoted
from synth_checker.nearest import unknown

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from synth_kernels.program import Array, Kernel

_WHOLE = r"-?(?:0x[0-9A-Fa-f]+|\d+)"
_VALUE = rf"{_WHOLE}|-?\d*\.\d+(?:e[-+]?\d+)?|-?\d+\.(?:e[-+]?\d+)?"
_ARGUMENT = re.compile(rf"([A-Za-z_][\w.]*)=((?:{_VALUE})(?:,(?:{_VALUE}))*)(?::(\d+))?")
#: All arrays of a launch together have at most so many elements.
MOST_ELEMENTS = 1 << 20
_FLOATS = {16: "<e", 32: "<f", 64: "<d"}


@dataclass(frozen=True, slots=True)
class Given:
    """The values of an argument, and how many elements have them, again and again. A scalar has one and no count."""

    values: tuple[int | float, ...]
    count: int | None = None

    @property
    def text(self) -> str:
        """Return the argument as it is written behind the name."""
        return ",".join(map(str, self.values)) + ("" if self.count is None else f":{self.count}")

    @property
    def elements(self) -> int | None:
        """Return the number of elements of an array, or None for a scalar."""
        return len(self.values) if self.count is None and len(self.values) > 1 else self.count


def read_arguments(words: Iterable[str]) -> dict[str, Given]:
    """Read arguments such as `n=4`, `flags=0:16` and `keys=3,1,2`.

    Raises:
        InputError: a word is no argument, or two have the same name.
    """
    found: dict[str, Given] = {}
    for word in words:
        match = _ARGUMENT.fullmatch(word)
        if match is None:
            msg = (
                f"argument: found {quoted(word)}, expected NAME=VALUE or NAME=VALUE:COUNT, such as flags=0:16, "
                "or NAME=VALUE,VALUE,..."
            )
            raise InputError(msg)
        if match[1] in found:
            msg = f"argument {match[1]}: found two values, expected one"
            raise InputError(msg)
        values = tuple(int(one, 0) if re.fullmatch(_WHOLE, one) else float(one) for one in match[2].split(","))
        found[match[1]] = Given(values, None if match[3] is None else int(match[3]))
    return found


def _bits(value: float, width: int, name: str) -> int:
    """Return a value as an element of so many bits holds it."""
    if isinstance(value, int):
        return value & ((1 << width) - 1)
    if width not in _FLOATS:
        msg = f"argument {name}: found {value}, expected a whole number, because no float has {width} bits"
        raise InputError(msg)
    try:
        return int.from_bytes(struct.pack(_FLOATS[width], value), "little")
    except OverflowError:
        msg = f"argument {name}: found {value}, which is too large for a float of {width} bits"
        raise InputError(msg) from None


def scalars_of(kernel: Kernel, given: Mapping[str, Given]) -> dict[str, int]:
    """Return the values of the scalars of a kernel.

    Raises:
        InputError: a scalar has no value, or a name is neither a scalar nor an array of the kernel.
    """
    known = [name for name, _ in kernel.scalars] + [array.name for array in kernel.arrays]
    for name in given:
        if name not in known:
            raise unknown("argument", name, known)
    values = {}
    for name, width in kernel.scalars:
        if name not in given:
            msg = f"argument {name}: found none, expected --arg {name}=VALUE"
            raise InputError(msg)
        if given[name].elements is not None:
            msg = f"argument {name}: found an array, expected a number, because {name} is a scalar"
            raise InputError(msg)
        values[name] = _bits(given[name].values[0], width, name)
    return values


def contents_of(kernel: Kernel, given: Mapping[str, Given]) -> dict[str, tuple[int, ...]]:
    """Return what the elements of each array hold at the start.

    Raises:
        InputError: an array has no size, or the arrays are too large.
    """
    sizes = {array.name: _size(array, given.get(array.name)) for array in kernel.arrays}
    if sum(sizes.values()) > MOST_ELEMENTS:
        msg = f"arguments: found more than {MOST_ELEMENTS:,} elements, expected fewer"
        raise InputError(msg)
    return {array.name: _contents(array, given.get(array.name), sizes[array.name]) for array in kernel.arrays}


def _size(array: Array, one: Given | None) -> int:
    """Return the number of elements of an array."""
    count = array.size if array.size is not None else None if one is None else one.elements
    is_needed = array.space in {"global", "constant"} and array.initial is None
    if count is None or (one is None and is_needed):
        form = f"{array.name}=VALUE"
        size = f"{form}:COUNT, for COUNT elements" if count is None else f"{form}, for all its {count} elements"
        here = "none" if one is None else f"{one.text} without a number of elements"
        msg = f"argument {array.name}: found {here}, expected --arg {size}, or {form},VALUE,... for each of them"
        raise InputError(msg)
    if one is not None and array.size is not None and one.elements not in {None, array.size}:
        msg = f"argument {array.name}: found {one.elements} elements, expected {array.size}"
        raise InputError(msg)
    return count


def _contents(array: Array, one: Given | None, size: int) -> tuple[int, ...]:
    if one is None:
        return (0,) * size if array.initial is None else array.initial
    values = tuple(_bits(value, array.width, array.name) for value in one.values)
    return (values * (size // len(values) + 1))[:size]
