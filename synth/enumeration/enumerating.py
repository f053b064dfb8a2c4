"""The main job: every test of a question, or how many there are.

Question -> units -> engine, in processes -> ids -> checked and kept in C++ -> an enumeration, which judges and writes
"""

from __future__ import annotations

import contextlib
import os
import time
from types import NoneType
from typing import TYPE_CHECKING, Any, NamedTuple

from synth.engines.engine import AUTO, engine_for
from synth.enumeration.keeping import keeper_for
from synth.enumeration.runs import Count, Enumeration
from synth.inputs.asking import as_question
from synth.work.stopping import Stop
from synth.work.workers import Workers
from synth_checker.errors import InputError, ResourceError, check_type

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from synth.engines.engine import Engine
    from synth.work.workers import Batch
    from synth_checker.question import Question

    Progress = Callable[[int, int, int], None]
    """Told, now and then, how many units of work are done, how many there are, and how many tests were found."""


def usable_cpus() -> int:
    """How many CPUs this process may use."""
    with contextlib.suppress(AttributeError):  # only some systems say
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


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
    tests: dict[Any, int] = {}
    with keeper_for(question, processes(jobs)) as keeper:

        def take(batch: Batch) -> int:
            tests[batch.unit] = (0 if batch.first else tests[batch.unit]) + sum(map(_lines_in, batch.results))
            for lines in batch.results:
                keeper.take(lines)
            return sum(tests.values())

        run = _run(question, _How(jobs, engine, solver, stop, progress), lambda made: made.solve, take)
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
    totals: dict[Any, int] = {}

    def take(batch: Batch) -> int:
        totals[batch.unit] = batch.results[-1] if batch.results else totals.get(batch.unit, 0)
        return sum(totals.values())

    run = _run(question, _How(jobs, engine, solver, stop, progress), lambda made: made.count, take)
    splits: dict[tuple[int, ...], int] = {}
    for unit, total in totals.items():
        shares = unit.shares()
        for sizes, share in shares.items():
            splits[sizes] = splits.get(sizes, 0) + total * share // sum(shares.values())
    return Count(by_split=splits, **run)


def _lines_in(text: bytes) -> int:
    return text.count(b"\n")


class _How(NamedTuple):
    jobs: int | None
    engine: str
    solver: str | None
    stop: Stop | None
    progress: Progress | None


def _run(
    question: Question,
    how: _How,
    work: Callable[[Engine], Callable[[Any], Iterable[Any]]],
    take: Callable[[Batch], int],
) -> dict[str, Any]:
    """Have all units of a question worked on, and their batches taken, which gives the number of tests so far.

    Gives the fields of a `synth.enumeration.runs.Run`.
    """
    jobs = processes(how.jobs)
    start = time.monotonic()
    with contextlib.ExitStack() as stack:
        watch = stack.enter_context(Stop()) if how.stop is None else how.stop
        engine = engine_for(question, how.engine, how.solver)
        complete = work_through(work(engine), engine.units(jobs), jobs, watch, take, how.progress)
        return {
            "question": question,
            "complete": complete,
            "stopped": watch.reason,
            "seconds": time.monotonic() - start,
            "engine": engine.name,
            "solver": engine.solver,
            "jobs": jobs,
            "fault": watch.fault,
        }


def processes(jobs: int | None) -> int:
    """How many processes are asked for: by default as many as there are CPUs.

    Raises:
        InputError: fewer than one.
    """
    check_type("jobs", jobs, (int, NoneType), "a number of processes")
    if jobs is not None and jobs < 1:
        msg = f"jobs: found {jobs}, expected at least 1"
        raise InputError(msg)
    return jobs or usable_cpus()


def work_through(  # noqa: PLR0913, PLR0917  (as many things as the work is made of)
    solve: Callable[[Any], Iterable[Any]],
    units: Sequence[Any],
    jobs: int,
    stop: Stop,
    take: Callable[[Batch], int],
    progress: Progress | None = None,
) -> bool:
    """Have units worked on in processes, and their batches taken, which gives the number of results so far.

    Gives whether that is all. If not, `stop` knows why: a worker process lost again and again is noted there, too.

    Raises:
        UserError: as raised by `solve`.
        InternalError: `solve` raised anything else.
    """
    done = 0
    with Workers(solve, jobs, stop) as workers:
        try:
            for batch in workers.run(units):
                results = take(batch)
                done += batch.done
                if progress is not None:
                    progress(done, len(units), results)
        except ResourceError as error:
            stop.note_fault(error)
        if done < len(units):
            for batch in workers.stop():
                take(batch)
                done += batch.done
    return done == len(units)
