"""Write further instructions into a kernel, each with a line number that no other instruction has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_kernels.operators import BINARY
from synth_kernels.program import ID_WIDTH, Compute, Constant, KernelClaim, operands_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Literal

    from synth_kernels.program import Instruction, Kernel, Operand


def number(value: int, width: int = ID_WIDTH) -> Constant:
    """Return a number as an operand."""
    return Constant(value & ((1 << width) - 1), width)


def instructions_of(kernel: Kernel) -> Iterator[Instruction]:
    """Yield all instructions of a kernel."""
    for block in kernel.blocks:
        yield from block.instructions


class Writer:
    """Writes instructions for a kernel. `body` has what was written. Names begin with `prefix`."""

    def __init__(self, kernel: Kernel, prefix: str) -> None:
        self._line = max(
            (instruction.line for block in kernel.blocks for instruction in (*block.instructions, block.end)), default=0
        )
        self._widths = kernel.all_widths()
        self._prefix = prefix
        self.body: list[Instruction] = []

    def taken(self) -> list[Instruction]:
        """Return what was written since the last time."""
        found, self.body = self.body, []
        return found

    def compute(self, operator: str, *operands: Operand, width: int | None = None) -> str:
        """Write an operation, and return the name of its result. Only a cast needs a width."""
        if width is None:
            is_truth = operator == "uniform" or (operator in BINARY and BINARY[operator].compares)
            width = 1 if is_truth else self.width(operands[-1])
        name = f"{self._prefix}{self._next()}"
        self._widths[name] = width
        self.body.append(Compute(name, operator, operands, width, self._line))
        return name

    def all(self, operator: Literal["and", "or"], operands: list[Operand]) -> Operand:
        """Write a conjunction or a disjunction."""
        found: Operand = operands[0] if operands else Constant(int(operator == "and"), 1)
        for operand in operands[1:]:
            found = self.compute(operator, found, operand)
        return found

    def claim(self, kind: Literal["assert", "assume"], value: Operand) -> int:
        """Write a claim, and return its line."""
        self.body.append(KernelClaim(kind, value, self._next()))
        return self._line

    def width(self, operand: Operand) -> int:
        """Return the width of an operand."""
        return operand.width if isinstance(operand, Constant) else self._widths[operand]

    def _next(self) -> int:
        self._line += 1
        return self._line


def uses(kernel: Kernel, name: str) -> bool:
    """Return whether some instruction or jump uses a value."""
    return any(name in operands_of(instruction) for instruction in instructions_of(kernel)) or any(
        name in block.end.operands for block in kernel.blocks
    )
