"""`possible-termination`: from every reachable state a terminated state is reachable.

The states from which one is reachable are again a least fixpoint, and treated like the reachable ones (see `states`):
some clauses that every test satisfies, and a loop formula whenever a model has a trap, a set of reachable states that
no step leaves and in which something is live: if one of its states is reachable, some step out of the set must differ.
Invariant: no program that can always terminate breaks a clause, and one that can't has a trap.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_encodings.states import closure_of, steps_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from synth_encodings.cnf import Cnf
    from synth_encodings.states import States


def possible_termination(cnf: Cnf, states: States) -> None:
    """Some terminated state is reachable, and from every other reachable state a step leads to a different state."""
    terminated = states.terminated
    cnf.add(states.reachable[number] for number in terminated)
    for number in set(range(len(states.all))).difference(terminated):
        out = {s.edge for possible in states.successors[number].values() for s in possible if s.state != number}
        cnf.add((-states.reachable[number], *sorted(out)))


def trap_clause(states: States, model: Sequence[int], trapped: Iterable[int]) -> list[int]:
    """The loop formula for the smallest trap among the states from which the model's program can't terminate."""

    def after(number: int) -> list[int]:
        return [step.state for step in steps_in(states, model, number)]

    traps = [(number, closure_of({number}, after)) for number in sorted(trapped)]
    member, trap = min(traps, key=lambda found: len(found[1]))
    edges = {step.edge for number in trap for step in steps_in(states, model, number)}
    return [-states.reachable[member], *(-edge for edge in sorted(edges))]
