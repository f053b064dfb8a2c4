"""What searches a bound: an engine whose tests are filtered, or a solver that knows what is wanted.

The filter is always right and needs nothing but the engine: every test it finds is kept if it is as wanted, batch by
batch and in the engine's own processes, so nothing else is sent or stored. With the engine `explicit` it is also the
fastest, see docs/find.md, so `auto` asks `synth.directed.solving` only where a bound does not fit into that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeAlias

from synth.engines.choosing import AUTO, DIRECTED, ENGINES, engine_for, explicit_can
from synth.engines.engine import AUnit
from synth_checker.ids import lines_of
from synth_checker.nearest import unknown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth.engines.engine import Engine
    from synth_checker.question import Question
    from synth_checker.wanted import Wanted


class Search(Protocol[AUnit]):
    """Finds the tests of one question that are as wanted; each worker process has a copy."""

    name: str
    first_batch_is_quick: bool
    """Whether the first batch of a unit comes within milliseconds, whatever there is in it."""

    def units(self, jobs: int) -> list[AUnit]:
        """Units that have each test of the question in exactly one of them."""

    def solve(self, unit: AUnit) -> Iterator[bytes]:
        """The ids of the wanted tests of a unit, each once and ended by a line end; maybe none in a batch."""


SomeSearch: TypeAlias = Search[Any]
"""A search chosen by the name of its engine: only it knows of what kind its units are."""


def search_for(question: Question, wanted: Wanted, engine: str = AUTO) -> SomeSearch:
    """The search with an engine of that name, or with the one that is best for the question.

    Raises:
        InputError: there is no such engine.
        LimitError: the question is too large for the engine.
    """
    if engine == DIRECTED or (engine == AUTO and not explicit_can(question)):
        from synth.directed.solving import DirectedSearch

        return DirectedSearch(question, wanted)
    if engine not in {AUTO, *ENGINES}:
        raise unknown("engine", engine, (AUTO, *ENGINES, DIRECTED))
    return Filtered(engine_for(question, engine), wanted)


class Filtered(Generic[AUnit]):
    """The tests that an engine finds, those that are as wanted."""

    def __init__(self, engine: Engine[AUnit], wanted: Wanted) -> None:
        self._engine, self._wanted = engine, wanted
        self.name = engine.name
        self.first_batch_is_quick = engine.first_batch_is_quick

    def units(self, jobs: int) -> list[AUnit]:
        """The engine's units of work."""
        return self._engine.units(jobs)

    def solve(self, unit: AUnit) -> Iterator[bytes]:
        """Of each of the engine's batches the tests that are as wanted."""
        for lines in self._engine.solve(unit):
            yield lines_of(self._wanted.among(lines.decode("ascii").split()))
