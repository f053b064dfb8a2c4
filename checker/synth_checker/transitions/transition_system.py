"""Transition systems in which each step belongs to a thread (definitions, section 1).

Verdicts, proofs and drawings all refer to transition systems.

A program is one kind of transition system; the module `executions` makes it one. Any other kind only has to say what
its start state is, and which step each live thread takes in a state.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from synth_checker.errors import InputError, LimitError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

#: The type of the states of a system.
AnyState = TypeVar("AnyState", bound=Hashable)


class TransitionSystem(Protocol[AnyState]):
    """A transition system: finitely many states, and in each of them one step of every live thread.

    A thread can end only by a step of its own. A thread that has ended stays ended.
    """

    @property
    def threads(self) -> int:
        """Return the number of threads. Their ids are 0, 1, and so on."""

    @property
    def start(self) -> AnyState:
        """Return the start state, in which no thread has taken a step."""

    def steps(self, state: AnyState) -> Mapping[int, AnyState]:
        """Return, for each thread that is live in `state`, the state after one step of this thread."""


@dataclass(frozen=True, slots=True)
class Graph(Generic[AnyState]):
    """The reachable states of a transition system, numbered in breadth-first order from the start, which is 0.

    `successors[number]` maps each live thread of a state to the number of the state after its step. The threads are in
    the order of their ids.
    """

    threads: int
    states: tuple[AnyState, ...]
    successors: tuple[dict[int, int], ...]

    def table(self) -> list[list[int]]:
        """Return a row for each state: the number of its successor by each thread, or -1 if the thread has ended."""
        return [[row.get(thread, -1) for thread in range(self.threads)] for row in self.successors]


def explore(system: TransitionSystem[AnyState], most: int) -> Graph[AnyState]:
    """Explore a transition system and return its reachable states.

    Raises:
        InputError: a step contradicts the contract of `TransitionSystem`.
        LimitError: there are more than `most` states.
    """
    numbers = {system.start: 0}
    states = [system.start]
    successors: list[dict[int, int]] = []
    for state in states:  # grows while it is read
        row = {}
        for thread, after in sorted(system.steps(state).items(), key=lambda step: step[0]):
            row[thread] = numbers.setdefault(after, len(states))
            if row[thread] == len(states):
                states.append(after)
        successors.append(row)
        if len(states) > most:
            raise LimitError(f"states: the system has more than {most}; use fewer threads or instructions")
    graph = Graph(system.threads, tuple(states), tuple(successors))
    _check(graph)
    return graph


def _check(graph: Graph[AnyState]) -> None:
    everyone = set(range(graph.threads))
    if not graph.successors[0].keys() <= everyone:
        problem = _listed(graph.successors[0])
        raise InputError(f"{graph.states[0]}: found the live threads {problem}, expected some of {_listed(everyone)}")
    for state, row in zip(graph.states, graph.successors, strict=True):
        for thread, after in row.items():
            live = graph.successors[after].keys()
            if live | {thread} != row.keys():
                problem = f"{state}: found that after a step of thread {thread} the live threads are {_listed(live)}"
                raise InputError(
                    f"{problem}, expected the live threads {_listed(row)}, with or without thread {thread}"
                )


def _listed(threads: Iterable[int]) -> str:
    return ", ".join(map(str, sorted(threads))) or "none"
