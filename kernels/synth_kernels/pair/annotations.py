"""Which values speak of both threads, of logged accesses, or of what an array holds. Only claims may use these."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_checker.errors import InputError
from synth_kernels.operators import KEEP, RELATING
from synth_kernels.program import IDS, PURE, Compute, KernelClaim, Opaque, Peek, operands_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from synth_kernels.flow import Flow
    from synth_kernels.program import Instruction, Kernel, Operand

#: The words and operators that look at the other thread.
OF_BOTH = {*RELATING, "same_group"}


def pair_values(kernel: Kernel) -> dict[str, frozenset[str]]:
    """Return the values that only claims may use, each with the words, operators and peeks that make it so.

    Raises:
        InputError: something else uses such a value, or another block than the one that computes it: it may have
            changed by then.
    """
    of_one_thread = set(IDS) | {name for name, _ in kernel.scalars}
    words = {name: frozenset({name}) for name in kernel.words() if name not in of_one_thread}
    reasons = dict(words)
    for block in kernel.blocks:
        for instruction in block.instructions:
            why = _reasons(operands_of(instruction), reasons)
            match instruction:
                case Peek():
                    reasons[instruction.name] = why | {instruction.name}
                case Compute() if why := why | (set(RELATING) & {instruction.operator}):
                    reasons[instruction.name] = why
                case Opaque() if why:
                    reasons[instruction.name] = why
    #: What a word said at some place may be used behind it.
    words |= {
        instruction.name: reasons[instruction.name]
        for instruction in kernel.steps
        if isinstance(instruction, Compute) and instruction.operator == KEEP and instruction.name in reasons
    }
    for block in kernel.blocks:
        here = words | {
            name: reasons[name]
            for instruction in block.instructions
            if (name := getattr(instruction, "name", "")) in reasons
        }
        for instruction in block.instructions:
            if not isinstance(instruction, Compute | Opaque | Peek | KernelClaim):
                _refuse(instruction.line, operands_of(instruction), reasons, "expected such values in claims only")
            elif any(operand in reasons and operand not in here for operand in operands_of(instruction)):
                _refuse(
                    instruction.line, operands_of(instruction), reasons, "expected a value that this block computes"
                )
        _refuse(block.end.line, block.end.operands, reasons, "expected such values in claims only")
    return reasons


def _reasons(operands: tuple[Operand, ...], reasons: Mapping[str, frozenset[str]]) -> frozenset[str]:
    return frozenset().union(*(reasons.get(operand, ()) for operand in operands if isinstance(operand, str)))


def _refuse(line: int, operands: tuple[Operand, ...], reasons: Mapping[str, frozenset[str]], expected: str) -> None:
    if words := _reasons(operands, reasons):
        raise InputError(f"line {line}: found a value that speaks of {min(words)}, {expected}")


def is_invariant(instruction: Instruction) -> bool:
    """Return whether an instruction is an invariant or a candidate."""
    return isinstance(instruction, KernelClaim) and instruction.kind in {"invariant", "candidate"}


def check_places(flow: Flow) -> None:
    """Refuse an invariant that does not stand at the beginning of a loop, behind nothing but values and other claims.

    Raises:
        InputError: there is such an invariant.
    """
    for block in flow.kernel.blocks:
        is_allowed = block.name in flow.loops
        for instruction in block.instructions:
            if is_invariant(instruction) and not is_allowed:
                line = instruction.line
                raise InputError(
                    f"line {line}: found an invariant, expected it at the beginning of the first block of a loop"
                )
            is_allowed = is_allowed and isinstance(instruction, PURE | KernelClaim)
