"""What variables of a program hold at the start, as the elements of arrays."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from synth_checker.errors import InternalError

if TYPE_CHECKING:
    from synth_kernels.clang.ir import Type, Value, Variable
    from synth_kernels.clang.layout import Layout

_ESCAPED = re.compile(rb"\\([0-9A-Fa-f]{2})")
#: Of larger variables, the contents are not read.
_MOST_BYTES = 1 << 22


def initial_elements(variable: Variable, layout: Layout, unit: int) -> tuple[int, ...] | None:
    """Return the elements of a variable at the start, each of so many bytes.

    None if the source does not say, or if some of them are not numbers.
    """
    if layout.size(variable.type) > _MOST_BYTES:
        return None
    try:
        value = variable.read_initial()
    except InternalError:  # a constant of a form that no kernel of ours has
        return None
    data = None if value is None else _bytes_of(value, layout)
    if data is None:
        return None
    return tuple(int.from_bytes(data[place : place + unit], "little") for place in range(0, len(data), unit))


def _bytes_of(value: Value, layout: Layout) -> bytes | None:
    """Return what a constant is in memory, if all of it are numbers."""
    size = layout.size(value.type)
    if value.kind == "zero":
        return bytes(size)
    if value.kind == "number":
        return value.number.to_bytes(size, "little")
    if value.kind == "other" and value.name.startswith('c"'):
        return _ESCAPED.sub(lambda match: bytes([int(match[1], 16)]), value.name[2:-1].encode("latin-1"))
    if value.kind != "aggregate":
        return None
    data = bytearray(size)
    for place, part in zip(_places(value.type, layout), value.parts, strict=True):
        if part.kind == "undefined":  # what lies between members
            continue
        if (part_data := _bytes_of(part, layout)) is None:
            return None
        data[place : place + len(part_data)] = part_data
    return bytes(data)


def _places(type_: Type, layout: Layout) -> list[int]:
    """Return where the members of an aggregate begin."""
    if type_.kind == "struct":
        return layout.offsets(type_)
    each = layout.width(type_.lane) if type_.kind == "vector" else layout.size(type_.parts[0])
    return [number * each for number in range(type_.count)]
