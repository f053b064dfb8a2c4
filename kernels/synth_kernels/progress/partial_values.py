"""Values of which some bits are not known, such as those of a variable before something is stored in it.

A thread computes with such bits, and may copy them. If they decide where it goes, `open_values` says what may happen. A
compiler makes such values when it puts a union or a structure together part by part.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias, cast

from synth_kernels.operators import compute

if TYPE_CHECKING:
    from collections.abc import Sequence

    from synth_kernels.terms import Term, Terms


@dataclass(frozen=True, slots=True)
class PartialValue:
    """A value whose bits in `unknown` are not known. In `value`, they are 0. The term is the whole value, if known."""

    value: int
    unknown: int
    term: Term | None = None

    def __str__(self) -> str:
        return "not set"


#: A value of a thread.
Value: TypeAlias = int | PartialValue


def unknown_value(width: int, term: Term | None = None) -> PartialValue:
    """Return a value of so many bits, none of which is known."""
    return PartialValue(0, (1 << width) - 1, term)


def compute_partly(name: str, operands: Sequence[Value], width: int, result: int, terms: Terms | None = None) -> Value:
    """Return the result of an operator as `operators.compute` does, for operands that may be known only partly.

    With `terms`, the result has a term if each of the operands has one.
    """
    bits = _bits(name, operands, width, result)
    if terms is None or not isinstance(bits, PartialValue):
        return bits
    operand_terms: list[Term] = []
    for place, operand in enumerate(operands):
        its_width = 1 if name == "select" and place == 0 else width
        term = terms.constant(operand, its_width) if isinstance(operand, int) else operand.term
        if term is None:
            return bits
        operand_terms.append(term)
    term = terms.apply(name, tuple(operand_terms), result)
    return PartialValue(bits.value, bits.unknown, term) if term.value is None else term.value


def _bits(name: str, operands: Sequence[Value], width: int, result: int) -> Value:
    if name == "select" and isinstance(operands[0], int):
        return operands[1] if operands[0] else operands[2]
    if all(isinstance(operand, int) for operand in operands):
        return compute(name, cast("list[int]", operands), width, result)
    values = [operand if isinstance(operand, int) else operand.value for operand in operands]
    masks = [0 if isinstance(operand, int) else operand.unknown for operand in operands]
    every = (1 << result) - 1
    unknown = every
    match name:
        case "and":
            unknown = (masks[0] | masks[1]) & (values[0] | masks[0]) & (values[1] | masks[1])
        case "or":
            unknown = (masks[0] | masks[1]) & ~values[0] & ~values[1]
        case "xor":
            unknown = masks[0] | masks[1]
        case "not" | "zext" | "trunc":
            unknown = masks[0] & every
        case "shl" | "lshr" if not masks[1]:
            unknown = compute(name, [masks[0], values[1]], width, result)
        case _:
            return PartialValue(0, every)
    value = compute(name, values, width, result) & ~unknown
    return PartialValue(value, unknown) if unknown else value


def joined_parts(values: Sequence[Value], width: int, terms: Terms | None = None) -> Value:
    """Return the value that parts of so many bits make together, the lowest first."""
    if len(values) == 1:
        return values[0]
    every = width * len(values)
    whole: Value = sum(value << place * width for place, value in enumerate(values) if isinstance(value, int))
    for place, value in enumerate(values):
        if isinstance(value, PartialValue):
            part = compute_partly("zext", [value], width, every, terms)
            shifted = compute_partly("shl", [part, place * width], every, every, terms)
            whole = compute_partly("or", [whole, shifted], every, every, terms)
    return whole


def parts_of(value: Value, width: int, count: int, terms: Terms | None = None) -> list[Value]:
    """Return so many parts of a value, each of so many bits, the lowest first."""
    if isinstance(value, int):
        return [value >> place * width & ((1 << width) - 1) for place in range(count)]
    every = width * count
    if count == 1:
        return [value]
    shifted = (compute_partly("lshr", [value, place * width], every, every, terms) for place in range(count))
    return [compute_partly("trunc", [part], every, width, terms) for part in shifted]
