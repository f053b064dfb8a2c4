"""What a launch gives a kernel: a number for each scalar, and a size and first contents for each array.

The text of an argument is `NAME=VALUE` for a scalar, and `NAME=VALUE:COUNT` for an array of COUNT elements that all
hold VALUE. Local arrays that are parameters need a size, too. Other local and private memory holds 0 at the start.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from synth_checker.errors import InputError, quoted
from synth_checker.nearest import unknown

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from synth_kernels.program import Kernel

_ARGUMENT = re.compile(r"([A-Za-z_]\w*)=(-?\d+|0x[0-9A-Fa-f]+)(?::(\d+))?")
#: All arrays of a launch together have at most so many elements.
MOST_ELEMENTS = 1 << 20


@dataclass(frozen=True, slots=True)
class Given:
    """The value of an argument, and how many elements have it. A scalar has no count."""

    value: int
    count: int | None = None


def read_arguments(words: Iterable[str]) -> dict[str, Given]:
    """Read arguments such as `n=4` and `flags=0:16`.

    Raises:
        InputError: a word is no argument, or two have the same name.
    """
    found: dict[str, Given] = {}
    for word in words:
        match = _ARGUMENT.fullmatch(word)
        if match is None:
            msg = f"argument: found {quoted(word)}, expected NAME=VALUE or NAME=VALUE:COUNT, such as flags=0:16"
            raise InputError(msg)
        if match[1] in found:
            msg = f"argument {match[1]}: found two values, expected one"
            raise InputError(msg)
        found[match[1]] = Given(int(match[2], 0), None if match[3] is None else int(match[3]))
    return found


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
        if given[name].count is not None:
            msg = f"argument {name}: found an array, expected a number, because {name} is a scalar"
            raise InputError(msg)
        values[name] = given[name].value & ((1 << width) - 1)
    return values


def contents_of(kernel: Kernel, given: Mapping[str, Given]) -> dict[str, tuple[int, int]]:
    """Return the number of elements of each array, and what they hold at the start.

    Raises:
        InputError: an array has no size, or the arrays are too large.
    """
    found = {}
    for array in kernel.arrays:
        one = given.get(array.name)
        count = array.size if array.size is not None else None if one is None else one.count
        if count is None or (one is None and array.space in {"global", "constant"}):
            size = (
                ":COUNT, for COUNT elements" if count is None else f", which all its {count} elements hold at the start"
            )
            here = "none" if one is None else f"{one.value} without a number of elements"
            msg = f"argument {array.name}: found {here}, expected --arg {array.name}=VALUE{size}"
            raise InputError(msg)
        if one is not None and array.size is not None and one.count not in {None, array.size}:
            msg = f"argument {array.name}: found {one.count} elements, expected {array.size}"
            raise InputError(msg)
        found[array.name] = (count, (0 if one is None else one.value) & ((1 << array.width) - 1))
    if sum(count for count, _ in found.values()) > MOST_ELEMENTS:
        msg = f"arguments: found more than {MOST_ELEMENTS:,} elements, expected fewer"
        raise InputError(msg)
    return found
