"""Inline assembly of CUDA (PTX), as far as locks and scans have it: loads, stores, atomic operations and fences.

A text may have several instructions, which are executed one after the other. An access to a vector is one access for
each element, as PTX has it. Hints to caches change nothing. Everything else is not supported.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from synth_kernels.atomics import OF_FLOATS, OPERATIONS
from synth_kernels.clang import memory
from synth_kernels.clang.frame import Members
from synth_kernels.program import DIMENSIONS, Constant

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from synth_kernels.clang.frame import Frame, Lowered
    from synth_kernels.clang.ir import IrInstruction, Value
    from synth_kernels.clang.regions import Pointer
    from synth_kernels.program import Operand, Reach

#: What the detail of a call begins with that is inline assembly. The text follows.
ASSEMBLY = "asm "
#: Comments, of which some end with their line, and characters that LLVM writes by their numbers, such as ends of lines.
_SPACE = re.compile(r"/\*.*?\*/|//.*?(?=\\0A|$)|\\[0-9A-Fa-f]{2}")
_OPERAND = re.compile(r"\{[^}]*\}|\[[^\]]*\]|[^\s,{\[][^,]*")
_PLACE = re.compile(r"\[\s*\$(\d+)\s*(?:\+\s*(\d+)\s*)?\]")
_TYPE = re.compile(r"([busf])(8|16|32|64)")
_NOTHING = {"membar", "fence", "nanosleep"}
#: Marks of accesses that others may see in between.
_STRONG = {"relaxed", "acquire", "release", "acq_rel"}
_VOLATILE = {"volatile", "cv", "mmio"}
_SCOPES: dict[str, Reach] = {"cta": "group", "cluster": "cluster", "gpu": "", "sys": "", "gl": ""}
_SPACES = {"global", "shared", "local"}
_HINTS = {"ca", "cg", "cs", "lu", "wb", "wt", "nc", "weak"}
#: The variable of our headers that holds the size of a warp.
_WARP = "__synth_warp"
_SWAPS = {"exch": "exchange", "cas": "compare-exchange"}


def assembly(frame: Frame, call: IrInstruction) -> Lowered:
    """Translate a call of inline assembly, or give up on the kernel."""
    text = _SPACE.sub(" ", call.detail.removeprefix(ASSEMBLY))
    types = call.type.parts if call.type.kind == "struct" else () if call.type.kind == "void" else (call.type,)
    run = _AssemblyRun(frame, text, call.operands, len(types))
    for statement in filter(None, map(str.strip, text.split(";"))):
        run.execute(statement)
    if not types:
        return ()
    if len(run.results) != len(types):
        run.refuse()
    values = [
        memory.from_bits(
            frame, frame.emit.compute("trunc", (bits,), "asm", frame.layout.width(type_) * 8), type_, "asm"
        )
        for type_, (_, bits) in zip(types, sorted(run.results.items()), strict=True)
    ]
    return Members(values) if call.type.kind == "struct" else values[0]


def _reach(marks: Iterable[str]) -> Reach:
    return next((_SCOPES[mark] for mark in marks if mark in _SCOPES), "")


class _AssemblyRun:
    """A text that is executed: its inputs, and the results so far as bits, by their numbers."""

    def __init__(self, frame: Frame, text: str, inputs: Sequence[Value], outputs: int) -> None:
        self._frame, self._text, self._inputs, self._outputs = frame, " ".join(text.split()), inputs, outputs
        self.results: dict[int, Operand] = {}

    def refuse(self) -> None:
        """Give up on the kernel."""
        self._frame.unsupported(f"inline assembly ({self._text[:60]})")

    def execute(self, text: str) -> None:
        """Translate an instruction."""
        word, _, rest = text.partition(" ")
        opcode, *marks = word.split(".")
        operands = [operand.strip() for operand in _OPERAND.findall(rest)]
        match = _TYPE.fullmatch(marks[-1]) if marks else None
        others = set(marks[:-1]) - _STRONG - _VOLATILE - _SCOPES.keys() - _SPACES - _HINTS
        if opcode in _NOTHING:
            pass
        elif word == "mov.u32" and operands[1:] == ["%laneid"]:
            self._put(operands[0], self._lane(), "u")
        elif match is None or not operands:
            self.refuse()
        elif opcode in {"ld", "st"} and others <= {"v2", "v4"}:
            self._plain(opcode, operands, match[1], int(match[2]) // 8, marks)
        elif opcode in {"atom", "red"} and len(others) == 1:
            arguments = operands if opcode == "atom" else ["", *operands]
            self._atomic(arguments, others.pop(), match, marks)
        else:
            self.refuse()

    def _lane(self) -> Operand:
        """Return the number of the lane in its warp, whose size is known only if the kernel is run."""
        emit = self._frame.emit
        known = self._frame.module.variables.get(_WARP)
        size = None if known is None else known.read_initial()
        if size is None:
            return emit.any(32, "lane")
        thread: Operand = Constant(0, 32)
        for dimension in reversed(range(DIMENSIONS)):
            row = emit.compute("mul", (thread, f"lsize.{dimension}"), "lane")
            thread = emit.compute("add", (row, f"lid.{dimension}"), "lane")
        return emit.compute("urem", (thread, Constant(size.number, 32)), "lane")

    def _plain(self, opcode: str, operands: list[str], kind: str, size: int, marks: Sequence[str]) -> None:
        place, many = operands if opcode == "st" else reversed(operands) if len(operands) == 2 else ("", "")
        first = self._place(place)
        is_strong, is_volatile = not _STRONG.isdisjoint(marks), not _VOLATILE.isdisjoint(marks)
        for number, name in enumerate(many.strip("{} ").split(",")):
            where = self._frame.advanced(first, number * size, [])
            if opcode == "ld":
                if is_strong:
                    bits = memory.atomic(self._frame, where, size, "asm", "load", reach=_reach(marks))
                else:
                    bits = memory.read(self._frame, where, size, "asm", is_volatile=is_volatile)
                self._put(name, bits, kind)
            elif is_strong:
                values = [self._value(name, size)]
                memory.atomic(self._frame, where, size, "old", "store", values, _reach(marks))
            else:
                memory.write(self._frame, where, self._value(name, size), is_volatile=is_volatile)

    def _atomic(self, operands: list[str], operation: str, of: re.Match[str], marks: Sequence[str]) -> None:
        result, place, *arguments = operands
        kind, size = of[1], int(of[2]) // 8
        name = _SWAPS.get(operation, operation)
        if kind == "f" and f"f{name}" in OF_FLOATS:
            name = f"f{name}"
        elif kind != "s" and name in {"min", "max"}:
            name = f"u{name}"
        if OPERATIONS.get(name) != len(arguments):
            self.refuse()
        values = [self._value(argument, size) for argument in arguments]
        old = memory.atomic(self._frame, self._place(place), size, "asm", name, values, _reach(marks))
        if result:
            self._put(result, old, kind)

    def _place(self, text: str) -> Pointer:
        """Return the place of an access, such as `[$1+4]`."""
        match = _PLACE.fullmatch(text)
        if match is None or not 0 <= int(match[1]) - self._outputs < len(self._inputs):
            self.refuse()
        assert match is not None  # noqa: S101  (the kernel was refused)
        pointer = self._frame.pointer(self._inputs[int(match[1]) - self._outputs])
        return self._frame.advanced(pointer, int(match[2] or 0), [])

    def _value(self, text: str, size: int) -> Operand:
        """Return an operand as so many bytes."""
        text = text.strip()
        if re.fullmatch(r"\d+", text):
            return Constant(int(text) & ((1 << size * 8) - 1), size * 8)
        number = int(text[1:]) if re.fullmatch(r"\$\d+", text) else -1
        if number in self.results:
            bits = self.results[number]
        elif 0 <= number - self._outputs < len(self._inputs):
            value = self._inputs[number - self._outputs]
            bits = memory.to_bits(self._frame, self._frame.lowered(value), value.type)
        else:
            self.refuse()
        operator = "trunc" if self._frame.emit.width(bits) > size * 8 else "zext"
        return self._frame.emit.compute(operator, (bits,), "asm", size * 8)

    def _put(self, text: str, bits: Operand, kind: str) -> None:
        """Note a result. It is as wide as the widest register, since a load may be narrower than its register."""
        text = text.strip()
        if not re.fullmatch(r"\$\d+", text) or int(text[1:]) >= self._outputs:
            self.refuse()
        wide = self._frame.emit.compute("sext" if kind == "s" else "zext", (bits,), "asm", 64)
        self.results[int(text[1:])] = wide
