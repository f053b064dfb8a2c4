"""k-induction: prove invariants and checks of a loop from several rounds before, not only from one.

With a depth of d, the first d rounds of a loop are copied before it, with all their checks. Then the cut loop makes
d + 1 rounds at a time, from an arbitrary state. Invariants are assumed at the beginning of each of these rounds, and
the checks of all but the last are trusted. Each round of a run is the last of d + 1 rounds, or one of the first d. So
what holds in all earlier rounds may be assumed, as strong induction allows.

This is combined-case k-induction (Donaldson et al. 2011), and what GPUVerify's flag of this name asks for. We deviate
in that races are not assumed away in the trusted rounds, where accesses are still logged.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from synth_kernels.block_copies import defined_values, rename_values, with_exits
from synth_kernels.flow import Flow
from synth_kernels.pair.annotations import is_invariant
from synth_kernels.program import JumpTarget, KernelClaim

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth_kernels.flow import Loop
    from synth_kernels.program import Block, Instruction, Kernel


def count_induced_blocks(kernel: Kernel, depth: int) -> int:
    """Return how many blocks a kernel has if all its loops are copied for a depth."""
    flow = Flow(kernel)
    return sum((2 * depth + 1) ** len(flow.around(name)) for name in flow.order)


def with_induction(kernel: Kernel, depth: int) -> Kernel:
    """Return a kernel in which each loop is copied for an induction of some depth. With 0, it stays as it is."""
    loops = Flow(kernel).loops.values()
    for header in [loop.header for loop in sorted(loops, key=lambda loop: len(loop.blocks))] if depth else ():
        current = Flow(kernel).loops[header]
        kernel = _copy_loop(with_exits(kernel, current.blocks), current, depth)
    return kernel


def _copy_loop(kernel: Kernel, loop: Loop, depth: int) -> Kernel:
    """Return a kernel with the copies of one loop: first those before it, then those of the rounds in it."""
    inside = [block for block in kernel.blocks if block.name in loop.blocks]
    inner_values = {value for block in inside for value in defined_values(block)}
    names = {*kernel.all_widths()} - inner_values
    before = [f"+{loop.header}+{number}" for number in range(depth)]
    rounds = ["", *(f"~{loop.header}~{number}" for number in range(1, depth + 1))]
    copies: list[Block] = []
    for number, suffix in enumerate([*before, *rounds]):
        following = [*before, *rounds][number + 1] if number < 2 * depth else ""
        for block in inside:
            to = {name: f"{name}{suffix}" for name in loop.blocks} | {loop.header: f"{loop.header}{following}"}
            targets = tuple(
                JumpTarget(to.get(target.block, target.block), target.arguments) for target in block.end.targets
            )
            copy = replace(block, name=f"{block.name}{suffix}", end=replace(block.end, targets=targets))
            copy = rename_values(copy, suffix, names) if suffix else copy
            copies.append(_as_round(copy, number - depth, depth, is_header=block.name == loop.header))
    first = f"{loop.header}{before[0]}"
    blocks: list[Block] = []
    for block in kernel.blocks:
        if block.name == loop.header:
            blocks += copies
        elif block.name not in loop.blocks:
            targets = tuple(
                replace(target, block=first) if target.block == loop.header else target for target in block.end.targets
            )
            blocks.append(replace(block, end=replace(block.end, targets=targets)))
    return replace(kernel, blocks=tuple(blocks))


def _as_round(block: Block, number: int, depth: int, *, is_header: bool) -> Block:
    """Return a block as that of a round in the loop, or of one before it, which has a number below 0."""
    if is_header and number:
        block = replace(block, instructions=tuple(_claims(block, "check" if number < 0 else "recall")))
    if not 0 <= number < depth:
        return block
    trusted: Literal["body", "all"] = "body" if is_header and number == 0 and not block.trusted else "all"
    return replace(block, trusted=trusted)


def _claims(block: Block, how: Literal["check", "recall"]) -> Iterator[Instruction]:
    """Yield the instructions of a header, with invariants that are checked there, or recalled."""
    for instruction in block.instructions:
        if not (isinstance(instruction, KernelClaim) and is_invariant(instruction)):
            yield instruction
        elif how == "recall":
            yield replace(instruction, kind="recall")
        else:
            yield replace(instruction, kind="observe" if instruction.kind == "candidate" else "assert")
