"""Accesses to memory: which array, at which offset, and how wide.

If a pointer may point to several arrays, the block is divided, and each part accesses one of them. A value of a vector
or a structure is one access of its whole width. Of a vector that is assigned to in part, only the
assigned components are written (`components`).
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from synth_kernels.atomics import OPERATIONS
from synth_kernels.clang.arithmetic import cut_lanes, join_lanes
from synth_kernels.clang.components import lane_runs
from synth_kernels.clang.frame import Lowered, Members
from synth_kernels.clang.regions import NOWHERE, NULL, UNKNOWN, Pointer
from synth_kernels.clang.shapes import from_operands, operand_widths
from synth_kernels.program import ID_WIDTH, Access, ArrayUnset, Constant, JumpTarget, KernelClaim

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from synth_kernels.clang.frame import Frame
    from synth_kernels.clang.ir import IrInstruction, Type, Value
    from synth_kernels.program import Kind, Operand, Reach

#: Among which threads an access is atomic, by LLVM's names, and the names for all threads of a device.
_REACHES: dict[str, Reach] = {
    **dict.fromkeys(("wavefront", "subgroup", "sub_group"), "subgroup"),
    **dict.fromkeys(("workgroup", "work_group", "block"), "group"),
    "cluster": "cluster",
}
_OF_DEVICE = {"", "agent", "device", "all_svm_devices", "system"}
#: An access of at most so many bits carries a value. Of wider ones, only the place is known.
_MOST_BITS = 4096


def _refuse_change(frame: Frame, kind: Kind) -> None:
    if frame.in_annotation and kind != "read":
        frame.unsupported("an annotation that changes memory")


def _at_each(frame: Frame, pointer: Pointer, act: Callable[[str], Operand | None], width: int) -> Operand | None:
    """Do something at each array to which a pointer may point, and return what that gave, of so many bits."""
    if UNKNOWN in pointer.regions:
        frame.unsupported("an access through a pointer that comes from memory or from a number")
    if len(pointer.regions) == 1:
        return _at(frame, pointer.regions[0], act, width)
    emit = frame.emit
    after = emit.name("after")
    place, is_value = emit.place, False
    value: Operand | None = None
    for number, region in enumerate(pointer.regions):
        rest = ""
        if number + 1 < len(pointer.regions):
            here, rest = emit.name("in"), emit.name("else")
            test = emit.compute("eq", (frame.selector(pointer), frame.number(region)), "is")
            emit.end(JumpTarget(here), JumpTarget(rest), test=test)
            emit.start(here)
        value = _at(frame, region, act, width)
        is_value = value is not None
        emit.end(JumpTarget(after, () if value is None else (value,)))
        if rest:
            emit.start(rest)
    result = emit.define("value", width) if is_value else ""
    emit.start(after, [(result, width)] if is_value else [])
    emit.place = place
    return result if is_value else None


def _at(frame: Frame, region: str, act: Callable[[str], Operand | None], width: int) -> Operand | None:
    if region not in {NULL, NOWHERE}:
        return act(region)
    frame.emit.add(KernelClaim("assert", Constant(0, 1), is_stray=True))
    return frame.emit.any(width, "nothing") if width else None


def read(frame: Frame, pointer: Pointer, size: int, wish: str, *, is_volatile: bool = False) -> Operand:
    """Read so many bytes, and return them as a number."""
    return _read_value(frame, pointer, size, wish, Access("read", "", "", size * 8, is_volatile=is_volatile))


def atomic(  # noqa: PLR0913, PLR0917
    frame: Frame,
    pointer: Pointer,
    size: int,
    wish: str,
    operation: str = "",
    operands: Sequence[Operand] = (),
    reach: Reach = "",
) -> Operand:
    """Access so many bytes atomically, and return what was there before as a number.

    Without an operation, any value may be there afterwards.
    """
    access = Access("atomic", "", "", size * 8, operation=operation, operands=tuple(operands), reach=reach)
    return _read_value(frame, pointer, size, wish, access)


def _read_value(frame: Frame, pointer: Pointer, size: int, wish: str, access: Access) -> Operand:
    if frame.in_annotation:
        _refuse_change(frame, access.kind)
        return _peek(frame, pointer, size, wish)
    frame.pointers.note(pointer.regions, size)

    def act(region: str) -> Operand:
        name = frame.emit.define(wish, size * 8)
        frame.emit.add(replace(access, array=frame.array(region), offset=pointer.offset, name=name))
        return name

    value = _at_each(frame, pointer, act, size * 8)
    assert value is not None  # noqa: S101  (`act` gives a value)
    return value


def _peek(frame: Frame, pointer: Pointer, size: int, wish: str) -> Operand:
    """Return what so many bytes hold, without an access. It is arbitrary if it is not known where they are."""
    if UNKNOWN in pointer.regions:
        return frame.emit.any(size * 8, wish)
    frame.pointers.note(pointer.regions, size)
    value: Operand | None = None
    for region in reversed(pointer.regions):
        if region in {NULL, NOWHERE}:
            here = frame.emit.any(size * 8, wish)
        else:
            here = frame.emit.peek(frame.array(region), pointer.offset, size * 8, wish)
        if value is not None:
            test = frame.emit.compute("eq", (frame.selector(pointer), frame.number(region)), "is")
            here = frame.emit.compute("select", (test, here, value), wish)
        value = here
    assert value is not None  # noqa: S101  (a pointer has a region)
    return value


def write(frame: Frame, pointer: Pointer, bits: Operand, *, is_volatile: bool = False) -> None:
    """Write a number of whole bytes."""
    _refuse_change(frame, "write")
    width = frame.emit.width(bits)
    frame.pointers.note(pointer.regions, width // 8)

    def act(region: str) -> None:
        access = Access("write", frame.array(region), pointer.offset, width, value=bits, is_volatile=is_volatile)
        frame.emit.add(access)

    _at_each(frame, pointer, act, 0)


def read_many(frame: Frame, pointer: Pointer, size: int, count: Operand) -> None:
    """Read `count` times `size` bytes, one after the other."""
    if frame.in_annotation:
        return
    frame.pointers.note(pointer.regions, size)

    def act(region: str) -> None:
        name = frame.emit.define("copied", size * 8)
        frame.emit.add(Access("read", frame.array(region), pointer.offset, size * 8, name=name, count=count))

    _at_each(frame, pointer, act, 0)


def write_many(frame: Frame, pointer: Pointer, bits: Operand, count: Operand) -> None:
    """Write a number of whole bytes `count` times, one after the other."""
    _refuse_change(frame, "write")
    width = frame.emit.width(bits)
    frame.pointers.note(pointer.regions, width // 8)

    def act(region: str) -> None:
        frame.emit.add(Access("write", frame.array(region), pointer.offset, width, value=bits, count=count))

    _at_each(frame, pointer, act, 0)


def copy_out(  # noqa: PLR0913, PLR0917
    frame: Frame, pointer: Pointer, size: int, count: Operand, step: Operand, event: Operand
) -> Operand:
    """Read the source of an asynchronous copy: `count` times `size` bytes, so many steps apart."""
    access = Access("read", "", "", size * 8, count=count, step=step, event=event)
    return _read_value(frame, pointer, size, "copied", access)


def copy_in(  # noqa: PLR0913, PLR0917
    frame: Frame, pointer: Pointer, bits: Operand, count: Operand, step: Operand, event: Operand
) -> None:
    """Write the target of an asynchronous copy, as `copy_out` reads the source."""
    _refuse_change(frame, "write")
    width = frame.emit.width(bits)
    frame.pointers.note(pointer.regions, width // 8)

    def act(region: str) -> None:
        array = frame.array(region)
        frame.emit.add(Access("write", array, pointer.offset, width, value=bits, count=count, step=step, event=event))

    _at_each(frame, pointer, act, 0)


def from_bits(frame: Frame, bits: Operand, type_: Type, wish: str) -> Lowered:
    """Return the value of a type that some bytes of memory hold."""
    if type_.kind == "pointer":
        return Pointer((UNKNOWN,), Constant(0, ID_WIDTH))
    if type_.kind in {"struct", "array"}:
        members = []
        for offset, part in _parts(frame, type_):
            moved = frame.emit.compute("lshr", (bits, Constant(offset * 8, frame.emit.width(bits))), wish)
            part_bits = frame.emit.compute("trunc", (moved,), wish, frame.layout.width(part) * 8)
            members.append(from_bits(frame, part_bits, part, wish))
        return Members(members)
    return cut_lanes(frame, bits, frame.type_lanes(type_), wish)


def _parts(frame: Frame, type_: Type) -> list[tuple[int, Type]]:
    if type_.kind == "struct":
        return list(zip(frame.layout.offsets(type_), type_.parts, strict=True))
    size = frame.layout.size(type_.parts[0])
    return [(number * size, type_.parts[0]) for number in range(type_.count)]


def to_bits(frame: Frame, value: Lowered, type_: Type) -> Operand:
    """Return the bytes that hold a value in memory."""
    if isinstance(value, Pointer):
        return frame.address(value, frame.layout.pointer * 8)
    width = frame.layout.width(type_) * 8
    if not isinstance(value, Members):
        return frame.emit.compute("zext", (join_lanes(frame, value, "stored"),), "stored", width)
    bits: Operand = Constant(0, width)
    for (offset, part), member in zip(_parts(frame, type_), value, strict=True):
        wide = frame.emit.compute("zext", (to_bits(frame, member, part),), "stored", width)
        moved = frame.emit.compute("shl", (wide, Constant(offset * 8, width)), "stored")
        bits = frame.emit.compute("or", (moved, bits), "stored")
    return bits


def load(frame: Frame, instruction: IrInstruction) -> None:
    """Translate a load. A pointer that a structure given by value has is a parameter."""
    if variable := frame.pointers.unset(instruction.operands[0]):
        frame.put(instruction, unset(frame, variable, instruction.type))
        return
    regions = frame.pointers.of.get(instruction.name, {UNKNOWN}) if instruction.type.kind == "pointer" else {UNKNOWN}
    if UNKNOWN not in regions:
        (region,) = regions - {NULL}
        frame.put(
            instruction, Pointer((region,), Constant(0, ID_WIDTH)) if region == NOWHERE else frame.parameter(region)
        )
        return
    where, size = frame.pointer(instruction.operands[0]), frame.layout.width(instruction.type)
    if instruction.detail == "atomic":
        bits = atomic(frame, where, size, instruction.name, "load", reach=_reach(instruction))
    else:
        bits = read(frame, where, size, instruction.name, is_volatile=instruction.detail == "volatile")
    frame.put(instruction, from_bits(frame, bits, instruction.type, instruction.name))


def unset(frame: Frame, variable: str, type_: Type) -> Lowered:
    """Return what a variable of a type holds before something is stored in it."""
    if frame.emit.place is not None:
        frame.emit.place = replace(frame.emit.place, expression=variable)
    lanes = [frame.emit.unset(width, f"{variable}.unset") for width in operand_widths(frame, type_)]
    return from_operands(frame, type_, lanes, (NOWHERE,))


def store(frame: Frame, instruction: IrInstruction, components: dict[str, list[int]]) -> None:
    """Translate a store. `components` has the lanes that are written, by the name of the vector, if not all are."""
    value, where = instruction.operands
    pointer = frame.pointer(where)
    if instruction.detail == "atomic":
        bits = to_bits(frame, frame.lowered(value), value.type)
        atomic(frame, pointer, frame.layout.width(value.type), "old", "store", [bits], _reach(instruction))
        return
    is_volatile = instruction.detail == "volatile"
    if value.name in components:
        size = frame.layout.width(value.type.lane)
        lanes = frame.lanes(value)
        for first, count in lane_runs(components[value.name]):
            part = join_lanes(frame, lanes[first : first + count], "stored")
            write(frame, frame.advanced(pointer, first * size, []), part, is_volatile=is_volatile)
        return
    write(frame, pointer, to_bits(frame, frame.lowered(value), value.type), is_volatile=is_volatile)


def update(frame: Frame, instruction: IrInstruction) -> None:
    """Translate an atomic instruction that reads and writes."""
    size = frame.layout.width(instruction.operands[1].type)
    where = frame.pointer(instruction.operands[0])
    operands = [to_bits(frame, frame.lowered(operand), operand.type) for operand in instruction.operands[1:]]
    if instruction.opcode == "atomicrmw":
        old = atomic(frame, where, size, instruction.name, *_operation(instruction, operands), _reach(instruction))
        frame.put(instruction, from_bits(frame, old, instruction.type, instruction.name))
    else:
        old = atomic(frame, where, size, instruction.name, "compare-exchange", operands, _reach(instruction))
        success = exchange_success(frame, old, operands[0], is_weak=instruction.detail == "weak")
        frame.put(
            instruction, Members((from_bits(frame, old, instruction.type.parts[0], instruction.name), (success,)))
        )


def _reach(instruction: IrInstruction) -> Reach:
    """Return among which threads LLVM's instruction is atomic. Targets have names of their own for that."""
    word = instruction.scope.removesuffix("-one-as")
    return _REACHES.get(word, "" if word in _OF_DEVICE else "thread")


def _operation(instruction: IrInstruction, operands: Sequence[Operand]) -> tuple[str, Sequence[Operand]]:
    """Return the operation of LLVM's `atomicrmw`, or none for one that we do not know, such as those on floats."""
    name = {"xchg": "exchange", "uinc_wrap": "inc", "udec_wrap": "dec"}.get(instruction.detail, instruction.detail)
    return (name, operands) if name in OPERATIONS else ("", ())


def exchange_success(frame: Frame, old: Operand, expected: Operand, *, is_weak: bool) -> Operand:
    """Return whether a compare-exchange has written: a weak one may also fail by chance."""
    is_equal = frame.emit.compare("eq", old, expected, "exchanged")
    if not is_weak:
        return is_equal
    return frame.emit.compute("and", (frame.emit.any(1, "succeeds", usual=Constant(1, 1)), is_equal), "exchanged")


def copy(frame: Frame, instruction: IrInstruction) -> None:
    """Translate a copy of memory."""
    if frame.pointers.unset(instruction.operands[1]):
        (region,) = frame.pointer(instruction.operands[0]).regions
        frame.emit.add(ArrayUnset(frame.array(region)))
        return
    target, source, length = (
        frame.pointer(instruction.operands[0]),
        frame.pointer(instruction.operands[1]),
        instruction.operands[2],
    )
    if length.kind in {"number", "zero"} and length.number * 8 <= _MOST_BITS:
        if length.number:
            write(frame, target, read(frame, source, length.number, "copied"))
        return
    size, count = _bytes_and_count(frame, length)
    read_many(frame, source, size, count)
    write_many(frame, target, frame.emit.any(size * 8, "copied"), count)


def fill(frame: Frame, instruction: IrInstruction) -> None:
    """Translate setting all bytes of some memory to one value."""
    target, byte, length = (
        frame.pointer(instruction.operands[0]),
        frame.operand(instruction.operands[1]),
        instruction.operands[2],
    )
    if length.kind in {"number", "zero"} and length.number * 8 <= _MOST_BITS:
        if length.number:
            write(frame, target, join_lanes(frame, (byte,) * length.number, "stored"))
        return
    size, count = _bytes_and_count(frame, length)
    write_many(frame, target, join_lanes(frame, (byte,) * size, "stored"), count)


def _bytes_and_count(frame: Frame, length: Value) -> tuple[int, Operand]:
    """Return a length in bytes as a fixed number of bytes and how often these are."""
    if length.kind in {"number", "zero"}:
        size = next(size for size in (8, 4, 2, 1) if length.number % size == 0)
        return size, Constant(length.number // size, ID_WIDTH)
    definition = frame.definitions.get(length.name)
    if definition is not None and definition.opcode in {"mul", "shl"} and definition.operands[1].kind == "number":
        number = definition.operands[1].number
        size = number if definition.opcode == "mul" else 1 << number
        if size in {1, 2, 4, 8, 16, 32, 64, 128}:
            return size, frame.index(frame.operand(definition.operands[0]))
    return 1, frame.index(frame.operand(length))
