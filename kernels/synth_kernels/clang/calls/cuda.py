"""The functions of CUDA and HIP that our headers declare without a body. Their names begin with `__synth_`."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from synth_kernels.atomics import OF_FLOATS
from synth_kernels.clang import memory
from synth_kernels.clang.calls.ids import id_or_size, ids
from synth_kernels.clang.calls.numbers import pure
from synth_kernels.clang.calls.registry import arbitrary, nothing, unsupported_function
from synth_kernels.clang.mangled_names import is_signed, plain_name_and_codes
from synth_kernels.program import Constant, KernelClaim

if TYPE_CHECKING:
    from synth_kernels.clang.calls.registry import Handler
    from synth_kernels.clang.frame import Frame, Lowered
    from synth_kernels.clang.ir import IrInstruction
    from synth_kernels.program import Reach, Space

_BOTH: tuple[Space, ...] = ("local", "global")
#: What our headers call what depends on the lanes that run together.
_OF_LANES = "__synth_of_lanes"


def _barrier(frame: Frame, call: IrInstruction, *, gives: bool = False) -> Lowered:
    """Translate a barrier of a block. If it gives a value, that is the same for all threads of the block."""
    frame.emit.barrier(_BOTH, gives=gives)
    return arbitrary(frame, call, is_uniform=True)


def _grid_barrier(frame: Frame, _call: IrInstruction) -> Lowered:
    frame.emit.barrier(_BOTH, "grid")
    return ()


def _subgroup_barrier(frame: Frame, call: IrInstruction) -> Lowered:
    """Translate a barrier of the lanes of a mask, or of all lanes, which our headers have only if the kernel is run."""
    frame.emit.barrier(_BOTH, "subgroup", mask=frame.operand(call.operands[0]) if call.operands else "")
    return ()


def _group_barrier(frame: Frame, call: IrInstruction) -> Lowered:
    """Translate a barrier of a cooperative group that is known to be a block."""
    if frame.operand(call.operands[0]) != Constant(1, 1):
        frame.unsupported("a barrier of a cooperative group that may be smaller than a block")
    return _barrier(frame, call)


def _assert(frame: Frame, call: IrInstruction) -> Lowered:
    frame.emit.add(KernelClaim("assert", frame.operand(call.operands[0])))
    return ()


def _atomic(frame: Frame, call: IrInstruction) -> Lowered:
    """Translate an atomic access. Of floats, and of structures, only some operations are known."""
    name, codes = plain_name_and_codes(call.detail)
    of = codes.removeprefix("I")
    operation = name.removeprefix(_ATOMIC).replace("_", "-")
    if operation in {"min", "max"} and not is_signed(of):
        operation = f"u{operation}"
    if call.type.kind == "float" and f"f{operation.removeprefix('u')}" in OF_FLOATS:
        operation = f"f{operation.removeprefix('u')}"
    is_known = call.type.kind == "int" or (call.type.kind == "float" and operation in _OF_FLOATS)
    place, *values, scope = call.operands
    operands = [memory.to_bits(frame, frame.lowered(value), value.type) for value in values] if is_known else []
    where, size, what = frame.pointer(place), frame.layout.width(call.type), operation if is_known else ""
    number = frame.operand(scope)
    reach = _REACHES.get(number.value, "") if isinstance(number, Constant) else "thread"
    old = memory.atomic(frame, where, size, call.name or "old", what, operands, reach)
    return memory.from_bits(frame, old, call.type, call.name)


def _of_lanes(frame: Frame, call: IrInstruction) -> Lowered:
    """Return what depends on which lanes of a warp run together. That is up to the compiler, so it may be anything."""
    bits = frame.emit.of_lanes(frame.layout.width(call.type) * 8, call.name or "lanes")
    return memory.from_bits(frame, bits, call.type, call.name)


def _lane_exchange(frame: Frame, call: IrInstruction) -> Lowered:
    """Return what lanes of a mask tell each other, which depends on the lanes that run together if the mask does."""
    todo, seen = list(call.operands), set()
    while todo:
        definition = frame.definitions.get(todo.pop().name)
        if definition is None or definition.name in seen:
            continue
        if definition.opcode == "call" and plain_name_and_codes(definition.detail)[0] == _OF_LANES:
            return _of_lanes(frame, call)
        seen.add(definition.name)
        todo += definition.operands
    return nothing(frame, call)


def _succeeds(frame: Frame, call: IrInstruction) -> Lowered:
    """Return whether a weak compare-exchange does not fail by chance."""
    return (frame.emit.any(1, call.name, usual=Constant(1, 1)),)


#: `malloc` and its relatives, and the operators `new` and `delete` with the names that they have after mangling.
_ALLOCATING = ("malloc", "calloc", "free", "_Znwm", "_Znam", "_ZdlPv", "_ZdlPvm", "_ZdaPv", "_ZdaPvm")
_NAMES: dict[str, Handler] = {
    "__synth_local_id": ids(id_or_size("lid"), 0),
    "__synth_group_id": ids(id_or_size("gid"), 0),
    "__synth_local_size": ids(id_or_size("lsize"), 1),
    "__synth_num_groups": ids(id_or_size("groups"), 1),
    "__synth_barrier": _barrier,
    **dict.fromkeys(("__synth_barrier_with", "__synth_own_barrier"), partial(_barrier, gives=True)),
    "__synth_grid_barrier": _grid_barrier,
    "__synth_group_barrier": _group_barrier,
    "__synth_subgroup_barrier": _subgroup_barrier,
    "__synth_warp_barrier": unsupported_function("a barrier of a warp (__syncwarp)"),
    "__synth_tile_barrier": unsupported_function("a barrier of a tile of threads"),
    "__synth_copies": unsupported_function("asynchronous copies"),
    "__synth_objects": unsupported_function("a barrier that is an object"),
    **dict.fromkeys(_ALLOCATING, unsupported_function("memory that a thread allocates")),
    **dict.fromkeys(
        ("cudaGetParameterBuffer", "cudaLaunchDevice"), unsupported_function("kernels that launch kernels")
    ),
    "__synth_assert": _assert,
    "__synth_succeeds": _succeeds,
    "__synth_any": nothing,
    "__synth_asked": _lane_exchange,
    _OF_LANES: _of_lanes,
}
#: The atomic operations that floats have.
_OF_FLOATS = {"load", "store", "exchange", "compare-exchange", *OF_FLOATS}
#: Among which threads an access is atomic, by the numbers of scopes that our headers use.
_REACHES: dict[int, Reach] = {2: "group", 3: "thread", 4: "subgroup"}
#: What names of atomic functions begin with.
_ATOMIC = "__synth_atomic_"
#: What names of functions of the C++ library for floating-point numbers begin with.
_MATHEMATICS = "_ZNSt3__16__math"


def find(name: str, _codes: str) -> Handler | None:
    """Return what translates a function that our headers declare."""
    if name.startswith(_ATOMIC):
        return _atomic
    return pure if name.startswith(_MATHEMATICS) else _NAMES.get(name)
