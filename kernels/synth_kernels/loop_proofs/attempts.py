"""Prove a kernel with loops without looking for invariants, and say which way proved each loop.

The ways are tried in this order, each with what the ones before it know:

- *over-approximation*: what a loop changes is arbitrary in its range;
- *normalisation*: a value to which each round adds the same is `first + round * step`;
- *compensation*: a value that each round multiplies or divides has a form of its own, such as `first << round`.

In each of them, some rounds stand for all (`rounds`), so that there is nothing to be inferred. A proof is sound, and no
proof says nothing: what fails here may be a false alarm.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, TypeAlias

from synth_kernels.fault_query import requested_checks
from synth_kernels.flow import Flow
from synth_kernels.loop_proofs.closed_forms import rewrite_loops
from synth_kernels.loop_proofs.rounds import (
    barriers,
    barriers_of_each_round,
    over_approximation,
    spaces_fenced_each_round,
    without_barriers,
)
from synth_kernels.loop_proofs.uniformity import varying_values
from synth_kernels.pair.annotations import is_invariant, pair_values
from synth_kernels.pair.walk import Walk
from synth_kernels.program import Access, Barrier, KernelClaim
from synth_kernels.terms import script
from synth_kernels.unrolled_loops import without_invariants

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from synth_kernels.launch import Launch
    from synth_kernels.loop_proofs.closed_forms import Form, RewrittenKernel
    from synth_kernels.pair.options import Options
    from synth_kernels.pair.state import KernelCheck, ThreadPairState
    from synth_kernels.program import Kernel
    from synth_solvers.client import Solver

#: The word for the other way: by invariants that somebody gave or Houdini kept.
INVARIANTS = "invariants"
#: How a loop was proved.
Way: TypeAlias = Literal["over-approximation", "normalisation", "compensation"]
_FORMS: dict[Way, tuple[Form, ...]] = {
    "over-approximation": (),
    "normalisation": ("linear",),
    "compensation": ("linear", "geometric"),
}
WAYS: tuple[Way, ...] = tuple(_FORMS)
#: A query takes at most so many seconds of the solver's work, all about one program so many. A kernel has at most so
#: many blocks.
_SECONDS, _ALL_SECONDS = 5.0, 30.0
_MOST_BLOCKS = 1_000


@dataclass(frozen=True, slots=True)
class Proof:
    """A proof: the way that proved each loop, by its header, and the writes of one value to one place."""

    ways: dict[str, Way]
    benign: tuple[int, ...] = ()


def prove(kernel: Kernel, launch: Launch, solver: Solver, options: Options) -> Proof | None:
    """Return a proof by one of the ways of the options, or None if there is none.

    Launches with warps in lockstep are left to Houdini. Here, two threads may be in different rounds of a loop, so that
    they would seem to access something together when they don't.

    Raises:
        OverdueError: the time of the solver was over.
    """
    if launch.warp or any(
        instruction.kind in {"invariant", "observe"}
        for instruction in kernel.steps
        if isinstance(instruction, KernelClaim)
    ):
        return None
    kernel = without_invariants(kernel)
    flow = Flow(kernel)
    if not flow.loops or not is_eligible(kernel, flow):
        return None
    before: RewrittenKernel | None = None
    for way in (way for way in WAYS if way in options.ways):
        rewritten_kernel = rewrite_loops(kernel, launch, _FORMS[way])
        if before is not None and rewritten_kernel.forms == before.forms:
            continue  # the way has nothing to add
        before = rewritten_kernel
        benign = _prove_rewritten(rewritten_kernel, launch, solver, options)
        if benign is not None:
            return Proof(
                {header: _way_of(rewritten_kernel.forms[header]) for header in flow.loops}, tuple(sorted(benign))
            )
    return None


def ways_by_cuts(kernel: Kernel, removed: Collection[int] = ()) -> dict[str, Way | Literal["invariants"]]:
    """Return the ways of a proof that cuts each loop at its header: by invariants, or without.

    `removed` are the lines of candidates that are no invariants.
    """
    ways: dict[str, Way | Literal["invariants"]] = {}
    for header in Flow(kernel).loops:
        kept = (
            is_invariant(instruction) and instruction.line not in removed
            for instruction in kernel.block(header).instructions
        )
        ways[header] = "invariants" if any(kept) else "over-approximation"
    return ways


def _way_of(forms: Collection[Form]) -> Way:
    return "compensation" if "geometric" in forms else "normalisation" if "linear" in forms else "over-approximation"


def is_eligible(kernel: Kernel, flow: Flow) -> bool:
    """Return whether the ways can deal with a kernel.

    Claims about loops or about both threads are left to Houdini, and so are asynchronous copies. A loop with barriers
    has to pass one in each round, and all its barriers are of a group.
    """
    steps = kernel.steps
    if any(
        step.event if isinstance(step, Access) else isinstance(step, Barrier) and (step.same or step.waits)
        for step in steps
    ):
        return False
    if flow.entry in flow.loops or pair_values(kernel).keys() - kernel.words().keys():
        return False
    for loop in flow.loops.values():
        inside = barriers(kernel, loop.blocks)
        if any(barrier.scope != "group" for barrier in inside) or (
            inside and not barriers_of_each_round(kernel, flow, loop)
        ):
            return False
    return True


def unordered_arrays(kernel: Kernel, flow: Flow) -> set[str]:
    """Return the arrays that a loop with barriers accesses, but that no barrier of each of its rounds fences."""
    spaces = {array.name: array.space for array in kernel.arrays}
    arrays = set()
    for loop in flow.loops.values():
        if barriers(kernel, loop.blocks):
            fenced = spaces_fenced_each_round(kernel, flow, loop)
            steps = [instruction for name in loop.blocks for instruction in kernel.block(name).instructions]
            arrays |= {step.array for step in steps if isinstance(step, Access) and spaces[step.array] not in fenced}
    return arrays


def _prove_rewritten(
    rewritten_kernel: RewrittenKernel, launch: Launch, solver: Solver, options: Options
) -> set[int] | None:
    """Return the writes of one value to one place if no check can fail, or None."""
    benign: set[int] = set()
    for program, narrow in _programs(rewritten_kernel, launch):
        if len(program.blocks) > _MOST_BLOCKS:
            return None
        order = [block.name for block in program.blocks]
        walk = Walk(program, launch, options=options, until=solver.until, order=order)
        checks, met = (
            [
                narrowed
                for check in requested_checks(possible, walk.state, options)
                if (narrowed := narrow(check, walk.state))
            ]
            for possible in (walk.state.checks, walk.state.benign)
        )
        if _may_fail(checks, walk, solver):
            return None
        if _may_fail(met, walk, solver):
            benign |= {candidate.line for candidate in met if _may_fail([candidate], walk, solver)}
    return benign


def _may_fail(checks: Sequence[KernelCheck], walk: Walk, solver: Solver) -> bool:
    """Return whether some check can fail, or the solver gives up on it, first on all at once and then on each."""
    if not checks:
        return False
    seconds, solver.seconds = solver.seconds, min(solver.seconds, _SECONDS)
    ends = solver.worked + _ALL_SECONDS
    try:
        answer = solver.ask(script([walk.terms.any(*(check.fails for check in checks))]))
        if answer.verdict != "unknown" or len(checks) == 1:
            return answer.verdict != "unsat"
        return any(solver.worked > ends or solver.ask(script([check.fails])).verdict != "unsat" for check in checks)
    finally:
        solver.seconds = seconds


def _programs(
    rewritten_kernel: RewrittenKernel, launch: Launch
) -> Iterator[tuple[Kernel, Callable[[KernelCheck, ThreadPairState], KernelCheck | None]]]:
    """Yield kernels without loops that have the faults of a kernel, each with what to take of its checks.

    If some loop has barriers, there are two. One keeps the barriers, and its races are those of a group. The other one
    has no barriers, and its races are those that barriers do not prevent.
    """
    kernel = rewritten_kernel.kernel
    flow = Flow(kernel)
    waiting = {name for name, loop in flow.loops.items() if barriers(kernel, loop.blocks)}
    if not waiting:
        yield over_approximation(kernel, {}), lambda check, _: check
        return
    loose = unordered_arrays(kernel, flow)
    differ = varying_values(kernel, flow)
    common = {
        name: {parameter for parameter, _ in kernel.block(name).parameters}
        - (differ - {rewritten_kernel.rounds.get(name)})
        for name in waiting
    }

    def in_group(check: KernelCheck, state: ThreadPairState) -> KernelCheck | None:
        if check.kind not in {"race", "benign"}:
            return check
        if check.access is not None and check.access.array in loose:
            return None
        return replace(check, fails=state.terms.all(check.fails, state.same_group))

    def beyond_barriers(check: KernelCheck, state: ThreadPairState) -> KernelCheck | None:
        if check.kind not in {"race", "benign"}:
            return None
        if check.access is not None and check.access.array in loose:
            return check
        return replace(check, fails=state.terms.all(check.fails, state.terms.no(state.same_group)))

    yield over_approximation(kernel, common), in_group
    if loose or any(size != 1 for size in launch.groups):
        yield over_approximation(without_barriers(kernel), {}), beyond_barriers
