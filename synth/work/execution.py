"""How long work is executed: in how many processes, what ends it early, and who is told how far it has come.

`Execution` holds these three. Functions that do long work take one and pass it on. Those whose processes are somebody
else's, such as an executor's, take an `Oversight`, which has the last two. `execution` makes an `Execution` of what a
caller gave, and `work_through` has worker processes do a list of units by it.
"""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass, field
from types import NoneType
from typing import TYPE_CHECKING, Protocol

from synth.work.stopping import Stop
from synth.work.workers import Workers
from synth_checker.errors import InputError, ResourceError, check_type

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from synth.work.workers import Batch, R, U


class Progress(Protocol):
    """Is told, now and then, how far long work has come."""

    def __call__(self, done: int, units: int, tests: int, /) -> None:
        """So many units of work are done, so many there are, and so many tests were found."""


def tell_nobody(done: int, units: int, tests: int, /) -> None:
    """The progress of work that nobody watches."""


@dataclass(frozen=True, slots=True)
class Oversight:
    """What ends long work early, and who is told how far it has come.

    `stop` is entered by whoever made it, before the work begins.
    """

    stop: Stop
    progress: Progress = tell_nobody


@dataclass(frozen=True, slots=True)
class Execution(Oversight):
    """The same, and in at most how many processes or threads the work is done."""

    jobs: int = field(kw_only=True)


@contextlib.contextmanager
def execution(jobs: int | None, stop: Stop | None, progress: Progress | None) -> Iterator[Execution]:
    """An execution as a caller asked for it: by default on all CPUs, unwatched, and ended by an interrupt.

    Raises:
        InputError: fewer than one process.
    """
    number = processes(jobs)
    with Stop() if stop is None else contextlib.nullcontext(stop) as watched:
        yield Execution(watched, tell_nobody if progress is None else progress, jobs=number)


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


def usable_cpus() -> int:
    """How many CPUs this process may use."""
    with contextlib.suppress(AttributeError):  # only some systems say
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def work_through(
    solve: Callable[[U], Iterable[R]], units: Sequence[U], how: Execution, take: Callable[[Batch[U, R]], int | None]
) -> bool:
    """Have units worked on in processes, and their batches taken.

    `take` gives the number of results so far, or None if no more work is to be done. Gives whether all units are done.
    If not, and `take` did not end it, `how.stop` knows why: a worker process lost again and again is noted there, too.

    Raises:
        UserError: as raised by `solve`.
        InternalError: `solve` raised anything else.
    """
    done = 0
    with Workers(solve, how.jobs, how.stop) as workers:
        try:
            for batch in workers.run(units):
                results = take(batch)
                if results is None:
                    return False
                done += batch.done
                how.progress(done, len(units), results)
        except ResourceError as error:
            how.stop.note_fault(error)
        if done < len(units):
            for batch in workers.stop():
                take(batch)
                done += batch.done
    return done == len(units)
