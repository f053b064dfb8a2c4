"""What a launch of a kernel leaves behind in memory, in all orders of its threads.

A kernel may be free of races without some barrier, and need it all the same: the order of atomic operations may decide
what they give. If each order gives the same, the barrier is no matter. Otherwise the two kernels are run in all orders
of a small launch, with zeros in memory, and what they leave is compared.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from synth_checker.errors import InputError, LimitError
from synth_kernels.launch import threads
from synth_kernels.operators import to_signed
from synth_kernels.program import Access, operands_of
from synth_kernels.progress.arguments import ArgumentValues
from synth_kernels.progress.machine import Machine
from synth_kernels.progress.open_values import UndecidedError
from synth_kernels.progress.partial_values import PartialValue
from synth_kernels.progress.space import explore
from synth_kernels.progress.steps import Rules

if TYPE_CHECKING:
    from collections.abc import Iterable

    from synth_kernels.launch import Launch
    from synth_kernels.program import Kernel

#: Operations of which each order leaves the same.
_COMMUTING = {"add", "sub", "and", "or", "xor", "min", "max", "umin", "umax"}
#: A launch that is run has at most so many threads and states, and arrays of so many elements.
_MOST_THREADS, _MOST_STATES, _ELEMENTS = 16, 20_000, 64


def ordered_atomics(kernel: Kernel) -> list[str]:
    """Return the arrays of which the order of atomic operations may matter.

    It does not if all of them are of one kind that commutes, and nothing uses what they give.
    """
    steps = kernel.steps
    used = {operand for step in steps for operand in operands_of(step)}
    used |= {operand for block in kernel.blocks for operand in block.end.operands}
    kinds: dict[str, set[tuple[str, int, bool]]] = {}
    for access in steps:
        if isinstance(access, Access) and access.kind == "atomic":
            operation = "add" if access.operation == "sub" else access.operation
            kinds.setdefault(access.array, set()).add((operation, access.width, access.name in used))
    return sorted(
        array
        for array, operations in kinds.items()
        if len(operations) > 1 or any(is_used or operation not in _COMMUTING for operation, _, is_used in operations)
    )


def leaves_more(kernel: Kernel, less: Kernel, launch: Launch) -> bool:
    """Return whether a kernel without some barriers may leave other contents of memory than the kernel leaves.

    This is looked at in one small launch. If the launch is not small, or can't be run, it is not known, so False. It is
    not known either if what a variable holds that nothing has set decides what a thread does, or is left behind.
    """
    sizes = {name: 2 if size is None else size for name, size in launch.sizes().items()}
    count = math.prod(size for name, size in sizes.items() if not name.startswith("offset"))
    values = dict(launch.scalars)
    if count > _MOST_THREADS or any(name not in values for name, _ in kernel.scalars):
        return False
    arguments = {name: ArgumentValues((to_signed(values[name], width),)) for name, width in kernel.scalars}
    arguments |= {array.name: ArgumentValues((0,), _ELEMENTS) for array in kernel.arrays if array.size is None}
    arguments |= {
        array.name: ArgumentValues((0,))
        for array in kernel.arrays
        if array.size is not None and array.initial is None and array.space != "private"
    }
    try:
        allowed, more = ({*_final_memories(version, sizes, arguments)} for version in (kernel, less))
    except (InputError, LimitError, UndecidedError):
        return False
    has_unset = any(isinstance(value, PartialValue) for memory in allowed | more for value in memory)
    return not has_unset and not more <= allowed


def _final_memories(
    kernel: Kernel, sizes: dict[str, int], arguments: dict[str, ArgumentValues]
) -> Iterable[tuple[object, ...]]:
    """Yield what the launch leaves in global memory, which others may see."""
    machine = Machine(kernel, sizes, list(threads(sizes)), arguments, rules=Rules(merges=False))
    space = explore(machine, _MOST_STATES)
    shared = [place for place, (_, group, _) in enumerate(machine.layout.names) if group is None]
    for number in space.ended():
        memory = space.states[number][0]
        yield tuple(memory[place] for place in shared)
