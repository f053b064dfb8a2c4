"""Prove obligations: a portfolio of attempts for each, in several processes.

An obligation is *proved* if a solver finds its query unsatisfiable. It is *refuted* if a solver finds values for which
the evaluator confirms that the hypotheses hold and the goal does not. Else it is *undecided*, with the reason. The
solvers run in processes of their own (`synth_solvers`), one for each thread of this module.

What the solvers may do is limited by their own steps, so the verdicts do not depend on how busy the computer is. All
limits here are in seconds that a solver takes for so many steps on a processor that does nothing else.
"""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

from synth_machines.refutations import Refutation, is_confirmed
from synth_machines.sequents.scripts import finite_script_of, names_shared, parts_of, script_of, sequent_of
from synth_machines.sequents.settings import settings_for
from synth_machines.sequents.values import UnsupportedError
from synth_solvers.client import Solver

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from synth_machines.answers.proofs import Proofs
    from synth_machines.obligations.obligation import Obligation
    from synth_machines.sequents.scripts import Sequent
    from synth_solvers.answers import Answer

Verdict: TypeAlias = Literal["proved", "refuted", "undecided"]
#: The sequents that were proved, which together prove a goal, each with the places of the hypotheses used. Or none.
Proof: TypeAlias = "tuple[tuple[Sequent, tuple[int, ...]], ...]"
#: The limit for a query, unless the caller says something else.
SECONDS = 20.0
#: The limits of a solver for values over few elements, and of a peer to confirm a proof.
_FINITE_S, _PEER_S = 5.0, 3.0


@dataclass(frozen=True, slots=True)
class Attempt:
    """A query about an obligation.

    `rounds` says how hypotheses are chosen: those that share a name with the goal, and as often with those that were
    found. None means all. `seconds` is the limit, or None for that of the caller.
    """

    rounds: int | None
    seconds: float | None
    options: Mapping[str, bool] = field(default_factory=dict)


#: What is tried, until something is proved. With few hypotheses, solvers find some proofs at once. Before the last
#: attempt, which may take long, we look for a refutation.
FIRST = Attempt(None, 2.0)
#: With more hypotheses, most of the time is spent on writing and reading those that nobody needs. So few come first.
_MANY = 100
OF_MANY = Attempt(1, 1.0)
OTHERS = (Attempt(1, 2.0), Attempt(1, 2.0, {"mbqi": False}))
#: What is tried for each part of a goal that says several things, if none of these proves the goal.
OF_PARTS = (Attempt(1, 1.0), Attempt(None, 2.0))
LONGER = Attempt(None, 6.0)
LAST = Attempt(None, None)


@dataclass(frozen=True, slots=True)
class Decided:
    """What became of an obligation.

    `used` are the places of the hypotheses of a proof, among those of its sequent. `because` says why nothing is
    decided. `is_cached` says that an earlier proof was found again. `peer` is the verdict of a second solver on the
    query that was proved, if one was asked: `unsat` confirms the proof.
    """

    obligation: Obligation
    verdict: Verdict
    because: str = ""
    used: tuple[int, ...] = ()
    refutation: Refutation | None = None
    is_cached: bool = False
    peer: str | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """How to prove: the limit for a query in seconds, a second solver or None, and the proofs of earlier runs."""

    seconds: float = SECONDS
    peer: str | None = None
    proofs: Proofs | None = None


class _Solvers(threading.local):
    """The solvers of a thread."""

    def __init__(self, until: ExitStack, seconds: float) -> None:
        self._until = until
        self._seconds = seconds
        self._started: dict[str, Solver] = {}

    def ask(self, name: str, script: str, seconds: float | None, options: Mapping[str, bool] | None = None) -> Answer:
        """Ask a solver, which is started when it is first asked."""
        if name not in self._started:
            self._started[name] = self._until.enter_context(Solver(name, seconds=self._seconds))
        solver = self._started[name]
        solver.seconds = min(self._seconds, seconds or self._seconds)
        return solver.ask(script, options)


def prove(
    obligations: Iterable[Obligation], asked: Asked, jobs: int, must_stop: Callable[[], bool] = lambda: False
) -> Iterator[Decided]:
    """Yield what becomes of each obligation, in their order, with so many solvers at a time.

    When `must_stop` says so, the obligations that are left are undecided.

    Raises:
        InputError: no solver has the name of the peer.
        ResourceError: its package is not installed.
    """
    if asked.peer is not None:
        Solver(asked.peer, seconds=asked.seconds)
    with ExitStack() as until, ThreadPoolExecutor(jobs) as pool:
        solvers = _Solvers(until, asked.seconds)

        def decide(obligation: Obligation) -> Decided:
            if must_stop():
                return Decided(obligation, "undecided", "stopped before")
            try:
                return _decide(obligation, asked, solvers)
            except UnsupportedError as error:
                return Decided(obligation, "undecided", f"not supported: {error}")

        yield from pool.map(decide, obligations)


def _decide(obligation: Obligation, asked: Asked, solvers: _Solvers) -> Decided:
    sequent = sequent_of(obligation)
    if asked.proofs is not None and (used := asked.proofs.find(sequent)) is not None:
        return Decided(obligation, "proved", used=used, is_cached=True)
    answer, proof = _first_proof(obligation, sequent, asked, solvers)
    if not proof and obligation.is_partial:
        return Decided(obligation, "undecided", "hypotheses may be missing, because a part was left out")
    if not proof:
        if (refutation := _refuted(sequent, solvers)) is not None:
            return Decided(obligation, "refuted", refutation=refutation)
        if answer != "sat":
            answer, proof = _attempt(LAST, sequent, asked, solvers)
    if not proof:
        because = "a solver found values that the evaluator does not confirm"
        return Decided(obligation, "undecided", because if answer == "sat" else f"limit of {asked.seconds:g} s")
    (about, used), *others = proof
    if others or about is not sequent:
        used = tuple(range(len(sequent.hypotheses)))
    if asked.proofs is not None:
        asked.proofs.add(sequent, used)
    peer = None
    if asked.peer is not None:
        said = [solvers.ask(asked.peer, script_of(*query), _PEER_S).verdict for query in proof]
        peer = next((verdict for verdict in said if verdict != "unsat"), "unsat")
    return Decided(obligation, "proved", used=used, peer=peer)


def _first_proof(obligation: Obligation, sequent: Sequent, asked: Asked, solvers: _Solvers) -> tuple[str, Proof]:
    """Return the verdict of the attempt with all hypotheses, and the proof of the first attempt that finds one."""
    if len(sequent.hypotheses) > _MANY:
        _, proof = _attempt(OF_MANY, sequent, asked, solvers)
        if proof:
            return "unsat", proof
    answer, proof = _attempt(FIRST, sequent, asked, solvers)
    if not proof and answer != "sat":
        parts = parts_of(obligation)
        proof = (
            _first_of(OTHERS, sequent, asked, solvers)
            or (_proof_of_all(parts, asked, solvers) if len(parts) > 1 else ())
            or _first_of((LONGER,), sequent, asked, solvers)
        )
    return answer, proof


def _proof_of_all(parts: Iterable[Sequent], asked: Asked, solvers: _Solvers) -> Proof:
    """Return a proof of all parts of a goal. Solvers may find it, but no proof of the goal as a whole."""
    found: Proof = ()
    for part in parts:
        if not (proof := _first_of(OF_PARTS, part, asked, solvers)):
            return ()
        found += proof
    return found


def _first_of(attempts: Iterable[Attempt], sequent: Sequent, asked: Asked, solvers: _Solvers) -> Proof:
    return next(filter(None, (_attempt(attempt, sequent, asked, solvers)[1] for attempt in attempts)), ())


def _attempt(attempt: Attempt, sequent: Sequent, asked: Asked, solvers: _Solvers) -> tuple[str, Proof]:
    """Return the verdict of a solver, and the proof if there is one."""
    every = tuple(range(len(sequent.hypotheses)))
    used = every if attempt.rounds is None else tuple(names_shared(sequent, attempt.rounds))
    found = solvers.ask("z3", script_of(sequent, used), attempt.seconds or asked.seconds, attempt.options)
    return found.verdict, ((sequent, used),) if found.verdict == "unsat" else ()


def _refuted(sequent: Sequent, solvers: _Solvers) -> Refutation | None:
    """Return values that refute a sequent, confirmed by the evaluator, if a small setting has such values."""
    for setting in settings_for([*sequent.hypotheses, sequent.goal]):
        try:
            script, symbols = finite_script_of(sequent, setting)
        except UnsupportedError:
            continue
        answer = solvers.ask("z3", script, _FINITE_S)
        if answer.verdict == "sat":
            values = {name: read(answer.values) for name, read in symbols.readings.items()}
            refutation = Refutation(symbols.carriers, values)
            if is_confirmed(sequent, refutation):
                return refutation
    return None
