"""Leave out claims of a typed program, or take its invariants for candidates, as options ask."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from synth_kernels.program import Claim

if TYPE_CHECKING:
    from synth_kernels.program import Block, Instruction, Kernel
    from synth_kernels.reading import How


def selected(kernel: Kernel, how: How, *, is_typed: bool) -> Kernel:
    """Return a kernel with the claims that count.

    In a file of typed programs, an assumption of the first block is a precondition, and all claims are the user's. The
    reader of another language has left out annotations itself.
    """

    def kept(one: Instruction, block: Block) -> Instruction | None:
        if not isinstance(one, Claim):
            return one
        is_required = one.kind == "assume" and block is kernel.blocks[0]
        if is_typed and (how.annotations == "none" or (how.annotations == "requires" and not is_required)):
            return None
        if one.kind == "invariant" and how.invariants_as_candidates:
            one = replace(one, kind="candidate")
        return one if how.with_candidates or one.kind != "candidate" else None

    def with_kept(block: Block) -> Block:
        found = (kept(one, block) for one in block.instructions)
        return replace(block, instructions=tuple(one for one in found if one is not None))

    return replace(kernel, blocks=tuple(map(with_kept, kernel.blocks)))
