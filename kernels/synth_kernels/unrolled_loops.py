"""Unroll the loops of a kernel, for a search for faults in runs with few rounds.

First, each block gets as parameters all values that it takes from blocks before it, so that it depends on nothing else.
Then the blocks of a loop can be copied: each copy stands for one round, and the last one leads to a block in which an
assumption fails, one for each loop. Inner loops are copied with the loop around them, and unrolled after it. Lines stay
what they are.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from synth_kernels.block_copies import rename_values, with_block_parameters
from synth_kernels.flow import Flow
from synth_kernels.pair.annotations import is_invariant, pair_values
from synth_kernels.program import Block, Constant, End, JumpTarget, KernelClaim
from synth_kernels.terms import evaluate, script

if TYPE_CHECKING:
    from synth_kernels.flow import Loop
    from synth_kernels.pair.walk import Walk
    from synth_kernels.program import Kernel
    from synth_kernels.terms import Term
    from synth_solvers.client import Solver

#: The line of the claim in the blocks behind the last round of a loop.
BEYOND_LINE = -1


def count_unrolled_blocks(kernel: Kernel, rounds: int) -> int:
    """Return how many blocks a kernel has once it is unrolled, apart from the one behind the last round."""
    flow = Flow(kernel)
    return sum((rounds + 1) ** len(flow.around(name)) for name in flow.order)


def unroll(kernel: Kernel, rounds: int, beyond: Literal["assume", "assert"] = "assume") -> Kernel:
    """Return a kernel without loops: the given one, of which each loop makes at most so many further rounds.

    Runs with more rounds are assumed away, or fail an assertion with the line `BEYOND_LINE`. Invariants are left out.
    The blocks stand in an order in which all jumps go forward, and the rounds of a loop stand together.
    """
    known = set(kernel.words())
    program = with_block_parameters(without_invariants(kernel))
    while loops := Flow(program).loops.values():
        outermost = max(loops, key=lambda loop: len(loop.blocks))
        blocks: list[Block] = []
        for block in program.blocks:
            if block.name == outermost.header:
                inside = [inner for inner in program.blocks if inner.name in outermost.blocks]
                numbers = range(rounds + 1)
                blocks += [_copy(inner, outermost, number, rounds, known) for number in numbers for inner in inside]
                blocks.append(
                    Block(_block_beyond(outermost), (), (KernelClaim(beyond, Constant(0, 1), BEYOND_LINE),), End())
                )
            elif block.name not in outermost.blocks:
                blocks.append(_with_entry(block, outermost.header))
        program = replace(program, blocks=tuple(blocks))
    return program


def unreached_lines(kernel: Kernel, walk: Walk, solver: Solver) -> list[int]:
    """Return the lines of the blocks of a kernel to which no run comes in the walk of its unrolled form.

    Those of which the solver can't say this are left out.
    """
    reached: dict[str, Term] = {}
    for name, comes in walk.reached.items():
        block = name.partition("+")[0]
        reached[block] = walk.terms.any(reached.get(block, walk.terms.false), comes)
    unreached_names = {block.name for block in kernel.blocks} & reached.keys()
    while unreached_names:
        conditions = [reached[name] for name in sorted(unreached_names)]
        answer = solver.ask(script([walk.terms.any(*conditions)]))
        if answer.verdict != "sat":
            unreached_names = unreached_names if answer.verdict == "unsat" else set()
            break
        values = evaluate(conditions, {name: int(value) for name, value in answer.values.items()})
        unreached_names -= {name for name in unreached_names if values[reached[name]]}
    never = unreached_names | {block.name for block in kernel.blocks} - reached.keys()
    return [step.line for name in sorted(never) for step in (*kernel.block(name).instructions, kernel.block(name).end)]


def without_invariants(kernel: Kernel) -> Kernel:
    """Return a kernel without invariants and without what only they may use."""
    of_pair = pair_values(kernel)

    def without(block: Block) -> Block:
        instructions = tuple(instruction for instruction in block.instructions if not is_invariant(instruction))
        if not any(
            isinstance(instruction, KernelClaim) and instruction.value in of_pair for instruction in instructions
        ):
            instructions = tuple(
                instruction for instruction in instructions if getattr(instruction, "name", "") not in of_pair
            )
        return replace(block, instructions=instructions)

    return replace(kernel, blocks=tuple(map(without, kernel.blocks)))


def _copy(block: Block, loop: Loop, number: int, rounds: int, known: set[str]) -> Block:
    """Return the copy of a block for one round: a jump back to the header goes to the next round."""

    def to(target: JumpTarget) -> JumpTarget:
        if target.block == loop.header:
            following = f"{loop.header}+{number + 1}"
            return JumpTarget(following, target.arguments) if number < rounds else JumpTarget(_block_beyond(loop))
        return JumpTarget(f"{target.block}+{number}", target.arguments) if target.block in loop.blocks else target

    targets = tuple(map(to, block.end.targets))
    copied = rename_values(replace(block, end=replace(block.end, targets=targets)), str(number), known)
    return replace(copied, name=f"{block.name}+{number}")


def _block_beyond(loop: Loop) -> str:
    """Return the name of the block behind the last round of a loop."""
    return f"beyond {loop.header}"


def _with_entry(block: Block, header: str) -> Block:
    targets = tuple(
        replace(target, block=f"{header}+0") if target.block == header else target for target in block.end.targets
    )
    return replace(block, end=replace(block.end, targets=targets))
