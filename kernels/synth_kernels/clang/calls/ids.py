"""The functions of OpenCL C that give ids and sizes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_kernels.clang.calls.registry import by_dimension
from synth_kernels.program import DIMENSIONS, Constant

if TYPE_CHECKING:
    from collections.abc import Callable

    from synth_kernels.clang.calls.registry import Handler
    from synth_kernels.clang.frame import Frame, Lowered
    from synth_kernels.clang.ir import IrInstruction
    from synth_kernels.program import Operand


def global_id(frame: Frame, dimension: int) -> Operand:
    """Return the global id of a thread."""
    emit = frame.emit
    before = emit.compute("mul", (f"gid.{dimension}", f"lsize.{dimension}"), "before")
    inside = emit.compute("add", (before, f"lid.{dimension}"), "id")
    return emit.compute("add", (inside, f"offset.{dimension}"), "id")


def _global_size(frame: Frame, dimension: int) -> Operand:
    return frame.emit.compute("mul", (f"lsize.{dimension}", f"groups.{dimension}"), "size")


def id_or_size(word: str) -> Callable[[Frame, int], Operand]:
    """Return a function that gives an id or a size for a dimension, as typed programs name it."""
    return lambda _, dimension: f"{word}.{dimension}"


def ids(make: Callable[[Frame, int], Operand], otherwise: int) -> Handler:
    """Return the translation of a function that gives an id or a size for a dimension."""

    def handler(frame: Frame, call: IrInstruction) -> Lowered:
        dimension = call.operands[0]
        numbers = (
            range(DIMENSIONS)
            if dimension.kind != "number"
            else [number for number in range(DIMENSIONS) if number == dimension.number]
        )
        values = {number: make(frame, number) for number in numbers}
        return by_dimension(
            frame, call, [values.get(number, Constant(0, 32)) for number in range(DIMENSIONS)], otherwise
        )

    return handler


def _linear(is_global: bool) -> Handler:  # noqa: FBT001  (one of two)
    def handler(frame: Frame, call: IrInstruction) -> Lowered:
        emit = frame.emit
        linear: Operand = Constant(0, 32)
        for dimension in reversed(range(DIMENSIONS)):
            size = _global_size(frame, dimension) if is_global else f"lsize.{dimension}"
            here: Operand = f"lid.{dimension}"
            if is_global:
                here = emit.compute("sub", (global_id(frame, dimension), f"offset.{dimension}"), "id")
            linear = emit.compute("add", (emit.compute("mul", (linear, size), "id"), here), "id")
        return (emit.compute("zext", (linear,), call.name, frame.layout.bits(call.type)),)

    return handler


#: What translates each function of ids and sizes.
IDS: dict[str, Handler] = {
    "get_global_id": ids(global_id, 0),
    "get_local_id": ids(id_or_size("lid"), 0),
    "get_group_id": ids(id_or_size("gid"), 0),
    "get_global_offset": ids(id_or_size("offset"), 0),
    "get_global_size": ids(_global_size, 1),
    "get_local_size": ids(id_or_size("lsize"), 1),
    "get_enqueued_local_size": ids(id_or_size("lsize"), 1),
    "get_num_groups": ids(id_or_size("groups"), 1),
    "get_global_linear_id": _linear(is_global=True),
    "get_local_linear_id": _linear(is_global=False),
}
