"""Decide whether a kernel has races, divergent barriers or failing assertions, for all launches of a class.

First, rules make candidates, and those that are no invariants are removed (`houdini`). Then a solver looks for a state
in which a check fails. Each such state gives a counterexample, which an execution then tries to confirm
(`confirmation`). The solver goes on with the checks that did not fail, until none of them can. If no counterexample is
confirmed, other ways may prove the kernel (`loop_proofs`).
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from synth_kernels.candidates.placement import with_candidates
from synth_kernels.confirmation.attempts import ConfirmationSearch
from synth_kernels.confirmation.counterexamples import KINDS, counterexample
from synth_kernels.confirmation.states import roots_of
from synth_kernels.fault_query import requested_checks, small_numbers, state_in_which
from synth_kernels.flow import Flow
from synth_kernels.induction import count_induced_blocks, with_induction
from synth_kernels.loop_proofs.attempts import prove, ways_by_cuts
from synth_kernels.pair.arrival_counts import object_scopes
from synth_kernels.pair.options import DEFAULT
from synth_kernels.pair.walk import Walk
from synth_kernels.recheck import recheck_proofs
from synth_kernels.refutation.portfolio import infer
from synth_kernels.reports import Counterexample, KernelReport
from synth_kernels.supported_parts import refuse
from synth_kernels.terms import evaluate, script
from synth_kernels.unrolled_loops import BEYOND_LINE, count_unrolled_blocks, unreached_lines, unroll

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from synth_kernels.launch import Launch
    from synth_kernels.pair.options import Options
    from synth_kernels.pair.state import KernelCheck, ThreadPairState
    from synth_kernels.program import Kernel
    from synth_kernels.recheck import Together
    from synth_kernels.reports import Proved
    from synth_kernels.terms import Term
    from synth_solvers.answers import SolverAnswer
    from synth_solvers.client import Solver

#: An unrolled kernel has at most so many blocks.
MOST_BLOCKS = 2_000
#: A query about many checks gets so many seconds of the solver's work.
_SECONDS = 6.0
#: Sizes and scalars below these are tried first, because such a counterexample is easy to read, and its run is short.
_SMALL = (5, 33)


def verify(
    kernel: Kernel, launch: Launch, solver: Solver, options: Options = DEFAULT, first: Collection[str] = ()
) -> KernelReport:
    """Verify a kernel for all launches that `launch` describes.

    `first` are keys of candidates that were kept before the kernel was edited. They are tried alone first, and if that
    is no proof, all candidates are.

    Raises:
        InputError: the kernel can't be walked.
        OverdueError: the time of the solver was over before anything was found.
    """
    refuse(kernel, "subgroup")

    def prove(parts: Together, how: Options) -> list[KernelReport]:
        ((variant, _),) = parts
        return [_verify_with_counting(variant, launch, solver, how, first if how == options else ())]

    (report,) = recheck_proofs([(kernel, launch)], options, prove)
    return report


def _verify_with_counting(
    kernel: Kernel, launch: Launch, solver: Solver, options: Options, first: Collection[str]
) -> KernelReport:
    """Return the report on a kernel, which counts arrivals at barriers if it has no proof without that."""
    report = _verify_one_way(kernel, launch, solver, options, first)
    if report.verdict in {"verified", "contradiction"} or not object_scopes([kernel], options):
        return report
    return _verify_one_way(kernel, launch, solver, replace(options, counts_barriers=True), first)


def _verify_one_way(
    kernel: Kernel, launch: Launch, solver: Solver, options: Options, first: Collection[str]
) -> KernelReport:
    """Return the report on a kernel. At first, threads must meet at one place; then arrivals may be counted."""
    if options.unroll:
        return _verify_unrolled(kernel, launch, solver, options)
    if first and (report := _verify_with_cut_loops(kernel, launch, solver, options, first)).verdict == "verified":
        return report
    report = _verify_with_cut_loops(kernel, launch, solver, options)
    if report.verdict in {"verified", "contradiction"} or any(fault.is_confirmed for fault in report.counterexamples):
        return report
    if (proof := prove(kernel, launch, solver, options)) is None:
        return report
    loops: tuple[tuple[str, Proved], ...] = tuple(proof.ways.items())
    return replace(report, verdict="verified", counterexamples=(), reason="", benign=proof.benign, loops=loops)


def _verify_with_cut_loops(
    kernel: Kernel, launch: Launch, solver: Solver, options: Options, only: Collection[str] | None = None
) -> KernelReport:
    """Verify a kernel of which loops are cut, with all candidates or only some."""
    whole, candidates = with_candidates(kernel, launch, options.rules, only)
    if (blocks := count_induced_blocks(whole, options.depth)) > MOST_BLOCKS:
        return KernelReport("unknown", reason=f"copied, the kernel has {blocks:,} blocks, more than {MOST_BLOCKS:,}")
    headers = Flow(whole).loops.keys()
    whole = with_induction(whole, options.depth)
    inferred = infer(whole, launch, solver, options)
    if isinstance(inferred, str):
        return KernelReport("unknown", reason=inferred)
    walk = Walk(whole, launch, inferred.removed, options, solver.until)
    checks = [check for check in (*walk.state.checks, *walk.state.benign) if not check.candidate]
    confirming = ConfirmationSearch(kernel, launch, solver, options)
    report = judge_checks(requested_checks(checks, walk.state, options), walk, solver, confirming)
    ways = ways_by_cuts(whole, inferred.removed) if report.verdict == "verified" else {}
    loops = tuple((header, way) for header, way in ways.items() if header in headers)
    return replace(report, inferred=inferred, candidates=tuple(candidates), loops=loops)


def _verify_unrolled(kernel: Kernel, launch: Launch, solver: Solver, options: Options) -> KernelReport:
    """Look for faults in runs in which no loop makes more rounds than a number, and see whether there are others."""
    if (blocks := count_unrolled_blocks(kernel, options.unroll)) > MOST_BLOCKS:
        return KernelReport("unknown", reason=f"unrolled, the kernel has {blocks:,} blocks, more than {MOST_BLOCKS:,}")
    walk = Walk(unroll(kernel, options.unroll, "assert"), launch, options=options, until=solver.until)
    beyond = [check for check in walk.state.checks if check.line == BEYOND_LINE]
    checks = [check for check in (*walk.state.checks, *walk.state.benign) if check.line != BEYOND_LINE]
    report = judge_checks(
        requested_checks(checks, walk.state, options), walk, solver, ConfirmationSearch(kernel, launch, solver, options)
    )
    if report.verdict == "verified" and failing_checks(beyond, walk, solver) is not None:
        return replace(report, verdict="no bug found", unreached=tuple(unreached_lines(kernel, walk, solver)))
    loops = Flow(kernel).loops if report.verdict == "verified" else ()
    return replace(report, loops=tuple((header, "unrolling") for header in loops))


def judge_checks(
    checks: list[KernelCheck], walk: Walk, solver: Solver, confirming: ConfirmationSearch | None
) -> KernelReport:
    """Return the verdict by some checks of a walk. Without a way to confirm faults, all of them are possible ones."""
    remaining = list(checks)
    counterexamples: list[Counterexample] = []
    shown: list[object] = []
    benign: set[int] = set()
    while state := failing_checks(remaining, walk, solver, shown=True):
        if isinstance(state, str):
            previous, remaining = remaining, [check for check in remaining if check.kind != "benign"]
            if len(remaining) == len(previous):
                return _report(counterexamples, state)
            benign |= {check.line for check in previous if check.kind == "benign"}
            continue
        failed, values = state
        first = next((check for check in failed if check.kind != "benign"), failed[0])
        if first.kind == "benign":
            benign.add(first.line)
        else:
            fault = counterexample(first, walk, values, confirming)
            accesses = _accesses_of(fault, first) if fault.is_confirmed else fault
            if accesses not in shown:
                counterexamples.append(fault)
            shown.append(accesses)
        remaining = [check for check in remaining if not _says_the_same(check, first)]
    if not counterexamples and solver.ask(script([walk.required])).verdict == "unsat":
        return KernelReport("contradiction", reason="no launch satisfies what the kernel assumes")
    return replace(_report(counterexamples), benign=tuple(sorted(benign)))


def _accesses_of(fault: Counterexample, check: KernelCheck) -> tuple[object, ...]:
    """Return what is the same for both orders of the accesses of a race."""
    kinds = (check.other_kind or "", check.access.kind) if check.access else ()
    return fault.kind, fault.array, tuple(sorted(fault.lines)), tuple(sorted(kinds))


def _says_the_same(check: KernelCheck, other: KernelCheck) -> bool:
    """Whether two checks are one, or are about one invariant."""
    claims = {"base", "step"}
    return check is other or (check.line == other.line and check.kind in claims and other.kind in claims)


def _report(counterexamples: list[Counterexample], gave_up: str = "") -> KernelReport:
    """Return the verdict that follows from counterexamples, and from why the solver gave up, if it has."""
    kinds = {fault.kind for fault in counterexamples}
    worst = next((kind for kind in KINDS.values() if kind in kinds), None)
    reason = f"further faults are unknown: {gave_up}" if gave_up and worst else gave_up
    return KernelReport(worst or ("unknown" if gave_up else "verified"), tuple(counterexamples), reason)


def failing_checks(
    checks: list[KernelCheck], walk: Walk, solver: Solver, *, shown: bool = False
) -> tuple[list[KernelCheck], dict[Term, int]] | str | None:
    """Return the checks that fail in some state, and that state; None if none can fail, or why that is not known.

    If people are `shown` the state, it has small numbers if possible. If the solver gives up on many checks, it is
    asked about fewer at once.
    """
    if not checks:
        return None
    state, seconds = walk.state, solver.seconds
    small = (
        list(small_numbers(state, _SMALL))
        if shown
        else [[(size, most) for size in state.products.sizes] for most in _SMALL]
    )
    try:
        solver.seconds = min(seconds, _SECONDS if len(checks) > 1 else seconds)
        answer = _find_state(state.terms.any(*(check.fails for check in checks)), state, solver, small)
    finally:
        solver.seconds = seconds
    if answer.verdict == "unknown" and len(checks) > 1 and not solver.is_late:
        half = len(checks) // 2
        parts = (failing_checks(part, walk, solver, shown=shown) for part in (checks[:half], checks[half:]))
        gave_up: str | None = None
        for result in parts:
            if isinstance(result, tuple):
                return result
            gave_up = gave_up or result
        return gave_up
    if answer.verdict == "unknown":
        return answer.reason or "the solver gave up"
    if answer.verdict == "unsat":
        return None
    places = [check.element for check in checks if check.element is not None]
    roots = [*(check.fails for check in checks), *places, *roots_of(walk), *(log.happens for log in state.logs)]
    values = evaluate(roots, {name: int(value) for name, value in answer.values.items()})
    return [check for check in checks if values[check.fails]], values


def _find_state(
    fails: Term, state: ThreadPairState, solver: Solver, small: Sequence[Sequence[tuple[Term, int]]]
) -> SolverAnswer:
    """Look for a state in which something fails, if possible with small numbers. A proof needs no true products."""
    answer = solver.ask(script([fails]))
    if answer.verdict != "sat" or (state.products.exact.value == 1 and not any(small)):
        return answer
    small_answer = state_in_which(fails, state, solver, small)
    return answer if small_answer.verdict == "unknown" else small_answer
