"""The functions of OpenCL C."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from synth_kernels.atomics import OPERATIONS
from synth_kernels.clang import memory
from synth_kernels.clang.arithmetic import compared, joined
from synth_kernels.clang.calls.intrinsics import absolute
from synth_kernels.clang.calls.registry import arbitrary, by_dimension, fencing, nothing, opaque, refused
from synth_kernels.clang.mangling import is_float, is_signed, plain, pointee
from synth_kernels.program import DIMENSIONS, Constant

if TYPE_CHECKING:
    from collections.abc import Callable

    from synth_kernels.clang.calls.registry import Handler
    from synth_kernels.clang.frame import Frame, Lowered
    from synth_kernels.clang.ir import Instruction
    from synth_kernels.clang.pointers import Pointer
    from synth_kernels.program import Operand, Space

#: The fence flags of barriers.
FENCES: dict[int, Space] = {1: "local", 2: "global"}


# --- ids ---


def global_id(frame: Frame, dimension: int) -> Operand:
    """Return the global id of a thread."""
    emit = frame.emit
    before = emit.compute("mul", (f"gid.{dimension}", f"lsize.{dimension}"), "before")
    inside = emit.compute("add", (before, f"lid.{dimension}"), "id")
    return emit.compute("add", (inside, f"offset.{dimension}"), "id")


def _global_size(frame: Frame, dimension: int) -> Operand:
    return frame.emit.compute("mul", (f"lsize.{dimension}", f"groups.{dimension}"), "size")


def named(word: str) -> Callable[[Frame, int], Operand]:
    """Return a function that gives an id or a size for a dimension, as typed programs name it."""
    return lambda _, dimension: f"{word}.{dimension}"


def ids(make: Callable[[Frame, int], Operand], otherwise: int) -> Handler:
    """Return the translation of a function that gives an id or a size for a dimension."""

    def handler(frame: Frame, call: Instruction) -> Lowered:
        wanted = call.operands[0]
        numbers = (
            range(DIMENSIONS) if wanted.kind != "number" else [one for one in range(DIMENSIONS) if one == wanted.number]
        )
        values = {number: make(frame, number) for number in numbers}
        return by_dimension(
            frame, call, [values.get(number, Constant(0, 32)) for number in range(DIMENSIONS)], otherwise
        )

    return handler


def _linear(is_global: bool) -> Handler:  # noqa: FBT001  (one of two)
    def handler(frame: Frame, call: Instruction) -> Lowered:
        emit = frame.emit
        found: Operand = Constant(0, 32)
        for dimension in reversed(range(DIMENSIONS)):
            size = _global_size(frame, dimension) if is_global else f"lsize.{dimension}"
            here: Operand = f"lid.{dimension}"
            if is_global:
                here = emit.compute("sub", (global_id(frame, dimension), f"offset.{dimension}"), "id")
            found = emit.compute("add", (emit.compute("mul", (found, size), "id"), here), "id")
        return (emit.compute("zext", (found,), call.name, frame.layout.bits(call.type)),)

    return handler


_IDS: dict[str, Handler] = {
    "get_global_id": ids(global_id, 0),
    "get_local_id": ids(named("lid"), 0),
    "get_group_id": ids(named("gid"), 0),
    "get_global_offset": ids(named("offset"), 0),
    "get_global_size": ids(_global_size, 1),
    "get_local_size": ids(named("lsize"), 1),
    "get_enqueued_local_size": ids(named("lsize"), 1),
    "get_num_groups": ids(named("groups"), 1),
    "get_global_linear_id": _linear(is_global=True),
    "get_local_linear_id": _linear(is_global=False),
}


# --- barriers ---


def _barrier(frame: Frame, call: Instruction) -> Lowered:
    return fencing(frame, call, frame.one(call.operands[0]), FENCES)


def _together(frame: Frame, call: Instruction) -> Lowered:
    """Translate a function that all threads of a group call together: a barrier that fences nothing."""
    frame.emit.barrier(())
    name, _ = plain(call.detail)
    return arbitrary(frame, call, is_uniform="scan" not in name)


# --- atomics ---


def _atomic(frame: Frame, call: Instruction) -> Lowered:
    name, codes = plain(call.detail)
    where = frame.pointer(call.operands[0])
    if "compare_exchange" in name:
        return _compare_exchange(frame, call, where)
    if "flag" in name:
        return _flag(frame, call, where)
    of = call.operands[1].type if call.type.kind == "void" and len(call.operands) > 1 else call.type
    size = frame.layout.width(of)
    values = [memory.to_bits(frame, frame.lowered(one), one.type) for one in call.operands[1:]]
    if name == "atomic_init":
        memory.write(frame, where, values[0])
        return ()
    operation = _operation(name, is_signed_=is_signed(pointee(codes)))
    if operation in {"increment", "decrement"}:
        operation, values = {"increment": "add", "decrement": "sub"}[operation], [Constant(1, size * 8)]
    is_of_numbers = operation in {"load", "store", "exchange"} or of.kind == "int"
    known = OPERATIONS.get(operation) if is_of_numbers else None
    operands = values[: known or 0]
    old = memory.atomic(frame, where, size, call.name or "old", operation if known is not None else "", operands)
    if call.type.kind == "void":
        return ()
    return memory.from_bits(frame, old, call.type, call.name)


def _compare_exchange(frame: Frame, call: Instruction, where: Pointer) -> Lowered:
    size = frame.layout.width(call.operands[2].type)
    place, new = frame.pointer(call.operands[1]), call.operands[2]
    expected = memory.read(frame, place, size, "expected")
    desired = memory.to_bits(frame, frame.lowered(new), new.type)
    old = memory.atomic(frame, where, size, "old", "compare-exchange", [expected, desired])
    memory.write(frame, place, old)
    name, _ = plain(call.detail)
    return (memory.exchanged(frame, old, expected, is_weak="weak" in name),)


def _flag(frame: Frame, call: Instruction, where: Pointer) -> Lowered:
    """Translate an operation on an `atomic_flag`, which is a number of 32 bits."""
    name, _ = plain(call.detail)
    if "clear" in name:
        memory.atomic(frame, where, 4, "old", "store", [Constant(0, 32)])
        return ()
    old = memory.atomic(frame, where, 4, "old", "exchange", [Constant(1, 32)])
    return (frame.emit.no(frame.emit.compare("eq", old, Constant(0, 32)), "was_set"),)


def _operation(name: str, *, is_signed_: bool) -> str:
    """Return the operation of an atomic function, such as `atomic_fetch_add_explicit` and `atom_cmpxchg`."""
    word = re.sub(r"^(atomic|atom)_(fetch_)?|_explicit$", "", name)
    word = {"xchg": "exchange", "cmpxchg": "compare-exchange", "inc": "increment", "dec": "decrement"}.get(word, word)
    return f"u{word}" if word in {"min", "max"} and not is_signed_ else word


# --- vectors in memory ---


def _vload(frame: Frame, call: Instruction) -> Lowered:
    name, _ = plain(call.detail)
    offset, where = frame.one(call.operands[0]), frame.pointer(call.operands[1])
    is_half = "half" in name
    width = 2 if is_half else frame.layout.width(call.type.lane)
    count = call.type.lanes
    step = width * (4 if name.startswith("vloada") and count == 3 else count)
    bits = memory.read(frame, frame.strided(where, offset, step), width * count, call.name)
    if is_half:
        return opaque(frame, call, "vload_half", [bits])
    return memory.from_bits(frame, bits, call.type, call.name)


def _vstore(frame: Frame, call: Instruction) -> Lowered:
    name, _ = plain(call.detail)
    data, offset, where = frame.lanes(call.operands[0]), frame.one(call.operands[1]), frame.pointer(call.operands[2])
    if "half" in name:
        data = tuple(frame.emit.opaque("vstore_half", [lane], 16, "half") for lane in data)
    width = frame.emit.width(data[0]) // 8
    step = width * (4 if name.startswith("vstorea") and len(data) == 3 else len(data))
    memory.write(frame, frame.strided(where, offset, step), joined(frame, data, "stored"))
    return ()


def _to_space(space: str) -> Handler:
    def handler(frame: Frame, call: Instruction) -> Lowered:
        found = frame.pointer(call.operands[0])
        if any(frame.pointers.regions[one].space != space for one in found.regions if one in frame.pointers.regions):
            frame.unsupported(f"a conversion to a pointer to {space} memory that may fail")
        return found

    return handler


# --- numbers ---


def _with_pointer(frame: Frame, call: Instruction) -> Lowered:
    """Translate a function of mathematics that gives a second result through a pointer."""
    name, _ = plain(call.detail)
    *values, last = call.operands
    operands = [lane for value in values for lane in frame.lanes(value)]
    size = 4 * call.type.lanes if name in {"frexp", "lgamma_r", "remquo"} else frame.layout.width(call.type)
    memory.write(frame, frame.pointer(last), frame.emit.opaque(f"{name}.second", operands, size * 8, name))
    return opaque(frame, call, name, operands)


def pure(frame: Frame, call: Instruction) -> Lowered:
    """Translate a function of which nothing is known but that it looks at its operands only."""
    name, codes = plain(call.detail)
    operands = [lane for value in call.operands if value.type.kind != "other" for lane in frame.lanes(value)]
    others = "".join(f".{value.name}" for value in call.operands if value.type.kind == "other")
    return opaque(frame, call, f"{name}{f'.{codes}' if codes else ''}{others}", operands)


def _lanewise(compute: Callable[[Frame, list[Operand], bool, str], Operand]) -> Handler:
    """Return the translation of a function of integers that works lane by lane; of floats, nothing is known."""

    def handler(frame: Frame, call: Instruction) -> Lowered:
        _, codes = plain(call.detail)
        if is_float(codes):
            return pure(frame, call)
        count = call.type.lanes
        lanes = [frame.lanes(operand) for operand in call.operands]
        wide = [one * count if len(one) == 1 else one for one in lanes]
        return tuple(compute(frame, list(group), is_signed(codes), call.name) for group in zip(*wide, strict=True))

    return handler


def _less(frame: Frame, values: list[Operand], signed: bool, wish: str) -> Operand:  # noqa: FBT001  (as `_lanewise`)
    first, second = values
    is_less = compared(frame, "slt" if signed else "ult", second, first, wish)
    return frame.emit.compute("select", (is_less, second, first), wish)


def _more(frame: Frame, values: list[Operand], signed: bool, wish: str) -> Operand:  # noqa: FBT001  (as above)
    first, second = values
    is_less = compared(frame, "slt" if signed else "ult", first, second, wish)
    return frame.emit.compute("select", (is_less, second, first), wish)


def _clamp(frame: Frame, values: list[Operand], signed: bool, wish: str) -> Operand:  # noqa: FBT001  (as above)
    one, low, high = values
    return _less(frame, [_more(frame, [one, low], signed, wish), high], signed, wish)


def _abs(frame: Frame, values: list[Operand], signed: bool, wish: str) -> Operand:  # noqa: FBT001  (as above)
    return absolute(frame, values[0], wish) if signed else values[0]


def _abs_diff(frame: Frame, values: list[Operand], signed: bool, wish: str) -> Operand:  # noqa: FBT001  (as above)
    high, low = _more(frame, values, signed, wish), _less(frame, values, signed, wish)
    return frame.emit.compute("sub", (high, low), wish)


def _mul24(frame: Frame, values: list[Operand], _signed: bool, wish: str) -> Operand:  # noqa: FBT001  (as above)
    found = frame.emit.compute("mul", (values[0], values[1]), wish)
    return frame.emit.compute("add", (found, values[2]), wish) if len(values) > 2 else found


def _rotate(frame: Frame, values: list[Operand], _signed: bool, wish: str) -> Operand:  # noqa: FBT001  (as above)
    emit, (one, by) = frame.emit, values
    width = emit.width(one)
    mask = Constant(width - 1, width)
    by = emit.compute("and", (by, mask), wish)
    back = emit.compute("and", (emit.compute("sub", (Constant(0, width), by), wish), mask), wish)
    return emit.compute("or", (emit.compute("shl", (one, by), wish), emit.compute("lshr", (one, back), wish)), wish)


_INTEGERS = {
    "min": _less,
    "max": _more,
    "clamp": _clamp,
    "abs": _abs,
    "abs_diff": _abs_diff,
    "mul24": _mul24,
    "mad24": _mul24,
    "rotate": _rotate,
}


def _convert(frame: Frame, call: Instruction) -> Lowered:
    """Translate a conversion without rounding and saturation to what LLVM calls it."""
    name, codes = plain(call.detail)
    match = re.fullmatch(r"convert_(u?)(char|short|int|long|float|double|half)\d*", name)
    if match is None:
        return pure(frame, call)
    width, here = frame.layout.bits(call.type.lane), frame.layout.bits(call.operands[0].type.lane)
    is_from, is_to = is_float(codes), match[2] in {"float", "double", "half"}
    lanes = frame.lanes(call.operands[0])
    if not is_from and not is_to:
        operator = "trunc" if width < here else "sext" if is_signed(codes) else "zext"
        return tuple(frame.emit.compute(operator, (lane,), call.name, width) for lane in lanes)
    if is_from and is_to:
        if width == here:
            return lanes
        function = "fptrunc" if width < here else "fpext"
    elif is_to:
        function = "sitofp" if is_signed(codes) else "uitofp"
    else:
        function = "fptoui" if match[1] else "fptosi"
    return tuple(frame.emit.opaque(f"{function}.{here}", (lane,), width, call.name) for lane in lanes)


_ASYNC = ("async_work_group", "wait_group_events")
_OTHER_MODELS = (
    "enqueue_",
    "__enqueue",
    "__read_pipe",
    "__write_pipe",
    "reserve_",
    "commit_",
    "read_pipe",
    "write_pipe",
    "work_group_reserve",
    "work_group_commit",
)
_NOTHING = {
    *("mem_fence", "read_mem_fence", "write_mem_fence", "atomic_work_item_fence", "prefetch", "printf"),
}


_PREFIXES: tuple[tuple[tuple[str, ...], Handler], ...] = (
    (_ASYNC, refused("asynchronous copies")),
    (("work_group_",), _together),
    (_OTHER_MODELS, refused("pipes and kernels that launch kernels")),
    (("read_image", "__translate_sampler_initializer"), nothing),
    (("sub_group_", "get_sub_group", "get_max_sub_group", "get_num_sub_group", "get_enqueued_num_sub_group"), nothing),
    (("atomic_", "atom_"), _atomic),
    (("vload",), _vload),
    (("vstore",), _vstore),
    (("convert_",), _convert),
    (("get_image_", "get_work_dim"), pure),
)
_NAMES: dict[str, Handler] = {
    **_IDS,
    **{name: _lanewise(compute) for name, compute in _INTEGERS.items()},
    **dict.fromkeys(_NOTHING, nothing),
    **dict.fromkeys(("barrier", "work_group_barrier"), _barrier),
    **{f"__to_{space}": _to_space(space) for space in ("global", "local", "private")},
    "sub_group_barrier": refused("a barrier of a sub-group"),
}
_WITH_POINTER = {"fract", "modf", "sincos", "frexp", "lgamma_r", "remquo"}


def find(name: str, codes: str) -> Handler | None:
    """Return what translates a function of OpenCL C."""
    if name in _NAMES:
        return _NAMES[name]
    if name in _WITH_POINTER and codes:
        return _with_pointer
    return next((handler for prefix, handler in _PREFIXES if name.startswith(prefix)), None)
