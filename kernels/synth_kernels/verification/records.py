"""Launches as a program has made them, read from a file with one JSON object a line.

`synth kernel record` writes such files, and people can write them by hand: docs/look-up/formats.md has the format.
Launches that are alike count as one.
"""

from __future__ import annotations

import shlex
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Literal, NotRequired, TypedDict

from synth_checker.errors import InputError
from synth_kernels.command_lines import flags_in
from synth_kernels.program import IS_NULL
from synth_storage import strict_json
from synth_storage.files import read_small
from synth_storage.typed_json import checked

if TYPE_CHECKING:
    from pathlib import Path

    from synth_kernels.kernel_file import SourceOptions
    from synth_kernels.program import Kernel

#: The most bytes of a file of launches.
_LONGEST = 1 << 30


class ArgumentFields(TypedDict):
    """The argument that a parameter gets.

    `value` is that of a scalar, a vector or a structure: a number, or its bytes as they lie in memory, in hexadecimal
    digits. `bytes` is the size of a buffer or of local memory. A `pointer` is one into memory whose size is not known,
    `other` is a sampler or a queue, and `unset` an argument of which nothing is known.
    """

    name: str
    kind: Literal["value", "buffer", "local", "pointer", "other", "unset"]
    value: NotRequired[int | str]
    bytes: NotRequired[Annotated[int, {"minimum": 0}]]


class RecordedLaunchFields(TypedDict):
    """A launch of a kernel: how many threads it has in each dimension, their groups, and the arguments.

    `local_size` is null if the program leaves it to the driver. `source` is the file of the kernel, beside the file of
    the launches. `options` are those with which the program built it, and `folder` is where the program ran, for
    relative folders of `-I`. `pointer_bits` is the width of pointers of the device.
    """

    kernel: str
    global_size: list[Annotated[int, {"minimum": 1}]]
    local_size: list[Annotated[int, {"minimum": 1}]] | None
    arguments: list[ArgumentFields]
    global_offset: NotRequired[list[Annotated[int, {"minimum": 0}]]]
    source: NotRequired[str | None]
    options: NotRequired[str]
    folder: NotRequired[str]
    pointer_bits: NotRequired[Literal[32, 64]]


@dataclass(frozen=True, slots=True)
class RecordedLaunch:
    """A launch of a file, the line of its first occurrence, and how often it occurs."""

    path: Path
    line: int
    times: int
    fields: RecordedLaunchFields

    @property
    def where(self) -> str:
        """The file and the line."""
        return f"{self.path}:{self.line}"


@dataclass(frozen=True, slots=True)
class VerifiedLaunch:
    """The launch of a file that a kernel was verified for: its line, and how often the file has it.

    `fixed` are the scalars that have the values of the launch, and `open` those that may have any. `clean` says that
    the kernel has no fault with these values while loops are unrolled.
    """

    file: str
    line: int
    launches: int
    fixed: dict[str, int]
    open: list[str]
    clean: bool


def read_records(path: Path) -> list[RecordedLaunch]:
    """Return the launches of a file, each once, in the order in which they first occur.

    Raises:
        InputError: the file can't be read, a line is wrong, or there is no launch.
    """
    records: dict[str, RecordedLaunch] = {}
    for number, line in enumerate(read_small(path, "a file of launches", _LONGEST).splitlines(), 1):
        if not line.strip():
            continue
        fields = _check_line(line, f"{path}:{number}")
        key = strict_json.dumps(fields)
        times = records[key].times + 1 if key in records else 1
        records[key] = (
            replace(records[key], times=times) if key in records else RecordedLaunch(path, number, times, fields)
        )
    if not records:
        raise InputError(f"{path}: found no launch, expected a line for each; synth kernel record writes such a file")
    return list(records.values())


def _check_line(line: str, where: str) -> RecordedLaunchFields:
    try:
        value = strict_json.loads(line)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{where}: expected a JSON object: {error}") from None
    return checked(value, RecordedLaunchFields, where)


def with_options(how: SourceOptions, recorded: RecordedLaunch) -> SourceOptions:
    """Return how to read the source of a launch: as the program built it, and with the definitions of the user.

    Options other than `-D`, `-I` and `-cl-std` do not matter to `synth`. Pointers have the width that they had on the
    device, unless the user asks for another one.
    """
    folder = recorded.fields.get("folder", "")
    options = recorded.fields.get("options", "")
    try:
        words = shlex.split(options)
    except ValueError:
        words = options.split()
    flags = flags_in(words, recorded.path.parent / folder)
    return replace(
        how,
        defines=(*flags.defines, *how.defines),
        includes=(*flags.includes, *how.includes),
        standard=how.standard or flags.standard,
        pointer_bits=how.pointer_bits or recorded.fields.get("pointer_bits"),
    )


def values_of(recorded: RecordedLaunch, kernel: Kernel) -> dict[str, int]:
    """Return the values of the scalars of a kernel, as far as the launch has them.

    The lanes of a vector are scalars of their own, such as `v.0`.

    Raises:
        InputError: the launch gives a value to something that the kernel does not have, or too few bytes.
    """
    widths = dict(kernel.scalars)
    values: dict[str, int] = {}
    for argument in recorded.fields["arguments"]:
        if argument["kind"] in {"buffer", "pointer"} and f"{argument['name']}{IS_NULL}" in widths:
            values[f"{argument['name']}{IS_NULL}"] = int(argument.get("bytes") == 0)
        if argument["kind"] != "value":
            continue
        name, value = argument["name"], argument.get("value", "")
        lanes = [(word, width) for word, width in kernel.scalars if word == name or word.rpartition(".")[0] == name]
        if isinstance(value, int):
            values |= {word: value & ((1 << width) - 1) for word, width in lanes if word == name}
            is_known = any(word == name for word, _ in lanes)
        else:
            values |= _lanes(recorded, name, lanes, _bytes(recorded, name, value))
            is_known = bool(lanes) or any(array.name == name for array in kernel.arrays)
        if not is_known:
            names = ", ".join(word for word, _ in kernel.scalars) or "none"
            raise InputError(
                f"{recorded.where}: found a value for {name!r}, expected a scalar of {kernel.name} ({names})"
            )
    return values


def _bytes(recorded: RecordedLaunch, name: str, value: str) -> bytes:
    try:
        return bytes.fromhex(value)
    except ValueError:
        raise InputError(
            f"{recorded.where}: found {value!r} for {name!r}, expected a number or bytes in hexadecimal digits"
        ) from None


def _lanes(recorded: RecordedLaunch, name: str, lanes: list[tuple[str, int]], data: bytes) -> dict[str, int]:
    values, start = {}, 0
    for word, width in lanes:
        size = max(1, width // 8)
        if start + size > len(data):
            raise InputError(f"{recorded.where}: found {len(data)} bytes for {name!r}, expected {size * len(lanes)}")
        values[word] = int.from_bytes(data[start : start + size], "little") & ((1 << width) - 1)
        start += size
    return values


def with_buffer_sizes(recorded: RecordedLaunch, kernel: Kernel) -> Kernel:
    """Return a kernel whose arrays have the sizes that the buffers of a launch have."""
    sizes = {
        argument["name"]: argument["bytes"]
        for argument in recorded.fields["arguments"]
        if argument["kind"] in {"buffer", "local"} and "bytes" in argument
    }
    arrays = [
        replace(array, size=sizes[array.name] * 8 // array.width)
        if array.size is None and array.name in sizes
        else array
        for array in kernel.arrays
    ]
    return replace(kernel, arrays=tuple(arrays))
