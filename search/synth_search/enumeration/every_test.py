"""Find every test of a question, or count them.

An engine searches the units of the question, in this process or in worker processes, and gives ids. The C++ core checks
the ids and keeps those that the question asks for. The resulting enumeration decides their verdicts and writes their
records.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

from synth_checker._native import ended_lines
from synth_checker.errors import InputError
from synth_litmus.inputs.questions import as_question
from synth_search.engines.choice import AUTO, engine_for
from synth_search.enumeration.kept_tests import filter_for
from synth_search.enumeration.runs import Count, Enumeration, RunCourse
from synth_workers.execution import execution, processes, work_through

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from contextlib import AbstractContextManager

    from synth_checker.question import Question
    from synth_search.engines.choice import SomeEngine
    from synth_search.engines.engine import Unit
    from synth_workers.batches import Batch, R
    from synth_workers.execution import Execution, Progress
    from synth_workers.stop import Stop


def enumerate_tests(  # noqa: PLR0913  (all but the question have defaults and names)
    question: Question | str,
    *,
    jobs: int | None = None,
    engine: str = AUTO,
    solver: str | None = None,
    stop: Stop | None = None,
    progress: Progress | None = None,
) -> Enumeration:
    """Find all tests of a question, or of bounds such as `"2x3"`, in `jobs` processes.

    An interrupt ends the run early. So does a unit of work that loses several worker processes, and any other reason
    that `stop` watches for. The result then holds the tests found so far, and says that it is incomplete.

    Raises:
        InputError: there is no such engine or solver, or `jobs` is less than 1.
        LimitError: the question is too large for the engine.
        InternalError: the engine and the core disagree on whether a program is a test.
    """
    question = as_question(question)
    tests: dict[Unit, int] = {}
    with filter_for(question, processes(jobs)) as filter_:

        def take(batch: Batch[Unit, bytes]) -> int:
            tests[batch.unit] = (0 if batch.first else tests[batch.unit]) + sum(map(ended_lines, batch.results))
            for lines in batch.results:
                filter_.take(lines)
            return sum(tests.values())

        run = _run(
            question, engine, solver, execution(jobs, stop, progress), lambda solver_engine: solver_engine.solve, take
        )
        start = time.monotonic()
        kept = filter_.kept()
    run = replace(run, seconds=run.seconds + time.monotonic() - start)
    counts = {} if question.keeps_all else {"tests": sum(tests.values())} | kept.found
    return Enumeration(ids=kept.ids, found=counts, **vars(run))


def count_tests(  # noqa: PLR0913
    question: Question | str,
    *,
    jobs: int | None = None,
    engine: str = AUTO,
    solver: str | None = None,
    stop: Stop | None = None,
    progress: Progress | None = None,
) -> Count:
    """Count all tests of a question without keeping any, so that memory does not grow with their number.

    The arguments are those of `enumerate_tests`. The core does not check the tests again.

    Raises:
        InputError: there is no such engine or solver, `jobs` is less than 1, or the question keeps only some tests.
        LimitError: the question is too large for the engine.
    """
    question = as_question(question)
    if not question.keeps_all:
        raise InputError(
            f"count: {question.name} keeps only some tests, which cannot be counted alone; enumerate them, or count "
            "all tests"
        )
    totals: dict[Unit, int] = {}

    def take(batch: Batch[Unit, int]) -> int:
        totals[batch.unit] = batch.results[-1] if batch.results else totals.get(batch.unit, 0)
        return sum(totals.values())

    run = _run(
        question, engine, solver, execution(jobs, stop, progress), lambda solver_engine: solver_engine.count, take
    )
    splits: dict[tuple[int, ...], int] = {}
    for unit, total in totals.items():
        shares = unit.shares()
        for sizes, share in shares.items():
            splits[sizes] = splits.get(sizes, 0) + total * share // sum(shares.values())
    return Count(by_split=splits, **vars(run))


def _run(  # noqa: PLR0913, PLR0917  (a run needs all of these)
    question: Question,
    engine: str,
    solver: str | None,
    begun: AbstractContextManager[Execution],
    work: Callable[[SomeEngine], Callable[[Unit], Iterable[R]]],
    take: Callable[[Batch[Unit, R]], int],
) -> RunCourse:
    """Do all units of a question, and return how it went; `take` gets each batch of results.

    `take` returns the number of tests so far.
    """
    start = time.monotonic()
    with begun as how:
        searcher = engine_for(question, engine, solver)
        complete = work_through(work(searcher), searcher.units(how.jobs), how, take, quick=searcher.batches_are_quick)
        return RunCourse(
            question=question,
            complete=complete,
            stopped=how.stop.reason,
            seconds=time.monotonic() - start,
            engine=searcher.name,
            solver=searcher.solver,
            jobs=how.jobs,
            fault=how.stop.fault,
        )
