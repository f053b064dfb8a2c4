"""Find a schedule that keeps a model's promise and still makes a test hang, if there is one.

The adversary is a scheduler that chooses which thread steps. It runs one instance of the test on the simulated device,
with all threads resident. It uses only the steps of the device and the automaton of the model. The automaton says to
which threads the scheduler *promises* a step: those that are in the fair set. The adversary searches for a *stem* and a
*cycle*. A stem is a list of steps from the start. A cycle is a list of steps that leads from the end of the stem back
to the same state of device and model. In the cycle, each thread must take all steps that the scheduler promises it
(definitions, section 5). The device then replays the stem and the cycle.

Such a cycle lies inside a strongly connected set of states. Under the weak form, it is enough to look at the largest
such sets: a thread that is promised a step in every state of the set must take a step inside the set. Under the strong
form, no cycle can visit a state of the set if a step that is promised there leaves the set. The search removes such
states. The other states may no longer be strongly connected, so it starts again with them. This module shares no code
with the modules that decide verdicts, and reads no verdict.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from synth_checker.transitions.components import strongly_connected_sets

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence
    from collections.abc import Set as AbstractSet

    from synth_checker.models.automaton import Automaton
    from synth_checker.models.model import Form

#: A row for each state of the device, state 0 being the start: the state after a step of each thread, -1 for one that
#: has ended.
Table: TypeAlias = "Sequence[Sequence[int]]"
#: A state of the device, and the state of the automaton beside it.
_Pair: TypeAlias = "tuple[int, int]"


@dataclass(frozen=True, slots=True)
class Attack:
    """A schedule as the ids of the threads that step: first those of `stem`, and then those of `cycle` without end."""

    stem: tuple[int, ...]
    cycle: tuple[int, ...]


def attack(table: Table, automaton: Automaton, form: Form) -> Attack | None:
    """Return a schedule on which the device hangs and one form of a model keeps its promise; None if there is none."""
    play = _Play(table, automaton)
    sets = play.weak_sets() if form == "weak" else play.strong_sets()
    for states in sets:
        cycle_start = play.path((0, 0), states.__contains__)
        required = play.owed_always(states) if form == "weak" else play.owed(states)
        start = play.after((0, 0), cycle_start)
        return Attack(tuple(cycle_start), tuple(play.round_trip(start, states, required, visits=form == "weak")))
    return None


class _Play:
    """The device and the automaton side by side."""

    def __init__(self, table: Table, automaton: Automaton) -> None:
        self.threads = automaton.threads
        self.fair: dict[_Pair, frozenset[int]] = {}
        self.edges: dict[_Pair, dict[int, _Pair]] = {}
        to_do = [(0, 0)]
        while to_do:
            pair = to_do.pop()
            if pair in self.edges:
                continue
            state, model = pair
            live = [thread for thread, after in enumerate(table[state]) if after >= 0]
            owed = automaton.fair[model][sum(1 << thread for thread in live)]
            self.fair[pair] = frozenset(thread for thread in live if owed >> thread & 1)
            self.edges[pair] = {}
            for thread in live:
                after = table[state][thread]
                has_ended = table[after][thread] < 0
                self.edges[pair][thread] = (after, (automaton.ends if has_ended else automaton.steps)[model][thread])
            to_do += self.edges[pair].values()

    def weak_sets(self) -> Iterable[set[_Pair]]:
        """Yield the sets in which each thread that is promised a step in all states takes some step inside the set."""
        for states in self._connected(self.edges.keys()):
            steps = {thread for pair in states for thread, after in self.edges[pair].items() if after in states}
            if self._always(states) <= steps:
                yield states

    def strong_sets(self) -> Iterable[set[_Pair]]:
        """Yield the sets that no owed step leaves."""
        to_do = [set(self.edges)]
        while to_do:
            for states in self._connected(to_do.pop()):
                kept = {pair for pair in states if all(self.edges[pair][t] in states for t in self.fair[pair])}
                if kept == states:
                    yield states
                elif kept:
                    to_do.append(kept)

    def _connected(self, among: AbstractSet[_Pair]) -> Iterable[set[_Pair]]:
        """The maximal strongly connected sets that have a step inside."""

        def successors(pair: _Pair) -> Iterable[_Pair]:
            return (after for after in self.edges[pair].values() if after in among)

        for states in strongly_connected_sets(among, successors):
            if any(after in states for pair in states for after in self.edges[pair].values()):
                yield states

    def _always(self, states: Collection[_Pair]) -> set[int]:
        return {t for t in range(self.threads) if all(t in self.fair[pair] for pair in states)}

    def owed_always(self, states: Collection[_Pair]) -> set[tuple[_Pair, int]]:
        """One step inside the set for each thread that is promised one in all of its states."""
        return {
            next((pair, thread) for pair in states if self.edges[pair].get(thread) in states)
            for thread in self._always(states)
        }

    def owed(self, states: Iterable[_Pair]) -> set[tuple[_Pair, int]]:
        """Each step that is owed in a state of the set."""
        return {(pair, thread) for pair in states for thread in self.fair[pair]}

    def after(self, pair: _Pair, threads: Iterable[int]) -> _Pair:
        """Return the state to which some steps lead from a state."""
        for thread in threads:
            pair = self.edges[pair][thread]
        return pair

    def path(
        self, start: _Pair, is_goal: Callable[[_Pair], bool], inside: Collection[_Pair] | None = None
    ) -> list[int]:
        """Return the fewest steps inside a set that lead from a state to a goal."""
        came: dict[_Pair, tuple[_Pair, int] | None] = {start: None}
        to_do = deque([start])
        while not is_goal(pair := to_do.popleft()):
            for thread, after in self.edges[pair].items():
                if after not in came and (inside is None or after in inside):
                    came[after] = (pair, thread)
                    to_do.append(after)
        threads = []
        while (step := came[pair]) is not None:
            pair, thread = step
            threads.append(thread)
        return threads[::-1]

    def round_trip(
        self, start: _Pair, states: Collection[_Pair], required: set[tuple[_Pair, int]], *, visits: bool
    ) -> list[int]:
        """Return at least one step inside a set: a way from a state back to it that contains all required steps.

        `visits` says whether the way must go through all states of the set.
        """
        some_step = next(thread for thread, after in self.edges[start].items() if after in states)
        remaining = set(required) or {(start, some_step)}
        unseen = set(states) if visits else set()
        threads: list[int] = []
        pair = start
        while remaining or unseen:
            goals = {state for state, _ in remaining} | unseen
            way = self.path(pair, goals.__contains__, states)
            pair = self.after(pair, way)
            threads += way
            unseen.discard(pair)
            if (thread := next((t for state, t in remaining if state == pair), None)) is not None:
                remaining.remove((pair, thread))
                threads.append(thread)
                pair = self.edges[pair][thread]
        return threads + self.path(pair, start.__eq__, states)
