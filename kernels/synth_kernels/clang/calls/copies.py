"""Asynchronous copies of OpenCL C: all threads of a group call them together, and wait for them by events.

A call is a barrier that fences nothing, to which threads come with the same arguments. Behind it, some thread of the
group reads the source and writes the target, both with the event of the copy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_kernels.clang import memory
from synth_kernels.clang.ir import LOCAL
from synth_kernels.clang.mangled_names import copied_bytes
from synth_kernels.program import ID_WIDTH, Constant

if TYPE_CHECKING:
    from synth_kernels.clang.calls.registry import Handler
    from synth_kernels.clang.frame import Frame, Lowered
    from synth_kernels.clang.ir import IrInstruction
    from synth_kernels.clang.regions import Pointer
    from synth_kernels.program import Operand

#: A call waits for at most so many events.
_MOST_EVENTS = 64


def find(name: str, codes: str) -> Handler | None:
    """Return what translates a function of asynchronous copies."""
    if name in {"async_work_group_copy", "async_work_group_strided_copy"} and codes:
        return _copy
    return {"wait_group_events": _wait_for_list, "__synth_wait": _wait}.get(name)


def _same(frame: Frame, pointer: Pointer) -> list[Operand]:
    """Return the operands by which two threads tell whether they have the same pointer."""
    return [pointer.offset] if len(pointer.regions) == 1 else [pointer.offset, frame.selector(pointer)]


def _copy(frame: Frame, call: IrInstruction) -> Lowered:
    target, source, number, *rest = call.operands
    to, of = frame.pointer(target), frame.pointer(source)
    size = copied_bytes(call.detail)
    count, previous = frame.index(frame.operand(number)), frame.operand(rest[-1])
    steps: tuple[Operand, Operand] = ("", "")
    if len(rest) > 1:  # the stride is that of global memory
        step = frame.index(frame.operand(rest[0]))
        steps = ("", step) if target.type.space == LOCAL else (step, "")
    same = [*_same(frame, to), *_same(frame, of), count, *(step for step in steps if step), previous]
    frame.emit.barrier((), same=same)
    is_new = frame.emit.compare("eq", previous, Constant(0, ID_WIDTH), "is_new")
    event = frame.emit.compute("select", (is_new, frame.emit.event("event"), previous), call.name or "event")
    bits = memory.copy_out(frame, of, size, count, steps[1], event)
    memory.copy_in(frame, to, bits, count, steps[0], event)
    return (event,)


def _wait(frame: Frame, call: IrInstruction) -> Lowered:
    """Translate waiting for a few events, as our header has it."""
    events = [frame.operand(operand) for operand in call.operands]
    frame.emit.barrier((), same=events, waits=events)
    return ()


def _wait_for_list(frame: Frame, call: IrInstruction) -> Lowered:
    """Translate waiting for a list of events."""
    number, where = call.operands
    if number.kind not in {"number", "zero"} or number.number > _MOST_EVENTS:
        frame.unsupported("a wait for a number of events that is not constant, or above 64")
    events = frame.pointer(where)
    size = ID_WIDTH // 8
    waited = [
        memory.read(frame, frame.advanced(events, place * size, []), size, "event") for place in range(number.number)
    ]
    frame.emit.barrier((), same=waited, waits=waited)
    return ()
