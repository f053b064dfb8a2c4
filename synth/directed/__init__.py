"""Directed synthesis: tests with given verdicts, over growing bounds, the smallest first.

`find_all` is the filter of a complete enumeration. `find_first` stops at the first bound that has an answer. Up to
`LEAST_UP_TO` instructions, or where it is asked to, it searches this bound to its end and gives the least id: the
smallest test there is. In a larger bound it gives a test and says that it need not be the least. There it first looks
a little into each unit of work, one after the other, which finds common verdicts at once and always the same test; only
then are all units searched to their ends, or until some process comes upon an answer, which may be another each time.

Where inclusion of fair sets excludes a bound (`synth_checker.fairness_order`), nothing is searched. Whatever is found
is judged once more, by the core, before it is an answer.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

from synth.directed.query import Directed, Query, Searched, SearchState
from synth.directed.searching import search_for
from synth.engines.choosing import AUTO
from synth.work.execution import execution, work_through
from synth_checker.chunks import CHUNK
from synth_checker.errors import InternalError, check_type
from synth_checker.ids import Ids, collect_ids
from synth_checker.rules import first_broken

if TYPE_CHECKING:
    from collections.abc import Callable

    from synth.directed.searching import SomeSearch
    from synth.engines.engine import Unit
    from synth.work.execution import Execution, Progress
    from synth.work.stopping import Stop
    from synth.work.workers import Batch
    from synth_checker.question import Bound

__all__ = ["LEAST_UP_TO", "Directed", "Query", "SearchState", "Searched", "find_all", "find_first"]

#: Instructions of the bounds that are always searched to their end: seconds at the most.
LEAST_UP_TO = 5


def find_all(
    query: Query,
    *,
    jobs: int | None = None,
    engine: str = AUTO,
    stop: Stop | None = None,
    progress: Progress | None = None,
) -> Directed:
    """All tests that are as wanted, in `jobs` processes.

    An interrupt, and whatever else `stop` watches for, ends the run early; the result then says what is not finished.

    Raises:
        InputError: an unknown engine, or fewer than one job.
        LimitError: a bound is too large for the engine.
        InternalError: the engine and the core disagree on an answer.
    """
    check_type("query", query, Query, "a Query")
    with execution(jobs, stop, progress) as how:
        run = _Run(query, engine, how)
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
    """A smallest test that is as wanted: of the first bound that has one, and with `least` always its least id there.

    Ends early as `find_all` does.

    Raises:
        InputError: an unknown engine, or fewer than one job.
        LimitError: a bound is too large for the engine.
        InternalError: the engine and the core disagree on an answer.
    """
    check_type("query", query, Query, "a Query")
    with execution(jobs, stop, progress) as how:
        run = _Run(query, engine, how)

        def first_of(bound: Bound) -> Searched:
            if not least and bound.instructions > LEAST_UP_TO:
                return run.first_found(bound)
            found = run.searched(bound)
            return replace(found, tests=found.tests[:1])

        return run.through(first_of, until_found=True)


class _Run:
    """One query, answered a bound at a time."""

    def __init__(self, query: Query, engine: str, how: Execution) -> None:
        self._query, self._engine, self._how = query, engine, how

    def through(self, answer: Callable[[Bound], Searched], *, until_found: bool = False) -> Directed:
        """All bounds, or those up to the first with a test."""
        start = time.monotonic()
        found: list[Searched] = []
        for bound in self._query.question.bounds:
            if self._query.wanted.impossible(bound.threads):
                found.append(Searched(bound, SearchState.EXCLUDED))
            elif self._how.stop.look():
                found.append(Searched(bound, SearchState.UNTOUCHED))
            else:
                found.append(self._confirmed(answer(bound)))
                if until_found and found[-1].tests:
                    break
        seconds = time.monotonic() - start
        return Directed(self._query, tuple(found), seconds, self._how.stop.reason, self._how.stop.fault)

    def searched(self, bound: Bound) -> Searched:
        """A bound to its end: all its tests."""
        search, collector = self._search(bound), collect_ids()

        def take(batch: Batch[Unit, bytes]) -> int:
            for lines in batch.results:
                collector.add(lines)
            return len(collector)

        done = work_through(search.solve, search.units(self._how.jobs), self._how, take)
        return Searched(bound, SearchState.SEARCHED if done else SearchState.UNFINISHED, Ids(collector), search.name)

    def first_found(self, bound: Bound) -> Searched:
        """A bound up to the first test that comes; the least of those that come with it."""
        search = self._search(bound)
        units = search.units(self._how.jobs)
        for unit in units if search.first_batch_is_quick else ():
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

    def _confirmed(self, found: Searched) -> Searched:
        """An answer, if the core says of each test that it is one and is as wanted."""
        ids = Ids(found.tests)
        wrong = first_broken(ids, self._query.question.without, jobs=self._how.jobs)
        if wrong is not None:
            msg = f"the engine {found.engine} found {wrong[0]}, which breaks {', '.join(wrong[1])} by the core"
            raise InternalError(msg)
        for first in range(0, len(ids), CHUNK):
            some = ids[first : first + CHUNK]
            if self._query.wanted.among(some) != some:
                msg = f"the engine {found.engine} found tests from {some[0]} to {some[-1]}, not all of them as wanted"
                raise InternalError(msg)
        return found


def _first_of(bound: Bound, lines: bytes, engine: str) -> Searched:
    return Searched(bound, SearchState.FOUND, (min(lines.decode("ascii").split()),), engine)
