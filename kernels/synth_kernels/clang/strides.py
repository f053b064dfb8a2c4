"""Indices that each round of a loop moves by an unknown number, such as that of all threads of the launch.

Such an index may wrap around if the number is large. But no access is outside its array, and no array has 2^31 bytes
or more. So each access that is made gives a limit for its index.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_kernels.program import ID_WIDTH, Access, Compute, Constant, KernelClaim

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from synth_kernels.program import Block, Instruction


def far_indices(blocks: Sequence[Block]) -> set[str]:
    """Return the values that depend on a parameter of a block to which a jump gives its sum with an unknown number."""
    parameters = {block.name: block.parameters for block in blocks}
    computed = {
        instruction.name: instruction
        for block in blocks
        for instruction in block.instructions
        if isinstance(instruction, Compute)
    }
    far: set[str] = set()
    for block in blocks:
        for target in block.end.targets:
            for (name, _), argument in zip(parameters[target.block], target.arguments, strict=True):
                step = computed.get(argument) if isinstance(argument, str) else None
                if step is not None and step.operator == "add" and name in step.operands:
                    far |= {name for other in step.operands if isinstance(other, str) and other != name}
    size = -1
    while len(far) != size:
        size = len(far)
        far |= {name for name, compute in computed.items() if far.intersection(map(str, compute.operands))}
    return far


def stride_assumptions(
    instruction: Instruction, far: Collection[str], units: Mapping[str, int], define: Callable[[str, int], str]
) -> Iterator[Instruction]:
    """Yield what says that an access lies in the 2^31 bytes before or after the beginning of its array.

    `units` has the bytes of an element of each array of the launch. With one byte, this would say nothing.
    """
    if not isinstance(instruction, Access) or instruction.offset not in far or units.get(instruction.array, 1) == 1:
        return
    most = (1 << (ID_WIDTH - 1)) // units[instruction.array]
    shifted, inside = define("shifted", ID_WIDTH), define("inside", 1)
    yield Compute(shifted, "add", (instruction.offset, Constant(most, ID_WIDTH)), ID_WIDTH)
    yield Compute(inside, "ult", (shifted, Constant(2 * most, ID_WIDTH)), 1)
    yield KernelClaim("assume", inside, inside="access")
