"""LLVM IR, as far as kernels need it: types, values, instructions, functions and modules.

Only what the translation looks at is kept. Flags and attributes that can't change what an instruction does to memory
are dropped.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

#: The address spaces of arrays, as OpenCL and CUDA number them. 0 are those of one thread, or any of them.
GLOBAL, CONSTANT, LOCAL, GENERIC = 1, 2, 3, 4


@dataclass(frozen=True, slots=True)
class Type:
    """A type: `bits` of a number, `space` of a pointer, `count` of members of a vector or an array."""

    kind: Literal["int", "float", "pointer", "vector", "array", "struct", "void", "other"]
    bits: int = 0
    space: int = 0
    count: int = 0
    parts: tuple[Type, ...] = ()
    is_packed: bool = False
    name: str = ""

    @property
    def lanes(self) -> int:
        """The number of members of a vector, or 1."""
        return self.count if self.kind == "vector" else 1

    @property
    def lane(self) -> Type:
        """The type of the members of a vector, or the type itself."""
        return self.parts[0] if self.kind == "vector" else self


VOID = Type("void")


@dataclass(frozen=True, slots=True)
class Value:
    """An operand: a name, a constant, or an operation on constants, which has its opcode as name.

    `undefined` stands for undef and poison, and `zero` for null and for zeros of any type. `element` is the type that
    a getelementptr on constants counts.
    """

    kind: Literal["local", "global", "number", "undefined", "zero", "aggregate", "expression", "other"]
    type: Type
    name: str = ""
    number: int = 0
    parts: tuple[Value, ...] = ()
    element: Type = VOID


@dataclass(frozen=True, slots=True)
class IrInstruction:
    """An instruction. Which of the fields it has depends on its opcode.

    - `labels` are the blocks of a jump or a phi.
    - `detail` is the predicate of a comparison, the operation of an atomic update, or what an access is: `atomic`,
      `volatile` or `weak`.
    - `element` is the type that is allocated or counted, and `indices` are those into a structure.
    - `debug` is the number of its place among the metadata.
    - `scope` names the threads among which an access is atomic, or nothing for all of them.
    - `has_sign` says that it is signed arithmetic, whose result may wrap around.
    """

    opcode: str
    name: str
    type: Type
    operands: tuple[Value, ...] = ()
    labels: tuple[str, ...] = ()
    detail: str = ""
    element: Type = VOID
    indices: tuple[int, ...] = ()
    debug: int | None = None
    has_sign: bool = False
    scope: str = ""


@dataclass(slots=True)
class IrBlock:
    """Instructions that are executed one after the other."""

    name: str
    instructions: list[IrInstruction] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a function; `value_of` is the type of a structure that is given by value."""

    name: str
    type: Type
    is_restrict: bool = False
    value_of: Type | None = None


@dataclass(slots=True)
class IrFunction:
    """A function with a body; `is_kernel` says that the host can launch it. `metadata` are numbers by their names."""

    name: str
    is_kernel: bool
    parameters: list[Parameter]
    metadata: dict[str, int]
    blocks: list[IrBlock] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable of the whole program. `debug` is the number of what the metadata say of it.

    `read_initial` returns what the variable holds at the start, if the source says so.
    """

    name: str
    space: int
    type: Type
    is_constant: bool
    debug: int | None = None
    read_initial: Callable[[], Value | None] = field(default=lambda: None, compare=False)


_FIELD = re.compile(r'(\w+): ("(?:[^"\\]|\\.)*"|[^,()]+)')
_ESCAPED = re.compile(r"\\([0-9A-Fa-f]{2})")

Metadata: TypeAlias = dict[int, str]


@dataclass(slots=True)
class Module:
    """A compiled file. `pointer_bits` is the width of an address; `pure` are functions without a body or a memory.

    `inlined` are functions that LLVM has inlined wherever they are called.
    """

    functions: dict[str, IrFunction] = field(default_factory=dict)
    variables: dict[str, Variable] = field(default_factory=dict)
    metadata: Metadata = field(default_factory=dict)
    pointer_bits: int = 32
    pure: set[str] = field(default_factory=set)
    inlined: set[str] = field(default_factory=set)
    _fields: dict[int, Mapping[str, str]] = field(default_factory=dict)
    _parameters: dict[int | None, list[int]] | None = None

    def parameters(self, function: int | None) -> list[int]:
        """Return the numbers of what the metadata say of the parameters of a function of the source."""
        if self._parameters is None:
            self._parameters = {}
            for number, text in self.metadata.items():
                if "DILocalVariable(" in text and " arg: " in text:
                    scope = reference(self.fields(number).get("scope"))
                    self._parameters.setdefault(scope, []).append(number)
        return self._parameters.get(function, [])

    def fields(self, number: int | None) -> Mapping[str, str]:
        """Return the fields of a piece of metadata by their names, texts without quotes."""
        key = -1 if number is None else number
        if key not in self._fields:
            texts = dict(_FIELD.findall(self.metadata.get(key, "")))
            self._fields[key] = {name: _unquoted(text) for name, text in texts.items()}
        return self._fields[key]


def _unquoted(text: str) -> str:
    if not text.startswith('"'):
        return text
    raw = _ESCAPED.sub(lambda match: chr(int(match[1], 16)), text[1:-1])
    return raw.encode("latin-1", "replace").decode("utf-8", "replace") if "\\" in text else raw


def reference(text: str | None) -> int | None:
    """Return the number of the metadata that a field refers to, if it does."""
    match = re.match(r"!(\d+)", text or "")
    return int(match[1]) if match else None
