"""Behaviour by telling states apart pair by pair (definitions, section 6).

Two states of an LTS are bisimilar unless something tells them apart: their live sets, or steps of the same thread to
two states that are told apart. All pairs are looked at until no more are.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from synth_checker.twin.semantics import LTS, lts, start

if TYPE_CHECKING:
    from synth_checker.programs.program import Program, State

#: Per state of the minimised automaton, numbered breadth-first from the start, its successor by each live thread.
Automaton = list[dict[int, int]]


def behaviour(program: Program) -> Automaton:
    """The minimised automaton of a program; the live set of a state is the set of threads that it has successors by."""
    graph = lts(program)
    apart = told_apart(graph)

    def equal(one: State, other: State) -> bool:
        return frozenset((one, other)) not in apart

    found = [start(program)]
    automaton: Automaton = []
    while len(automaton) < len(found):
        row: dict[int, int] = {}
        for thread, after in sorted(graph[found[len(automaton)]].items()):
            number = next((k for k, known in enumerate(found) if equal(known, after)), len(found))
            if number == len(found):
                found.append(after)
            row[thread] = number
        automaton.append(row)
    return automaton


def told_apart(graph: LTS) -> set[frozenset[State]]:
    """The pairs of states that are not bisimilar."""
    pairs = [frozenset(pair) for pair in itertools.combinations(graph, 2)]
    apart: set[frozenset[State]] = set()
    while True:
        more = {pair for pair in pairs if pair not in apart and _is_seen(graph, apart, *pair)}
        if not more:
            return apart
        apart |= more


def _is_seen(graph: LTS, apart: set[frozenset[State]], one: State, other: State) -> bool:
    """Whether their live sets differ, or a step of the same thread leads to states that are told apart."""
    if graph[one].keys() != graph[other].keys():
        return True
    return any(frozenset((after, graph[other][thread])) in apart for thread, after in graph[one].items())
