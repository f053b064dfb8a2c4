"""Work in threads, some of it ahead of being asked for, for generators that may be left half-way.

Such a generator is closed by the garbage collector, in any thread and at any moment: also in one that is about to
start, whose starter waits for it. To shut a pool of `concurrent.futures` down then is to wait for a lock that the
starter holds, for ever. Here nothing that is done on being closed waits: `SimpleQueue.put` may be called at any moment.

Threads don't outlive the interpreter: the core must not come back from its work to one that is gone.
"""

from __future__ import annotations

import atexit
import sys
from collections import deque
from functools import partial
from queue import SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING, TypeAlias, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

_T = TypeVar("_T")
#: What becomes of a task: what it gives, or the error that it raises.
_Answer: TypeAlias = "tuple[_T, None] | tuple[None, BaseException]"
#: What a thread is to do: a task and where its answer goes; None to end.
_ToDo: TypeAlias = "tuple[Callable[[], _T], SimpleQueue[_Answer[_T]]] | None"
#: The threads that have not ended, each with what tells it to end.
_AT_WORK: dict[Thread, Callable[[], None]] = {}


def run_in_order(tasks: Iterable[Callable[[], _T]], threads: int, ahead: int) -> Iterator[_T]:
    """What some tasks give, in their order, worked on in threads; at most so many ahead of the one that is taken next.

    What a task raises is raised when its turn comes.
    """
    to_do: SimpleQueue[_ToDo[_T]] = SimpleQueue()
    left: list[bool] = []  # not empty once nobody wants the results
    for _ in range(threads):
        thread = Thread(target=_work, args=(to_do, left), daemon=True)
        _AT_WORK[thread] = partial(to_do.put, None)
        thread.start()
    waiting: deque[SimpleQueue[_Answer[_T]]] = deque()
    try:
        for task in tasks:
            waiting.append(SimpleQueue())
            to_do.put((task, waiting[-1]))
            if len(waiting) > ahead:
                yield _taken(waiting.popleft())
        while waiting:
            yield _taken(waiting.popleft())
    finally:
        left.append(True)
        for _ in range(threads):
            to_do.put(None)


def _taken(answer: SimpleQueue[_Answer[_T]]) -> _T:
    found = answer.get()
    if found[1] is not None:
        raise found[1]
    return found[0]


def _work(to_do: SimpleQueue[_ToDo[_T]], left: list[bool]) -> None:
    """The life of a thread."""
    from threading import current_thread

    try:
        while (given := to_do.get()) is not None:
            task, answer = given
            if left:
                continue
            try:
                answer.put((task(), None))
            except BaseException as error:  # noqa: BLE001  (it is raised where the result is taken)
                answer.put((None, error))
            del given, task, answer  # nothing is kept alive by a thread that waits
    finally:
        _AT_WORK.pop(current_thread(), None)


@atexit.register
def _end() -> None:
    """Have all threads end, the core leaving its work half-way, and wait for that."""
    left = dict(_AT_WORK)
    if left and (core := sys.modules.get("synth_checker._native")) is not None:
        core.end_work()
    for end in left.values():
        end()
    for thread in left:
        thread.join()
