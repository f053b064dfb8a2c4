"""Loops whose rounds are counted only to end the loop, such as a wait that gives up after 1,000 rounds.

Each count is a state of its own, so a launch has as many more states as there are rounds. To leave the counter out
would change what the kernel does: a wait that gives up always ends. So the answer is about this bound, and says so.

A parameter of the first block of a loop is such a counter if each round changes it, and if what is computed from it
decides branches and nothing else. Only loops with an atomic or volatile access are of interest. In other loops, no
count is part of a state.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_checker.errors import InputError
from synth_kernels.flow import Flow
from synth_kernels.program import Access, Compute, operands_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth_kernels.flow import Loop
    from synth_kernels.program import Kernel


def counted_loops(kernel: Kernel, *, also_used: bool = False) -> list[int]:
    """Return the lines of the first blocks of such loops. The lines are those of the typed program.

    If counters may be `also_used` otherwise, these are all waits that a counter ends.
    """
    try:
        flow = Flow(kernel)
    except InputError:  # some circle has two entries, so it is no loop of this kind
        return []
    return sorted(
        kernel.block(loop.header).first_line
        for loop in flow.loops.values()
        if _waits(kernel, loop)
        and any(
            _counts(flow, loop, place, also_used=also_used)
            for place in range(len(kernel.block(loop.header).parameters))
        )
    )


def _waits(kernel: Kernel, loop: Loop) -> bool:
    accesses = (
        instruction
        for name in loop.blocks
        for instruction in kernel.block(name).instructions
        if isinstance(instruction, Access)
    )
    return any(access.kind == "atomic" or access.is_volatile for access in accesses)


def _counts(flow: Flow, loop: Loop, place: int, *, also_used: bool) -> bool:
    """Return whether a parameter of the first block of a loop is a counter that decides branches, and nothing else."""
    kernel = flow.kernel
    counter = kernel.block(loop.header).parameters[place][0]
    derived = {counter}
    grows = True
    while grows:
        names = {
            instruction.name
            for instruction in kernel.steps
            if isinstance(instruction, Compute) and not derived.isdisjoint(map(str, instruction.operands))
        }
        names |= {
            name
            for block in kernel.blocks
            for target in block.end.targets
            for (name, _), argument in zip(kernel.block(target.block).parameters, target.arguments, strict=True)
            if argument in derived
        }
        grows = not names <= derived
        derived |= names
    if also_used:
        ends = [block.end for block in map(kernel.block, loop.blocks)]
        # `n < limit && flag == 0` gives a constant to the test of the loop where the counter decides
        decided = {
            name
            for end in ends
            if end.test in derived
            for target in end.targets
            for (name, _), argument in zip(kernel.block(target.block).parameters, target.arguments, strict=True)
            if not isinstance(argument, str)
        }
        ways = [end for end in ends if end.test in derived | decided]
        if not any(target.block not in loop.blocks for way in ways for target in way.targets):
            return False
    elif any(use in derived for use in _other_uses(flow)):
        return False
    rounds = [
        target.arguments[place]
        for name in loop.blocks
        for target in kernel.block(name).end.targets
        if target.block == loop.header
    ]
    return all(round_ in derived and round_ != counter for round_ in rounds)


def _other_uses(flow: Flow) -> Iterator[str]:
    """Yield the values that are used for something else than to compute, to branch, or to give them to other blocks."""
    for block in flow.kernel.blocks:
        for instruction in block.instructions:
            if not isinstance(instruction, Compute):
                yield from map(str, operands_of(instruction))
