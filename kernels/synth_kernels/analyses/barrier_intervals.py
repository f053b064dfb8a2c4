"""Check what lies between barriers on its own, from an arbitrary state: no race and no divergence in a group.

The threads of a group pass a barrier together. So we look at two of them at a barrier, in a state in which all is
arbitrary that we do not know, and let them run to their next barriers. What is known there: values that are computed
from ids and sizes, values that cannot differ between threads of a group, closed forms and ranges of counters, and the
branches that lead there. Loops between the barriers are replaced by rounds that stand for all (`loop_proofs`).

This is weaker than a proof of the whole kernel, and each query is smaller. If all parts have a proof, no two threads of
a group race, and no barrier of it diverges. That needs barriers that fence all memory that is written on both sides.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from synth_kernels.block_copies import rename_values, with_block_parameters
from synth_kernels.candidates.values import Values
from synth_kernels.flow import Flow
from synth_kernels.loop_proofs.attempts import is_eligible
from synth_kernels.loop_proofs.closed_forms import rewrite_loops
from synth_kernels.loop_proofs.rounds import over_approximation
from synth_kernels.loop_proofs.uniformity import varying_values
from synth_kernels.pair.walk import Walk
from synth_kernels.program import Access, Arbitrary, Barrier, Block, Compute, Constant, End, JumpTarget, KernelClaim
from synth_kernels.terms import below, script
from synth_kernels.unrolled_loops import without_invariants

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from synth_kernels.launch import Launch
    from synth_kernels.pair.options import Options
    from synth_kernels.program import Instruction, Kernel, Operand
    from synth_kernels.terms import Term
    from synth_solvers.client import Solver

#: A query takes at most so many seconds.
_SECONDS = 5.0


def interval_proofs(
    kernel: Kernel, early: Collection[str], launch: Launch, solver: Solver, options: Options
) -> dict[int | None, bool]:
    """Return whether the intervals that begin at a barrier have a proof, by its line, or None for the beginning.

    `early` are the arrays that are accessed before some barrier.

    Nothing is said of kernels that can't be judged in this way: with invariants, with loops that may pass no barrier in
    a round, or with barriers that leave memory out that others access later.

    Raises:
        OverdueError: the time was over before that.
    """
    kernel = without_invariants(kernel)
    if launch.warp or not is_eligible(kernel, Flow(kernel)) or not _fences_all(kernel, early):
        return {}
    closed_form = rewrite_loops(kernel, launch, ("linear", "geometric")).kernel
    flow = Flow(closed_form)
    waiting = {
        name
        for name, loop in flow.loops.items()
        if any(
            isinstance(instruction, Barrier)
            for inside in loop.blocks
            for instruction in closed_form.block(inside).instructions
        )
    }
    starts = _BarrierPrograms(
        closed_form, flow, launch, varying_values(closed_form, flow) - {f"round of {name}" for name in waiting}
    )
    return {
        line: _has_no_fault(over_approximation(program, {}), launch, solver, options)
        for line, program in starts.programs()
    }


def _fences_all(kernel: Kernel, early: Collection[str]) -> bool:
    """Return whether each barrier fences what is written, but for arrays that nothing accesses before a barrier."""
    steps = kernel.steps
    written = {step.array for step in steps if isinstance(step, Access) and step.kind != "read"}
    spaces = {kernel.array(name).space for name in written & set(early)} - {"private"}
    return all(spaces <= step.fences and step.scope == "group" for step in steps if isinstance(step, Barrier))


def _has_no_fault(program: Kernel, launch: Launch, solver: Solver, options: Options) -> bool:
    order = [block.name for block in program.blocks]
    walk = Walk(program, launch, options=options, until=solver.until, order=order)
    fails = [check.fails for check in walk.state.checks if check.kind in {"race", "divergence"}]
    if not fails:
        return True
    seconds, solver.seconds = solver.seconds, min(solver.seconds, _SECONDS)
    try:
        claim = walk.terms.all(walk.terms.any(*fails), walk.state.same_group)
        return solver.ask(script([claim])).verdict == "unsat"
    finally:
        solver.seconds = seconds


class _BarrierPrograms:
    """The programs that begin at the barriers of a kernel. `differ` are the values that threads may not share."""

    def __init__(self, kernel: Kernel, flow: Flow, launch: Launch, differ: Collection[str]) -> None:
        self._kernel, self._flow, self._differ = kernel, flow, differ
        self._values = Values(kernel, launch)
        self._known = set(kernel.words())
        # Each block depends on its parameters only, so that it may stand behind another beginning.
        self._closed = with_block_parameters(kernel)

    def programs(self) -> Iterator[tuple[int | None, Kernel]]:
        """Yield the programs, each with the line of its barrier, or None for the beginning of the kernel."""
        cut = tuple(_until_barrier(block, 0) for block in self._closed.blocks)
        yield None, replace(self._closed, blocks=cut)
        for block in self._closed.blocks:
            for number, instruction in enumerate(block.instructions):
                if isinstance(instruction, Barrier):
                    yield instruction.line, replace(self._closed, blocks=(*self._beginning(block, number + 1), *cut))

    def _beginning(self, block: Block, number: int) -> Iterator[Block]:
        """Yield a block with what is known behind a barrier, and the rest of the block of that barrier."""
        here = self._kernel.block(block.name)
        before = [name for instruction in here.instructions[:number] if (name := getattr(instruction, "name", ""))]
        lives = [name.rpartition("@")[0] for name, _ in block.parameters] + before
        writer = _Writer(self._values, self._differ)
        values = {f"{name}@{block.name}": writer.value(self._values.of(name)) for name in dict.fromkeys(lives)}
        for claim in self._facts(here, number):
            writer.body.append(KernelClaim("assume", writer.value(claim)))
        rest = rename_values(_until_barrier(block, number), "rest", self._known)
        widths = self._closed.all_widths()
        parameters = tuple((f"{name}@rest", widths[name]) for name in values)
        rest = replace(rest, name=f"rest of {block.name}", parameters=parameters)
        start = Block("start", (), tuple(writer.body), End((JumpTarget(rest.name, tuple(values.values())),)))
        yield start
        yield rest

    def _facts(self, here: Block, number: int) -> Iterator[Term]:
        """Yield what is known at a place of a block: assumptions before it, and branches that each way there takes."""
        for name in self._flow.order:
            block = self._kernel.block(name)
            if not self._flow.dominates(name, here.name):
                continue
            for instruction in block.instructions[: number if block is here else None]:
                if isinstance(instruction, KernelClaim) and instruction.kind == "assume":
                    yield self._values.of(instruction.value)
            for place, target in enumerate(block.end.targets if len(block.end.targets) > 1 else ()):
                if self._flow.is_guarded(name, target.block, here.name):
                    test = self._values.of(block.end.test)
                    yield self._values.terms.no(test) if place else test


def _until_barrier(block: Block, start: int) -> Block:
    """Return the rest of a block from an instruction to its next barrier."""
    rest = block.instructions[start:]
    end = next((number for number, instruction in enumerate(rest) if isinstance(instruction, Barrier)), None)
    if end is None:
        return replace(block, instructions=rest)
    return replace(block, instructions=rest[: end + 1], end=End())


class _Writer:
    """Writes formulas as instructions. What nothing computes is arbitrary, and common if it cannot differ."""

    def __init__(self, values: Values, differ: Collection[str]) -> None:
        self.body: list[Instruction] = []
        self._values, self._differ = values, differ
        self._names: dict[Term, Operand] = {}

    def value(self, meaning: Term) -> Operand:
        """Write what computes a formula, and return its value."""
        for term in below([meaning]):
            if term not in self._names:
                self._names[term] = self._operand(term)
        return self._names[meaning]

    def _operand(self, term: Term) -> Operand:
        if term.value is not None:
            return Constant(term.value, term.width)
        if term.name and self._values.block_of(term.name) is None:
            return term.name
        name = f"start {term.number}"
        if term.name:
            self.body.append(Arbitrary(name, term.width, is_uniform=term.name not in self._differ))
        else:
            operands = tuple(self._names[operand] for operand in term.operands)
            self.body.append(Compute(name, term.operator, operands, term.width))
        return name
