"""Which values a thread may still need, for each instruction of a kernel.

A thread that spins computes a new value in each round. If the thread does not use this value later, it is in the same
state as a round before. So a state keeps only the values that are live, in the usual sense of compilers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_kernels.program import DEFINING, operands_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from synth_kernels.program import Block, Kernel, Operand


def live_before(kernel: Kernel, constant: Iterable[str]) -> dict[str, list[tuple[str, ...]]]:
    """Return for each block the values that are live before each of its instructions, and before its end.

    `constant` are the names whose value never changes; no list has them.
    """
    fixed = frozenset(constant)
    entering: dict[str, frozenset[str]] = {block.name: frozenset() for block in kernel.blocks}
    changed = True
    while changed:
        changed = False
        for block in reversed(kernel.blocks):
            live = _before(block, entering, fixed)[0] - {name for name, _ in block.parameters}
            changed |= live != entering[block.name]
            entering[block.name] = live
    return {block.name: [tuple(sorted(names)) for names in _before(block, entering, fixed)] for block in kernel.blocks}


def _before(block: Block, entering: dict[str, frozenset[str]], fixed: frozenset[str]) -> list[frozenset[str]]:
    after = (entering[target.block] for target in block.end.targets)
    live = _names(block.end.operands, fixed).union(*after)
    lists = [live]
    for instruction in reversed(block.instructions):
        if isinstance(instruction, DEFINING):
            live -= {instruction.name}
        live |= _names(operands_of(instruction), fixed)
        lists.append(live)
    return lists[::-1]


def _names(operands: Iterable[Operand], fixed: frozenset[str]) -> frozenset[str]:
    return frozenset(operand for operand in operands if isinstance(operand, str) and operand and operand not in fixed)
