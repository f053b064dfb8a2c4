"""Run tasks in operating-system threads, for a generator that its caller may abandon before it ends.

Python's garbage collector closes such a generator in any thread and at any moment. That may happen inside a thread that
is about to start, while the thread that started it waits. If the generator then shut down a pool of
`concurrent.futures`, it would wait without end for a lock which that waiting thread holds. So nothing waits here when a
generator is closed: it only calls `SimpleQueue.put`, which is allowed at any moment.

The threads end before the interpreter does, because the C++ core must not return to an interpreter that is gone.
"""

from __future__ import annotations

import atexit
import sys
from collections import deque
from functools import partial
from queue import SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from synth_checker.errors import ResourceError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

_T = TypeVar("_T")
#: The outcome of a task: its result, or the exception that it raised.
_Answer: TypeAlias = "tuple[_T, None] | tuple[None, BaseException]"
#: An order to a thread: a task and the queue for its outcome, or None to end.
_ToDo: TypeAlias = "tuple[Callable[[], _T], SimpleQueue[_Answer[_T]]] | None"
#: The threads that have not ended, each with the function that tells it to end.
_AT_WORK: dict[Thread, Callable[[], None]] = {}


def run_in_order(tasks: Iterable[Callable[[], _T]], threads: int, ahead: int) -> Iterator[_T]:
    """Run tasks in several operating-system threads, and yield their results in the order of the tasks.

    At most `ahead` tasks are started before the caller takes the result of an earlier one. There are never more threads
    than tasks that wait. An exception that a task raises reaches the caller when its result is due.
    """
    to_do: SimpleQueue[_ToDo[_T]] = SimpleQueue()
    abandoned: list[bool] = []  # not empty once nobody wants the results
    started = 0
    waiting: deque[SimpleQueue[_Answer[_T]]] = deque()
    try:
        for task in tasks:
            waiting.append(SimpleQueue())
            if started < threads:
                _start(to_do, abandoned)
                started += 1
            to_do.put((task, waiting[-1]))
            if len(waiting) > ahead:
                yield _result_of(waiting.popleft())
        while waiting:
            yield _result_of(waiting.popleft())
    finally:
        abandoned.append(True)
        for _ in range(started):
            to_do.put(None)


def _start(to_do: SimpleQueue[_ToDo[_T]], abandoned: list[bool]) -> None:
    """Start a thread that works until it is told to end."""
    thread = Thread(target=_run_tasks, args=(to_do, abandoned), daemon=True)
    # It takes itself out of the list at its end, and so must be there before it begins.
    _AT_WORK[thread] = partial(to_do.put, None)
    try:
        thread.start()
    except RuntimeError as error:
        del _AT_WORK[thread]
        raise ResourceError(f"a thread can't be started: {error}; use fewer jobs") from error


def _result_of(answer: SimpleQueue[_Answer[_T]]) -> _T:
    outcome = answer.get()
    if outcome[1] is not None:
        raise outcome[1]
    return outcome[0]


def _run_tasks(to_do: SimpleQueue[_ToDo[_T]], abandoned: list[bool]) -> None:
    """Run tasks until the thread is told to end."""
    from threading import current_thread

    try:
        while (job := to_do.get()) is not None:
            task, answer = job
            if abandoned:
                continue
            try:
                answer.put((task(), None))
            except BaseException as error:  # noqa: BLE001  (it is raised where the result is taken)
                answer.put((None, error))
            del job, task, answer  # nothing is kept alive by a thread that waits
    finally:
        _AT_WORK.pop(current_thread(), None)


@atexit.register
def _end_threads() -> None:
    """Tell all threads to end, make the core abandon its work, and wait until they have ended."""
    at_work = dict(_AT_WORK)
    if at_work and (core := sys.modules.get("synth_checker._native")) is not None:
        core.end_work()
    for end in at_work.values():
        end()
    for thread in at_work:
        thread.join()
