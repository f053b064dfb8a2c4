"""Say how to execute long work: what ends it early, who is told how far it has come, and in how many processes it runs.

An `Oversight` holds the first two settings, an `Execution` all three. Functions that do long work take an `Oversight`
or an `Execution`, and pass it on. The function `execution` makes an `Execution` from the arguments of a caller.
`work_through` does a list of units: quick ones in this process, others in worker processes.
"""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass, field
from itertools import chain
from types import NoneType
from typing import TYPE_CHECKING, Protocol

from synth_checker.errors import InputError, ResourceError, check_type
from synth_workers.in_process import batches_until_stop, begin_in_process
from synth_workers.stop import Stop

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from synth_workers.batches import Batch, R, U
    from synth_workers.pool import Workers


class Progress(Protocol):
    """A function that long work calls now and then to report how far it has come."""

    def __call__(self, done: int, units: int, tests: int, /) -> None:
        """Take a report: `done` of `units` units of work are done, and `tests` tests were found so far."""


class StepProgress(Protocol):
    """A function that long work which finds no tests calls to report how far it has come."""

    def __call__(self, done: int, steps: int, /) -> None:
        """Take a report: `done` of `steps` steps of work are done."""


def ignore_progress(done: int, units: int, tests: int = 0, /) -> None:
    """Take a progress report and ignore it, for work that nobody watches."""


@dataclass(frozen=True, slots=True)
class Oversight:
    """What ends long work early (`stop`), and the function that takes its progress reports.

    Whoever makes `stop` enters it as a context before the work begins.
    """

    stop: Stop
    progress: Progress = ignore_progress


@dataclass(frozen=True, slots=True)
class Execution(Oversight):
    """How to execute long work: until it is done or `stop` has a reason, in at most `jobs` processes or threads."""

    jobs: int = field(kw_only=True)


@contextlib.contextmanager
def execution(jobs: int | None, stop: Stop | None, progress: Progress | None) -> Iterator[Execution]:
    """Make an `Execution` from the arguments of a caller, as a context manager.

    Where an argument is None, the work uses all CPUs, an interrupt (Ctrl-C) ends it, and nobody gets its progress
    reports.

    Raises:
        InputError: `jobs` is less than 1.
    """
    number = processes(jobs)
    with Stop() if stop is None else contextlib.nullcontext(stop) as watched:
        yield Execution(watched, ignore_progress if progress is None else progress, jobs=number)


def processes(jobs: int | None) -> int:
    """Return the number of processes to use: `jobs`, or the number of usable CPUs where `jobs` is None.

    Raises:
        InputError: `jobs` is less than 1.
    """
    check_type("jobs", jobs, (int, NoneType), "a number of processes")
    if jobs is not None and jobs < 1:
        raise InputError(f"jobs: found {jobs}, expected at least 1")
    return jobs or usable_cpus()


def usable_cpus() -> int:
    """Return how many CPUs this process may use."""
    with contextlib.suppress(AttributeError):  # only some systems have this function
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def work_through(
    solve: Callable[[U], Iterable[R]],
    units: Sequence[U],
    how: Execution,
    take: Callable[[Batch[U, R]], int | None],
    *,
    quick: bool = False,
) -> bool:
    """Do all units of work, and hand each batch of results to `take`.

    Worker processes do the units. With `quick`, this process works alone for a moment, and starts worker processes only
    if units are left. Use `quick` only if `solve` gives each result within milliseconds.

    `take` must return the number of results so far. The result is True if all units are done. If it is False,
    `how.stop` has the reason. One such reason is a unit on which several worker processes ended.

    Raises:
        UserError: `solve` raised it.
        InternalError: `solve` raised anything else.
    """
    done = 0

    def taken(batch: Batch[U, R]) -> bool:
        nonlocal done
        results = take(batch)
        if results is None:
            return False
        done += batch.done
        how.progress(done, len(units), results)
        return True

    batches, remaining = begin_in_process(solve, units, how.stop) if quick else ([], units)
    with contextlib.ExitStack() as at_end:
        workers: Workers[U, R] | None = None
        try:
            if remaining and not how.stop.look():
                workers = at_end.enter_context(_workers(solve, how))
                workers.start_for(len(remaining))
        except ResourceError as error:
            how.stop.note_fault(error)
        try:
            if not all(
                map(taken, chain(batches_until_stop(batches, how.stop), workers.run(remaining) if workers else ()))
            ):
                return False
        except ResourceError as error:
            how.stop.note_fault(error)
        if workers and done < len(units):
            for batch in workers.stop():
                take(batch)
                done += batch.done
    return done == len(units)


def _workers(solve: Callable[[U], Iterable[R]], how: Execution) -> Workers[U, R]:
    from synth_workers.pool import Workers  # whose libraries take longer to import than a small search

    return Workers(solve, how.jobs, how.stop)
