"""Transition systems with threads: what verdicts, lassos, rankings and drawings are about (definitions, section 1).

Programs are one kind of them (`executions`). Any other kind need only say where it starts and which step each live
thread has in a state.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from synth_checker.errors import InputError, LimitError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

#: What a system remembers between two steps.
AnyState = TypeVar("AnyState", bound=Hashable)


class TransitionSystem(Protocol[AnyState]):
    """Finitely many states, and in each one step of every thread that is live.

    A live thread ends by a step of its own, which ends no other thread, and it ends for good.
    """

    @property
    def threads(self) -> int:
        """How many threads there are; their ids are 0, 1, ..."""

    @property
    def start(self) -> AnyState:
        """The state in which nobody has stepped."""

    def steps(self, state: AnyState) -> Mapping[int, AnyState]:
        """The state that each live thread's step leads to."""


@dataclass(frozen=True, slots=True)
class Graph(Generic[AnyState]):
    """The reachable states of a system, and for each the number of its successor by each live thread, ids rising.

    States are numbered in the order of a breadth-first search, so that the start is 0.
    """

    threads: int
    states: tuple[AnyState, ...]
    successors: tuple[dict[int, int], ...]

    def table(self) -> list[list[int]]:
        """A row a state: the successor by each thread, -1 for one that has ended."""
        return [[row.get(thread, -1) for thread in range(self.threads)] for row in self.successors]


def explore(system: TransitionSystem[AnyState], most: int) -> Graph[AnyState]:
    """The reachable part of a system.

    Raises:
        InputError: a step is not as `TransitionSystem` says.
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
            msg = f"states: found more than {most}, expected fewer threads or instructions"
            raise LimitError(msg)
    graph = Graph(system.threads, tuple(states), tuple(successors))
    _check(graph)
    return graph


def _check(graph: Graph[AnyState]) -> None:
    everyone = set(range(graph.threads))
    if not graph.successors[0].keys() <= everyone:
        found = _listed(graph.successors[0])
        msg = f"{graph.states[0]}: found the live threads {found}, expected some of {_listed(everyone)}"
        raise InputError(msg)
    for state, row in zip(graph.states, graph.successors, strict=True):
        for thread, after in row.items():
            live = graph.successors[after].keys()
            if live | {thread} != row.keys():
                found = f"{state}: found that after a step of thread {thread} the live threads are {_listed(live)}"
                msg = f"{found}, expected {_listed(row)}, or these without {thread}"
                raise InputError(msg)


def _listed(threads: Iterable[int]) -> str:
    return ", ".join(map(str, sorted(threads))) or "none"
