"""Find the candidates that are invariants, all of them (Houdini, Flanagan and Leino 2001).

All candidates are assumed at the headers of their loops. A solver looks for a state in which one of them fails, at the
entry of its loop or after a round. Those that fail in the state are removed, and the solver is asked again, until no
candidate can fail. What is left is the largest set of candidates that are invariants together, in whatever order they
are removed.

A candidate has a switch in the formulas, so all queries are about the same walk of the two threads. A second switch
says whether a query is about the candidate. So the solver reads one script, and each query only sets switches.

If the solver gives up on a query, candidates that divide by a number that is no power of two are removed. Solvers are
slow with those. If that does not help, the solver is asked about fewer candidates at once, and a single one on which it
gives up is removed. This is sound, because what is left holds by itself. But a larger set may hold, too.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from synth_kernels.pair.options import DEFAULT
from synth_kernels.pair.walk import Walk
from synth_kernels.refutation.shared_refutations import RefutedCandidates
from synth_kernels.terms import below, evaluate, script

if TYPE_CHECKING:
    from synth_kernels.launch import Launch
    from synth_kernels.pair.options import Options
    from synth_kernels.pair.state import KernelCheck
    from synth_kernels.program import Kernel
    from synth_kernels.terms import Term
    from synth_solvers.client import Solver

#: A query about many candidates gets so many seconds of the solver's work, and one about fewer gets less.
_SECONDS, _LEAST_SECONDS = 6.0, 2.0
#: After so many seconds of its work, candidates on which the solver gives up are no longer tried one by one.
_ALL_SECONDS = 20.0


@dataclass(slots=True)
class HoudiniResult:
    """The candidates by their lines: in which round each one was refuted.

    `dropped` are those that were removed because the solver gave up on them. `rounds` counts the queries of Houdini.
    `by` names the engine for those that another one refuted, in one of its own rounds.
    """

    refuted: dict[int, int] = field(default_factory=dict)
    by: dict[int, str] = field(default_factory=dict)
    dropped: set[int] = field(default_factory=set)
    rounds: int = 0

    @property
    def removed(self) -> frozenset[int]:
        """The lines of all candidates that do not count."""
        return frozenset(self.refuted) | self.dropped

    def outcome(self, line: int) -> Literal["kept", "refuted", "dropped"]:
        """Return what came of a candidate."""
        return "dropped" if line in self.dropped else "refuted" if line in self.refuted else "kept"


def infer(
    kernel: Kernel, launch: Launch, solver: Solver, options: Options = DEFAULT, shared: RefutedCandidates | None = None
) -> HoudiniResult | str:
    """Return which candidates of a kernel are no invariants; or why that is not known, if time is over.

    `shared` are those that other engines have refuted, or refute meanwhile.
    """
    walk = Walk(kernel, launch, (), options, solver.until, switched=True)
    return _Houdini(walk, solver, shared or RefutedCandidates()).run()


def refute(  # noqa: PLR0913, PLR0917
    kernel: Kernel, launch: Launch, solver: Solver, options: Options, shared: RefutedCandidates, engine: str
) -> None:
    """Refute candidates by one kind of checks only: SBASE at the entry of loops, SSTEP after a round.

    Each query assumes at least all invariants among the candidates. So Houdini refutes what it refutes.
    """
    walk = Walk(kernel, launch, (), options, solver.until, switched=True)
    _Houdini(walk, solver, shared, engine, {"SBASE": "base", "SSTEP": "step"}[engine]).run()


class _Houdini:
    def __init__(
        self, walk: Walk, solver: Solver, shared: RefutedCandidates, engine: str = "H", only: str = ""
    ) -> None:
        self._walk, self._solver = walk, solver
        self._shared, self._engine = shared, engine
        self._checks: dict[int, list[KernelCheck]] = {}
        for check in walk.state.checks:
            if check.candidate and only in {"", check.kind}:
                self._checks.setdefault(check.line, []).append(check)
        terms = walk.terms
        #: For each candidate whether it fails, and the switch that says that a query is about it.
        self._fails = {line: terms.any(*(check.fails for check in checks)) for line, checks in self._checks.items()}
        self._about = {line: terms.variable(f"about {line}", 1) for line in self._checks}
        self._goal = terms.any(*(terms.all(self._about[line], fails) for line, fails in self._fails.items()))
        self._hard = {line for line, claim in walk.claims.items() if _is_hard(claim)}
        self._found = HoudiniResult()
        self._ends = solver.worked + _ALL_SECONDS

    def run(self) -> HoudiniResult | str:
        seconds = self._solver.seconds
        try:
            while self._round(self._left(), min(seconds, _SECONDS)):
                if self._solver.is_late or self._shared.stop.is_set():
                    return "time limit"
        finally:
            self._solver.seconds = seconds
        return self._found

    def _left(self) -> list[int]:
        """Return the candidates that are left, without those that another engine has refuted by now."""
        for line, refutation in self._shared.found.copy().items():
            if line not in self._found.removed:
                self._found.refuted[line], self._found.by[line] = refutation.round, refutation.engine
        return [line for line in self._checks if line not in self._found.removed]

    def _round(self, lines: list[int], seconds: float) -> bool:
        """Remove the candidates among some that fail in a state, and return whether there are any."""
        if not lines or self._solver.is_late:
            return bool(lines)
        self._found.rounds += 1
        self._solver.seconds = seconds
        switches = {switch: line not in self._found.removed for line, switch in self._walk.switches.items()}
        about = {switch: line in lines for line, switch in self._about.items()}
        answer = self._solver.ask(script([self._goal], switches | about))
        if answer.verdict == "unsat":
            return False
        if answer.verdict == "sat":
            values = {name: int(value) for name, value in answer.values.items()}
            values |= {switch.name: int(is_on) for switch, is_on in switches.items()}
            holds = evaluate([self._fails[line] for line in lines], values)
            wrong = [line for line in lines if holds[self._fails[line]]]
            self._found.refuted |= dict.fromkeys(wrong, self._found.rounds)
            if self._engine != "H":
                self._shared.add(wrong, self._engine, self._found.rounds)
            return True
        return self._gave_up(lines, seconds)

    def _gave_up(self, lines: list[int], seconds: float) -> bool:
        """Remove candidates on which the solver gave up, and return whether to go on. Only Houdini itself may do so."""
        if self._engine != "H":
            return False
        if (hard := self._hard & set(lines)) or len(lines) == 1 or self._solver.worked > self._ends:
            self._found.dropped |= hard or set(lines)
            return True
        less = max(_LEAST_SECONDS, seconds / 2)
        half = len(lines) // 2
        parts = [self._round(lines[:half], less), self._round(lines[half:], less)]
        return any(parts)


def _is_hard(claim: Term) -> bool:
    """Return whether a claim divides by something else than a power of two."""
    return any(
        term.operator in {"udiv", "urem", "sdiv", "srem"}
        and ((by := term.operands[1].value) is None or by & (by - 1) != 0)
        for term in below([claim])
    )
