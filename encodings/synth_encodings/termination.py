"""Clauses for the rule `possible-termination`: from every reachable state a terminated state is reachable.

The states from which a terminated state is reachable are a least fixpoint, like the reachable states (see `states`). So
they are encoded in the same way: by some clauses that every test satisfies, and by loop formulas. A trap is a set of
reachable states with live threads that no step leaves. If the program of a solution has a trap, a loop formula is
added. It says: if a state of the trap is reachable, some step from a state of the trap leads to another state than in
this program. Invariant: a program that can always terminate breaks no clause, and a program that cannot has a trap.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_encodings.states import closure_of, steps_of_solution

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from synth_encodings.cnf import Cnf
    from synth_encodings.states import EncodedStates


def possible_termination(cnf: Cnf, states: EncodedStates) -> None:
    """Add the clauses: a terminated state is reachable, and from each other one a step leads to a different state."""
    terminated = states.terminated
    cnf.add(states.reachable[number] for number in terminated)
    for number in set(range(len(states.all))).difference(terminated):
        out = {s.edge for possible in states.successors[number].values() for s in possible if s.state != number}
        cnf.add((-states.reachable[number], *sorted(out)))


def trap_clause(states: EncodedStates, model: Sequence[int], trapped: Iterable[int]) -> list[int]:
    """Return the loop formula for the smallest trap of a solution's program.

    `trapped` are the states from which the program cannot terminate.
    """

    def after(number: int) -> list[int]:
        return [step.state for step in steps_of_solution(states, model, number)]

    traps = [(number, closure_of({number}, after)) for number in sorted(trapped)]
    member, trap = min(traps, key=lambda trap_of_member: len(trap_of_member[1]))
    edges = {step.edge for number in trap for step in steps_of_solution(states, model, number)}
    return [-states.reachable[member], *(-edge for edge in sorted(edges))]
