"""Compute the behaviour of a program by comparing all pairs of its states (definitions, section 6).

Two states of a transition system are bisimilar unless something distinguishes them. Different sets of live threads
distinguish them, and so do steps of the same thread to two states that are distinguished. The search looks at all pairs
until it finds no more that are distinguished.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from synth_checker.twin.semantics import LTS, lts, start

if TYPE_CHECKING:
    from synth_checker.programs.program import Program, State

#: For each state of the minimised automaton, its successor by each live thread. States are numbered breadth-first from
#: the start.
Automaton = list[dict[int, int]]


def behaviour(program: Program) -> Automaton:
    """Return the minimised automaton of a program.

    A thread is live in a state if the state has a successor by that thread.
    """
    graph = lts(program)
    apart = distinguishable_pairs(graph)

    def equal(first: State, other: State) -> bool:
        return frozenset((first, other)) not in apart

    states = [start(program)]
    automaton: Automaton = []
    while len(automaton) < len(states):
        row: dict[int, int] = {}
        for thread, after in sorted(graph[states[len(automaton)]].items()):
            number = next((k for k, known in enumerate(states) if equal(known, after)), len(states))
            if number == len(states):
                states.append(after)
            row[thread] = number
        automaton.append(row)
    return automaton


def distinguishable_pairs(graph: LTS) -> set[frozenset[State]]:
    """Return the pairs of states of a transition system that are not bisimilar. Each pair is a set of two states."""
    pairs = [frozenset(pair) for pair in itertools.combinations(graph, 2)]
    apart: set[frozenset[State]] = set()
    while True:
        more = {pair for pair in pairs if pair not in apart and _is_distinguished(graph, apart, *pair)}
        if not more:
            return apart
        apart |= more


def _is_distinguished(graph: LTS, apart: set[frozenset[State]], first: State, other: State) -> bool:
    """Return whether the live sets differ, or steps of the same thread lead to states that are not bisimilar."""
    if graph[first].keys() != graph[other].keys():
        return True
    return any(frozenset((after, graph[other][thread])) in apart for thread, after in graph[first].items())
