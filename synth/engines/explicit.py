"""The explicit engine: every test of a shape by execution, in C++ (checker/native/search/explicit_search.hpp).

A unit of work is an orbit of shapes: one is searched, and each of its tests is written for all. For one run shapes are
many and of similar size; a long job cuts their searches into parts.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from synth.engines.engine import refuse_solver
from synth_checker._native import (
    EXPLICIT_SEARCH_ORDER,
    EXPLICIT_SEARCH_STATES,
    EXPLICIT_SEARCH_VALUES,
    ExplicitSearch,
)
from synth_checker.errors import LimitError
from synth_checker.rules import rule_mask
from synth_checker.shapes import Order, Shape, orbits

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth.engines.engine import Field
    from synth_checker.question import Bound, Question

#: Partial programs between two looks at the world, some milliseconds; of a part at first fewer, so that one soon knows
#: whether it is small.
_STEPS, _FIRST_STEPS = 50_000, 2_000
#: Partial programs at a cut for each part: some are large, and parts are to be of about the same size.
_NODES = 8
#: A modulus that no number at a cut reaches, so that nothing below the cut is searched.
_ALL = 1 << 62

Cut: TypeAlias = tuple[int, int, int]
"""One of the parts that a search is cut into: a depth in decisions, a remainder and the number of parts."""


@dataclass(frozen=True, slots=True)
class Orbit:
    """A shape, and the orders of its threads that make all shapes of its orbit; or what cuts leave of its search."""

    shape: Shape
    orders: tuple[Order, ...]
    cuts: tuple[Cut, ...] = ()

    def fields(self) -> tuple[Field, ...]:
        """Its fields."""
        return self.shape, self.orders, self.cuts

    def __str__(self) -> str:
        parts = "".join(f", part {index} of {of}" for _, index, of in self.cuts)
        return f"shape {'-'.join(''.join(map(str, thread)) for thread in self.shape)}{parts}"

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
    unit = Orbit
    order = EXPLICIT_SEARCH_ORDER
    first_batch_is_quick = True

    def __init__(self, question: Question, solver: str | None = None) -> None:
        refuse_solver(self.name, solver)
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

    def cut(self, unit: Orbit, parts: int) -> list[Orbit]:
        """At most so many parts of a unit, by remainders at a depth that has many more partial programs than that."""
        depth, nodes = self._crowded(unit, _NODES * parts)
        of = min(parts, nodes)
        if of < 2:
            return [unit]
        return [replace(unit, cuts=(*unit.cuts, (depth, index, of))) for index in range(of)]

    def _crowded(self, unit: Orbit, wanted: int) -> tuple[int, int]:
        """The least depth at which so many are numbered, or that with the most; and how many, of those wanted."""
        best = 0, 0
        depth = unit.cuts[-1][0] if unit.cuts else 0
        while best[1] < wanted:
            depth += 1
            search = self._search(replace(unit, cuts=(*unit.cuts, (depth, _ALL - 1, _ALL))))
            while search.goes_on and search.numbered < wanted:
                search.count(wanted)
            if search.numbered <= best[1]:  # from here on there are fewer
                break
            best = depth, min(search.numbered, wanted)
        return best

    def solve(self, unit: Orbit) -> Iterator[bytes]:
        """The ids of the tests of an orbit, each ended by a line end."""
        search, steps = self._search(unit), _FIRST_STEPS if unit.cuts else _STEPS
        while search.goes_on:
            yield search.tests(steps)
            steps = min(2 * steps, _STEPS)

    def count(self, unit: Orbit) -> Iterator[int]:
        """How many tests of an orbit there are so far; none is written down."""
        search = self._search(unit)
        while search.goes_on:
            yield search.count(_STEPS)

    def _search(self, unit: Orbit) -> ExplicitSearch:
        values = _useful_values(self._question.values, sum(map(len, unit.shape)))
        return ExplicitSearch(unit.shape, values, rule_mask(self._question.without), unit.orders, unit.cuts)


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
