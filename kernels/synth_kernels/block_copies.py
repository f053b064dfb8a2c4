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
    from collections.abc import Callable, Collection

    from synth_kernels.program import Instruction, Kernel, Operand


def with_block_parameters(kernel: Kernel) -> Kernel:
    """Return a kernel in which each block uses only its parameters and what it defines."""
    order = Flow(kernel).order
    blocks = {name: kernel.block(name) for name in order}
    known = set(kernel.words())
    widths = kernel.all_widths()
    needed: dict[str, set[str]] = {name: set() for name in order}
    changed = True
    while changed:
        changed = False
        for name in reversed(order):
            used = _used_values(blocks[name]).union(*(needed[target.block] for target in blocks[name].end.targets))
            now = used - known - defined_values(blocks[name])
            changed, needed[name] = changed or now != needed[name], now

    def with_parameters(block: Block) -> Block:
        more = tuple((value, widths[value]) for value in sorted(needed[block.name]))
        targets = tuple(
            JumpTarget(target.block, (*target.arguments, *sorted(needed[target.block]))) for target in block.end.targets
        )
        return replace(block, parameters=(*block.parameters, *more), end=replace(block.end, targets=targets))

    return replace(kernel, blocks=tuple(rename_values(with_parameters(blocks[name]), name, known) for name in order))


def with_exits(kernel: Kernel, inside: Collection[str]) -> Kernel:
    """Return a kernel in which blocks outside a loop get what they use of its values as parameters.

    `inside` are the blocks of the loop.
    """
    order = [name for name in Flow(kernel).order if name not in inside]
    blocks = {name: kernel.block(name) for name in Flow(kernel).order}
    inner_values = {value for name in inside for value in defined_values(blocks[name])}
    widths, names = kernel.all_widths(), {*kernel.all_widths()}
    needed: dict[str, set[str]] = {name: set() for name in blocks}
    changed = True
    while changed:
        changed = False
        for name in reversed(order):
            now = (
                _used_values(blocks[name]).union(*(needed[target.block] for target in blocks[name].end.targets))
                & inner_values
            )
            changed, needed[name] = changed or now != needed[name], now

    def with_parameters(block: Block) -> Block:
        more = tuple((value, widths[value]) for value in sorted(needed[block.name]))
        targets = tuple(
            JumpTarget(target.block, (*target.arguments, *sorted(needed[target.block]))) for target in block.end.targets
        )
        extended = replace(block, parameters=(*block.parameters, *more), end=replace(block.end, targets=targets))
        return extended if block.name in inside else rename_values(extended, block.name, names - needed[block.name])

    return replace(kernel, blocks=tuple(map(with_parameters, blocks.values())))


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
