"""Find tests with given verdicts, in growing bounds, the smallest test first. This is called directed synthesis.

`find_all` gives all such tests of all bounds, as a filter of a complete enumeration would. `find_first` stops at the
first bound that has one.

- Up to `LEAST_UP_TO` instructions, or with `least`, `find_first` searches this bound to its end. Its answer has the
  least id of all, so it is the smallest test there is.
- In a larger bound, the answer need not have the least id. The search first takes one short look into each unit of
  work, in order. This finds common verdicts at once, and always finds the same test. If no look finds a test, processes
  search all units until one of them finds a test. That test may differ from run to run.

If the inclusion of fair sets (`synth_checker.relations.fairness_order`) proves that a bound has no such test, nothing
is searched. The core judges every test that is found once more, before it is an answer.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

from synth_checker.chunks import CHUNK
from synth_checker.errors import InternalError, check_type
from synth_checker.programs.ids import Ids, collect_ids
from synth_checker.programs.rules import first_broken
from synth_search.directed.bound_search import search_for
from synth_search.directed.query import Directed, Query, Searched, SearchState
from synth_search.engines.choice import AUTO
from synth_workers.execution import execution, work_through

if TYPE_CHECKING:
    from collections.abc import Callable

    from synth_checker.question import Bound
    from synth_search.directed.bound_search import SomeSearch
    from synth_search.engines.engine import Unit
    from synth_workers.batches import Batch
    from synth_workers.execution import Execution, Progress
    from synth_workers.stop import Stop

__all__ = ["LEAST_UP_TO", "Directed", "Query", "SearchState", "Searched", "find_all", "find_first"]

#: Bounds with up to so many instructions are always searched to their end, which takes seconds at most.
LEAST_UP_TO = 5


def find_all(
    query: Query,
    *,
    jobs: int | None = None,
    engine: str = AUTO,
    stop: Stop | None = None,
    progress: Progress | None = None,
) -> Directed:
    """Find all tests that a query asks for, in `jobs` processes.

    An interrupt ends the run early, and so does any other reason that `stop` watches for. The result then says which
    bounds are not finished.

    Raises:
        InputError: there is no such engine, or `jobs` is less than 1.
        LimitError: a bound is too large for the engine.
        InternalError: the engine and the core disagree on an answer.
    """
    check_type("query", query, Query, "a Query")
    with execution(jobs, stop, progress) as how:
        run = _QueryRun(query, engine, how)
        return run.through(run.searched)


def find_first(  # noqa: PLR0913  (all but the query have defaults and names)
    query: Query,
    *,
    least: bool = False,
    jobs: int | None = None,
    engine: str = AUTO,
    stop: Stop | None = None,
    progress: Progress | None = None,
) -> Directed:
    """Find a test that a query asks for, in the first of its bounds that has one.

    With `least`, the test always has the least id of that bound. An interrupt ends the run early, and so does any other
    reason that `stop` watches for. The result then says which bounds are not finished.

    Raises:
        InputError: there is no such engine, or `jobs` is less than 1.
        LimitError: a bound is too large for the engine.
        InternalError: the engine and the core disagree on an answer.
    """
    check_type("query", query, Query, "a Query")
    with execution(jobs, stop, progress) as how:
        run = _QueryRun(query, engine, how)

        def first_of(bound: Bound) -> Searched:
            if not least and bound.instructions > LEAST_UP_TO:
                return run.first_found(bound)
            searched = run.searched(bound)
            return replace(searched, tests=searched.tests[:1])

        return run.through(first_of, until_found=True)


class _QueryRun:
    """The state of a query while its bounds are answered one by one."""

    def __init__(self, query: Query, engine: str, how: Execution) -> None:
        self._query, self._engine, self._how = query, engine, how

    def through(self, answer: Callable[[Bound], Searched], *, until_found: bool = False) -> Directed:
        """Answer all bounds, or with `until_found` those up to the first that has a test."""
        start = time.monotonic()
        all_searched: list[Searched] = []
        for bound in self._query.question.bounds:
            if self._query.wanted.impossible(bound.threads):
                all_searched.append(Searched(bound, SearchState.EXCLUDED))
            elif self._how.stop.look():
                all_searched.append(Searched(bound, SearchState.UNTOUCHED))
            else:
                all_searched.append(self._confirmed(answer(bound)))
                if until_found and all_searched[-1].tests:
                    break
        seconds = time.monotonic() - start
        return Directed(self._query, tuple(all_searched), seconds, self._how.stop.reason, self._how.stop.fault)

    def searched(self, bound: Bound) -> Searched:
        """Search a bound to its end, and return all its tests."""
        search, collector = self._search(bound), collect_ids()

        def take(batch: Batch[Unit, bytes]) -> int:
            for lines in batch.results:
                collector.add(lines)
            return len(collector)

        quick = search.batches_are_quick
        done = work_through(search.solve, search.units(self._how.jobs), self._how, take, quick=quick)
        return Searched(bound, SearchState.SEARCHED if done else SearchState.UNFINISHED, Ids(collector), search.name)

    def first_found(self, bound: Bound) -> Searched:
        """Search a bound until the first test is found, and return the least of the tests that come with it."""
        search = self._search(bound)
        units = search.units(self._how.jobs)
        for unit in units if search.batches_are_quick else ():
            if self._how.stop.look():
                return Searched(bound, SearchState.UNFINISHED, (), search.name)
            if lines := next(iter(search.solve(unit)), b""):
                return _first_of(bound, lines, search.name)
        first = b""

        def take(batch: Batch[Unit, bytes]) -> int | None:
            nonlocal first
            first = first or b"".join(batch.results)
            return None if first else 0

        done = work_through(search.solve, units, self._how, take)
        if first:
            return _first_of(bound, first, search.name)
        return Searched(bound, SearchState.SEARCHED if done else SearchState.UNFINISHED, (), search.name)

    def _search(self, bound: Bound) -> SomeSearch:
        question = replace(self._query.question, bounds=(bound,))
        return search_for(question, self._query.wanted, self._engine)

    def _confirmed(self, searched: Searched) -> Searched:
        """Return an answer after the core has confirmed its tests.

        Each must be a test, and have the verdicts and the shape that the query asks for.
        """
        ids = Ids(searched.tests)
        wrong = first_broken(ids, self._query.question.without, jobs=self._how.jobs)
        if wrong is not None:
            raise InternalError(
                f"the engine {searched.engine} found {wrong[0]}, but the core says that it breaks {', '.join(wrong[1])}"
            )
        for first in range(0, len(ids), CHUNK):
            piece = ids[first : first + CHUNK]
            if self._query.wanted.among(piece) != piece:
                raise InternalError(
                    f"the engine {searched.engine} found tests from {piece[0]} to {piece[-1]}; "
                    "some of them do not have the wanted verdicts or shape"
                )
        return searched


def _first_of(bound: Bound, lines: bytes, engine: str) -> Searched:
    return Searched(bound, SearchState.FOUND, (min(lines.decode("ascii").split()),), engine)
