"""Test that verification with a solver that is killed, or out of time, loses no verdict."""

import math
import os
import signal

import pytest

from kernel_examples import EXAMPLES
from synth_kernels.launch import Launch
from synth_kernels.running import Runner
from synth_kernels.text import parse
from synth_kernels.verifying import verify
from synth_solvers.answers import Answer
from synth_solvers.asking import Solver

LAUNCH = Launch((8,), (1,))
RACES = """kernel k
global A: i32
global B: i32
entry:
  write i32 A[0:i32] = lid.0
  write i32 B[0:i32] = lid.0
  return
"""


class Killed(Solver):
    """A solver whose process is killed before each query."""

    def ask(self, script):
        if self.pid is not None:
            os.kill(self.pid, signal.SIGKILL)
        return super().ask(script)


@pytest.mark.parametrize(("verdict", "text"), [(one[0], one[2]) for one in EXAMPLES[:4]])
def test_a_killed_solver_loses_no_verdict(verdict, text):
    with Killed(seconds=120.0) as solver:
        assert verify(parse(text), LAUNCH, solver).verdict == verdict


def test_a_fault_stays_found_when_the_solver_gives_up():
    class GivesUp(Solver):
        def ask(self, script):
            return super().ask(script) if self.asked < 1 else Answer("unknown", reason="it gave up")

    with Solver(seconds=120.0) as solver:
        whole = verify(parse(RACES), LAUNCH, solver)
    with GivesUp(seconds=120.0) as solver:
        part = verify(parse(RACES), LAUNCH, solver)
    assert (whole.verdict, len(whole.counterexamples), whole.reason) == ("race", 2, "")
    assert (part.verdict, len(part.counterexamples)) == ("race", 1)
    assert part.reason == "further faults are unknown: it gave up"


def test_a_solver_that_gives_up_proves_nothing():
    class GivesUp(Solver):
        def ask(self, _):
            return Answer("unknown")

    with GivesUp(seconds=120.0) as solver:
        assert verify(parse(RACES), LAUNCH, solver).verdict == "unknown"


def test_a_run_ends_when_time_is_over():
    runs = [Runner(parse(RACES), {}, {}, until=until).run([((0, 0, 0), (0, 0, 0))]) for until in (0.0, math.inf)]
    assert [run.ends for run in runs] == [False, True]
