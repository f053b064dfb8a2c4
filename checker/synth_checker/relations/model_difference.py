"""Find the shortest history after which two progress models promise to run different threads.

Only a history after which the execution can stay in a cycle counts. What a model promises before any cycle decides no
verdict. The search runs the automata of both models side by side, as `fairness_order` does. If there is no such
history, then the two models give the same verdicts to every program with that number of threads.
"""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, NamedTuple

from synth_checker.relations.fairness_order import THREADS, Event, PairState, reachable_states, states_on_cycles

if TYPE_CHECKING:
    from synth_checker.models import Model
    from synth_checker.models.automaton import Automaton


class Difference(NamedTuple):
    """A history after which two models differ, for programs of `threads` threads.

    `history` is the sequence of steps. `live` is the set of threads that are live after it. `first` and `other` are the
    threads that the first and the second model promise to run then. The three sets are bit masks.
    """

    threads: int
    history: tuple[Event, ...]
    live: int
    first: int
    other: int


def difference(first: Model, other: Model, threads: int = THREADS) -> Difference | None:
    """Return the shortest history after which two models differ, with the fewest threads for which there is one.

    The result is None if the models do not differ for any number of threads up to `threads`.

    Raises:
        LimitError: `threads` is more than a model can be made for, or the models have too many states side by side.
        InputError: a registered model cannot be used.
    """
    differences = (difference_in(first.automaton(t), other.automaton(t)) for t in range(1, threads + 1))
    return next((result for result in differences if result is not None), None)


def difference_in(first: Automaton, other: Automaton) -> Difference | None:
    """Return the shortest history after which two automata differ, or None if there is none.

    Both automata must be for the same number of threads.

    Raises:
        LimitError: the automata have too many states side by side.
    """
    came = reachable_states(first, other)

    def fair(state: PairState) -> tuple[int, int]:
        return first.fair[state.first][state.live], other.fair[state.other][state.live]

    differing = [state for state in came if operator.ne(*fair(state))]
    for state in states_on_cycles(first, other, differing):
        return Difference(first.threads, _history(came, state), state.live, *fair(state))
    return None


def _history(came: dict[PairState, tuple[PairState, Event] | None], state: PairState) -> tuple[Event, ...]:
    events: list[Event] = []
    while (step := came[state]) is not None:
        state, event = step
        events.append(event)
    return tuple(reversed(events))
