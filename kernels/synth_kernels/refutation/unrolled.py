"""LU(k): refute candidates in runs in which loops make at most k rounds.

Loops are unrolled instead of cut, so each state in which a candidate fails is one that two threads reach. They assume
what the cut program assumes: user invariants, and what barriers say. So Houdini would refute the candidate, too.

A candidate that compares the two threads is tried only where both come to the loop, since a thread that has left it has
no values in the unrolled program.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from synth_kernels.pair.annotations import is_invariant
from synth_kernels.pair.walk import Walk
from synth_kernels.program import KernelClaim
from synth_kernels.terms import evaluate, script
from synth_kernels.unrolled_loops import count_unrolled_blocks, unroll

if TYPE_CHECKING:
    from synth_kernels.launch import Launch
    from synth_kernels.pair.options import Options
    from synth_kernels.program import Block, Kernel
    from synth_kernels.refutation.shared_refutations import RefutedCandidates
    from synth_kernels.terms import Term
    from synth_solvers.client import Solver

#: An unrolled kernel has at most so many blocks; a larger one is left to Houdini.
MOST_BLOCKS = 400
#: A query gets at most so many seconds.
_SECONDS = 6.0


def refute(  # noqa: PLR0913, PLR0917
    kernel: Kernel, launch: Launch, solver: Solver, options: Options, refuted: RefutedCandidates, rounds: int
) -> None:
    """Add the candidates that fail within so many rounds to the refuted ones."""
    if count_unrolled_blocks(kernel, rounds) > MOST_BLOCKS:
        return
    program = unroll(_with_observations(kernel), rounds)
    # A barrier in a loop excludes what follows the loop, so the walk takes the blocks in the order of the cut program.
    order = [block.name for block in program.blocks]
    walk = Walk(program, launch, options=options, until=solver.until, order=order)
    terms, fails = walk.terms, dict[int, "Term"]()
    for check in walk.state.checks:
        if check.candidate:
            fails[check.line] = terms.any(fails.get(check.line, terms.false), check.fails)
    exact, seconds = walk.state.products.exact, solver.seconds
    solver.seconds = min(seconds, _SECONDS)
    try:
        for number in range(1, len(fails) + 1):
            open_fails = [fail for line, fail in fails.items() if line not in refuted.lines()]
            if not open_fails or refuted.stop.is_set():
                return
            answer = solver.ask(script([terms.any(*open_fails), exact]))
            if answer.verdict != "sat":
                return
            holds = evaluate(open_fails, {name: int(value) for name, value in answer.values.items()})
            refuted.add((line for line, fail in fails.items() if holds.get(fail)), f"LU({rounds})", number)
    finally:
        solver.seconds = seconds


def _with_observations(kernel: Kernel) -> Kernel:
    """Return a kernel in which candidates are looked at each time, and after that user invariants are assumed."""

    def observed(block: Block) -> Block:
        claims = [
            instruction
            for instruction in block.instructions
            if isinstance(instruction, KernelClaim) and is_invariant(instruction)
        ]
        if not claims:
            return block
        end = max(place for place, instruction in enumerate(block.instructions) if instruction in claims) + 1
        kept = [
            replace(instruction, kind="observe")
            if isinstance(instruction, KernelClaim) and instruction.kind == "candidate"
            else instruction
            for instruction in block.instructions[:end]
            if not (isinstance(instruction, KernelClaim) and instruction.kind == "invariant")
        ]
        assumed = [replace(claim, kind="assume") for claim in claims if claim.kind == "invariant"]
        return replace(block, instructions=(*kept, *assumed, *block.instructions[end:]))

    return replace(kernel, blocks=tuple(map(observed, kernel.blocks)))
