"""Clauses for the rule `non-termination-cycle`: some reachable cycle exists, and a step from a state to itself is one.

The clauses demand a non-empty set of reachable states, each of which has a step to a state of the set. There is such a
set exactly if there is a reachable cycle: whoever follows steps inside the set must return to a state. So no fixpoint
is needed.
Invariant: whatever set a solution chooses, each member is reachable and has a step to a member.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from synth_encodings.cnf import Cnf
    from synth_encodings.states import EncodedStates


def non_termination_cycle(cnf: Cnf, states: EncodedStates) -> None:
    """Add the clauses: there is a non-empty set of reachable states, each of which has a step into the set."""
    member = [cnf.new() for _ in states.all]
    cnf.add(member)
    for number, by_thread in enumerate(states.successors):
        inside = [
            step.edge if step.state == number else cnf.only_if_all((member[step.state], step.edge))
            for possible in by_thread.values()
            for step in possible
        ]
        cnf.add((-member[number], *inside))
        cnf.add((-member[number], states.reachable[number]))
