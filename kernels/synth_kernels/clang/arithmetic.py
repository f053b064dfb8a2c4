"""Instructions that compute: on numbers lane by lane, comparisons, casts, and those that arrange lanes.

Operations on floating-point numbers become functions of which nothing is known but that equal operands give equal
results. Their names are those of LLVM; `floats` can compute some of them in a run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_kernels.clang.frame import Lowered, Members
from synth_kernels.clang.regions import NOWHERE, UNKNOWN, Pointer
from synth_kernels.operators import BINARY
from synth_kernels.program import ID_WIDTH, Constant

if TYPE_CHECKING:
    from collections.abc import Callable

    from synth_kernels.clang.frame import Frame, Lanes
    from synth_kernels.clang.ir import IrInstruction, Value
    from synth_kernels.program import Operand

#: A comparison as ours, whether its operands change places, and whether the result is negated.
_COMPARISONS = {
    "eq": ("eq", False, False),
    "ne": ("eq", False, True),
    **{
        f"{sign}{word}": (f"{sign}{ours}", swap, False)
        for sign in "us"
        for word, ours, swap in (
            ("lt", "lt", False),
            ("le", "le", False),
            ("gt", "lt", True),
            ("ge", "le", True),
        )
    },
}
_FLOATS = {"fadd", "fsub", "fmul", "fdiv", "frem", "fneg"}
_CONVERSIONS = {"fptrunc", "fpext", "fptoui", "fptosi", "uitofp", "sitofp"}


def _binary(frame: Frame, instruction: IrInstruction) -> Lowered:
    pairs = zip(frame.lanes(instruction.operands[0]), frame.lanes(instruction.operands[1]), strict=True)
    results = tuple(frame.emit.compute(instruction.opcode, pair, instruction.name) for pair in pairs)
    frame.wraps |= instruction.has_sign and not all(isinstance(lane, Constant) for lane in results)
    return results


def _float(frame: Frame, instruction: IrInstruction) -> Lowered:
    lanes = zip(*(frame.lanes(operand) for operand in instruction.operands), strict=True)
    return tuple(
        frame.emit.opaque(instruction.opcode, lane, frame.emit.width(lane[0]), instruction.name) for lane in lanes
    )


def _conversion(frame: Frame, instruction: IrInstruction) -> Lowered:
    width = frame.layout.bits(instruction.type.lane)
    here = frame.layout.bits(instruction.operands[0].type.lane)
    return tuple(
        frame.emit.opaque(f"{instruction.opcode}.{here}", (lane,), width, instruction.name)
        for lane in frame.lanes(instruction.operands[0])
    )


def _cast(frame: Frame, instruction: IrInstruction) -> Lowered:
    width = frame.layout.bits(instruction.type.lane)
    return tuple(
        frame.emit.compute(instruction.opcode, (lane,), instruction.name, width)
        for lane in frame.lanes(instruction.operands[0])
    )


def compare_integers(frame: Frame, predicate: str, first: Operand, second: Operand, wish: str) -> Operand:
    """Return the result of a comparison of integers."""
    operator, is_swapped, is_negated = _COMPARISONS[predicate]
    pair = (second, first) if is_swapped else (first, second)
    result = frame.emit.compute(operator, pair, wish)
    return frame.emit.no(result, wish) if is_negated else result


def _comparison(frame: Frame, instruction: IrInstruction) -> Lowered:
    first, second = (frame.lowered(operand) for operand in instruction.operands)
    if isinstance(first, Pointer) and isinstance(second, Pointer):
        return (_compare_pointers(frame, instruction, first, second),)
    pairs = zip(frame.lanes(instruction.operands[0]), frame.lanes(instruction.operands[1]), strict=True)
    return tuple(compare_integers(frame, instruction.detail, left, right, instruction.name) for left, right in pairs)


def _compare_pointers(frame: Frame, instruction: IrInstruction, first: Pointer, second: Pointer) -> Operand:
    """Compare two addresses. Addresses in different arrays differ, and their order is unknown."""
    emit = frame.emit
    if not {UNKNOWN, NOWHERE}.isdisjoint(first.regions + second.regions):
        return emit.any(1, instruction.name)
    same_region = emit.compute("eq", (frame.selector(first), frame.selector(second)), instruction.name)
    if instruction.detail in {"eq", "ne"}:
        same = emit.compute(
            "and", (same_region, emit.compute("eq", (first.offset, second.offset), instruction.name)), instruction.name
        )
        return emit.no(same, instruction.name) if instruction.detail == "ne" else same
    # an offset is a number with a sign, so that a pointer may be before its array
    inside = compare_integers(
        frame, instruction.detail.replace("u", "s", 1), first.offset, second.offset, instruction.name
    )
    if same_region == Constant(1, 1):
        return inside
    return emit.compute("select", (same_region, inside, emit.any(1, instruction.name)), instruction.name)


def _float_comparison(frame: Frame, instruction: IrInstruction) -> Lowered:
    pairs = zip(frame.lanes(instruction.operands[0]), frame.lanes(instruction.operands[1]), strict=True)
    if instruction.detail in {"true", "false"}:
        return tuple(Constant(int(instruction.detail == "true"), 1) for _ in pairs)
    return tuple(frame.emit.opaque(f"fcmp.{instruction.detail}", pair, 1, instruction.name) for pair in pairs)


def _select(frame: Frame, instruction: IrInstruction) -> Lowered:
    test = frame.lanes(instruction.operands[0])
    return select_value(
        frame, test, frame.lowered(instruction.operands[1]), frame.lowered(instruction.operands[2]), instruction.name
    )


def select_value(frame: Frame, test: Lanes, first: Lowered, second: Lowered, wish: str) -> Lowered:
    """Return the first value where the test holds, and the second elsewhere."""
    emit = frame.emit
    if isinstance(first, Pointer) and isinstance(second, Pointer):
        offset = emit.compute("select", (test[0], first.offset, second.offset), wish)
        regions = tuple(sorted({*first.regions, *second.regions}))
        if len(regions) == 1:
            return Pointer(regions, offset)
        selector = emit.compute("select", (test[0], frame.selector(first), frame.selector(second)), wish)
        return Pointer(regions, offset, selector)
    if isinstance(first, Members) and isinstance(second, Members):
        return Members(select_value(frame, test, a, b, wish) for a, b in zip(first, second, strict=True))
    if isinstance(first, Pointer | Members) or isinstance(second, Pointer | Members):
        return frame.unsupported("a choice between a pointer and a number")
    tests = test if len(test) > 1 else test * len(first)
    trios = zip(tests, first, second, strict=True)
    return tuple(emit.compute("select", trio, wish) for trio in trios)


def _extract(frame: Frame, instruction: IrInstruction) -> Lowered:
    lanes, index = frame.lanes(instruction.operands[0]), frame.operand(instruction.operands[1])
    if isinstance(index, Constant):
        if index.value >= len(lanes):
            return (frame.emit.any(frame.layout.bits(instruction.type), instruction.name),)
        return (lanes[index.value],)
    result = lanes[-1]
    for number, lane in enumerate(lanes[:-1]):
        here = frame.emit.compute("eq", (index, Constant(number, frame.emit.width(index))), instruction.name)
        result = frame.emit.compute("select", (here, lane, result), instruction.name)
    return (result,)


def _insert(frame: Frame, instruction: IrInstruction) -> Lowered:
    index, new = frame.operand(instruction.operands[2]), frame.operand(instruction.operands[1])
    lanes = list(frame.lanes(instruction.operands[0]))
    for number, lane in enumerate(lanes):
        here = frame.emit.compute("eq", (index, Constant(number, frame.emit.width(index))), instruction.name)
        lanes[number] = frame.emit.compute("select", (here, new, lane), instruction.name)
    return tuple(lanes)


def mask_of(value: Value) -> list[int | None]:
    """Return the lanes that a shufflevector takes, None for those that are undefined."""
    if value.kind != "aggregate":
        return [0 if value.kind == "zero" else None] * value.type.count
    return [part.number if part.kind == "number" else 0 if part.kind == "zero" else None for part in value.parts]


def _shuffle(frame: Frame, instruction: IrInstruction) -> Lowered:
    mask = mask_of(instruction.operands[2])
    count = instruction.operands[0].type.count
    sides: dict[int, Lanes] = {}
    lanes: list[Operand] = []
    for index in mask:
        if index is None:
            lanes.append(frame.emit.unset(frame.layout.bits(instruction.type.lane)))
            continue
        side = index // count
        if side not in sides:
            sides[side] = frame.lanes(instruction.operands[side])
        lanes.append(sides[side][index % count])
    return tuple(lanes)


def _member(frame: Frame, instruction: IrInstruction) -> Lowered:
    member = frame.lowered(instruction.operands[0])
    for index in instruction.indices:
        if not isinstance(member, Members):
            return frame.unsupported("a member of what is no structure")
        member = member[index]
    return member


def _with_member(frame: Frame, instruction: IrInstruction) -> Lowered:
    return _replace_member(
        frame, frame.lowered(instruction.operands[0]), instruction.indices, frame.lowered(instruction.operands[1])
    )


def _replace_member(frame: Frame, whole: Lowered, indices: tuple[int, ...], new: Lowered) -> Lowered:
    if not indices:
        return new
    if not isinstance(whole, Members):
        return frame.unsupported("a member of what is no structure")
    first, *rest = indices
    return Members(
        _replace_member(frame, part, tuple(rest), new) if number == first else part for number, part in enumerate(whole)
    )


def _bitcast(frame: Frame, instruction: IrInstruction) -> Lowered:
    if instruction.type.kind == "pointer":
        return frame.pointer(instruction.operands[0])
    bits = join_lanes(frame, frame.lanes(instruction.operands[0]), instruction.name)
    return cut_lanes(frame, bits, frame.type_lanes(instruction.type), instruction.name)


def join_lanes(frame: Frame, lanes: Lanes, wish: str) -> Operand:
    """Return lanes as one number, the first lane lowest."""
    width = sum(map(frame.emit.width, lanes))
    bits: Operand = Constant(0, width)
    place = 0
    for lane in lanes:
        wide = frame.emit.compute("zext", (lane,), wish, width)
        moved = frame.emit.compute("shl", (wide, Constant(place, width)), wish)
        bits = frame.emit.compute("or", (moved, bits), wish)
        place += frame.emit.width(lane)
    return bits


def cut_lanes(frame: Frame, bits: Operand, widths: list[int], wish: str) -> Lanes:
    """Return the lanes of a number, the lowest first."""
    lanes, place = [], 0
    for width in widths:
        moved = frame.emit.compute("lshr", (bits, Constant(place, frame.emit.width(bits))), wish)
        lanes.append(frame.emit.compute("trunc", (moved,), wish, width))
        place += width
    return tuple(lanes)


def _from_pointer(frame: Frame, instruction: IrInstruction) -> Lowered:
    return (frame.address(frame.pointer(instruction.operands[0]), frame.layout.bits(instruction.type)),)


def _to_pointer(frame: Frame, instruction: IrInstruction) -> Lowered:
    del frame, instruction
    return Pointer((UNKNOWN,), Constant(0, ID_WIDTH))


def _same(frame: Frame, instruction: IrInstruction) -> Lowered:
    return frame.lowered(instruction.operands[0])


TRANSLATIONS: dict[str, Callable[[Frame, IrInstruction], Lowered]] = {
    **{name: _binary for name, operator in BINARY.items() if not operator.compares},
    **dict.fromkeys(_FLOATS, _float),
    **dict.fromkeys(_CONVERSIONS, _conversion),
    **dict.fromkeys(("trunc", "zext", "sext"), _cast),
    "icmp": _comparison,
    "fcmp": _float_comparison,
    "select": _select,
    "extractelement": _extract,
    "insertelement": _insert,
    "shufflevector": _shuffle,
    "extractvalue": _member,
    "insertvalue": _with_member,
    "bitcast": _bitcast,
    "ptrtoint": _from_pointer,
    "ptrtoaddr": _from_pointer,
    "inttoptr": _to_pointer,
    "addrspacecast": _same,
    "freeze": _same,
}
