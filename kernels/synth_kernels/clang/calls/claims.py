"""Annotations: claims about the kernel, and the words that only claims use.

`stubs/synth-annotations.h` declares them. What a claim evaluates is no access of the kernel: a read there only peeks at
an array. A claim that a function makes about its callers is an assertion, because functions are inlined.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from synth_checker.errors import InputError
from synth_kernels.clang.annotation_blocks import CLAIM, OPENING
from synth_kernels.clang.calls.registry import nothing
from synth_kernels.clang.contracts import DECLARED, END, GUARANTEE, KEEPS, RELY
from synth_kernels.clang.mangled_names import plain_name_and_codes
from synth_kernels.program import ID_WIDTH, PURE, Constant, KernelClaim

if TYPE_CHECKING:
    from synth_kernels.clang.calls.registry import Handler
    from synth_kernels.clang.frame import Frame, Lowered
    from synth_kernels.clang.ir import IrInstruction
    from synth_kernels.clang.regions import Pointer
    from synth_kernels.program import Operand

#: How the names of claims about the pair begin, and those of invariants of all loops behind them.
_ONCE, WIDE = "global_", "wide_"
Kind: TypeAlias = Literal["assert", "assume", "invariant", "candidate"]
_UNSIGNED = ("uchar", "ushort", "uint", "ulong", "size_t", "unsigned_")


def find(name: str, _codes: str) -> Handler | None:
    """Return what translates an annotation."""
    if name == OPENING:
        return _open
    if name.startswith((GUARANTEE, RELY)):
        return _contract
    if name.startswith(CLAIM):
        return _claim
    if name in _WORDS:
        return _WORDS[name]
    return next((handler for prefix, handler in _PREFIXES.items() if name.startswith(prefix)), None)


def is_wide(instruction: IrInstruction) -> bool:
    """Return whether an instruction claims an invariant of all loops behind it."""
    return instruction.detail.removeprefix(CLAIM).removeprefix(_ONCE).startswith(
        WIDE
    ) and instruction.detail.startswith(CLAIM)


def _open(frame: Frame, _call: IrInstruction) -> Lowered:
    frame.in_annotation = True
    return ()


def _contract(frame: Frame, call: IrInstruction) -> Lowered:
    """Translate a claim of the contract of a function that is not inlined."""
    frame.in_annotation = False
    kind: Literal["guarantee", "rely"] = "rely" if call.detail.startswith(RELY) else "guarantee"
    frame.emit.add(KernelClaim(kind, frame.operand(call.operands[0]), once=call.detail.endswith("_once")))
    return ()


def _end(frame: Frame, _call: IrInstruction) -> Lowered:
    frame.in_annotation = False
    return ()


def _keep(frame: Frame, call: IrInstruction) -> Lowered:
    return tuple(map(frame.emit.keep, frame.lanes(call.operands[0])))


def _bodiless(frame: Frame, call: IrInstruction) -> Lowered:
    name = plain_name_and_codes(call.detail)[0]
    frame.unsupported(f"a function of which only the contract is known ({name}); use --modular")


def _claim(frame: Frame, call: IrInstruction) -> Lowered:
    frame.in_annotation = False
    word = call.detail.removeprefix(CLAIM)
    once = word.startswith(_ONCE)
    word = word.removeprefix(_ONCE).removeprefix(WIDE)
    value = frame.operand(call.operands[0])
    is_inlined = frame.emit.place is not None and bool(frame.emit.place.calls)
    if word == "ensures":
        frame.grant("no ensures")
        return ()
    if word == "requires":
        word = "assert" if is_inlined else "assume"
    kinds: tuple[Kind, ...] = tuple(kind for kind in get_args(Kind) if kind == word)
    if frame.at_header and word == "assert" and _is_first(frame):
        kinds = ("candidate", "assert")
    if word in {"invariant", "candidate"} and not (frame.at_header and _is_first(frame)):
        raise _misplaced(frame)
    for kind in kinds:
        frame.emit.add(KernelClaim(kind, value, once=once))
    return ()


def _is_first(frame: Frame) -> bool:
    """Return whether nothing stands before a claim in its block but values and other claims."""
    return all(isinstance(instruction, PURE | KernelClaim) for instruction in frame.emit.body)


def _misplaced(frame: Frame) -> InputError:
    place = frame.emit.place
    where = "" if place is None else f"{place.file}:{place.line}:{place.column}: "
    return InputError(
        f"{where}found an invariant, expected it before everything else in the condition of a loop, "
        "such as `for (; __invariant(e), i < n; i++)`"
    )


# --- words ---


def _word(name: str) -> Handler:
    return lambda frame, _call: (frame.emit.word(name, 1),)


def _related(frame: Frame, operator: str, value: Operand) -> Operand:
    """Return whether the other thread has the same value, or the value of the other thread."""
    width = 1 if operator == "uniform" else frame.emit.width(value)
    if isinstance(value, Constant):
        return Constant(1, 1) if operator == "uniform" else value
    return frame.emit.compute(operator, (value,), operator, width)


def _uniform(frame: Frame, call: IrInstruction) -> Lowered:
    return (_related(frame, "uniform", frame.operand(call.operands[0])),)


def _distinct(frame: Frame, call: IrInstruction) -> Lowered:
    return (frame.emit.no(_related(frame, "uniform", frame.operand(call.operands[0]))),)


def _other(frame: Frame, call: IrInstruction) -> Lowered:
    return (_related(frame, "other", frame.operand(call.operands[0])),)


def _both(frame: Frame, call: IrInstruction) -> Lowered:
    value = frame.operand(call.operands[0])
    return (frame.emit.compute("and", (value, _related(frame, "other", value)), "both"),)


def _sum_fits(frame: Frame, call: IrInstruction) -> Lowered:
    """Translate whether a sum has no overflow: with one bit more, it is the same."""
    widened = "zext" if call.detail.removeprefix("__add_noovfl_").startswith(_UNSIGNED) else "sext"
    emit, operands = frame.emit, tuple(frame.operand(operand) for operand in call.operands)
    width = emit.width(operands[0])
    exact = emit.compute(
        "add", tuple(emit.compute(widened, (operand,), "wide", width + 1) for operand in operands), "exact"
    )
    wrapped = emit.compute(widened, (emit.compute("add", operands, "sum"),), "wide", width + 1)
    return (emit.compute("eq", (exact, wrapped), "fits"),)


# --- pending accesses ---


def _array(frame: Frame, pointer: Pointer) -> str:
    if len(pointer.regions) != 1 or pointer.regions[0] not in frame.pointers.regions:
        frame.unsupported("an annotation about a pointer that may point to several arrays, or to an unknown one")
    return pointer.regions[0]


def _pending(kind: str) -> Handler:
    def handler(frame: Frame, call: IrInstruction) -> Lowered:
        array = frame.array(_array(frame, frame.pointer(call.operands[0])))
        return (frame.emit.word(f"{kind}.{array}", 1),)

    return handler


def _offset(frame: Frame, call: IrInstruction) -> Lowered:
    """Translate the watched location, in units of so many bytes."""
    unit = frame.unit(_array(frame, frame.pointer(call.operands[0])))
    size = call.operands[1].number or 1
    place = frame.emit.word("watched", ID_WIDTH)
    if unit % size == 0:
        place = frame.emit.compute("mul", (place, Constant(unit // size, ID_WIDTH)), "place")
    else:
        bytes_ = frame.emit.compute("mul", (place, Constant(unit, ID_WIDTH)), "place")
        place = frame.emit.compute("udiv", (bytes_, Constant(size, ID_WIDTH)), "place")
    return (frame.emit.compute("zext", (place,), "place", frame.layout.bits(call.type)),)


def _base(frame: Frame, call: IrInstruction) -> Lowered:
    selector = frame.selector(frame.pointer(call.operands[0]))
    return (frame.emit.compute("zext", (selector,), "base", frame.layout.bits(call.type)),)


def _distance(frame: Frame, call: IrInstruction) -> Lowered:
    pointer = frame.pointer(call.operands[0])
    unit = Constant(frame.unit(pointer.regions[0]), ID_WIDTH)
    bytes_ = frame.emit.compute("mul", (pointer.offset, unit), "distance")
    return (frame.emit.compute("zext", (bytes_,), "distance", frame.layout.bits(call.type)),)


_WORDS: dict[str, Handler] = {
    END: _end,
    KEEPS: _keep,
    **dict.fromkeys(DECLARED, _bodiless),
    "__enabled": _word("enabled"),
    "__same_group": _word("same_group"),
    "__synth_both": _both,
    "__synth_offset": _offset,
    "__ptr_base": _base,
    "__ptr_offset_bytes": _distance,
    "__requires_fresh_array": nothing,
    **{f"__{kind}": _pending(kind) for kind in ("read", "write", "atomic")},
}
#: The words that have a type at the end of their names.
_PREFIXES: dict[str, Handler] = {
    "__uniform_": _uniform,
    "__distinct_": _distinct,
    "__other_": _other,
    "__add_noovfl_": _sum_fits,
    **dict.fromkeys(("__old_", "__return_val_"), nothing),
}
