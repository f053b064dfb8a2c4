"""Loops that wait for another thread and only read, by plain accesses.

A compiler may read the value once, before the loop. Then the loop never ends, whatever other threads write. So an
answer names such loops.

A loop waits if each round begins with the same values, and if its only accesses are plain reads. In such a loop,
nothing but what it reads can change, and only another thread can change that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_checker.errors import InputError
from synth_kernels.flow import Flow
from synth_kernels.program import Access, Barrier

if TYPE_CHECKING:
    from collections.abc import Collection

    from synth_kernels.flow import Loop
    from synth_kernels.program import Kernel


def plain_spins(kernel: Kernel, raced: Collection[str]) -> list[int]:
    """Return the lines of the first blocks of loops that wait for elements of these arrays.

    The lines are those of the typed program.
    """
    try:
        flow = Flow(kernel)
    except InputError:  # some circle has two entries, so it is no loop of this kind
        return []
    return sorted(
        kernel.block(loop.header).first_line
        for loop in flow.loops.values()
        if _only_reads(kernel, loop, raced) and _begins_alike(kernel, loop)
    )


def _only_reads(kernel: Kernel, loop: Loop, raced: Collection[str]) -> bool:
    inside = [instruction for name in loop.blocks for instruction in kernel.block(name).instructions]
    accesses = [instruction for instruction in inside if isinstance(instruction, Access)]
    return (
        any(access.array in raced for access in accesses)
        and all(access.kind == "read" and not access.is_volatile for access in accesses)
        and not any(isinstance(instruction, Barrier) for instruction in inside)
    )


def _begins_alike(kernel: Kernel, loop: Loop) -> bool:
    parameters = tuple(name for name, _ in kernel.block(loop.header).parameters)
    ends = [kernel.block(name).end for name in loop.blocks]
    return all(target.arguments == parameters for end in ends for target in end.targets if target.block == loop.header)
