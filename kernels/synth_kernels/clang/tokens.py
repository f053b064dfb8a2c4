"""Read types and values from the tokens of a line of LLVM IR, by recursive descent.

Patterns on whole lines would be shorter, but nested types, address spaces and operations on constants defeat them.
"""

from __future__ import annotations

import re
import struct
from typing import TYPE_CHECKING, NoReturn

from synth_checker.errors import InternalError
from synth_kernels.clang.ir import VOID, Type, Value

if TYPE_CHECKING:
    from collections.abc import Iterator

_TOKEN = re.compile(
    r"""c?"[^"]*" | [%@](?:"[^"]*"|[-\w$.]+) | !\w*(?:"[^"]*")? | \#\w+ | -?\d+\.\d+(?:e[+-]?\d+)? | 0x[KLMHR]?[0-9A-F]+
        | -?\d+ | [A-Za-z_][\w.]* | \.\.\. | [^\s\w]""",
    re.VERBOSE,
)
FLOATS = {"half": 16, "bfloat": 16, "float": 32, "double": 64, "x86_fp80": 80, "fp128": 128}
#: OpenCL's type of events is a number here.
EVENT_WIDTH = 32
_WORDS = {"true", "false", "null", "undef", "poison", "zeroinitializer", "none", "splat", "asm", "blockaddress"}
CASTS = {
    *("trunc", "zext", "sext", "fptrunc", "fpext", "fptoui", "fptosi", "uitofp", "sitofp"),
    *("ptrtoint", "inttoptr", "bitcast", "addrspacecast", "ptrtoaddr"),
}
BINARY = {
    *("add", "sub", "mul", "udiv", "sdiv", "urem", "srem", "shl", "lshr", "ashr", "and", "or", "xor"),
    *("fadd", "fsub", "fmul", "fdiv", "frem"),
}
_EXPRESSIONS = CASTS | BINARY | {"getelementptr", "icmp", "fcmp", "select", "extractelement", "insertelement"}


class TokenLine:
    """The tokens of a line, or of several lines that belong together."""

    def __init__(self, text: str, types: dict[str, Type]) -> None:
        self.text, self.types = text, types
        self.tokens: list[str] = _TOKEN.findall(text)
        self.place = 0

    def fail(self) -> NoReturn:
        """Raise InternalError, which shows the line."""
        raise InternalError(f"LLVM IR that is not understood, at token {self.place}: {self.text.strip()[:200]}")

    @property
    def ahead(self) -> str:
        """The next token, which stays there; nothing at the end."""
        return self.tokens[self.place] if self.place < len(self.tokens) else ""

    def next(self) -> str:
        """Take the next token."""
        self.place += 1
        if self.place > len(self.tokens):
            self.fail()
        return self.tokens[self.place - 1]

    def accept(self, *words: str) -> bool:
        """Take the next token if it is one of some words, and return whether it was."""
        if self.ahead in words:
            self.place += 1
            return True
        return False

    def expect(self, word: str) -> None:
        """Take a token that has to be there."""
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
        """Read a type."""
        word = self.next()
        if re.fullmatch(r"i\d+", word):
            return Type("int", int(word[1:]))
        if word in FLOATS:
            return Type("float", FLOATS[word], name=word)
        if word == "ptr":
            return Type("pointer", space=self.space())
        if word[0] == "%":
            return self.types.get(bare_name(word)) or Type("other", name=word)
        if word in {"void", "label", "metadata", "token", "opaque"}:
            return Type("void" if word == "void" else "other", name=word)
        if word == "target":
            start = self.place
            self.group()
            if '"spirv.Event"' in self.tokens[start : self.place]:
                return Type("int", EVENT_WIDTH, name=word)
            return Type("other", name=word)
        if word in {"<", "["}:
            return self._sequence(word)
        if word == "{":
            return Type("struct", parts=tuple(self.type() for _ in self.listed("}")))
        self.place -= 1
        return self.fail()

    def space(self) -> int:
        """Read the number of an address space, which is 0 if none is named."""
        if not self.accept("addrspace"):
            return 0
        self.expect("(")
        number = int(self.next())
        self.expect(")")
        return number

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
        attributes: dict[str, Type | None] = {}
        while re.fullmatch(r"[a-z]\w*", self.ahead) and self.ahead not in _WORDS | _EXPRESSIONS and self.ahead != "c":
            word = self.next()
            attributes[word] = None
            if word == "align":
                self.next()
            elif word in {"byval", "sret", "byref", "inalloca", "preallocated"} and self.accept("("):
                attributes[word] = self.type()
                self.expect(")")
            else:
                self.group()
        return attributes

    def typed(self) -> Value:
        """Read a type, attributes and a value."""
        type_ = self.type()
        self.attributes()
        return self.value(type_)

    def value(self, type_: Type) -> Value:  # noqa: PLR0911  (one for each form)
        """Read a value of a type."""
        word = self.next()
        if word[0] in "%@":
            return Value("local" if word[0] == "%" else "global", type_, bare_name(word))
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
        if opcode in CASTS:
            parts = (self.typed(),)
            self.expect("to")
            self.type()
            self.expect(")")
        else:
            parts = tuple(self.typed() for _ in self.listed(")"))
        return Value("expression", type_, opcode, parts=parts, element=element)


def bare_name(word: str) -> str:
    """Return a name without its mark and its quotes."""
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
