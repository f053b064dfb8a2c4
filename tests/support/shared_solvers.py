"""Processes of solvers that several tests share: to load a solver takes longer than most queries."""

import contextlib

import pytest

from synth_solvers.client import Solver

#: So many processes may wait at a time.
MANY = 4


class Idle:
    """Processes that wait for queries, each with the name of its solver and its limit of memory."""

    def __init__(self):
        self._waiting = []

    def close(self):
        """End all processes."""
        while self._waiting:
            _, child, _ = self._waiting.pop()
            child.kill()

    @contextlib.contextmanager
    def taken(self):
        """Solvers take a process that waits, and leave theirs waiting unless something went wrong."""
        start, leave = Solver._running, Solver.__exit__

        def running(solver):
            fitting = [found for found in self._waiting if found[0] == (solver.name, solver._memory)]
            if solver._child is None and fitting:
                self._waiting.remove(fitting[0])
                _, solver._child, solver._is_new = fitting[0]
            return start(solver)

        def left(solver, *raised):
            is_well = raised == (None, None, None) and solver._child is not None and not solver.is_late
            if not is_well or len(self._waiting) == MANY:
                return leave(solver, *raised)
            self._waiting.append(((solver.name, solver._memory), solver._child, solver._is_new))
            solver._child = None
            return None

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Solver, "_running", running)
            patch.setattr(Solver, "__exit__", left)
            yield
