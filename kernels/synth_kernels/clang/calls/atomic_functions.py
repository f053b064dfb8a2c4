"""The atomic functions of OpenCL C, those with the names of OpenCL 1 and those of C11."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from synth_kernels.atomics import OF_FLOATS, OPERATIONS
from synth_kernels.clang import memory
from synth_kernels.clang.mangled_names import is_signed, plain_name_and_codes, pointee
from synth_kernels.program import Constant

if TYPE_CHECKING:
    from synth_kernels.clang.frame import Frame, Lowered
    from synth_kernels.clang.ir import IrInstruction
    from synth_kernels.clang.regions import Pointer
    from synth_kernels.program import Reach

#: How the codes of a function end whose last parameter is a scope, and what the scopes of OpenCL are.
_SCOPE = "12memory_scope"
_REACHES: dict[int, Reach] = {0: "thread", 1: "group", 4: "subgroup"}


def atomic(frame: Frame, call: IrInstruction) -> Lowered:
    """Translate an atomic function."""
    name, codes = plain_name_and_codes(call.detail)
    where = frame.pointer(call.operands[0])
    reach = reach_of(frame, call)
    if "compare_exchange" in name:
        return _compare_exchange(frame, call, where, reach)
    if "flag" in name:
        return _flag(frame, call, where, reach)
    of = call.operands[1].type if call.type.kind == "void" and len(call.operands) > 1 else call.type
    size = frame.layout.width(of)
    values = [memory.to_bits(frame, frame.lowered(operand), operand.type) for operand in call.operands[1:]]
    if name == "atomic_init":
        memory.write(frame, where, values[0])
        return ()
    operation = _operation(name, is_signed_=is_signed(pointee(codes)))
    if operation in {"increment", "decrement"}:
        operation, values = {"increment": "add", "decrement": "sub"}[operation], [Constant(1, size * 8)]
    if of.kind == "float" and f"f{operation.removeprefix('u')}" in OF_FLOATS:
        operation = f"f{operation.removeprefix('u')}"
    is_of_numbers = operation in {"load", "store", "exchange", *OF_FLOATS} or of.kind == "int"
    known = OPERATIONS.get(operation) if is_of_numbers else None
    operands = values[: known or 0]
    what = operation if known is not None else ""
    old = memory.atomic(frame, where, size, call.name or "old", what, operands, reach)
    if call.type.kind == "void":
        return ()
    return memory.from_bits(frame, old, call.type, call.name)


def reach_of(frame: Frame, call: IrInstruction) -> Reach:
    """Return among which threads a function is atomic. Without a scope, these are all threads of the device."""
    _, codes = plain_name_and_codes(call.detail)
    if not codes.endswith(_SCOPE):
        return ""
    scope = frame.operand(call.operands[-1])
    return _REACHES.get(scope.value, "") if isinstance(scope, Constant) else "thread"


def _compare_exchange(frame: Frame, call: IrInstruction, where: Pointer, reach: Reach) -> Lowered:
    size = frame.layout.width(call.operands[2].type)
    place, new = frame.pointer(call.operands[1]), call.operands[2]
    expected = memory.read(frame, place, size, "expected")
    desired = memory.to_bits(frame, frame.lowered(new), new.type)
    old = memory.atomic(frame, where, size, "old", "compare-exchange", [expected, desired], reach)
    memory.write(frame, place, old)
    name, _ = plain_name_and_codes(call.detail)
    return (memory.exchange_success(frame, old, expected, is_weak="weak" in name),)


def _flag(frame: Frame, call: IrInstruction, where: Pointer, reach: Reach) -> Lowered:
    """Translate an operation on an `atomic_flag`, which is a number of 32 bits."""
    name, _ = plain_name_and_codes(call.detail)
    if "clear" in name:
        memory.atomic(frame, where, 4, "old", "store", [Constant(0, 32)], reach)
        return ()
    old = memory.atomic(frame, where, 4, "old", "exchange", [Constant(1, 32)], reach)
    return (frame.emit.no(frame.emit.compare("eq", old, Constant(0, 32)), "was_set"),)


def _operation(name: str, *, is_signed_: bool) -> str:
    """Return the operation of an atomic function, such as `atomic_fetch_add_explicit` and `atom_cmpxchg`."""
    word = re.sub(r"^(atomic|atom)_(fetch_)?|_explicit$", "", name)
    word = {"xchg": "exchange", "cmpxchg": "compare-exchange", "inc": "increment", "dec": "decrement"}.get(word, word)
    return f"u{word}" if word in {"min", "max"} and not is_signed_ else word
