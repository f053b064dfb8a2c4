"""Read the text of LLVM IR into `ir`.

The text is cut into tokens line by line, and types and operands are then read by recursive descent. Patterns on whole
lines would be shorter, but nested types, address spaces and operations on constants defeat them.
"""

from __future__ import annotations

import re
import struct
from typing import TYPE_CHECKING, NoReturn

from synth_checker.errors import InternalError
from synth_kernels.clang.ir import VOID, Block, Function, Instruction, Module, Parameter, Type, Value, Variable
from synth_kernels.deadline import NEVER, check

if TYPE_CHECKING:
    from collections.abc import Iterator

_TOKEN = re.compile(
    r"""c?"[^"]*" | [%@](?:"[^"]*"|[-\w$.]+) | !\w*(?:"[^"]*")? | \#\w+ | -?\d+\.\d+(?:e[+-]?\d+)? | 0x[KLMHR]?[0-9A-F]+
        | -?\d+ | [A-Za-z_][\w.]* | \.\.\. | [^\s\w]""",
    re.VERBOSE,
)
_LABEL = re.compile(r'^("[^"]*"|[-\w$.]+):')
_FLOATS = {"half": 16, "bfloat": 16, "float": 32, "double": 64, "x86_fp80": 80, "fp128": 128}
_WORDS = {"true", "false", "null", "undef", "poison", "zeroinitializer", "none", "splat", "asm", "blockaddress"}
_CASTS = {
    *("trunc", "zext", "sext", "fptrunc", "fpext", "fptoui", "fptosi", "uitofp", "sitofp"),
    *("ptrtoint", "inttoptr", "bitcast", "addrspacecast", "ptrtoaddr"),
}
_BINARY = {
    *("add", "sub", "mul", "udiv", "sdiv", "urem", "srem", "shl", "lshr", "ashr", "and", "or", "xor"),
    *("fadd", "fsub", "fmul", "fdiv", "frem"),
}
_EXPRESSIONS = _CASTS | _BINARY | {"getelementptr", "icmp", "fcmp", "select", "extractelement", "insertelement"}
_KERNELS = {"spir_kernel", "ptx_kernel", "amdgpu_kernel"}
_LANES = {"extractelement", "insertelement", "shufflevector", "select", "freeze", "fneg", "extractvalue", "insertvalue"}


class _Line:
    """The tokens of a line, or of several lines that belong together."""

    def __init__(self, text: str, types: dict[str, Type]) -> None:
        self.text, self.types = text, types
        self.tokens: list[str] = _TOKEN.findall(text)
        self.place = 0

    def fail(self) -> NoReturn:
        msg = f"LLVM IR that is not understood, at token {self.place}: {self.text.strip()[:200]}"
        raise InternalError(msg)

    @property
    def ahead(self) -> str:
        return self.tokens[self.place] if self.place < len(self.tokens) else ""

    def next(self) -> str:
        self.place += 1
        if self.place > len(self.tokens):
            self.fail()
        return self.tokens[self.place - 1]

    def accept(self, *words: str) -> bool:
        if self.ahead in words:
            self.place += 1
            return True
        return False

    def expect(self, word: str) -> None:
        if not self.accept(word):
            self.fail()

    def group(self) -> None:
        """Skip what stands in parentheses, if anything does."""
        depth = 0
        while self.ahead == "(" or depth:
            depth += {"(": 1, ")": -1}.get(self.next(), 0)
            if not depth:
                return

    def listed(self, end: str) -> Iterator[None]:
        """Go through a list with commas, of which each member is read in turn."""
        while not self.accept(end):
            yield
            self.accept(",")

    # --- types ---

    def type(self) -> Type:  # noqa: PLR0911  (one for each form)
        word = self.next()
        if re.fullmatch(r"i\d+", word):
            return Type("int", int(word[1:]))
        if word in _FLOATS:
            return Type("float", _FLOATS[word], name=word)
        if word == "ptr":
            return Type("pointer", space=self.space())
        if word[0] == "%":
            return self.types.get(_bare(word)) or Type("other", name=word)
        if word in {"void", "label", "metadata", "token", "opaque"}:
            return Type("void" if word == "void" else "other", name=word)
        if word == "target":
            self.group()
            return Type("other", name=word)
        if word in {"<", "["}:
            return self._sequence(word)
        if word == "{":
            return Type("struct", parts=tuple(self.type() for _ in self.listed("}")))
        self.place -= 1
        return self.fail()

    def space(self) -> int:
        if not self.accept("addrspace"):
            return 0
        self.expect("(")
        found = int(self.next())
        self.expect(")")
        return found

    def _sequence(self, start: str) -> Type:
        if start == "<" and self.accept("{"):
            parts = tuple(self.type() for _ in self.listed("}"))
            self.expect(">")
            return Type("struct", parts=parts, is_packed=True)
        count = int(self.next())
        self.expect("x")
        part = self.type()
        self.expect(">" if start == "<" else "]")
        return Type("vector" if start == "<" else "array", count=count, parts=(part,))

    # --- values ---

    def attributes(self) -> dict[str, Type | None]:
        """Skip the attributes of a parameter or argument, and return them, each with the type that it gives."""
        found: dict[str, Type | None] = {}
        while re.fullmatch(r"[a-z]\w*", self.ahead) and self.ahead not in _WORDS | _EXPRESSIONS and self.ahead != "c":
            word = self.next()
            found[word] = None
            if word == "align":
                self.next()
            elif word in {"byval", "sret", "byref", "inalloca", "preallocated"} and self.accept("("):
                found[word] = self.type()
                self.expect(")")
            else:
                self.group()
        return found

    def typed(self) -> Value:
        """Read a type, attributes and a value."""
        type_ = self.type()
        self.attributes()
        return self.value(type_)

    def value(self, type_: Type) -> Value:  # noqa: PLR0911  (one for each form)
        word = self.next()
        if word[0] in "%@":
            return Value("local" if word[0] == "%" else "global", type_, _bare(word))
        if word in {"true", "false"}:
            return Value("number", type_, number=int(word == "true"))
        if word in {"null", "zeroinitializer", "none"}:
            return Value("zero", type_)
        if word in {"undef", "poison"}:
            return Value("undefined", type_)
        if re.match(r"-?\d|0x", word):
            return Value("number", type_, number=_number(word, type_))
        if word in {"<", "[", "{"}:
            return self._aggregate(type_, word)
        if word == "splat":
            self.expect("(")
            part = self.typed()
            self.expect(")")
            return Value("aggregate", type_, parts=(part,) * type_.count)
        if word in _EXPRESSIONS:
            return self._expression(type_, word)
        if word[0] == "!" or word in {"asm", "blockaddress"} or word.startswith('c"'):
            return Value("other", type_, word)
        self.place -= 1
        return self.fail()

    def _aggregate(self, type_: Type, start: str) -> Value:
        is_packed = start == "<" and self.accept("{")
        parts = tuple(self.typed() for _ in self.listed("}" if is_packed else {"<": ">", "[": "]", "{": "}"}[start]))
        if is_packed:
            self.expect(">")
        return Value("aggregate", type_, parts=parts)

    def _expression(self, type_: Type, opcode: str) -> Value:
        while re.fullmatch(r"[a-z]+", self.ahead):
            self.next()
            if self.ahead == "(" and self.tokens[self.place - 1] == "inrange":
                self.group()
        self.expect("(")
        element = VOID
        if opcode == "getelementptr":
            element = self.type()
            self.expect(",")
        parts: tuple[Value, ...]
        if opcode in _CASTS:
            parts = (self.typed(),)
            self.expect("to")
            self.type()
            self.expect(")")
        else:
            parts = tuple(self.typed() for _ in self.listed(")"))
        return Value("expression", type_, opcode, parts=parts, element=element)


def _bare(word: str) -> str:
    return word[1:].strip('"')


def _number(word: str, type_: Type) -> int:
    """Return the bits of a number."""
    if type_.kind != "float":
        return int(word) & ((1 << type_.bits) - 1)
    if word[:3] in {"0xH", "0xR", "0xK", "0xL", "0xM"}:
        return int(word[3:], 16)
    exact = struct.unpack(">d", int(word, 16).to_bytes(8, "big"))[0] if word.startswith("0x") else float(word)
    form = {16: ">e", 32: ">f"}.get(type_.bits, ">d")
    return int.from_bytes(struct.pack(form, exact), "big")


class _Parser:
    """Reads a module line by line."""

    def __init__(self, until: float) -> None:
        self.until = until
        self.module = Module()
        self.types: dict[str, Type] = {}

    def line(self, text: str) -> _Line:
        return _Line(text, self.types)

    def read(self, text: str) -> Module:
        pure = set(re.findall(r"^attributes (#\d+) = .*memory\(none\)", text, re.MULTILINE))
        declared = re.findall(r'^declare .*?@("[^"]*"|[-\w$.]+)\(.*(#\d+)', text, re.MULTILINE)
        self.module.pure = {name.strip('"') for name, attributes in declared if attributes in pure}
        self._named_types(re.findall(r"^%.* = type .*", text, re.MULTILINE))
        lines = iter(text.splitlines())
        for text_ in lines:
            if text_.startswith("target datalayout"):
                match = re.search(r"[\"-]p:(\d+):", text_)
                self.module.pointer_bits = int(match[1]) if match else 64
            elif text_.startswith("@"):
                self._variable(self.line(text_))
            elif match := re.match(r"!(\d+) = (.*)", text_):
                self.module.metadata[int(match[1])] = match[2]
            elif text_.startswith("define"):
                self._function(self.line(text_), lines)
        return self.module

    def _named_types(self, texts: list[str]) -> None:
        """Read the types that have names. A type may stand before those of its members, so all are read repeatedly."""
        before = None
        while before != self.types:
            before = dict(self.types)
            for text in texts:
                line = self.line(text)
                name = _bare(line.next())
                line.place += 2
                self.types[name] = line.type()

    def _variable(self, line: _Line) -> None:
        name = _bare(line.next())
        line.expect("=")
        space = 0
        while line.ahead not in {"global", "constant"}:
            if line.ahead in {"alias", "ifunc", ""}:
                return
            if line.ahead == "addrspace":
                space = line.space()
            else:
                line.next()
                line.group()
        is_constant = line.next() == "constant"
        debug = re.search(r", !dbg !(\d+)", line.text)
        found = Variable(name, space, line.type(), is_constant, int(debug[1]) if debug else None)
        self.module.variables[name] = found

    def _function(self, line: _Line, lines: Iterator[str]) -> None:
        is_kernel = False
        while line.ahead[:1] != "@":
            is_kernel = line.next() in _KERNELS or is_kernel
        name = _bare(line.next())
        line.expect("(")
        parameters = []
        for _ in line.listed(")"):
            if line.accept("..."):
                continue
            type_ = line.type()
            found = line.attributes()
            own = _bare(line.next()) if line.ahead[:1] == "%" else ""
            parameters.append(Parameter(own, type_, "noalias" in found, found.get("byval")))
        metadata = {}
        while line.ahead and line.ahead != "{":
            word = line.next()
            if word[0] == "!" and line.ahead[:1] == "!":
                metadata[word[1:]] = int(line.next()[1:])
        function = Function(name, is_kernel, parameters, metadata)
        self._body(function, lines)
        self.module.functions[name] = function

    def _body(self, function: Function, lines: Iterator[str]) -> None:
        block: Block | None = None
        for text in lines:
            if text == "}":
                return
            check(self.until, "the kernels were read")
            if match := _LABEL.match(text):
                block = Block(match[1].strip('"'))
                function.blocks.append(block)
            elif text.strip() and not text.strip().startswith((";", "#dbg_")):
                if block is None:
                    block = Block("")
                    function.blocks.append(block)
                whole = text
                if text.lstrip().startswith("switch") and "]" not in text:
                    for more in lines:
                        whole += more
                        if "]" in more:
                            break
                block.instructions.append(self._instruction(self.line(whole)))

    def _instruction(self, line: _Line) -> Instruction:
        name = ""
        if line.ahead[:1] == "%":
            name = _bare(line.next())
            line.expect("=")
        opcode = line.next()
        while opcode in {"tail", "musttail", "notail"}:
            opcode = line.next()
        debug = re.search(r", !dbg !(\d+)", line.text)
        made = self._read(line, opcode)
        return Instruction(opcode, name, debug=int(debug[1]) if debug else None, **made)  # type: ignore[arg-type]

    def _read(self, line: _Line, opcode: str) -> dict[str, object]:  # noqa: PLR0911  (one for each form)
        if opcode in _BINARY:
            return _binary(line)
        if opcode in _CASTS:
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


def _flags(line: _Line) -> None:
    """Skip words such as nsw, which promise what the translation does not rely on."""
    while line.ahead in _FLAGS:
        line.next()


_FLAGS = {
    *("nuw", "nsw", "exact", "disjoint", "nneg", "samesign", "inbounds", "nusw", "fast", "nnan", "ninf", "nsz"),
    *("arcp", "contract", "afn", "reassoc", "volatile", "atomic", "weak", "inalloca"),
}


def _binary(line: _Line) -> dict[str, object]:
    _flags(line)
    one = line.typed()
    line.expect(",")
    return {"type": one.type, "operands": (one, line.value(one.type))}


def _comparison(line: _Line) -> dict[str, object]:
    _flags(line)
    detail = line.next()
    found = _binary(line)
    of = found["type"]
    assert isinstance(of, Type)  # noqa: S101  (`_binary` gives it)
    truth = Type("int", 1)
    type_ = Type("vector", count=of.count, parts=(truth,)) if of.kind == "vector" else truth
    return found | {"type": type_, "detail": detail}


def _lanes(line: _Line, opcode: str) -> dict[str, object]:
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


def _memory(line: _Line, opcode: str) -> dict[str, object]:
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
    if opcode == "load":
        type_ = line.type()
        line.expect(",")
        return {"type": type_, "operands": (line.typed(),), "detail": detail}
    operands = [line.typed()]
    while line.accept(",") and line.ahead[:1] != "!" and line.ahead != "align":
        operands.append(line.typed())
    value = operands[-1].type
    type_ = {"store": VOID, "atomicrmw": value}.get(opcode, Type("struct", parts=(value, Type("int", 1))))
    return {"type": type_, "operands": tuple(operands), "detail": detail}


def _phi(line: _Line) -> dict[str, object]:
    _flags(line)
    type_ = line.type()
    operands, labels = [], []
    while line.accept("["):
        operands.append(line.value(type_))
        line.expect(",")
        labels.append(_bare(line.next()))
        line.expect("]")
        line.accept(",")
    return {"type": type_, "operands": tuple(operands), "labels": tuple(labels)}


def _call(line: _Line) -> dict[str, object]:
    while re.fullmatch(r"[a-z]\w*", line.ahead) and not _begins_type(line.ahead):
        line.next()
        line.group()
    line.space()
    type_ = line.type()
    if line.ahead == "(":
        line.group()
    if line.ahead == "asm":
        return {"type": type_, "detail": "asm"}
    callee = line.value(Type("pointer"))
    line.expect("(")
    operands = []
    for _ in line.listed(")"):
        if line.accept("metadata"):
            depth = 0
            while line.ahead not in {",", ")"} or depth:
                depth += {"(": 1, ")": -1}.get(line.next(), 0)
        else:
            operands.append(line.typed())
    return {"type": type_, "operands": tuple(operands), "detail": callee.name if callee.kind == "global" else ""}


def _begins_type(word: str) -> bool:
    return word in _FLOATS or word in {"ptr", "void", "target"} or bool(re.fullmatch(r"i\d+", word))


def _jump(line: _Line, opcode: str) -> dict[str, object]:
    if opcode == "ret":
        return {"type": VOID}
    operands, labels = [], []
    if not line.accept("label"):
        operands.append(line.typed())
        line.expect(",")
        line.expect("label")
    labels.append(_bare(line.next()))
    if opcode == "switch":
        line.expect("[")
        while not line.accept("]"):
            operands.append(line.typed())
            line.expect(",")
            line.expect("label")
            labels.append(_bare(line.next()))
    elif line.accept(",") and line.accept("label"):
        labels.append(_bare(line.next()))
    return {"type": VOID, "operands": tuple(operands), "labels": tuple(labels)}


def parsed(text: str, until: float = NEVER) -> Module:
    """Return the module of a text in LLVM IR. Reading it is given up at the time `until`."""
    return _Parser(until).read(text)
