"""Collect the blocks of a typed program while a kernel is translated, and fold what is constant on the way."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from synth_kernels.clang.strides import far_indices, stride_assumptions
from synth_kernels.operators import BINARY, KEEP, compute, is_undefined
from synth_kernels.program import (
    ID_WIDTH,
    PURE,
    Arbitrary,
    Barrier,
    Block,
    Call,
    Compute,
    Constant,
    End,
    JumpTarget,
    Kernel,
    Opaque,
    Peek,
    operands_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from synth_kernels.premises import Premise
    from synth_kernels.program import Array, Instruction, KernelFunction, Operand, Scope, Space
    from synth_kernels.source_place import SourcePlace

#: What LLVM adds to names when it inlines a call.
_INLINED = re.compile(r"(\.i\d*)+(?=\.|$)")
#: Operators for which a second operand of so much changes nothing.
_NEUTRAL = {"add": 0, "sub": 0, "or": 0, "xor": 0, "shl": 0, "lshr": 0, "ashr": 0, "mul": 1, "udiv": 1, "sdiv": 1}
_COMMUTATIVE = ("add", "mul", "and", "or", "xor")
#: Operators on numbers that SMT-LIB does not have for truth values.
_NUMBERS_ONLY = {name for name, operator in BINARY.items() if operator.of_truths is None}


class Emitter:
    """The typed program so far, and the block to which instructions are added."""

    def __init__(self, reserved: Iterable[str]) -> None:
        self.used = set(reserved)
        #: The last number behind each name.
        self._last: dict[str, int] = {}
        self.widths: dict[str, int] = {}
        #: What was extended to get a value.
        self._narrow: dict[str, Operand] = {}
        self.blocks: list[Block] = []
        self.place: SourcePlace | None = None
        self._places: list[dict[int, SourcePlace]] = []
        self._name = ""
        self._parameters: tuple[tuple[str, int], ...] = ()
        self._body: list[Instruction] = []
        self._here: dict[int, SourcePlace] = {}

    def name(self, wish: str) -> str:
        """Return a new name that looks like the wish."""
        name = _INLINED.sub("", re.sub(r"[^\w.]", "_", wish).removeprefix("__clang_ocl_kern_imp_"))
        if not re.match(r"[A-Za-z_]", name):
            name = f"v{name}"
        new_name, number = name, self._last.get(name, 1)
        while new_name in self.used:
            number += 1
            new_name = f"{name}.{number}"
        self._last[name] = number
        self.used.add(new_name)
        return new_name

    def define(self, wish: str, width: int) -> str:
        """Return a new name for a value of so many bits."""
        name = self.name(wish)
        self.widths[name] = width
        return name

    def width(self, operand: Operand) -> int:
        """Return the number of bits of an operand."""
        return operand.width if isinstance(operand, Constant) else self.widths.get(operand, ID_WIDTH)

    def word(self, name: str, width: int) -> Operand:
        """Return a name that the typed program has from the start, such as `enabled`."""
        self.used.add(name)
        self.widths[name] = width
        return name

    def narrow(self, operand: Operand) -> Operand | None:
        """Return what was extended to get an operand, if it was."""
        return self._narrow.get(operand) if isinstance(operand, str) else None

    # --- blocks ---

    @property
    def body(self) -> Sequence[Instruction]:
        """The instructions of the block so far."""
        return self._body

    def start(self, name: str, parameters: Sequence[tuple[str, int]] = ()) -> None:
        """Begin a block."""
        self._name, self._parameters, self._body, self._here = name, tuple(parameters), [], {}

    def end(self, *targets: JumpTarget, test: Operand = "") -> None:
        """End the block with a return, a jump or a branch."""
        if len(targets) == 2 and isinstance(test, Constant):
            targets = (targets[0 if test.value else 1],)
        self._note()
        self.blocks.append(
            Block(self._name, self._parameters, tuple(self._body), End(targets, test if len(targets) == 2 else ""))
        )
        self._places.append(self._here)

    def add(self, instruction: Instruction) -> None:
        """Add an instruction to the block."""
        self._note()
        self._body.append(instruction)

    def _note(self) -> None:
        if self.place is not None:
            self._here[len(self._body)] = self.place

    # --- values ---

    def compute(self, operator: str, operands: tuple[Operand, ...], wish: str = "t", width: int = 0) -> Operand:
        """Return the result of an operator; only casts need a width, and one to the same width does nothing."""
        here = self.width(operands[-1])
        width = width or (1 if operator in BINARY and BINARY[operator].compares else here)
        if operator in {"zext", "sext", "trunc"} and width == here:
            return operands[0]
        if here == 1 and operator in _NUMBERS_ONLY:
            wide = self.compute(
                operator, tuple(self.compute("zext", (operand,), wish, 8) for operand in operands), wish
            )
            return wide if BINARY[operator].compares else self.compute("trunc", (wide,), wish, 1)
        if (folded := self._folded(operator, operands, here, width)) is not None:
            return folded
        name = self.define(wish, width)
        self.add(Compute(name, operator, operands, width))
        if operator in {"zext", "sext"}:
            self._narrow[name] = operands[0]
        return name

    def _folded(self, operator: str, operands: tuple[Operand, ...], here: int, width: int) -> Operand | None:
        """Return a result that needs no instruction, if there is one."""
        first, last = operands[0], operands[-1]
        values = [operand.value for operand in operands if isinstance(operand, Constant)]
        is_undefined_ = bool(values) and operator in BINARY and is_undefined(operator, values[-1], here)
        if len(values) == len(operands) and not is_undefined_:
            return Constant(compute(operator, values, here, width), width)
        if operator == "select":
            return self._chosen(operands)
        if operator == "trunc" and (narrow := self.narrow(first)) is not None:
            return narrow if self.width(narrow) == width else None
        if operator in {"eq", "ule", "sle"} and first == last:
            return Constant(1, 1)
        if operator in _COMMUTATIVE and isinstance(first, Constant):
            return self.compute(operator, (last, first))
        return self._neutral(operator, first, last) if len(operands) == 2 else None

    @staticmethod
    def _neutral(operator: str, first: Operand, last: Operand) -> Operand | None:
        """Return the result of an operator with a constant that changes nothing, or that decides the result."""
        if not isinstance(last, Constant):
            return None
        if _NEUTRAL.get(operator) == last.value or (operator == "and" and last.value == (1 << last.width) - 1):
            return first
        return last if operator in {"mul", "and"} and last.value == 0 else None

    @staticmethod
    def _chosen(operands: tuple[Operand, ...]) -> Operand | None:
        test, first, second = operands
        if isinstance(test, Constant):
            return first if test.value else second
        return first if first == second else None

    def compare(self, operator: str, first: Operand, second: Operand, wish: str = "c") -> Operand:
        """Return a truth value."""
        return self.compute(operator, (first, second), wish)

    def no(self, value: Operand, wish: str = "not") -> Operand:
        """Return the negation of a truth value."""
        return self.compute("not", (value,), wish)

    def any(self, width: int, wish: str = "any", *, is_uniform: bool = False, usual: Operand = "") -> Operand:
        """Return an arbitrary value."""
        name = self.define(wish, width)
        self.add(Arbitrary(name, width, is_uniform, usual=usual))
        return name

    def of_lanes(self, width: int, wish: str) -> Operand:
        """Return an arbitrary value that depends on which lanes of a warp run together."""
        name = self.define(wish, width)
        self.add(Arbitrary(name, width, is_of_lanes=True))
        return name

    def event(self, wish: str) -> Operand:
        """Return a new event."""
        name = self.define(wish, ID_WIDTH)
        self.add(Arbitrary(name, ID_WIDTH, is_event=True))
        return name

    def unset(self, width: int, wish: str = "unset") -> Operand:
        """Return what a variable holds before something is stored in it."""
        name = self.define(wish, width)
        self.add(Arbitrary(name, width, is_unset=True))
        return name

    def peek(self, array: str, offset: Operand, width: int, wish: str) -> Operand:
        """Return what an array holds, without an access."""
        name = self.define(wish, width)
        self.add(Peek(name, array, offset, width))
        return name

    def call(self, call: Call, widths: Sequence[int], wish: str) -> list[Operand]:
        """Add a call of a function of which only the contract is known, and return its results, of so many bits."""
        names = [self.define(wish, width) for width in widths]
        self.add(replace(call, results=tuple(names)))
        for name, width in zip(names, widths, strict=True):
            self.add(Arbitrary(name, width))
        return list(names)

    def keep(self, value: Operand) -> Operand:
        """Return what a claim may use later of a value, or of a word such as `write.A`, as it is here."""
        name = self.define("old", self.width(value))
        self.add(Compute(name, KEEP, (value,), self.width(value)))
        return name

    def opaque(self, function: str, operands: Sequence[Operand], width: int, wish: str = "f") -> Operand:
        """Return the result of a function of which nothing is known."""
        name = self.define(wish, width)
        self.add(Opaque(name, function, tuple(operands), width))
        return name

    def barrier(  # noqa: PLR0913
        self,
        fences: Iterable[Space],
        scope: Scope = "group",
        *,
        same: Sequence[Operand] = (),
        waits: Sequence[Operand] = (),
        mask: Operand = "",
        gives: bool = False,
    ) -> None:
        """Add a barrier, to which threads come with the same values, which waits for events, and may give a value.

        One of a subgroup may have a mask of its lanes.
        """
        self.add(Barrier(scope, frozenset(fences), 0, tuple(same), tuple(waits), mask, gives))

    # --- the whole ---

    def kernel(  # noqa: PLR0913, PLR0917
        self,
        name: str,
        arrays: Sequence[Array],
        scalars: Sequence[tuple[str, int]],
        local_size: tuple[int, ...],
        premises: tuple[Premise, ...],
        function: KernelFunction | None = None,
    ) -> Kernel:
        """Return the kernel, with its lines numbered as they are printed."""
        self._drop_unused()
        self._bound_strides({array.name: array.width // 8 for array in arrays if array.space == "global"})
        line = 1 + bool(local_size) + len(arrays) + len(scalars)
        places: dict[int, SourcePlace] = {}
        blocks = []
        for block, block_places in zip(self.blocks, self._places, strict=True):
            line += 1
            start = line
            places |= {start + 1 + number: place for number, place in block_places.items()}
            body = tuple(
                replace(instruction, line=start + 1 + number) for number, instruction in enumerate(block.instructions)
            )
            line = start + 1 + len(body)
            blocks.append(replace(block, instructions=body, end=replace(block.end, line=line), line=start))
        return Kernel(name, tuple(arrays), tuple(scalars), tuple(blocks), local_size, places, premises, function)

    def _bound_strides(self, units: Mapping[str, int]) -> None:
        """Add what accesses say of indices that loops move by unknown numbers."""
        far = far_indices(self.blocks)
        for number, (block, places) in enumerate(zip(self.blocks, self._places, strict=True)) if far else ():
            body: list[Instruction] = []
            here: dict[int, SourcePlace] = {}
            for position, instruction in enumerate((*block.instructions, None)):
                for added in (
                    ()
                    if instruction is None
                    else (*stride_assumptions(instruction, far, units, self.define), instruction)
                ):
                    here |= {len(body): places[position]} if position in places else {}
                    body.append(added)
                if instruction is None and position in places:
                    here[len(body)] = places[position]
            self.blocks[number], self._places[number] = replace(block, instructions=tuple(body)), here

    def _drop_unused(self) -> None:
        """Remove what is computed and used nowhere. Accesses stay, whatever becomes of what they read."""
        used: set[str] = set()
        makers: dict[str, tuple[Operand, ...]] = {}
        todo: list[Operand] = []
        for block in self.blocks:
            todo += block.end.operands
            for instruction in block.instructions:
                if isinstance(instruction, PURE):
                    makers[instruction.name] = operands_of(instruction)
                else:
                    todo += operands_of(instruction)
                if isinstance(instruction, Call):
                    todo += instruction.results  # contracts may speak of them
        while todo:
            operand = todo.pop()
            if isinstance(operand, str) and operand not in used:
                used.add(operand)
                todo += makers.get(operand, ())
        for number, (block, places) in enumerate(zip(self.blocks, self._places, strict=True)):
            remaining = [
                place
                for place, instruction in enumerate(block.instructions)
                if not isinstance(instruction, PURE) or instruction.name in used
            ]
            count = len(block.instructions)
            self.blocks[number] = replace(block, instructions=tuple(block.instructions[place] for place in remaining))
            moved = dict(enumerate([*remaining, count]))
            self._places[number] = {here: places[place] for here, place in moved.items() if place in places}
