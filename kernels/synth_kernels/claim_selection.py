"""Leave out claims of a typed program, or take its invariants for candidates, as options ask."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from synth_kernels.program import KernelClaim

if TYPE_CHECKING:
    from synth_kernels.program import Block, Instruction, Kernel


@dataclass(frozen=True, slots=True)
class Claims:
    """Which claims of the user count: all, preconditions only, or none, and which of them as candidates."""

    which: Literal["all", "requires", "none"] = "all"
    invariants_as_candidates: bool = False
    with_candidates: bool = True


ALL = Claims()


def select_claims(kernel: Kernel, claims: Claims, *, is_typed: bool) -> Kernel:
    """Return a kernel with the claims that count.

    In a file of typed programs, an assumption of the first block is a precondition, and all claims are the user's. The
    reader of another language has left out annotations itself.
    """

    def select(instruction: Instruction, block: Block) -> Instruction | None:
        if not isinstance(instruction, KernelClaim):
            return instruction
        is_required = instruction.kind == "assume" and block is kernel.blocks[0]
        if is_typed and (claims.which == "none" or (claims.which == "requires" and not is_required)):
            return None
        if instruction.kind == "invariant" and claims.invariants_as_candidates:
            instruction = replace(instruction, kind="candidate")
        return instruction if claims.with_candidates or instruction.kind != "candidate" else None

    def with_kept(block: Block) -> Block:
        chosen = (select(instruction, block) for instruction in block.instructions)
        return replace(block, instructions=tuple(instruction for instruction in chosen if instruction is not None))

    return replace(kernel, blocks=tuple(map(with_kept, kernel.blocks)))
