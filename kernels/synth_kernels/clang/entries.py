"""What the elements of an array are in the source, by its debug information: numbers, vectors or structures.

A typed program has arrays of numbers of one width, which is that of the narrowest access. Launches are given in the
elements of the source.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from synth_kernels.clang.ir import reference
from synth_kernels.program import ElementLayout

if TYPE_CHECKING:
    from collections.abc import Mapping

    from synth_kernels.clang.ir import IrFunction, Module, Variable

_SAME = {f"DW_TAG_{word}_type" for word in ("const", "volatile", "restrict", "atomic")} | {"DW_TAG_typedef"}
_NUMBERS = {"DW_TAG_pointer_type", "DW_TAG_enumeration_type", "DW_TAG_reference_type"}
#: An element with more numbers has no entry: nobody gives it by hand.
_MOST_FIELDS = 64


def elements_of_parameters(module: Module, function: IrFunction) -> dict[str, ElementLayout]:
    """Return the elements of arrays to which the parameters of a function point, by their names."""
    elements = {}
    for number in module.parameters(function.metadata.get("dbg")):
        fields = module.fields(number)
        pointer = module.fields(_plain(module, reference(fields.get("type"))))
        if pointer.get("tag") == "DW_TAG_pointer_type" and (entry := _entry(module, pointer)) is not None:
            elements[fields["name"]] = entry
    return elements


def elements_of_variable(module: Module, variable: Variable) -> ElementLayout | None:
    """Return the elements of a variable that is an array, or the variable itself."""
    of = module.fields(reference(module.fields(variable.debug).get("var")))
    array = module.fields(_plain(module, reference(of.get("type"))))
    if array.get("tag") == "DW_TAG_array_type" and "DIFlagVector" not in array.get("flags", ""):
        return _entry(module, array)
    return _entry(module, {"baseType": of.get("type", "")})


def _entry(module: Module, of: Mapping[str, str]) -> ElementLayout | None:
    number = reference(of.get("baseType"))
    fields = _fields(module, number, 0)
    size = _size(module, number)
    return ElementLayout(size, tuple(fields)) if size and fields and len(fields) <= _MOST_FIELDS else None


def _plain(module: Module, number: int | None) -> int | None:
    """Return the type that others are another name of."""
    while number is not None and module.fields(number).get("tag") in _SAME:
        number = reference(module.fields(number).get("baseType"))
    return number


def _size(module: Module, number: int | None) -> int:
    return int(module.fields(_plain(module, number)).get("size", 0))


def _fields(module: Module, number: int | None, at: int) -> list[tuple[int, int]]:
    """Return the numbers of a type: the first bit and the width of each. Of a union, the first member counts."""
    number = _plain(module, number)
    type_fields = module.fields(number)
    tag = type_fields.get("tag", "")
    if "DIBasicType" in module.metadata.get(-1 if number is None else number, "") or tag in _NUMBERS:
        return [(at, int(type_fields.get("size", 0)))]
    if tag == "DW_TAG_array_type":
        base = reference(type_fields.get("baseType"))
        each = _size(module, base)
        many = int(type_fields.get("size", 0)) // each if each else 0
        return [field for n in range(min(many, _MOST_FIELDS + 1)) for field in _fields(module, base, at + n * each)]
    members = []
    listed = module.metadata.get(-1 if (of := reference(type_fields.get("elements"))) is None else of, "")
    for member in map(int, re.findall(r"!(\d+)", listed)):
        member_fields = module.fields(member)
        if member_fields.get("tag") in {
            "DW_TAG_member",
            "DW_TAG_inheritance",
        } and "DIFlagStatic" not in member_fields.get("flags", ""):
            first = at + int(member_fields.get("offset", 0))
            is_bits = "DIFlagBitField" in member_fields.get("flags", "")
            width = int(member_fields.get("size", 0))
            members.append(
                [(first, width)] if is_bits else _fields(module, reference(member_fields.get("baseType")), first)
            )
    return members[0] if tag == "DW_TAG_union_type" and members else [field for numbers in members for field in numbers]
