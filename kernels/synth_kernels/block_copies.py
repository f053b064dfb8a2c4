"""Make blocks of a kernel depend on nothing but their parameters, so that they can be copied under other names."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from synth_kernels.flow import Flow
from synth_kernels.program import (
    DEFINING,
    Access,
    Arbitrary,
    Barrier,
    Block,
    Compute,
    Constant,
    JumpTarget,
    KernelClaim,
    Opaque,
    Peek,
    operands_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from synth_kernels.program import Instruction, Kernel, Operand


def with_block_parameters(kernel: Kernel) -> Kernel:
    """Return a kernel in which each block uses only its parameters and what it defines."""
    order, widths = Flow(kernel).order, kernel.all_widths()
    blocks = {name: kernel.block(name) for name in order}
    known = set(kernel.words())
    needed = _needed_values(blocks, order, widths.keys() - known)
    extended = (_with_parameters(blocks[name], needed, widths) for name in order)
    return replace(kernel, blocks=tuple(rename_values(block, block.name, known) for block in extended))


def with_exits(kernel: Kernel, inside: Collection[str]) -> Kernel:
    """Return a kernel in which blocks outside a loop get what they use of its values as parameters.

    `inside` are the blocks of the loop.
    """
    widths, flow = kernel.all_widths(), Flow(kernel)
    blocks = {name: kernel.block(name) for name in flow.order}
    inner_values = {value for name in inside for value in defined_values(blocks[name])}
    needed = _needed_values(blocks, [name for name in flow.order if name not in inside], inner_values)
    extended = (_with_parameters(block, needed, widths) for block in blocks.values())
    renamed = (
        block if block.name in inside else rename_values(block, block.name, widths.keys() - needed[block.name])
        for block in extended
    )
    return replace(kernel, blocks=tuple(renamed))


def _needed_values(blocks: Mapping[str, Block], order: Sequence[str], values: Collection[str]) -> dict[str, set[str]]:
    """Return which of these values each block in this order needs that it does not define; others need none."""
    needed: dict[str, set[str]] = {name: set() for name in blocks}
    changed = True
    while changed:
        changed = False
        for name in reversed(order):
            used = _used_values(blocks[name]).union(*(needed[target.block] for target in blocks[name].end.targets))
            now = (used - defined_values(blocks[name])).intersection(values)
            changed, needed[name] = changed or now != needed[name], now
    return needed


def _with_parameters(block: Block, needed: Mapping[str, Collection[str]], widths: Mapping[str, int]) -> Block:
    """Return a block with what it needs as parameters, which its jumps give to others."""
    more = tuple((value, widths[value]) for value in sorted(needed[block.name]))
    targets = tuple(
        JumpTarget(target.block, (*target.arguments, *sorted(needed[target.block]))) for target in block.end.targets
    )
    return replace(block, parameters=(*block.parameters, *more), end=replace(block.end, targets=targets))


def _used_values(block: Block) -> set[str]:
    operands = [block.end.test, *(value for target in block.end.targets for value in target.arguments)]
    operands += [operand for instruction in block.instructions for operand in operands_of(instruction)]
    return {operand for operand in operands if isinstance(operand, str) and operand}


def defined_values(block: Block) -> set[str]:
    """Return the values that a block defines, with its parameters."""
    return {name for name, _ in block.parameters} | {
        instruction.name for instruction in block.instructions if isinstance(instruction, DEFINING)
    }


def rename_values(block: Block, suffix: str, known: set[str]) -> Block:
    """Return a block in which all values but those known from the start have another name."""

    def new(operand: Operand) -> Operand:
        return operand if isinstance(operand, Constant) or not operand or operand in known else f"{operand}@{suffix}"

    return replace(
        block,
        parameters=tuple((str(new(name)), width) for name, width in block.parameters),
        instructions=tuple(_rename_operands(instruction, new) for instruction in block.instructions),
        end=replace(
            block.end,
            test=new(block.end.test),
            targets=tuple(JumpTarget(target.block, tuple(map(new, target.arguments))) for target in block.end.targets),
        ),
    )


def _rename_operands(instruction: Instruction, new: Callable[[Operand], Operand]) -> Instruction:
    changes: dict[str, object] = {}
    if isinstance(instruction, DEFINING) and instruction.name:
        changes["name"] = new(instruction.name)
    if isinstance(instruction, Compute | Opaque):
        changes["operands"] = tuple(map(new, instruction.operands))
    if isinstance(instruction, Access):
        changes |= {name: new(getattr(instruction, name)) for name in ("offset", "value", "count", "step", "event")}
        changes["operands"] = tuple(map(new, instruction.operands))
    if isinstance(instruction, Peek):
        changes["offset"] = new(instruction.offset)
    if isinstance(instruction, Arbitrary):
        changes["usual"] = new(instruction.usual)
    if isinstance(instruction, Barrier):
        changes |= {
            "same": tuple(map(new, instruction.same)),
            "waits": tuple(map(new, instruction.waits)),
            "mask": new(instruction.mask),
        }
    if isinstance(instruction, KernelClaim):
        changes["value"] = new(instruction.value)
    return replace(instruction, **changes)  # type: ignore[arg-type]
