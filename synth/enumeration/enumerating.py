"""The main job: every test of a question, or how many there are.

Question -> units -> engine, in processes -> ids -> checked and kept in C++ -> an enumeration, which judges and writes
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from synth.engines.choosing import AUTO, engine_for
from synth.enumeration.keeping import keeper_for
from synth.enumeration.runs import Count, Enumeration
from synth.inputs.asking import as_question
from synth.work.execution import execution, processes, work_through
from synth_checker.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from contextlib import AbstractContextManager

    from synth.engines.choosing import SomeEngine
    from synth.engines.engine import Unit
    from synth.enumeration.runs import Course
    from synth.work.execution import Execution, Progress
    from synth.work.stopping import Stop
    from synth.work.workers import Batch, R
    from synth_checker.question import Question


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

    An interrupt, a worker process lost again and again, and whatever else `stop` watches for, ends the run early; the
    result then says so and holds what was found.

    Raises:
        InputError: an unknown engine or solver, or fewer than one job.
        LimitError: the question is too large for the engine.
        InternalError: the engine and the core disagree on whether a program is a test.
    """
    question = as_question(question)
    tests: dict[Unit, int] = {}
    with keeper_for(question, processes(jobs)) as keeper:

        def take(batch: Batch[Unit, bytes]) -> int:
            tests[batch.unit] = (0 if batch.first else tests[batch.unit]) + sum(map(_lines_in, batch.results))
            for lines in batch.results:
                keeper.take(lines)
            return sum(tests.values())

        run = _run(question, engine, solver, execution(jobs, stop, progress), lambda made: made.solve, take)
        start = time.monotonic()
        kept = keeper.kept()
    run["seconds"] += time.monotonic() - start
    found = {} if question.keeps_all else {"tests": sum(tests.values())} | kept.found
    return Enumeration(ids=kept.ids, found=found, **run)


def count_tests(  # noqa: PLR0913
    question: Question | str,
    *,
    jobs: int | None = None,
    engine: str = AUTO,
    solver: str | None = None,
    stop: Stop | None = None,
    progress: Progress | None = None,
) -> Count:
    """As `enumerate_tests`, but only count: nothing is kept, so memory does not grow with what is found.

    The core does not look at the tests once more, either.

    Raises:
        InputError: an unknown engine or solver, fewer than one job, or a question that keeps only some of the tests.
        LimitError: the question is too large for the engine.
    """
    question = as_question(question)
    if not question.keeps_all:
        msg = f"count: found a question that keeps some tests ({question.name}), expected one that keeps all"
        raise InputError(msg)
    totals: dict[Unit, int] = {}

    def take(batch: Batch[Unit, int]) -> int:
        totals[batch.unit] = batch.results[-1] if batch.results else totals.get(batch.unit, 0)
        return sum(totals.values())

    run = _run(question, engine, solver, execution(jobs, stop, progress), lambda made: made.count, take)
    splits: dict[tuple[int, ...], int] = {}
    for unit, total in totals.items():
        shares = unit.shares()
        for sizes, share in shares.items():
            splits[sizes] = splits.get(sizes, 0) + total * share // sum(shares.values())
    return Count(by_split=splits, **run)


def _lines_in(text: bytes) -> int:
    return text.count(b"\n")


def _run(  # noqa: PLR0913, PLR0917  (as many things as a run is made of)
    question: Question,
    engine: str,
    solver: str | None,
    begun: AbstractContextManager[Execution],
    work: Callable[[SomeEngine], Callable[[Unit], Iterable[R]]],
    take: Callable[[Batch[Unit, R]], int],
) -> Course:
    """Have all units of a question worked on, and their batches taken, which gives the number of tests so far."""
    start = time.monotonic()
    with begun as how:
        made = engine_for(question, engine, solver)
        complete = work_through(work(made), made.units(how.jobs), how, take)
        return {
            "question": question,
            "complete": complete,
            "stopped": how.stop.reason,
            "seconds": time.monotonic() - start,
            "engine": made.name,
            "solver": made.solver,
            "jobs": how.jobs,
            "fault": how.stop.fault,
        }
