"""What a launch gives a kernel: a number for each scalar, and a size and first contents for each array.

The text of an argument is one of these:

- `NAME=VALUE` for a scalar;
- `NAME=VALUE:COUNT` for an array of COUNT elements that all hold VALUE;
- `NAME=VALUE,VALUE,...` for an array that holds these values. With `:COUNT`, the values repeat.
- `NAME=null` for a pointer that the kernel compares with null.

A value is a whole number, or a number with a point for an element that is a float. The elements are those of the
source: a structure or a vector is one of them, and takes a value for each of its numbers, or the same values again and
again. Local arrays that are parameters need a size, too. A variable of the program holds at the start what the source
says. Other local and private memory is not set.
"""

from __future__ import annotations

import itertools
import re
import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING

from synth_checker.errors import InputError, quoted
from synth_checker.nearest import check_known
from synth_kernels.program import IS_NULL, ElementLayout

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from synth_kernels.program import Array, Kernel

_WHOLE = r"-?(?:0x[0-9A-Fa-f]+|\d+)"
_VALUE = rf"{_WHOLE}|-?\d*\.\d+(?:e[-+]?\d+)?|-?\d+\.(?:e[-+]?\d+)?"
_ARGUMENT = re.compile(rf"([A-Za-z_][\w.]*)=(?:null|((?:{_VALUE})(?:,(?:{_VALUE}))*)(?::(\d+))?)")
#: All arrays of a launch together have at most so many elements.
MOST_ELEMENTS = 1 << 20
_FLOATS = {16: "<e", 32: "<f", 64: "<d"}


@dataclass(frozen=True, slots=True)
class ArgumentValues:
    """The values of an argument, and how many elements have them, again and again. A scalar has one and no count.

    A pointer that is null has no values.
    """

    values: tuple[int | float, ...]
    count: int | None = None

    @property
    def text(self) -> str:
        """Return the argument as it is written behind the name."""
        return ",".join(map(str, self.values or ("null",))) + ("" if self.count is None else f":{self.count}")

    @property
    def is_null(self) -> bool:
        """Whether it is the null pointer."""
        return not self.values

    @property
    def elements(self) -> int | None:
        """Return the number of elements of an array, or None for a scalar."""
        return len(self.values) if self.count is None and len(self.values) > 1 else self.count


def read_arguments(words: Iterable[str]) -> dict[str, ArgumentValues]:
    """Read arguments such as `n=4`, `flags=0:16` and `keys=3,1,2`.

    Raises:
        InputError: a word is no argument, or two have the same name.
    """
    arguments: dict[str, ArgumentValues] = {}
    for word in words:
        match = _ARGUMENT.fullmatch(word)
        if match is None:
            raise InputError(
                f"argument: found {quoted(word)}, expected NAME=VALUE or NAME=VALUE:COUNT, such as flags=0:16, "
                "or NAME=VALUE,VALUE,... or NAME=null"
            )
        if match[1] in arguments:
            raise InputError(f"argument {match[1]}: found two values, expected one")
        words_ = match[2].split(",") if match[2] else ()
        values = tuple(int(word, 0) if re.fullmatch(_WHOLE, word) else float(word) for word in words_)
        arguments[match[1]] = ArgumentValues(values, None if match[3] is None else int(match[3]))
    return arguments


def _bits(value: float, width: int, name: str) -> int:
    """Return a value as an element of so many bits holds it."""
    if isinstance(value, int):
        return value & ((1 << width) - 1)
    if width not in _FLOATS:
        raise InputError(f"argument {name}: found {value}, expected a whole number, because no float has {width} bits")
    try:
        return int.from_bytes(struct.pack(_FLOATS[width], value), "little")
    except OverflowError:
        raise InputError(f"argument {name}: found {value}, which is too large for a float of {width} bits") from None


def check_arguments(kernel: Kernel, arguments: Mapping[str, ArgumentValues]) -> None:
    """Check that each scalar has a value, and each array a size.

    Raises:
        InputError: some of them are missing, which are all named, or a name is neither a scalar nor an array.
    """
    parameters = [name for name, _ in kernel.scalars] + [array.name for array in kernel.arrays]
    for name in arguments:
        check_known("argument", name, parameters)
        if arguments[name].is_null and f"{name}{IS_NULL}" not in parameters:
            is_scalar = name in dict(kernel.scalars)
            because = "it is a scalar" if is_scalar else "the kernel does not ask whether it is null"
            raise InputError(
                f"argument {name}: found null, expected {'VALUE' if is_scalar else 'VALUE:COUNT'}, because {because}"
            )
    nullable = {name.removesuffix(IS_NULL) for name, _ in kernel.scalars if name.endswith(IS_NULL)}
    if missing := missing_arguments(kernel, arguments):
        names = ", ".join(argument.partition("=")[0] for argument in missing)
        words = " ".join(f"--arg {argument}" for argument in missing)
        null = [f"{name}=null" for name in sorted(nullable) if f"{name}=VALUE:COUNT" in missing]
        more = f", or {' '.join(null)}" if null else ""
        raise InputError(f"argument{'s' if len(missing) > 1 else ''} {names}: found none, expected {words}{more}")


def missing_arguments(kernel: Kernel, arguments: Collection[str] = ()) -> list[str]:
    """Return what must still be said of the parameters of a kernel, such as `flags=VALUE:COUNT`."""
    missing = [f"{name}=VALUE" for name, _ in kernel.scalars if name not in arguments and not name.endswith(IS_NULL)]
    for array in kernel.arrays:
        if array.name not in arguments and array.initial is None:
            if array.size is None:
                missing.append(f"{array.name}=VALUE:COUNT")
            elif array.space in {"global", "constant"}:
                missing.append(f"{array.name}=VALUE")
    return missing


def scalars_of(kernel: Kernel, arguments: Mapping[str, ArgumentValues]) -> dict[str, int]:
    """Return the values of the scalars of a kernel.

    Raises:
        InputError: an argument is missing or wrong.
    """
    check_arguments(kernel, arguments)
    values = {}
    for name, width in kernel.scalars:
        if name.endswith(IS_NULL) and name not in arguments:
            values[name] = int(arguments[name.removesuffix(IS_NULL)].is_null)
            continue
        if arguments[name].elements is not None:
            raise InputError(f"argument {name}: found an array, expected a number, because {name} is a scalar")
        values[name] = _bits(arguments[name].values[0], width, name)
    return values


def contents_of(kernel: Kernel, arguments: Mapping[str, ArgumentValues]) -> dict[str, tuple[int, ...]]:
    """Return what the elements of each array hold at the start.

    Raises:
        InputError: an array has no size, or the arrays are too large.
    """
    counts = {array.name: _count(array, arguments.get(array.name)) for array in kernel.arrays}
    if sum(count * array.each for count, array in zip(counts.values(), kernel.arrays, strict=True)) > MOST_ELEMENTS:
        raise InputError(f"arguments: found more than {MOST_ELEMENTS:,} elements, expected fewer")
    return {array.name: _contents(array, arguments.get(array.name), counts[array.name]) for array in kernel.arrays}


def entry_of(array: Array) -> ElementLayout:
    """Return what an element of an array is in the source, or in the typed program if nothing else is known."""
    return array.entry or ElementLayout(array.width, ((0, array.width),))


def _count(array: Array, argument: ArgumentValues | None) -> int:
    """Return the number of elements of an array, as the source counts them."""
    declared = None if array.size is None else array.size // array.each
    numbers = len(entry_of(array).fields)
    elements = None if argument is None else argument.count
    if argument is not None and argument.count is None and len(argument.values) != 1:
        elements = len(argument.values) // numbers
        if len(argument.values) % numbers:
            raise InputError(
                f"argument {array.name}: found {len(argument.values)} values, expected {numbers} for each element"
            )
    if elements is not None and declared not in {None, elements}:
        raise InputError(f"argument {array.name}: found {elements} elements, expected {declared}")
    if (count := declared if elements is None else elements) is None:
        arg = f"{array.name}={'' if argument is None else argument.text}"
        raise InputError(
            f"argument {array.name}: found no number of elements, expected --arg {arg}:COUNT, or {arg},... for each"
        )
    return count


def _contents(array: Array, argument: ArgumentValues | None, count: int) -> tuple[int, ...]:
    if argument is None:
        return (0,) * (count * array.each) if array.initial is None else array.initial
    entry, bits = entry_of(array), 0
    fields = [(number * entry.width + first, width) for number in range(count) for first, width in entry.fields]
    contents = [0] * (count * array.each)
    for (first, width), value in zip(fields, itertools.cycle(argument.values)):
        place, shift = divmod(first, array.width)
        bits = _bits(value, width, array.name) << shift
        while bits:
            contents[place] |= bits & ((1 << array.width) - 1)
            bits >>= array.width
            place += 1
    return tuple(contents)
