"""Where two models differ: the shortest history after which they guarantee different threads.

What counts are histories that can go on as they are, so that after them execution may stay in a cycle: what is promised
before any cycle decides no verdict (`fairness_order`, whose automata side by side these are). Models without such a
history are equal for any program of so many threads, and no test tells them apart.
"""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, NamedTuple

from synth_checker.relations.fairness_order import THREADS, Event, PairState, reachable_states, states_on_cycles

if TYPE_CHECKING:
    from synth_checker.models import Model
    from synth_checker.models.automaton import Automaton


class Difference(NamedTuple):
    """A history of so many threads, who is live after it, and whom each model guarantees then, as bit masks."""

    threads: int
    history: tuple[Event, ...]
    live: int
    one: int
    other: int


def difference(one: Model, other: Model, threads: int = THREADS) -> Difference | None:
    """The shortest history after which two models differ, with the fewest threads; None if none of up to `threads` has.

    Raises:
        LimitError: there are more threads than models are made for, or more states than can be looked at.
        InputError: a registered model can't be used.
    """
    found = (difference_in(one.automaton(t), other.automaton(t)) for t in range(1, threads + 1))
    return next((each for each in found if each is not None), None)


def difference_in(one: Automaton, other: Automaton) -> Difference | None:
    """The same for automata for one number of threads."""
    came = reachable_states(one, other)

    def fair(state: PairState) -> tuple[int, int]:
        return one.fair[state.one][state.live], other.fair[state.other][state.live]

    differing = [state for state in came if operator.ne(*fair(state))]
    for state in states_on_cycles(one, other, differing):
        return Difference(one.threads, _history(came, state), state.live, *fair(state))
    return None


def _history(came: dict[PairState, tuple[PairState, Event] | None], state: PairState) -> tuple[Event, ...]:
    events: list[Event] = []
    while (step := came[state]) is not None:
        state, event = step
        events.append(event)
    return tuple(reversed(events))
