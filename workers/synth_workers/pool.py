"""Run worker processes that solve units of work, and lose no unit when a worker is killed.

Each worker has a pipe of its own. It gets one unit at a time. It sends batches of results. The last batch says that the
unit is done. The parent process waits for all pipes. If a pipe ends before its unit is done, its worker was killed, and
the parent gives the unit to another worker. So a result can arrive twice. (A pool of `multiprocessing` would wait for
the result of the killed worker without end.)

A worker ends when its parent does, however the parent ended. A worker ignores interrupts and closed terminals. The
parent handles these: it asks the worker to stop and still takes the results that the worker has found.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
import threading
import time
import traceback
from collections import Counter
from dataclasses import dataclass
from multiprocessing.connection import wait
from typing import TYPE_CHECKING, Generic, Self

import multiprocess

from synth_checker.errors import InternalError, ResourceError, UserError
from synth_workers.batches import Batch, R, U, out_of_memory
from synth_workers.pipes import receive, send
from synth_workers.stop import Stop, is_ignored
from synth_workers.unit_queue import InOrder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

    from synth_workers.unit_queue import UnitQueue

#: Forked processes share the modules that their parent has imported. Spawned ones import them again.
START_METHOD = "fork" if sys.platform == "linux" else "spawn"
#: When a unit has lost so many workers, no further worker tries it.
MAX_TRIES = 3
#: A worker may keep results for so many seconds before it sends them. If it is killed meanwhile, they are lost.
_FLUSH_S = 0.02
#: How long the parent waits for a worker that was asked to stop.
_STOP_S = 1.0
_PARENT_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG of <sys/prctl.h>


@dataclass(slots=True, eq=False)
class _Worker(Generic[U]):
    process: BaseProcess  # of the package multiprocess, which has the interface of Python's multiprocessing
    pipe: Connection
    unit: U | None = None  # None while idle
    at: int | None = None  # the place of this unit, or of the last one, in the list of units
    has_sent: bool = False  # whether it has sent a batch of this unit


class Workers(Generic[U, R]):
    """A context manager with up to `jobs` worker processes that apply `solve` to units of work.

    No process is left when the context ends. If several workers have been killed during one unit, the run ends with an
    error. But if the function `given_up` is set, it is called with the unit and a message, and its result counts as the
    result of the unit.
    """

    def __init__(
        self,
        solve: Callable[[U], Iterable[R]],
        jobs: int,
        stop: Stop,
        given_up: Callable[[U, str], R] | None = None,
    ) -> None:
        self._solve = solve
        self._given_up = given_up
        self._jobs = jobs
        self._stop = stop
        self._workers: list[_Worker[U]] = []
        self._context = multiprocess.get_context(START_METHOD)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self._workers:
            worker.process.kill()
            worker.process.join()
        self._workers.clear()

    def start_for(self, units: int) -> None:
        """Start the workers that `run` needs for so many units, unless they are there.

        `run` does this itself. Call it earlier, before the process starts threads or fills its memory, because a forked
        worker copies both.
        """
        while len(self._workers) < min(self._jobs, units):
            self._workers.append(self._start())

    def run(self, units: Sequence[U], waiting: type[UnitQueue] = InOrder) -> Iterator[Batch[U, R]]:
        """Solve all units, and yield batches of results as they arrive; stop early if there is a reason to stop.

        `waiting` is the class that decides which unit a worker gets next.

        Raises:
            ResourceError: several workers were killed during one unit, and `given_up` is None.
            UserError: `solve` raised it in a worker.
            InternalError: `solve` raised anything else.
        """
        todo = waiting(len(units))
        lost: Counter[U] = Counter()
        remaining = len(units)
        for worker in self._workers:
            worker.at = None  # its last unit was in another list
        while remaining and not self._stop.look(self._pids()):
            self.start_for(remaining)
            for worker in self._workers:
                if worker.unit is None and todo:
                    worker.at = todo.take(worker.at)
                    worker.unit, worker.has_sent = units[worker.at], False
                    with contextlib.suppress(OSError):  # the worker is dead; reading its pipe will show that
                        send(worker.pipe, worker.unit)
            for worker in self._ready(self._stop.patience(), self._stop):
                batch = self._receive(worker) or self._after_loss(worker, todo, lost)
                if batch is not None:
                    if batch.done:
                        worker.unit = None
                        remaining -= 1
                    yield batch

    def _pids(self) -> Iterator[int]:
        return (worker.process.pid for worker in self._workers if worker.process.pid is not None)

    def _receive(self, worker: _Worker[U]) -> Batch[U, R] | None:
        """Return the next batch of a worker, or None if the worker has ended."""
        try:
            received = receive(worker.pipe)
        except (EOFError, OSError):
            return None
        if isinstance(received, UserError):
            raise received
        if isinstance(received, str):
            raise InternalError(f"a worker process failed while it solved {worker.unit}:\n{received}")
        assert worker.unit is not None  # noqa: S101  (an idle worker sends nothing)
        first, worker.has_sent = not worker.has_sent, True
        results, done = received
        return Batch(worker.unit, results, done, first)

    def _after_loss(self, worker: _Worker[U], todo: UnitQueue, lost: Counter[U]) -> Batch[U, R] | None:
        """Let the unit of a lost worker wait for another worker, or return the batch that stands for its results."""
        self._workers.remove(worker)
        worker.process.join()
        if worker.unit is None or worker.at is None:
            return None
        lost[worker.unit] += 1
        if lost[worker.unit] < MAX_TRIES:
            todo.put_back(worker.at)
            return None
        problem = _loss_message(worker)
        if self._given_up is None:
            raise ResourceError(problem)
        return Batch(worker.unit, [self._given_up(worker.unit, problem)], done=True, first=True)

    def stop(self) -> Iterator[Batch[U, R]]:
        """Ask all workers to stop, and yield the results that they found and have not sent; give up after a second."""
        for worker in self._workers:
            with contextlib.suppress(OSError):
                send(worker.pipe, None)
        deadline = time.monotonic() + _STOP_S
        while self._workers and (remaining_s := deadline - time.monotonic()) > 0:
            for worker in self._ready(remaining_s):
                try:
                    batch = self._receive(worker)
                except (UserError, InternalError):
                    batch = None  # the run stops anyway, so this error does not matter
                if batch is None:
                    self._workers.remove(worker)
                    worker.process.join()
                else:
                    yield batch

    def _ready(self, timeout: float | None, *watched: Stop) -> list[_Worker[U]]:
        """Return the workers that have sent something.

        It waits until there is such a worker, the time is up, or a watched object is readable.
        """
        ready = wait([*(stop.fileno() for stop in watched), *(worker.pipe for worker in self._workers)], timeout)
        return [worker for worker in self._workers if worker.pipe in ready]

    def _start(self) -> _Worker[U]:
        ours, theirs = self._context.Pipe()
        # A forked worker inherits the parent's ends of all pipes; it must close them, or no pipe would ever end.
        inherited = [worker.pipe for worker in self._workers] + [ours]
        process = self._context.Process(
            target=_work, args=(self._solve, theirs, inherited, os.getpid()), daemon=True, name="synth-worker"
        )
        try:
            process.start()
        except OSError as error:
            raise ResourceError(
                f"workers: cannot start {self._jobs} processes: {error.strerror}; use fewer jobs"
            ) from error
        theirs.close()
        return _Worker(process, ours)


def run_in_process(task: Callable[[], R]) -> R:
    """Run a task in a process of its own, and return its result.

    A solver written in C may not react to Ctrl-C. The calling process waits in Python code, so that Ctrl-C raises
    KeyboardInterrupt there at once.

    Raises:
        ResourceError: several processes were killed in a row.
        UserError: `task` raised it.
        InternalError: `task` raised anything else.
    """

    def solve(_: int) -> list[R]:
        return [task()]

    with Stop(signals=False) as stop, Workers(solve, 1, stop) as workers:
        results = [result for batch in workers.run([0]) for result in batch.results]
    return results[-1]


def _loss_message(worker: _Worker[U]) -> str:
    code = worker.process.exitcode
    names = {number.value: number.name for number in signal.Signals}  # some signals have no name
    how = f"signal {names.get(-code, -code)}" if code is not None and code < 0 else f"exit code {code}"
    return (
        f"workers: {MAX_TRIES} processes ended while they worked on {worker.unit}, the last with {how}; use fewer jobs "
        "or a machine with more memory"
    )


def _work(solve: Callable[[U], Iterable[R]], pipe: Connection, inherited: list[Connection], parent: int) -> None:
    """Serve as a worker process: receive units and send batches of results, until the parent says stop or is gone."""
    for other in inherited:
        other.close()
    for number in (signal.SIGINT, signal.SIGHUP):  # a terminal sends these to all processes of a command
        signal.signal(number, signal.SIG_IGN)
    if not is_ignored(signal.SIGTERM):
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PARENT_DEATH_SIGNAL, signal.SIGKILL)
    if os.getppid() != parent:  # the parent died before the line above took effect
        return
    # In a main thread, PySAT puts a handler of its own in place for SIGINT while it solves, and Ctrl-C would end it.
    thread = threading.Thread(target=_serve, args=(solve, pipe))
    thread.start()
    thread.join()


def _serve(solve: Callable[[U], Iterable[R]], pipe: Connection) -> None:
    with contextlib.suppress(EOFError, OSError):  # the parent is gone
        while (unit := receive(pipe)) is not None:
            try:
                if not _solve_unit(solve, unit, pipe):
                    return
            except UserError as error:
                send(pipe, error)
                return
            except MemoryError:
                send(pipe, out_of_memory(unit))
                return
            except Exception:  # noqa: BLE001  (the parent gets any error as text, because it may lack the type)
                send(pipe, traceback.format_exc())
                return


def _solve_unit(solve: Callable[[U], Iterable[R]], unit: U, pipe: Connection) -> bool:
    """Solve one unit and send its results in batches; return False if the parent said to stop."""
    results: list[R] = []
    sent = time.monotonic()
    for result in solve(unit):
        results.append(result)
        if time.monotonic() - sent > _FLUSH_S:
            send(pipe, (results, False))
            if pipe.poll():  # while a unit is solved, the parent sends only the request to stop
                return False
            results, sent = [], time.monotonic()
    send(pipe, (results, True))
    return True
