"""The explicit engine: every test of a shape by execution, in C++ (checker/native/explicit_search.hpp).

A unit of work is an orbit of shapes: one is searched, and each of its tests is written for all. Shapes are many and of
similar size, so nothing needs to be cut.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from synth.engines.engine import no_solver
from synth_checker._native import EXPLICIT_SEARCH_STATES, EXPLICIT_SEARCH_VALUES, ExplicitSearch
from synth_checker.errors import LimitError
from synth_checker.rules import rule_mask
from synth_checker.shapes import Order, Shape, orbits

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth_checker.question import Bound, Question

#: Partial programs between two looks at the world, some milliseconds.
_STEPS = 50_000


@dataclass(frozen=True, slots=True)
class Orbit:
    """A shape, and the orders of its threads that make all shapes of its orbit."""

    shape: Shape
    orders: tuple[Order, ...]

    def __str__(self) -> str:
        return f"shape {'-'.join(''.join(map(str, thread)) for thread in self.shape)}"

    def shares(self) -> Counter[tuple[int, ...]]:
        """Per split, in how many of the orders its tests are."""
        return Counter(tuple(len(self.shape[k]) for k in order) for order in self.orders)


class ExplicitEngine:
    """Searches the shapes of one question.

    Raises:
        InputError: a solver is named.
        LimitError: some shape has more states or values than the search has room for.
    """

    name = "explicit"
    solver = None

    def __init__(self, question: Question, solver: str | None = None) -> None:
        no_solver(self.name, solver)
        against = reason_against(question)
        if against is not None:
            raise LimitError(against)
        self._question = question

    def units(self, jobs: int) -> list[Orbit]:  # noqa: ARG002  (there are always enough)
        """The orbits of the shapes, those of the largest programs first."""
        shared = _shared(self._question)
        found = [
            Orbit(next(iter(orbit)), tuple(orbit.values()))
            for bound in reversed(self._question.bounds)
            for orbit in orbits(bound, self._question.locations, shared=shared)
        ]
        return sorted(found, key=lambda orbit: -sum(map(len, orbit.shape)))

    def solve(self, unit: Orbit) -> Iterator[bytes]:
        """The ids of the tests of an orbit, each ended by a line end."""
        search = self._search(unit)
        while search.goes_on:
            yield search.tests(_STEPS)

    def count(self, unit: Orbit) -> Iterator[int]:
        """How many tests of an orbit there are so far; none is written down."""
        search = self._search(unit)
        while search.goes_on:
            yield search.count(_STEPS)

    def _search(self, unit: Orbit) -> ExplicitSearch:
        values = _useful_values(self._question.values, sum(map(len, unit.shape)))
        return ExplicitSearch(unit.shape, values, rule_mask(self._question.without), unit.orders)


def reason_against(question: Question) -> str | None:
    """Why the search has no room for a question, None where it has."""
    for bound in question.bounds:
        values = _useful_values(question.values, bound.instructions)
        states = _most_states(bound, question, values)
        if values > EXPLICIT_SEARCH_VALUES or states > EXPLICIT_SEARCH_STATES:
            return (
                f"engine explicit: bound {bound} has {values} values and up to {states:,} states, expected at most "
                f"{EXPLICIT_SEARCH_VALUES} and {EXPLICIT_SEARCH_STATES:,}; the engine sat has no such limit"
            )
    return None


def _most_states(bound: Bound, question: Question, values: int) -> int:
    """All (memory, pcs) of the largest split; most where the threads are of about the same size."""
    size, longer = divmod(bound.instructions, bound.threads)
    pcs = (size + 1) ** (bound.threads - longer) * (size + 2) ** longer
    locations = min(question.locations, bound.instructions // 2 if _shared(question) else bound.instructions)
    states: int = pcs * values**locations
    return states


# The SAT encoding bounds locations and values likewise; engines share nothing that could lose a test.
def _useful_values(values: int, instructions: int) -> int:
    """How many values a program can name: 0, and two an instruction."""
    return min(values, 1 + 2 * instructions)


def _shared(question: Question) -> bool:
    """Whether every location is used in two threads."""
    return "inter-thread-influence" not in question.without
