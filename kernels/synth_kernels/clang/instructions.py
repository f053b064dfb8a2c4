"""Read the instructions of LLVM IR: for each kind, what stands behind its opcode."""

from __future__ import annotations

import re

from synth_kernels.clang.ir import VOID, IrInstruction, Type
from synth_kernels.clang.marks import SIGNED
from synth_kernels.clang.tokens import BINARY, CASTS, FLOATS, TokenLine, bare_name

_LANES = {"extractelement", "insertelement", "shufflevector", "select", "freeze", "fneg", "extractvalue", "insertvalue"}
#: Words that promise what the translation does not rely on.
_FLAGS = {
    *("nuw", "nsw", "exact", "disjoint", "nneg", "samesign", "inbounds", "nusw", "fast", "nnan", "ninf", "nsz"),
    *("arcp", "contract", "afn", "reassoc", "volatile", "atomic", "weak", "inalloca"),
}
#: What tells among which threads an access is atomic.
_SCOPE = re.compile(r'\bsyncscope\("([^"]*)"\)')


def read_instruction(line: TokenLine) -> IrInstruction:
    """Read a line with an instruction."""
    name = ""
    if line.ahead[:1] == "%":
        name = bare_name(line.next())
        line.expect("=")
    opcode = line.next()
    while opcode in {"tail", "musttail", "notail"}:
        opcode = line.next()
    debug = re.search(r", !dbg !(\d+)", line.text)
    fields = _read(line, opcode)
    has_sign = f"!{SIGNED}" in line.text
    return IrInstruction(opcode, name, debug=int(debug[1]) if debug else None, has_sign=has_sign, **fields)  # type: ignore[arg-type]


def _read(line: TokenLine, opcode: str) -> dict[str, object]:  # noqa: PLR0911  (one for each form)
    if opcode in BINARY:
        return _binary(line)
    if opcode in CASTS:
        _flags(line)
        operand = line.typed()
        line.expect("to")
        return {"type": line.type(), "operands": (operand,)}
    if opcode in _LANES:
        return _lanes(line, opcode)
    if opcode in {"load", "store", "atomicrmw", "cmpxchg", "alloca", "getelementptr"}:
        return _memory(line, opcode)
    if opcode in {"icmp", "fcmp"}:
        return _comparison(line)
    if opcode == "phi":
        return _phi(line)
    if opcode == "call":
        return _call(line)
    if opcode in {"br", "switch", "ret"}:
        return _jump(line, opcode)
    return {"type": VOID}


def _flags(line: TokenLine) -> None:
    """Skip words such as nsw."""
    while line.ahead in _FLAGS:
        line.next()


def _binary(line: TokenLine) -> dict[str, object]:
    _flags(line)
    first = line.typed()
    line.expect(",")
    return {"type": first.type, "operands": (first, line.value(first.type))}


def _comparison(line: TokenLine) -> dict[str, object]:
    _flags(line)
    detail = line.next()
    fields = _binary(line)
    of = fields["type"]
    assert isinstance(of, Type)  # noqa: S101  (`_binary` gives it)
    truth = Type("int", 1)
    type_ = Type("vector", count=of.count, parts=(truth,)) if of.kind == "vector" else truth
    return fields | {"type": type_, "detail": detail}


def _lanes(line: TokenLine, opcode: str) -> dict[str, object]:
    _flags(line)
    operands = [line.typed()]
    indices = []
    while line.accept(","):
        if opcode in {"extractvalue", "insertvalue"} and re.fullmatch(r"\d+", line.ahead):
            indices.append(int(line.next()))
        elif line.ahead[:1] == "!":
            break
        else:
            operands.append(line.typed())
    type_ = operands[1].type if opcode == "select" else operands[0].type
    if opcode == "extractelement":
        type_ = type_.lane
    elif opcode == "shufflevector":
        type_ = Type("vector", count=operands[2].type.count, parts=type_.parts)
    elif opcode == "extractvalue":
        for index in indices:
            type_ = type_.parts[index if type_.kind == "struct" else 0]
    return {"type": type_, "operands": tuple(operands), "indices": tuple(indices)}


def _memory(line: TokenLine, opcode: str) -> dict[str, object]:
    marks = [mark for mark in ("atomic", "weak", "volatile") if mark in line.tokens[:4]]
    _flags(line)
    if opcode == "alloca":
        element = line.type()
        count = line.typed() if line.accept(",") and re.fullmatch(r"i\d+", line.ahead) else None
        return {"type": Type("pointer"), "element": element, "operands": (count,) if count else ()}
    if opcode == "getelementptr":
        while line.accept("inrange"):
            line.group()
        element = line.type()
        line.expect(",")
        operands = [line.typed()]
        while line.accept(",") and line.ahead[:1] != "!":
            operands.append(line.typed())
        return {"type": operands[0].type, "element": element, "operands": tuple(operands)}
    detail = line.next() if opcode == "atomicrmw" else "".join(marks[:1])
    match = _SCOPE.search(line.text)
    scope = match[1] if match else ""
    if opcode == "load":
        type_ = line.type()
        line.expect(",")
        return {"type": type_, "operands": (line.typed(),), "detail": detail, "scope": scope}
    operands = [line.typed()]
    while line.accept(",") and line.ahead[:1] != "!" and line.ahead != "align":
        operands.append(line.typed())
    value = operands[-1].type
    type_ = {"store": VOID, "atomicrmw": value}.get(opcode, Type("struct", parts=(value, Type("int", 1))))
    return {"type": type_, "operands": tuple(operands), "detail": detail, "scope": scope}


def _phi(line: TokenLine) -> dict[str, object]:
    _flags(line)
    type_ = line.type()
    operands, labels = [], []
    while line.accept("["):
        operands.append(line.value(type_))
        line.expect(",")
        labels.append(bare_name(line.next()))
        line.expect("]")
        line.accept(",")
    return {"type": type_, "operands": tuple(operands), "labels": tuple(labels)}


def _call(line: TokenLine) -> dict[str, object]:
    while re.fullmatch(r"[a-z]\w*", line.ahead) and not _begins_type(line.ahead):
        line.next()
        line.group()
    line.space()
    type_ = line.type()
    if line.ahead == "(":
        line.group()
    if line.accept("asm"):
        while line.ahead[:1] != '"':
            line.next()
        name = f"asm {line.next()[1:-1]}"
        line.expect(",")
        line.next()  # where operands are
    else:
        callee = line.value(Type("pointer"))
        name = callee.name if callee.kind == "global" else ""
    line.expect("(")
    operands = []
    for _ in line.listed(")"):
        if line.accept("metadata"):
            depth = 0
            while line.ahead not in {",", ")"} or depth:
                depth += {"(": 1, ")": -1}.get(line.next(), 0)
        else:
            operands.append(line.typed())
    return {"type": type_, "operands": tuple(operands), "detail": name}


def _begins_type(word: str) -> bool:
    return word in FLOATS or word in {"ptr", "void", "target"} or bool(re.fullmatch(r"i\d+", word))


def _jump(line: TokenLine, opcode: str) -> dict[str, object]:
    operands, labels = [], []
    if opcode == "ret":
        if not line.accept("void"):
            operands.append(line.typed())
        return {"type": VOID, "operands": tuple(operands)}
    if not line.accept("label"):
        operands.append(line.typed())
        line.expect(",")
        line.expect("label")
    labels.append(bare_name(line.next()))
    if opcode == "switch":
        line.expect("[")
        while not line.accept("]"):
            operands.append(line.typed())
            line.expect(",")
            line.expect("label")
            labels.append(bare_name(line.next()))
    elif line.accept(",") and line.accept("label"):
        labels.append(bare_name(line.next()))
    return {"type": VOID, "operands": tuple(operands), "labels": tuple(labels)}
