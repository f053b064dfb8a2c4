"""Test that verification with a solver that is killed, or out of time, loses no verdict."""

import math
import os
import signal
import sys
import time
from dataclasses import replace

import pytest

from kernel_examples import EXAMPLES
from quick import mostly_full
from synth_kernels.clang import compilation, source_file
from synth_kernels.clang.compilation import compile_source
from synth_kernels.clang.parser import parse_module
from synth_kernels.concrete_run import Runner, RunResult
from synth_kernels.confirmation import attempts
from synth_kernels.confirmation.execution import ConfirmingRun
from synth_kernels.deadline import NEVER, OverdueError
from synth_kernels.kernel_file import SourceOptions, read
from synth_kernels.kernel_verdict import verify
from synth_kernels.launch import Launch
from synth_kernels.pair.walk import Walk
from synth_kernels.text import parse
from synth_solvers.answers import SolverAnswer
from synth_solvers.client import Solver

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


@pytest.mark.full
@mostly_full(("verdict", "text"), [(example[0], example[2]) for example in EXAMPLES[:4]])
def test_a_killed_solver_loses_no_verdict(verdict, text):
    with Killed(seconds=120.0) as solver:
        assert verify(parse(text), LAUNCH, solver).verdict == verdict


@mostly_full(("verdict", "text"), [*((example[0], example[2]) for example in EXAMPLES[:4]), ("race", RACES)])
def test_a_solver_that_gives_up_on_many_checks_is_asked_about_fewer(verdict, text):
    class GivesUpOnMany(Solver):
        given_up = 0

        def ask(self, script):
            self.given_up += self.seconds < 120.0
            return SolverAnswer("unknown", reason="it gave up") if self.seconds < 120.0 else super().ask(script)

    with GivesUpOnMany(seconds=120.0) as solver:
        assert verify(parse(text), LAUNCH, solver).verdict == verdict
    assert solver.given_up


def test_a_fault_stays_found_when_the_solver_gives_up():
    class GivesUp(Solver):
        def ask(self, script):
            return super().ask(script) if self.asked < 1 else SolverAnswer("unknown", reason="it gave up")

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
            return SolverAnswer("unknown")

    with GivesUp(seconds=120.0) as solver:
        assert verify(parse(RACES), LAUNCH, solver).verdict == "unknown"


def test_a_walk_ends_when_time_is_over():
    with pytest.raises(OverdueError, match="the time limit was reached before k was verified"):
        Walk(parse(RACES), LAUNCH, until=0.0)
    Walk(parse(RACES), LAUNCH)


def test_a_fault_stays_found_if_its_runs_take_too_long(monkeypatch):
    """The unrolled loops would confirm this fault: all threads store to one place in the third round."""
    text = (
        "kernel k\nglobal A: i32\nscalar n: i32\nentry:\n  jump next(0:i32)\nnext(i: i32):\n  late = eq i, 1:i32\n"
        "  branch late ? write : more\nwrite:\n  write i32 A[n] = lid.0\n  jump more\nmore:\n"
        "  j = add i, 1:i32\n  c = ult j, 3:i32\n  branch c ? next(j) : done\ndone:\n  return\n"
    )

    def late(*_, **__):
        raise OverdueError

    monkeypatch.setattr(attempts, "Walk", late)
    monkeypatch.setattr(ConfirmingRun, "run", lambda *_: RunResult())
    with Solver(seconds=120.0) as solver:
        report = verify(parse(text), LAUNCH, solver)
    assert (report.verdict, {counterexample.is_confirmed for counterexample in report.counterexamples}) == (
        "race",
        {False},
    )


@pytest.mark.full
@pytest.mark.parametrize("stage", ["compiling", "parsing", "translating"])
def test_reading_ends_when_time_is_over(tmp_path, monkeypatch, stage):
    path = tmp_path / "k.cl"
    path.write_text("__kernel void k(__global int *a) { a[0] = 1; }")
    assert len(read(path, SourceOptions(until=time.monotonic() + 600))) == 1
    if stage != "compiling":
        monkeypatch.setattr(
            source_file, "compile_source", lambda path, how: compile_source(path, replace(how, until=NEVER))
        )
    if stage == "translating":
        monkeypatch.setattr(source_file, "parse_module", lambda text, _: parse_module(text))
    with pytest.raises(OverdueError, match=r"the time limit was reached before (clang had compiled|the kernels|k)"):
        read(path, SourceOptions(until=0.0))


@pytest.mark.full
def test_the_time_limit_stops_a_compiler_that_hangs(tmp_path, monkeypatch):
    path = tmp_path / "k.cl"
    path.write_text("__kernel void k(__global int *a) { a[0] = 1; }")
    hangs = [sys.executable, "-c", "import time; time.sleep(1000)"]
    monkeypatch.setattr(compilation, "clang", lambda: hangs)
    with pytest.raises(OverdueError, match="before clang had compiled"):
        read(path, SourceOptions(until=time.monotonic() + 0.2))


@pytest.mark.full
def test_llvm_does_not_begin_what_it_can_not_end_in_time(tmp_path, monkeypatch):
    """What clang makes is large here, and LLVM will need longer than the time that is left."""
    path = tmp_path / "k.cl"
    path.write_text("__kernel void k(__global int *a) { a[0] = 1; }")
    how = SourceOptions(until=time.monotonic() + 100)
    assert "define" in compile_source(path, how)
    slow = compilation._run_clang

    def took_half(*words):
        monkeypatch.setattr(compilation.time, "monotonic", lambda now=time.monotonic: now() + 50)
        return slow(*words) + ";" * compilation._MUCH

    monkeypatch.setattr(compilation, "_run_clang", took_half)
    with pytest.raises(OverdueError, match="before the kernels were read"):
        compile_source(path, how)


def test_a_run_ends_when_time_is_over():
    runs = [Runner(parse(RACES), {}, {}, until=until).run([((0, 0, 0), (0, 0, 0))]) for until in (0.0, math.inf)]
    assert [run.ends for run in runs] == [False, True]
