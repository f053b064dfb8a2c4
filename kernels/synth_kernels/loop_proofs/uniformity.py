"""Which values are the same in two threads of a group that have always gone the same way (divergence analysis).

Ids of threads differ, and so does what threads read, unless all of them read one place of an array that nobody writes.
A value that is computed from such values may differ, too. So may a parameter of a block that two ways lead to, if a
branch on such a value decides which way a thread takes. Threads may leave a loop in different rounds if such a branch
decides whether they come to a way out of it. Then all that the loop computes may differ. This is so even if each round
passes a barrier, since one thread may leave behind the barrier, and the other one at the next visit of the header.

The rounds of the loops in question are common: threads of a group are in the same round. So the values with which a
round begins differ only if those at entry do, or if the round before made them different.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_kernels.program import Access, Arbitrary, Compute, Opaque, Peek, operands_of

if TYPE_CHECKING:
    from synth_kernels.flow import Flow, Loop
    from synth_kernels.program import Block, Instruction, JumpTarget, Kernel, Operand


def varying_values(kernel: Kernel, flow: Flow) -> set[str]:
    """Return the values that may differ between threads of a group that were always together."""
    varying = {f"lid.{number}" for number in range(3)}
    accesses = kernel.accesses
    written = {access.array for access in accesses if access.kind != "read"}
    written |= {array.name for array in kernel.arrays if array.space == "private"}
    blocks = [kernel.block(name) for name in flow.order]
    size = -1
    while len(varying) != size:
        size = len(varying)
        parting = [block for block in blocks if len(block.end.targets) > 1 and block.end.test in varying]
        split = _join_blocks(flow, parting)
        left_apart = _left_apart(flow, parting)
        for block in blocks:
            varying |= _parameters(block, blocks, flow, varying, split)
            for instruction in block.instructions:
                name = getattr(instruction, "name", "")
                if name and (block.name in left_apart or _varies(instruction, varying, written)):
                    varying.add(name)
            if block.name in left_apart:
                varying |= {name for name, _ in block.parameters}
    return varying


def _varies(instruction: Instruction, varying: set[str], written: set[str]) -> bool:
    match instruction:
        case Arbitrary():
            return not instruction.is_uniform
        case Access() | Peek():
            return instruction.array in written or instruction.offset in varying
        case Compute() | Opaque():
            return any(operand in varying for operand in operands_of(instruction))
    return False


def _parameters(block: Block, blocks: list[Block], flow: Flow, varying: set[str], split: set[str]) -> set[str]:
    """Return the parameters of a block that may differ."""
    differ = set()
    for number, (name, _) in enumerate(block.parameters):
        ways: dict[bool, set[Operand]] = {True: set(), False: set()}
        for source in blocks:
            for target in source.end.targets:
                if target.block == block.name:
                    ways[flow.is_back(source.name, block.name)].add(target.arguments[number])
        arguments = ways[True] | ways[False]
        if arguments & varying or (block.name in split and any(len(values) > 1 for values in ways.values())):
            differ.add(name)
    return differ


def _join_blocks(flow: Flow, parting: list[Block]) -> set[str]:
    """Return the blocks to which threads may come in several ways after they have parted."""
    joins: set[str] = set()
    for block in parting:
        reached = [_blocks_ahead(flow, target.block, block.name) for target in block.end.targets]
        joins |= set.intersection(*reached)
    return joins


def _blocks_ahead(flow: Flow, start: str, source: str) -> set[str]:
    """Return the blocks that a jump leads to without a new round of any loop, and the header of a new round."""
    ahead = {start}
    todo = [] if flow.is_back(source, start) else [start]
    while todo:
        name = todo.pop()
        for target in flow.kernel.block(name).end.targets:
            if target.block not in ahead:
                ahead.add(target.block)
                if not flow.is_back(name, target.block):
                    todo.append(target.block)
    return ahead


def _left_apart(flow: Flow, parting: list[Block]) -> set[str]:
    """Return the blocks of the loops that threads may leave in different rounds after they have parted."""
    return {
        name
        for block in parting
        for loop in flow.around(block.name)
        if _may_leave_alone(flow, loop, block.name)
        for name in loop.blocks
    }


def _may_leave_alone(flow: Flow, loop: Loop, name: str) -> bool:
    """Return whether from a block one way leads to a way out of a loop, and another one misses it."""
    here = _in_round(flow, loop, name, "")
    exits = {block for block in loop.blocks if any(target.block not in loop.blocks for target in _targets(flow, block))}
    return any(
        exit_ == name or _in_round(flow, loop, name, exit_) - (loop.blocks - {loop.header})
        for exit_ in exits & (here | {name}) - ({loop.header} - {name})
    )


def _in_round(flow: Flow, loop: Loop, name: str, missed: str) -> set[str]:
    """Return the blocks that a block leads to in a round of a loop, if it misses one of them, and what comes next."""
    reached: set[str] = set()
    todo = [name]
    while todo:
        for target in _targets(flow, todo.pop()):
            if target.block not in reached | {missed}:
                reached.add(target.block)
                if target.block in loop.blocks - {loop.header}:
                    todo.append(target.block)
    return reached


def _targets(flow: Flow, name: str) -> tuple[JumpTarget, ...]:
    return flow.kernel.block(name).end.targets
