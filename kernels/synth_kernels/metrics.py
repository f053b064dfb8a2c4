"""Measure rules and engines on a kernel, by the metrics of Betts et al. (2015).

A kernel is *trivial* if it is verified without candidates. A rule is *essential* for a kernel that is verified with all
rules, and not without this one. It *influences* another rule if fewer candidates of that one are kept without it. Only
what was kept with all rules can be kept without one of them, so no other candidates are tried then.
"""

from __future__ import annotations

import collections
import itertools
import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from synth_kernels import houdini
from synth_kernels.candidates.placement import with_candidates
from synth_kernels.deadline import OverdueError
from synth_kernels.kernel_verdict import failing_checks
from synth_kernels.pair.walk import Walk
from synth_kernels.refutation import portfolio as running
from synth_kernels.refutation.shared_refutations import RefutedCandidates

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from synth_kernels.candidates.placement import InvariantCandidate
    from synth_kernels.launch import Launch
    from synth_kernels.pair.options import Options
    from synth_kernels.program import Kernel
    from synth_solvers.client import Solver

ENGINES = ("SBASE", "SSTEP", "LU(1)", "LU(2)", "DYN")
PORTFOLIO = "DYN||SBASE||H"


@dataclass(frozen=True, slots=True)
class CandidateMetrics:
    """A kernel with some candidates: those made and kept, whether it is verified, and the seconds of each stage."""

    made: tuple[InvariantCandidate, ...]
    kept: tuple[InvariantCandidate, ...]
    dropped: int
    is_verified: bool
    making: float
    inferring: float
    checking: float


@dataclass(frozen=True, slots=True)
class EngineMetrics:
    """What an engine did alone: the candidates that it refuted, those that Houdini also did, and its seconds."""

    refuted: int
    common: int
    seconds: float


@dataclass(frozen=True, slots=True)
class KernelMetrics:
    """A kernel with no candidates and with those of all rules, and what the rules and engines are good for.

    `essential` are rules without which it is not verified. `influence` has, for a rule and another one, how many
    candidates of the other one are lost without the first. `portfolio` is the seconds of the portfolio of engines, and
    `is_same` says that it kept what Houdini alone kept.
    """

    none: CandidateMetrics
    all: CandidateMetrics
    essential: frozenset[str] = frozenset()
    influence: dict[tuple[str, str], int] = field(default_factory=dict)
    engines: dict[str, EngineMetrics] = field(default_factory=dict)
    refuted: int = 0
    portfolio: float = 0.0
    is_same: bool = True


def measure(kernel: Kernel, launch: Launch, solver: Solver, options: Options) -> KernelMetrics:
    """Measure the rules and engines on a kernel."""
    none = measure_candidates(kernel, launch, solver, options, ())
    every = measure_candidates(kernel, launch, solver, options, options.rules)
    essential, influence = set[str](), collections.Counter[tuple[str, str]]()
    kept = {candidate.key for candidate in every.kept}
    if every.is_verified and not none.is_verified:
        for rule in dict.fromkeys(candidate.rule for candidate in every.kept):
            without = measure_candidates(
                kernel, launch, solver, options, [other for other in options.rules if other != rule], kept
            )
            without_rule = {candidate.key for candidate in without.kept}
            influence.update(
                (rule, candidate.rule)
                for candidate in every.kept
                if candidate.rule != rule and candidate.key not in without_rule
            )
            if not without.is_verified:
                essential.add(rule)
    metrics = KernelMetrics(none, every, frozenset(essential), dict(influence))
    return _with_engines(metrics, kernel, launch, solver, options) if every.made else metrics


def measure_candidates(  # noqa: PLR0913, PLR0917
    kernel: Kernel,
    launch: Launch,
    solver: Solver,
    options: Options,
    rules: Sequence[str],
    only: Collection[str] | None = None,
) -> CandidateMetrics:
    """Return whether no check of a kernel can fail, with candidates of some rules, or only some of these."""
    times = [time.monotonic()]
    whole, candidates = with_candidates(kernel, launch, rules, only)
    times.append(time.monotonic())
    inferred = houdini.infer(whole, launch, solver, options)
    times.append(time.monotonic())
    is_verified = False
    if not isinstance(inferred, str):
        walk = Walk(whole, launch, inferred.removed, options, solver.until)
        is_verified = (
            failing_checks([check for check in walk.state.checks if not check.candidate], walk, solver) is None
        )
    times.append(time.monotonic())
    stages = [after - before for before, after in itertools.pairwise(times)]
    if isinstance(inferred, str):
        return CandidateMetrics(tuple(candidates), (), len(candidates), is_verified, *stages)
    kept = tuple(candidate for candidate in candidates if candidate.line not in inferred.removed)
    return CandidateMetrics(tuple(candidates), kept, len(inferred.dropped), is_verified, *stages)


def _with_engines(
    metrics: KernelMetrics, kernel: Kernel, launch: Launch, solver: Solver, options: Options
) -> KernelMetrics:
    """Add what the engines do with the candidates of all rules."""
    whole, candidates = with_candidates(kernel, launch, options.rules)
    kept = {candidate.line for candidate in metrics.all.kept}
    wrong = {candidate.line for candidate in candidates} - kept
    engines = {}
    for engine in ENGINES:
        shared, begins = RefutedCandidates(), time.monotonic()
        try:
            running.refute(engine, whole, launch, solver, options, shared)
        except OverdueError:
            break
        lines = shared.lines()
        engines[engine] = EngineMetrics(len(lines), len(lines & wrong), time.monotonic() - begins)
    begins = time.monotonic()
    together = running.infer(whole, launch, solver, replace(options, engine=PORTFOLIO))
    seconds = time.monotonic() - begins
    is_same = not isinstance(together, str) and kept == {
        candidate.line for candidate in candidates if candidate.line not in together.removed
    }
    return replace(metrics, engines=engines, refuted=len(wrong), portfolio=seconds, is_same=is_same)
