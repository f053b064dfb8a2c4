"""The functions of OpenCL C: which translation each of them has, and those of barriers and of vectors in memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_kernels.clang import memory
from synth_kernels.clang.arithmetic import join_lanes
from synth_kernels.clang.calls.atomic_functions import atomic, reach_of
from synth_kernels.clang.calls.ids import IDS
from synth_kernels.clang.calls.numbers import INTEGERS, convert, pure, with_pointer
from synth_kernels.clang.calls.registry import arbitrary, fencing, nothing, opaque, unsupported_function
from synth_kernels.clang.mangled_names import plain_name_and_codes
from synth_kernels.clang.pointers import GIVEN
from synth_kernels.clang.regions import Pointer
from synth_kernels.program import ID_WIDTH, Constant

if TYPE_CHECKING:
    from synth_kernels.clang.calls.registry import Handler
    from synth_kernels.clang.frame import Frame, Lowered
    from synth_kernels.clang.ir import IrInstruction
    from synth_kernels.program import Space

#: The fence flags of barriers.
FENCES: dict[int, Space] = {1: "local", 2: "global"}


# --- barriers ---


def _barrier(frame: Frame, call: IrInstruction) -> Lowered:
    if (reach := reach_of(frame, call)) in {"thread", "subgroup"}:
        frame.unsupported(f"a barrier of a group that fences memory for a {reach} only")
    return fencing(frame, call, frame.operand(call.operands[0]), FENCES)


def _sub_group_barrier(frame: Frame, call: IrInstruction) -> Lowered:
    """Translate a barrier of a sub-group, which our headers have only if the kernel is run."""
    if reach_of(frame, call) == "thread":
        frame.unsupported("a barrier of a sub-group that fences memory for a thread only")
    frame.emit.barrier(FENCES.values(), "subgroup")
    return ()


def _together(frame: Frame, call: IrInstruction) -> Lowered:
    """Translate a function that all threads of a group call together: a barrier that fences nothing."""
    frame.emit.barrier(())
    name, _ = plain_name_and_codes(call.detail)
    return arbitrary(frame, call, is_uniform="scan" not in name)


# --- vectors in memory ---


def _vload(frame: Frame, call: IrInstruction) -> Lowered:
    name, _ = plain_name_and_codes(call.detail)
    offset, where = frame.operand(call.operands[0]), frame.pointer(call.operands[1])
    is_half = "half" in name
    width = 2 if is_half else frame.layout.width(call.type.lane)
    count = call.type.lanes
    step = width * (4 if name.startswith("vloada") and count == 3 else count)
    bits = memory.read(frame, frame.strided(where, offset, step), width * count, call.name)
    if is_half:
        return opaque(frame, call, "vload_half", [bits])
    return memory.from_bits(frame, bits, call.type, call.name)


def _vstore(frame: Frame, call: IrInstruction) -> Lowered:
    name, _ = plain_name_and_codes(call.detail)
    data, offset, where = (
        frame.lanes(call.operands[0]),
        frame.operand(call.operands[1]),
        frame.pointer(call.operands[2]),
    )
    if "half" in name:
        data = tuple(frame.emit.opaque("vstore_half", [lane], 16, "half") for lane in data)
    width = frame.emit.width(data[0]) // 8
    step = width * (4 if name.startswith("vstorea") and len(data) == 3 else len(data))
    memory.write(frame, frame.strided(where, offset, step), join_lanes(frame, data, "stored"))
    return ()


def _to_space(space: str) -> Handler:
    def handler(frame: Frame, call: IrInstruction) -> Lowered:
        pointer = frame.pointer(call.operands[0])
        if any(
            frame.pointers.regions[region].space != space
            for region in pointer.regions
            if region in frame.pointers.regions
        ):
            frame.unsupported(f"a conversion to a pointer to {space} memory that may fail")
        return pointer

    return handler


# --- what threads of a group give each other, in a launch that is run ---


def _broadcast_pointer(frame: Frame, call: IrInstruction) -> Lowered:
    (region,) = frame.pointers.of[call.name]
    return Pointer((region,), Constant(0, ID_WIDTH))


# --- tables ---


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
    (("work_group_",), _together),
    (_OTHER_MODELS, unsupported_function("pipes and kernels that launch kernels")),
    (("read_image", "__translate_sampler_initializer"), nothing),
    (("sub_group_", "get_sub_group", "get_max_sub_group", "get_num_sub_group", "get_enqueued_num_sub_group"), nothing),
    (("atomic_", "atom_"), atomic),
    ((GIVEN,), _broadcast_pointer),
    (("vload",), _vload),
    (("vstore",), _vstore),
    (("convert_",), convert),
    (("get_image_", "get_work_dim"), pure),
)
_NAMES: dict[str, Handler] = {
    **IDS,
    **INTEGERS,
    **dict.fromkeys(_NOTHING, nothing),
    **dict.fromkeys(("barrier", "work_group_barrier"), _barrier),
    **{f"__to_{space}": _to_space(space) for space in ("global", "local", "private")},
    "__synth_sub_group_barrier": _sub_group_barrier,
    "sub_group_barrier": unsupported_function("a barrier of a sub-group"),
}
_WITH_POINTER = {"fract", "modf", "sincos", "frexp", "lgamma_r", "remquo"}


def find(name: str, codes: str) -> Handler | None:
    """Return what translates a function of OpenCL C."""
    if name in _NAMES:
        return _NAMES[name]
    if name in _WITH_POINTER and codes:
        return with_pointer
    return next((handler for prefix, handler in _PREFIXES if name.startswith(prefix)), None)
