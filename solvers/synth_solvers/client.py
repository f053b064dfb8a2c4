"""Ask a solver that runs in a process of its own.

    with Solver("z3", seconds=5.0) as solver:
        solver.ask("(declare-const x Bool)(assert x)(check-sat)").verdict

The process serves many queries. If it overstays, it is killed, and the answer is `unknown`. If somebody else kills it,
another process gets the query, a few times. So a killed solver loses no verdict.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import math
import os
import signal
import sys
import time
from typing import TYPE_CHECKING, Self

from synth_checker.child import Child, LineTimeoutError, OutputLimitError
from synth_solvers import peers
from synth_solvers.answers import SolverAnswer

if TYPE_CHECKING:
    from pathlib import Path

    from synth_solvers.peers import Options

#: How many processes get a query, if each of them ends without an answer.
MAX_TRIES = 3
#: How long the process has to start and to load its solver.
_START_S = 60.0
#: A process that does not answer, and takes no time of the processor, is killed after so many times its limit.
_PATIENCE = 100.0
_numbers = itertools.count()


class Solver:
    """A solver with limits; it starts its process with the first query, or earlier if it is told to.

    As a context manager it ends the process.

    `seconds` limits the work of one query: to what the solver does in so many seconds of a processor that does nothing
    else, in steps of its own. So an answer does not depend on how busy the computer is. `worked` is what all queries
    took so far, in such seconds. At the time `until` all queries end, in seconds of the clock that only goes forward.
    `memory` is how many bytes the solver may take. If `dump` is a folder, each query is written there first, as a
    numbered file in SMT-LIB.

    Raises:
        InputError: no solver has this name.
        ResourceError: its package is not installed, or its process does not start.
    """

    def __init__(self, name: str = "z3", *, seconds: float, memory: int = 0, dump: Path | None = None) -> None:
        peers.check_solver(name)
        self.name = name
        self.seconds = seconds
        self.until = math.inf
        self.asked = 0
        self.worked = 0.0
        self._memory = memory
        self._dump = dump
        self._child: Child | None = None
        self._is_new = False  # whether the process has not yet said that its solver is loaded

    def start(self) -> None:
        """Start the process, which loads the solver while the caller does other work."""
        self._running()

    def ask(self, script: str, options: Options | None = None) -> SolverAnswer:
        """Give the solver a script with one `check-sat`, and return its answer. `options` are settings of Z3."""
        self.asked += 1
        if self._dump is not None:
            self._dump.mkdir(parents=True, exist_ok=True)
            (self._dump / f"{self.asked:05}.smt2").write_text(script, "utf-8")
        for _ in range(MAX_TRIES):
            if (answer := self._try(script, options or {})) is not None:
                self.worked += answer.worked
                return answer
        limit = f", with at most {self._memory:,} bytes of memory each" if self._memory else ""
        return SolverAnswer("unknown", reason=f"{MAX_TRIES} processes of {self.name} ended without an answer{limit}")

    def twin(self) -> Solver:
        """Return another solver with the same limits, and a process of its own."""
        solver = Solver(self.name, seconds=self.seconds, memory=self._memory)
        solver.until = self.until
        return solver

    def interrupt(self) -> None:
        """End the process, so that a query in another thread ends. Set `until` first, or another one starts."""
        if (pid := self.pid) is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(pid, signal.SIGKILL)

    @property
    def pid(self) -> int | None:
        """The number of the process, or None while none runs."""
        return None if self._child is None else self._child.pid

    @property
    def is_late(self) -> bool:
        """Whether the time is over at which all queries end."""
        return time.monotonic() >= self.until

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._end()

    def _try(self, script: str, options: Options) -> SolverAnswer | None:
        """Return the answer of a process, or None if the process has ended without one."""
        if self.is_late:
            return SolverAnswer("unknown", reason="time limit")
        child = self._running()
        try:
            if self._is_new and child.line(min(_START_S, self.until - time.monotonic())) is None:
                self._end()
                return None
            self._is_new = False
            wall = max(0.0, min(_PATIENCE * self.seconds, self.until - time.monotonic()))
            request = {"script": script, "seconds": self.seconds, "options": dict(options), "wall": wall}
            child.ask(json.dumps(request))
            line = child.line(wall)
        except LineTimeoutError:
            self._end()
            return SolverAnswer("unknown", reason="time limit")
        except OutputLimitError:
            self._end()
            return SolverAnswer("unknown", reason="the answer is too long")
        if line is None:
            self._end()
            has_overstayed = child.status.signal is not None and child.status.signal == getattr(signal, "SIGXCPU", None)
            return SolverAnswer("unknown", reason="time limit") if has_overstayed else None
        return SolverAnswer(**json.loads(line))

    def _running(self) -> Child:
        """Return the process, which is started if there is none."""
        if self._child is None:
            self._child, self._is_new = self._start(), True
        return self._child

    def _start(self) -> Child:
        command = [sys.executable, "-P", "-m", "synth_solvers.server", self.name, str(self._memory)]
        return Child(command, os.environ, f"solver{os.getpid()}.{next(_numbers)};")

    def _end(self) -> None:
        if self._child is not None:
            self._child.kill()
            self._child = None
