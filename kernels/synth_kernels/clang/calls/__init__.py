"""Calls of functions that have no body: what each function of a language does to memory, and what it returns."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from synth_kernels.clang import function_calls
from synth_kernels.clang.calls import claims, copies, cuda, images, intrinsics, opencl, prepared_functions, ptx
from synth_kernels.clang.calls.numbers import pure
from synth_kernels.clang.calls.registry import nothing
from synth_kernels.clang.contracts import CALLS
from synth_kernels.clang.mangled_names import plain_name_and_codes

if TYPE_CHECKING:
    from synth_kernels.clang.calls.registry import Handler, Lookup
    from synth_kernels.clang.frame import Frame
    from synth_kernels.clang.ir import IrInstruction, Type

_LOOKUPS: tuple[Lookup, ...] = (
    *(claims.find, prepared_functions.find, intrinsics.find),
    *(cuda.find, images.find, copies.find, opencl.find),
)


def _bodiless(frame: Frame, call: IrInstruction, name: str) -> Handler:
    """Return what translates a call of a function of the user that has no body.

    The definition lets each such function touch no memory. We deviate on the safe side: one that takes a pointer, such
    as sincosf of the C library, needs a body that says what it touches.
    """
    is_own = not call.detail.startswith(("__", "llvm.", "_Z"))
    if is_own and any(_may_point(value.type) for value in call.operands):
        how = "use --modular, and write" if frame.units is None else "write"
        frame.unsupported(
            f"a call of {name}, which takes a pointer and has no body; "
            f"{how} a body with __reads_from or __writes_to that says which arrays it accesses"
        )
    if not is_own or frame.units is None:
        hint = "; write a body, or use --modular, which takes for granted that it touches no memory" if is_own else ""
        frame.unsupported(f"a call of {name}, which has no body and is not known{hint}")
    frame.grant("no body", name)
    return nothing


def _may_point(type_: Type) -> bool:
    return type_.kind in {"pointer", "other"} or any(map(_may_point, type_.parts))


def _refuse_call(frame: Frame, name: str) -> NoReturn:
    """Refuse a call of a function that has a body, and is neither inlined nor verified by itself."""
    if frame.units is None:
        frame.unsupported(f"recursion (a call of {name})")
    if frame.in_annotation:
        frame.unsupported(f"a call of {name} in an annotation, which calls no functions with --modular")
    frame.unsupported(f"a call of {name}, which is not supported either; the line about {name} says why")


def translate(frame: Frame, call: IrInstruction) -> None:
    """Translate a call, or give up on the kernel."""
    if call.detail.startswith(ptx.ASSEMBLY):
        result = ptx.assembly(frame, call)
        if call.name:
            frame.put(call, result)
        return
    if not call.detail:
        frame.unsupported("a call through a pointer")
    if call.detail.startswith(CALLS):
        result = function_calls.call(frame, call)
        if call.name:
            frame.put(call, result)
        return
    name, codes = plain_name_and_codes(call.detail)
    if call.detail in frame.module.functions:
        _refuse_call(frame, name)
    handler: Handler | None = None
    for find in _LOOKUPS:
        handler = handler or find(name, codes)
    if handler is None and call.detail in frame.module.pure:
        handler = pure
    result = (handler or _bodiless(frame, call, name))(frame, call)
    if call.name:
        frame.put(call, result)
