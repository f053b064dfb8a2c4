"""Verify kernels and functions together: find what their contracts may say, then check each of them by these contracts.

Houdini runs on one kernel or function at a time. If it refutes a candidate of a contract, those that rely on it run
again, until no more are refuted. Then all that is left holds at once: each side guarantees it while it assumes no more.
A call that goes on without end guarantees nothing, but a proof takes for granted anyway that threads end. So recursion
is allowed: what a function guarantees of a call may rest on its own contract.

A function that nobody calls has no candidates for preconditions, since anybody may call it. A kernel or function is
verified only if all that it calls is.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from synth_kernels.candidates.placement import with_candidates
from synth_kernels.deadline import OverdueError
from synth_kernels.fault_query import requested_checks
from synth_kernels.flow import Flow
from synth_kernels.houdini import HoudiniResult, infer
from synth_kernels.kernel_verdict import judge_checks
from synth_kernels.modular.clauses import FIRST_LINE, clauses_of
from synth_kernels.modular.contract_claims import with_clauses
from synth_kernels.modular.effects import calls_of
from synth_kernels.modular.loops import with_call_candidates
from synth_kernels.pair.arrival_counts import object_scopes
from synth_kernels.pair.walk import Walk
from synth_kernels.recheck import recheck_proofs
from synth_kernels.refutation.shared_refutations import RefutedCandidates
from synth_kernels.reports import KernelReport
from synth_kernels.supported_parts import refuse

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from synth_kernels.candidates.placement import InvariantCandidate
    from synth_kernels.launch import Launch
    from synth_kernels.modular.clauses import ContractClause
    from synth_kernels.pair.options import Options
    from synth_kernels.program import Kernel
    from synth_kernels.recheck import Together
    from synth_solvers.client import Solver


@dataclass(slots=True)
class ModularPart:
    """A kernel or a function, with the candidates in it and, in the end, the report on it.

    `clauses` are the candidates for its own contract, if it is a function.
    """

    kernel: Kernel
    launch: Launch
    whole: Kernel
    candidates: list[InvariantCandidate]
    clauses: list[ContractClause]
    inferred: HoudiniResult = field(default_factory=HoudiniResult)
    report: KernelReport = field(default_factory=lambda: KernelReport("unknown"))


def verify_together(kernels: Together, solver: Solver, options: Options) -> list[ModularPart]:
    """Verify kernels and functions that call each other, each for its launch. All that is called must be among them.

    Raises:
        InputError: one of them can't be walked.
    """
    for kernel, _ in kernels:
        refuse(kernel, "subgroup")
    first: list[ModularPart] = []

    def prove(chosen: Together, how: Options) -> list[KernelReport]:
        parts = _ModularProof(chosen, solver, how).run()
        if not first:
            first.extend(parts)
        return [part.report for part in parts]

    reports = recheck_proofs(kernels, options, prove)
    for part, report in zip(first, reports, strict=True):
        part.report = report
    _take_back_proofs(first)
    return first


def _called_functions(kernels: Sequence[Kernel]) -> set[str]:
    """Return the functions that kernels call, or functions that nobody calls, or that other such functions call.

    Functions that only call each other are not among these: nothing says how the first one is called.
    """
    units = {kernel.function.key: kernel for kernel in kernels if kernel.function}
    called = {call.unit for kernel in kernels for call in calls_of(kernel)}
    reached: set[str] = set()
    todo = [kernel for kernel in kernels if kernel.function is None or kernel.function.key not in called]
    while todo:
        new = {call.unit for call in calls_of(todo.pop())} - reached
        reached |= new
        todo += [units[key] for key in new]
    return reached


class _ModularProof:
    def __init__(self, kernels: Together, solver: Solver, options: Options) -> None:
        self._solver, self._options = solver, options
        self._objects = object_scopes((kernel for kernel, _ in kernels), options)
        self._units = {kernel.function.key: kernel for kernel, _ in kernels if kernel.function}
        self._called = _called_functions([kernel for kernel, _ in kernels])
        self._refuted: set[int] = set()
        self._dropped: set[int] = set()
        clauses = self._clauses(kernels)
        self._lines = {clause.line: clause for own_clauses in clauses.values() for clause in own_clauses}
        self._parts: list[ModularPart] = []
        for kernel, launch in kernels:
            whole, candidates = with_candidates(kernel, launch, options.rules)
            if options.rules:
                whole, more = with_call_candidates(whole, launch)
                candidates = [*candidates, *more]
            own = clauses.get(kernel.function.key, []) if kernel.function else []
            self._parts.append(ModularPart(kernel, launch, with_clauses(whole, self._units, clauses), candidates, own))

    def _clauses(self, kernels: Together) -> dict[str, list[ContractClause]]:
        clauses: dict[str, list[ContractClause]] = {}
        line = FIRST_LINE
        for kernel, launch in kernels if self._options.rules else ():
            if (function := kernel.function) is not None and not function.declared:
                candidates = clauses_of(kernel, launch, line)
                line += len(candidates)
                is_called = function.key in self._called
                clauses[function.key] = [clause for clause in candidates if is_called or clause.word == "ensures"]
        return clauses

    def run(self) -> list[ModularPart]:
        try:
            self._infer()
        except OverdueError:
            return self._all("stopped", "time limit")
        for part in self._parts:
            try:
                part.report = self._judge(part)
            except OverdueError:
                part.report = KernelReport("stopped", reason="time limit")
        _take_back_proofs(self._parts)
        return self._parts

    def _all(self, verdict: str, reason: str) -> list[ModularPart]:
        for part in self._parts:
            part.report = KernelReport(verdict, reason=reason)  # type: ignore[arg-type]
        return self._parts

    def _infer(self) -> None:
        """Find the candidates that hold together."""
        todo = list(self._parts)
        while todo:
            part = todo.pop(0)
            shared = RefutedCandidates()
            shared.add(self._refuted, "H", 0)
            inferred = infer(part.whole, part.launch, self._solver, self._options, shared)
            if isinstance(inferred, str):
                raise OverdueError(inferred)
            part.inferred = inferred
            new = {line for line in inferred.removed if line in self._lines} - self._refuted
            self._refuted |= new
            self._dropped |= new & inferred.dropped
            for other in self._parts:
                if other not in todo and self._relies(other, new):
                    todo.append(other)

    def _relies(self, part: ModularPart, lines: Iterable[int]) -> bool:
        """Return whether a part relies on some of the candidates of contracts."""
        key = part.kernel.function.key if part.kernel.function else ""
        called = {call.unit for call in calls_of(part.kernel)}
        clauses = (self._lines[line] for line in lines)
        return any(
            (clause.word == "requires" and clause.unit == key) or (clause.word == "ensures" and clause.unit in called)
            for clause in clauses
        )

    def _judge(self, part: ModularPart) -> KernelReport:
        """Check all of a part but its candidates, by the contracts and invariants that are left."""
        removed = part.inferred.removed | self._refuted
        walk = Walk(part.whole, part.launch, removed, self._options, self._solver.until)
        checks = [check for check in (*walk.state.checks, *walk.state.benign) if not check.candidate]
        report = judge_checks(requested_checks(checks, walk.state, self._options), walk, self._solver, None)
        if self._objects and any(counterexample.kind == "divergence" for counterexample in report.counterexamples):
            scopes = " and ".join(sorted(self._objects))
            msg = (
                f"threads may meet at different barriers of a {scopes}, which --modular does not support; leave it out"
            )
            return KernelReport("unknown", reason=msg, inferred=self._inferred_of(part))
        if report.verdict == "contradiction" and part.kernel.function:
            report = replace(report, reason="no call satisfies its contract and the lines found for it")
        loops = tuple((header, "invariants") for header in Flow(part.kernel).loops)
        return replace(
            report,
            inferred=self._inferred_of(part),
            candidates=tuple(part.candidates),
            clauses=tuple(part.clauses),
            loops=loops if report.verdict == "verified" else (),  # type: ignore[arg-type]
        )

    def _inferred_of(self, part: ModularPart) -> HoudiniResult:
        """Return what came of the candidates of a part, without those of contracts of others."""
        mine = {clause.line for clause in part.clauses}
        inferred = part.inferred
        refuted = {line: round_ for line, round_ in inferred.refuted.items() if line not in self._lines}
        refuted |= {line: inferred.refuted.get(line, 0) for line in mine & self._refuted}
        dropped = {line for line in inferred.dropped if line not in self._lines} | (mine & self._dropped)
        by = {line: engine for line, engine in inferred.by.items() if line in refuted and line not in self._lines}
        return HoudiniResult(
            {line: at for line, at in refuted.items() if line not in dropped}, by, dropped, inferred.rounds
        )


def _take_back_proofs(parts: Sequence[ModularPart]) -> None:
    """Take back proofs that rest on a function which is not verified."""
    by_key = {part.kernel.function.key: part for part in parts if part.kernel.function}
    changed = True
    while changed:
        changed = False
        for part in parts:
            bad = [
                by_key[call.unit] for call in calls_of(part.kernel) if by_key[call.unit].report.verdict != "verified"
            ]
            if part.report.verdict in {"verified", "contradiction"} and bad:
                reason = f"it calls {bad[0].kernel.name}, which is not verified"
                part.report = replace(part.report, verdict="unknown", reason=reason, loops=())
                changed = True
