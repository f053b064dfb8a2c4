"""Kernels as Python generators: the text of a generator that does what a thread of a kernel does.

The generator yields each access to shared memory and each barrier, and is sent what a read found. Operators and atomic
operations are Python expressions here. Functions on floating-point numbers are those of `floats`.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, cast

from synth_kernels.atomics import OF_FLOATS
from synth_kernels.floats import apply_function
from synth_kernels.program import Access, Arbitrary, Barrier, Compute, Constant, Opaque

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping

    from synth_kernels.program import Block, Instruction, JumpTarget, Kernel, Operand

Thread: TypeAlias = "Generator[ThreadRequest, int | None, None]"
#: Each operator: `a`, `b` and `c` are its operands, and `x` and `y` the first two with a sign.
_EXPRESSIONS = {
    "add": "a + b",
    "sub": "a - b",
    "mul": "a * b",
    "and": "a & b",
    "or": "a | b",
    "xor": "a ^ b",
    "udiv": "divmod(a, b)[0]",
    "urem": "divmod(a, b)[1]",
    "sdiv": "(x - rest(x, y)) // y",
    "srem": "rest(x, y)",
    "shl": "a << b",
    "lshr": "a >> b",
    "ashr": "x >> b",
    "eq": "a == b",
    "ult": "a < b",
    "ule": "a <= b",
    "slt": "x < y",
    "sle": "x <= y",
    "not": "-1 - a",
    "zext": "a",
    "sext": "x",
    "trunc": "a",
    "select": "b if a else c",
}
#: What each atomic operation leaves in memory: `a` was there, and `b` and `c` are its operands.
_ATOMICS = {
    "store": "b",
    "exchange": "b",
    "add": "a + b",
    "sub": "a - b",
    "and": "a & b",
    "nand": "-1 - (a & b)",
    "or": "a | b",
    "xor": "a ^ b",
    "umin": "b if b < a else a",
    "umax": "b if b > a else a",
    "min": "b if y < x else a",
    "max": "b if y > x else a",
    "inc": "0 if a >= b else a + 1",
    "dec": "b if a == 0 or a > b else a - 1",
    "compare-exchange": "c if a == b else a",
}


def _with_sign(value: int, width: int) -> int:
    half = 1 << (width - 1)
    return (value ^ half) - half


def _rest(dividend: int, divisor: int) -> int:
    remainder = divmod(abs(dividend), abs(divisor))[1]
    return -remainder if dividend < 0 else remainder


def _function(expression: str) -> Callable[..., int]:
    text = f"lambda a, b, c, x, y: {expression}"
    function: Callable[..., int] = eval(text, {"rest": _rest})  # noqa: S307  (the expressions of this module)
    return function


_COMPUTE = {name: _function(expression) for name, expression in _EXPRESSIONS.items()}
_UPDATE = {name: _function(expression) for name, expression in _ATOMICS.items()}


class ThreadRequest(NamedTuple):
    """What a thread wants to do next: an access to so many elements from one on, or to wait at a barrier.

    The access stores `value`, or what `operation` makes of `value`, if there is one.
    """

    instruction: Access | Barrier
    first: int = 0
    elements: int = 0
    value: int | None = None
    operands: tuple[int, ...] = ()


def _applied(operator: Mapping[str, Callable[..., int]], name: str, values: list[int], width: int, result: int) -> int:
    a, b, c = (*values, 0, 0)[:3]
    value = operator[name](a, b, c, _with_sign(a, width), _with_sign(b, width))
    return int(value) & ((1 << result) - 1)


class GeneratorText:
    """The text of a generator that does what a kernel does. It looks names up in a dictionary `v`."""

    def __init__(self, kernel: Kernel) -> None:
        self.widths = kernel.all_widths()
        self.known: dict[str, object] = {
            "applied": apply_function,
            "computed": _computed,
            "ThreadRequest": ThreadRequest,
        }
        self.known["names"] = {block.name: [name for name, _ in block.parameters] for block in kernel.blocks}
        self.spaces = {array.name: array.space for array in kernel.arrays}
        self.sizes = {array.name: array.width for array in kernel.arrays}
        lines = ["def thread(v, private):", f" at = {kernel.blocks[0].name!r}", " while True:"]
        for block in kernel.blocks:
            lines += [f"  if at == {block.name!r}:", *(f"   {line}" for line in self._block(block)), "   continue"]
        exec("\n".join(lines), self.known)  # noqa: S102  (text made here)
        self.thread = cast("Callable[[dict[str, int], dict[tuple[str, int], int]], Thread]", self.known["thread"])

    def _block(self, block: Block) -> list[str]:
        lines = list(
            itertools.chain.from_iterable(self._instruction(instruction) for instruction in block.instructions)
        )
        if not block.end.targets:
            return [*lines, "return"]
        jumps = [self._jump(target) for target in block.end.targets]
        if len(jumps) == 1:
            return [*lines, *jumps[0]]
        first, second = ([f" {line}" for line in lines] for lines in jumps)
        return [*lines, f"if {self._value(block.end.test)}:", *first, "else:", *second]

    def _jump(self, target: JumpTarget) -> list[str]:
        values = ", ".join(map(self._value, target.arguments))
        return [f"v.update(zip(names[{target.block!r}], ({values},)))" if values else "pass", f"at = {target.block!r}"]

    def _value(self, operand: Operand) -> str:
        return str(operand.value) if isinstance(operand, Constant) else f"v[{operand!r}]"

    def _width(self, operand: Operand) -> int:
        return operand.width if isinstance(operand, Constant) else self.widths[operand]

    def _name(self, thing: object) -> str:
        name = f"known{len(self.known)}"
        self.known[name] = thing
        return name

    def _instruction(self, instruction: Instruction) -> list[str]:
        match instruction:
            case Compute():
                values, width = ", ".join(map(self._value, instruction.operands)), self._width(instruction.operands[-1])
                arguments = f"{instruction.operator!r}, [{values}], {width}, {instruction.width}"
                return [f"v[{instruction.name!r}] = computed({arguments})"]
            case Opaque():
                values, width = ", ".join(map(self._value, instruction.operands)), self._width(instruction.operands[0])
                return [f"v[{instruction.name!r}] = applied({self._name(instruction)}, [{values}], {width})"]
            case Arbitrary():  # a value that is not defined may be any, such as 0
                return [f"v[{instruction.name!r}] = {self._value(instruction.usual) if instruction.usual else 0}"]
            case Barrier():
                mask = f", value={self._value(instruction.mask)}" if instruction.mask else ""
                return [f"yield ThreadRequest({self._name(instruction)}{mask})"]
            case Access():
                return self._access(instruction)
            case _:
                return []

    def _access(self, access: Access) -> list[str]:
        each, width = access.width // self.sizes[access.array], self.sizes[access.array]
        count = f" * {self._value(access.count)}" if access.count else ""
        first, value = self._value(access.offset), self._value(access.value) if access.kind == "write" else "None"
        if self.spaces[access.array] == "private":
            places = f"enumerate(range({first}, {first} + {each}{count}))"
            place = f"private[{access.array!r}, e]"
            if access.kind == "write":
                return [f"for i, e in {places}: {place} = {value} >> i % {each} * {width} & {(1 << width) - 1}"]
            return [f"v[{access.name!r}] = sum({place} << i * {width} for i, e in {places})"]
        operands = "".join(f"{self._value(operand)}, " for operand in access.operands)
        request = f"yield ThreadRequest({self._name(access)}, {first}, {each}{count}, {value}, ({operands}))"
        return [request if access.kind == "write" else f"v[{access.name!r}] = {request}"]


def _computed(name: str, values: list[int], width: int, result: int) -> int:
    return _applied(_COMPUTE, name, values, width, result)


def atomic_result(access: Access, values: list[int]) -> int:
    """Return what an atomic operation leaves in memory: the first value was there, and the others are its operands."""
    if access.operation in OF_FLOATS:
        return apply_function(Opaque("", OF_FLOATS[access.operation], (), access.width), values, access.width)
    return _applied(_UPDATE, access.operation, values, access.width, access.width)
