"""Which values speak of both threads or of pending accesses. Only invariants and candidates may use such values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_checker.errors import InputError
from synth_kernels.program import IDS, Claim, Compute, Opaque

if TYPE_CHECKING:
    from synth_kernels.flow import Flow
    from synth_kernels.program import Block, Instruction, Kernel, Operand


def about_the_pair(kernel: Kernel) -> dict[str, frozenset[str]]:
    """Return the values that only invariants may use, each with the words and operators that make it so.

    Raises:
        InputError: something else uses such a value.
    """
    given = set(IDS) | {name for name, _ in kernel.scalars}
    found = {name: frozenset({name}) for name in kernel.words() if name not in given}

    def reasons(operands: tuple[Operand, ...]) -> frozenset[str]:
        return frozenset().union(*(found.get(one, ()) for one in operands if isinstance(one, str)))

    def refuse(operands: tuple[Operand, ...], line: int) -> None:
        if words := reasons(operands):
            msg = f"line {line}: found a value that speaks of {min(words)}, expected such values in invariants only"
            raise InputError(msg)

    for block in kernel.blocks:
        for one in block.instructions:
            if isinstance(one, Compute) and (why := reasons(one.operands) | ({"uniform"} & {one.operator})):
                found[one.name] = why
    for block in kernel.blocks:
        refuse((block.end.test, *(value for target in block.end.targets for value in target.arguments)), block.end.line)
        for one in block.instructions:
            if not isinstance(one, Compute) and not is_invariant(one):
                operands = one.operands if isinstance(one, Opaque) else ()
                refuse((*operands, *(getattr(one, name, "") for name in ("offset", "value", "count"))), one.line)
    return found


def is_invariant(one: Instruction) -> bool:
    """Return whether an instruction is an invariant or a candidate."""
    return isinstance(one, Claim) and one.kind in {"invariant", "candidate"}


def check_places(flow: Flow) -> None:
    """Refuse an invariant that does not stand at the beginning of a loop, where only values may be computed before it.

    Raises:
        InputError: there is such an invariant.
    """
    for block in flow.kernel.blocks:
        is_allowed = block.name in flow.loops
        for one in block.instructions:
            if is_invariant(one) and not is_allowed:
                msg = f"line {one.line}: found an invariant, expected it at the beginning of the first block of a loop"
                raise InputError(msg)
            is_allowed = is_allowed and (isinstance(one, Compute) or is_invariant(one))


def header_of(block: Block) -> frozenset[str]:
    """Return the names that the instructions of a block define."""
    return frozenset(one.name for one in block.instructions if isinstance(one, Compute))
