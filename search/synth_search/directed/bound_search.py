"""Choose how to search a bound for wanted tests, which are tests with given verdicts and a given shape.

A search is an engine whose tests are filtered, or a SAT solver that knows the wanted verdicts.

The filter works with any engine. It checks each test that the engine finds and keeps the wanted ones. It runs in the
processes of the engine, so no other test is sent or stored. With the engine `explicit` the filter is also the fastest
way, see docs/do/find.md. So `auto` asks `synth_search.directed.engine` only if a bound does not fit into that engine.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeAlias

from synth_checker.nearest import unknown
from synth_checker.programs.ids import lines_of
from synth_search.engines.choice import AUTO, DIRECTED, ENGINES, engine_for, explicit_can
from synth_search.engines.engine import AUnit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth_checker.question import Question
    from synth_checker.wanted import Wanted
    from synth_search.engines.engine import Engine


class Search(Protocol[AUnit]):
    """The interface of a search for those tests of a question that have the wanted verdicts and shape.

    Each worker process has a copy of the search.
    """

    name: str
    batches_are_quick: bool
    """Whether `solve` gives each batch of any unit within milliseconds, even if the batch is empty."""

    def units(self, jobs: int) -> list[AUnit]:
        """Return units of work, so that each test of the question is in exactly one of them."""

    def solve(self, unit: AUnit) -> Iterator[bytes]:
        """Find the tests of a unit that have the wanted verdicts and shape, and yield their ids in batches.

        Each id comes once and ends with a line break. A batch may be empty.
        """


SomeSearch: TypeAlias = Search[Any]
"""A search that was chosen by the name of its engine, so that the type of its units is not known here."""


def search_for(question: Question, wanted: Wanted, engine: str = AUTO) -> SomeSearch:
    """Return the search for the tests of a question that have the wanted verdicts and shape.

    It works with the engine of a given name. The name `auto` stands for the engine that is best for the question.

    Raises:
        InputError: there is no such engine.
        LimitError: the question is too large for the engine.
    """
    if engine == DIRECTED or (engine == AUTO and not explicit_can(question)):
        from synth_search.directed.engine import DirectedSearch

        return DirectedSearch(question, wanted)
    if engine not in {AUTO, *ENGINES}:
        raise unknown("engine", engine, (AUTO, *ENGINES, DIRECTED))
    return FilteredSearch(engine_for(question, engine), wanted)


class FilteredSearch(Generic[AUnit]):
    """A search that takes all tests of an engine and keeps those with the wanted verdicts and shape."""

    def __init__(self, engine: Engine[AUnit], wanted: Wanted) -> None:
        self._engine, self._wanted = engine, wanted
        self.name = engine.name
        self.batches_are_quick = engine.batches_are_quick

    def units(self, jobs: int) -> list[AUnit]:
        """Return the units of work of the engine."""
        return self._engine.units(jobs)

    def solve(self, unit: AUnit) -> Iterator[bytes]:
        """Yield the ids of those tests in each batch of the engine that have the wanted verdicts and shape."""
        for lines in self._engine.solve(unit):
            yield lines_of(self._wanted.among(lines.decode("ascii").split()))
