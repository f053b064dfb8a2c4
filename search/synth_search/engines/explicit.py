"""The engine `explicit`, which finds every test of a shape by running partial programs, in C++.

The search is in checker/native/search/explicit_search.hpp. A shape says which memory location each instruction uses. An
orbit is a set of shapes that differ only in the order of their threads. A unit of work is an orbit: one of its shapes
is searched, and each test is written in all orders of its threads. A run has many orbits, and they take about the same
time. A long job cuts the search of an orbit into parts. The search chooses the fastest way that the processor has.
"""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from synth_checker._native import (
    EXPLICIT_SEARCH_ORDER,
    EXPLICIT_SEARCH_STATES,
    EXPLICIT_SEARCH_VALUES,
    ExplicitSearch,
    explicit_search_paths,
)
from synth_checker.errors import InputError, LimitError
from synth_checker.programs.rules import rule_mask
from synth_checker.programs.shapes import Order, Shape, orbits
from synth_search.engines.engine import refuse_solver

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth_checker.question import Bound, Question
    from synth_search.engines.engine import Field

#: The variable of the environment that says which way to search, for tests and benchmarks; all find the same tests.
PATH_VARIABLE = "SYNTH_SEARCH_PATH"

#: How many partial programs the search examines in a batch, which takes some milliseconds. The first batch of a part
#: has fewer, so that a small part is soon known to be small.
_STEPS, _FIRST_STEPS = 50_000, 2_000
#: How many partial programs a cut needs for each part. Some are much larger than others, so a few would make uneven
#: parts.
_NODES = 8
#: A modulus above all numbers at a cut, so that a part with this modulus searches nothing below the cut.
_ALL = 1 << 62

Cut: TypeAlias = tuple[int, int, int]
"""A part of a search: the depth of the cut in decisions, the remainder of the part, and the number of parts."""


@dataclass(frozen=True, slots=True)
class Orbit:
    """A unit of work: a shape, and the orders of its threads that give all shapes of its orbit.

    `cuts` is empty for the whole search of the shape. Otherwise it says which part of the search this unit is.
    """

    shape: Shape
    orders: tuple[Order, ...]
    cuts: tuple[Cut, ...] = ()

    def fields(self) -> tuple[Field, ...]:
        """Return the fields of this unit, from which `Orbit` makes it again."""
        return self.shape, self.orders, self.cuts

    def __str__(self) -> str:
        parts = "".join(f", part {index} of {of}" for _, index, of in self.cuts)
        return f"shape {'-'.join(''.join(map(str, thread)) for thread in self.shape)}{parts}"

    def shares(self) -> Counter[tuple[int, ...]]:
        """Return for each split how many of the orders of the threads belong to it."""
        return Counter(tuple(len(self.shape[k]) for k in order) for order in self.orders)


class ExplicitEngine:
    """The engine that searches the shapes of one question.

    Raises:
        InputError: the caller names a solver; this engine uses none. Or the environment names a way to search that this
            processor does not have.
        LimitError: some shape has more states or values than the search can hold.
    """

    name = "explicit"
    solver = None
    unit = Orbit
    order = EXPLICIT_SEARCH_ORDER
    batches_are_quick = True

    def __init__(self, question: Question, solver: str | None = None) -> None:
        refuse_solver(self.name, solver)
        against = reason_against(question)
        if against is not None:
            raise LimitError(against)
        self._question = question
        self._path = wanted_path()

    def units(self, jobs: int) -> list[Orbit]:  # noqa: ARG002  (there are more orbits than processes)
        """Return the orbits of all shapes (`synth_checker.programs.shapes`), those with the most instructions first."""
        shared = _shared(self._question)
        units = [
            Orbit(next(iter(orbit)), tuple(orbit.values()))
            for bound in reversed(self._question.bounds)
            for orbit in orbits(bound, self._question.locations, shared=shared)
        ]
        return sorted(units, key=lambda orbit: -sum(map(len, orbit.shape)))

    def cut(self, unit: Orbit, parts: int) -> list[Orbit]:
        """Divide a unit into at most `parts` parts.

        The search numbers its partial programs at some depth, and each part takes those whose number has the same
        remainder. The depth is one at which there are many more partial programs than parts.
        """
        depth, nodes = self._crowded(unit, _NODES * parts)
        of = min(parts, nodes)
        if of < 2:
            return [unit]
        return [replace(unit, cuts=(*unit.cuts, (depth, index, of))) for index in range(of)]

    def _crowded(self, unit: Orbit, least: int) -> tuple[int, int]:
        """Return the least depth with `least` partial programs, or else the depth with the most.

        The second number is how many partial programs there are at that depth, at most `least`.
        """
        best = 0, 0
        depth = unit.cuts[-1][0] if unit.cuts else 0
        while best[1] < least:
            depth += 1
            search = self._search(replace(unit, cuts=(*unit.cuts, (depth, _ALL - 1, _ALL))))
            while search.goes_on and search.numbered < least:
                search.count(least)
            if search.numbered <= best[1]:  # greater depths have fewer partial programs
                break
            best = depth, min(search.numbered, least)
        return best

    def solve(self, unit: Orbit) -> Iterator[bytes]:
        """Find the tests of an orbit, and yield their ids in batches; each id ends with a line break."""
        search, steps = self._search(unit), _FIRST_STEPS if unit.cuts else _STEPS
        while search.goes_on:
            yield search.tests(steps)
            steps = min(2 * steps, _STEPS)

    def count(self, unit: Orbit) -> Iterator[int]:
        """Yield how many tests of an orbit were found so far; no id is written."""
        search = self._search(unit)
        while search.goes_on:
            yield search.count(_STEPS)

    def _search(self, unit: Orbit) -> ExplicitSearch:
        values = _useful_values(self._question.values, sum(map(len, unit.shape)))
        without = rule_mask(self._question.without)
        return ExplicitSearch(unit.shape, values, without, unit.orders, unit.cuts, self._path)


def wanted_path() -> str:
    """Return which way to search the environment asks for, or an empty text for the fastest.

    Raises:
        InputError: there is no such way, or this processor does not have it.
    """
    path = os.environ.get(PATH_VARIABLE, "")
    has = [name for name, supported in explicit_search_paths() if supported]
    if path and path not in has:
        raise InputError(f"{PATH_VARIABLE}: found {path}, expected one that this processor has: {', '.join(has)}")
    return path


def reason_against(question: Question) -> str | None:
    """Return a message that says why a question is too large for this engine, or None if it is not."""
    for bound in question.bounds:
        values = _useful_values(question.values, bound.instructions)
        states = _most_states(bound, question, values)
        if values > EXPLICIT_SEARCH_VALUES or states > EXPLICIT_SEARCH_STATES:
            return (
                f"engine explicit: bound {bound} has {values} values and up to {states:,} states, expected at most "
                f"{EXPLICIT_SEARCH_VALUES} values and {EXPLICIT_SEARCH_STATES:,} states; "
                "use the engine sat, which has no such limit"
            )
    return None


def _most_states(bound: Bound, question: Question, values: int) -> int:
    """Return the number of states (values of the memory and the pcs) of the largest split of a bound.

    The split whose threads have about the same size has the most.
    """
    size, longer = divmod(bound.instructions, bound.threads)
    pcs = (size + 1) ** (bound.threads - longer) * (size + 2) ** longer
    locations = min(question.locations, bound.instructions // 2 if _shared(question) else bound.instructions)
    states: int = pcs * values**locations
    return states


# The SAT encoding has the same limits in code of its own. If engines shared this code, a mistake here would not show.
def _useful_values(values: int, instructions: int) -> int:
    """Return how many values a program can name: 0, and two in each instruction."""
    return min(values, 1 + 2 * instructions)


def _shared(question: Question) -> bool:
    """Return whether the rules require that at least two threads use each location."""
    return "inter-thread-influence" not in question.without
