"""Test that loops are unrolled as they run, and that faults which need chosen numbers are confirmed."""

import pytest
from hypothesis import HealthCheck, given, settings

from quick import examples, mostly_full
from random_kernels import GROUPS, LOCAL, faults, kernels
from synth_kernels.flow import Flow
from synth_kernels.kernel_verdict import verify
from synth_kernels.launch import Launch
from synth_kernels.text import parse
from synth_kernels.unrolled_loops import unroll
from synth_solvers.answers import SolverAnswer
from synth_solvers.client import Solver

#: Thread 1 only writes what thread 0 wrote if memory holds 77 at its place, which no run with zeros shows.
READS = """
kernel k
global A: i32
global B: i32
entry:
  x = read i32 A[lid.0]
  c = eq x, 77:i32
  branch c ? then : done
then:
  write i32 B[0:i32] = lid.0
  jump done
done:
  return
"""


@pytest.mark.full
@settings(deadline=None, max_examples=examples(30), suppress_health_check=list(HealthCheck))
@given(kernels())
def test_unrolled_kernels_have_the_faults_of_the_kernel(kernel):
    """All loops of random kernels make at most four rounds."""
    flat = unroll(kernel, 4)
    assert not Flow(flat).loops
    assert faults(flat) == faults(kernel)


def test_rounds_beyond_the_last_are_assumed_away():
    text = "kernel k\nglobal A: i32\nentry:\n  jump loop(0:i32)\nloop(i: i32):\n  j = add i, 1:i32\n"
    text += "  c = ult i, 2:i32\n  branch c ? loop(j) : done\ndone:\n  write i32 A[0:i32] = lid.0\n  return\n"
    assert {rounds: faults(unroll(parse(text), rounds), [0]) for rounds in (1, 2)} == {1: set(), 2: {"race"}}


@pytest.mark.parametrize(("text", "confirmed"), [(READS, True), (READS.replace("eq x, 77:i32", "ult x, x"), None)])
def test_a_run_begins_with_the_memory_that_the_fault_needs(text, confirmed):
    with Solver(seconds=120.0) as solver:
        report = verify(parse(text), Launch((LOCAL,), (GROUPS,)), solver)
    assert [counterexample.is_confirmed for counterexample in report.counterexamples] == (
        [] if confirmed is None else [confirmed]
    )


@pytest.mark.full
@pytest.mark.parametrize("launch", [Launch((LOCAL,), (GROUPS,)), Launch()])
def test_counterexamples_have_small_numbers_where_they_can(launch):
    text = "kernel k\nglobal A: i32\nscalar n: i32\nscalar m: i32\nentry:\n  p = ult 2:i32, n\n  assume p\n"
    text += "  write i32 A[0:i32] = lid.0\n  q = ult 1000:i32, m\n  assume q\n  write i32 A[1:i32] = lid.0\n  return\n"
    with Solver(seconds=120.0) as solver:
        first, second = verify(parse(text), launch, solver).counterexamples
    assert 2 < first.scalars["n"] < 5
    assert max(first.sizes.values()) < 5
    assert second.scalars["m"] > 1000


#: Behind the barrier, each thread reads what a third thread has stored, so nobody gets to the last write.
THIRD = """
kernel third
local T: i32
global G: i32
entry:
  write i32 T[lid.0] = 1:i32
  barrier group local
  a = add lid.0, 2:i32
  i = and a, 3:i32
  x = read i32 T[i]
  c = eq x, 1:i32
  branch c ? done : then
then:
  write i32 G[0:i32] = lid.0
  jump done
done:
  return
"""
#: Threads wait or not by what they have copied, which the solver does not know behind the barrier.
COPIED = """
kernel copied
local T: i32
global G: i32
entry:
  v = read i32 G[lid.0]
  write i32 T[lid.0] = v
  barrier group local
  x = read i32 T[lid.0]
  c = ult 3:i32, x
  branch c ? wait : done
wait:
  barrier group local
  jump done
done:
  return
"""


#: Groups write what they have copied from places that are 4,096 bytes apart. It must differ for a race.
FAR = """
kernel far
local T: i32
global A: i32
global B: i32
entry:
  i = mul gid.0, 1024:i32
  v = read i32 A[i]
  write i32 T[lid.0] = v
  barrier group local
  x = read i32 T[lid.0]
  write i32 B[lid.0] = x
  return
"""


def test_what_memory_holds_differs_between_places_that_are_far_apart():
    with Solver(seconds=120.0) as solver:
        report = verify(parse(FAR), Launch((4,), (4,)), solver)
    assert (report.verdict, [counterexample.is_confirmed for counterexample in report.counterexamples]) == (
        "race",
        [True],
    )


@mostly_full("launch", [Launch((4,), (1,)), Launch((4,), (100,)), Launch((4, 1024), (1,))])
def test_a_run_without_the_threads_that_store_what_is_read_confirms_nothing(launch):
    with Solver(seconds=120.0) as solver:
        report = verify(parse(THIRD), launch, solver)
    assert (report.verdict, {counterexample.is_confirmed for counterexample in report.counterexamples}) == (
        "race",
        {False},
    )


@pytest.mark.full
def test_a_run_with_these_threads_may_confirm():
    wrong = THIRD.replace("eq x, 1:i32", "eq x, 2:i32")
    with Solver(seconds=120.0) as solver:
        assert [
            counterexample.is_confirmed
            for counterexample in verify(parse(wrong), Launch((4,), (100,)), solver).counterexamples
        ] == [True]


@pytest.mark.parametrize("launch", [Launch((64,), (2,)), Launch()])
def test_other_contents_of_memory_may_show_a_fault(launch):
    with Solver(seconds=120.0) as solver:
        report = verify(parse(COPIED), launch, solver)
    assert [(counterexample.kind, counterexample.is_confirmed) for counterexample in report.counterexamples] == [
        ("divergence", True)
    ]


#: A loop over the grid. The sum of the sizes wraps around only in launches that are too large to run.
STRIDE = """
kernel k
global A: i32
scalar n: i32
entry:
  g = mul gid.0, lsize.0
  t = add g, lid.0
  size = mul groups.0, lsize.0
  jump loop(t)
loop(i: i32):
  c = slt i, n
  branch c ? body : done
body:
  x = read i32 A[i]
  write i32 A[i] = x
  j = add i, size
  jump loop(j)
done:
  return
"""


#: The seconds of queries that are not about unrolled loops: about one check, and about many at once.
OTHERS = {120.0, 6.0}


class GivesUp(Solver):
    """A solver that gives up on queries about unrolled loops."""

    def __init__(self) -> None:
        super().__init__(seconds=120.0)
        self.given: list[float] = []

    def ask(self, script, options=None):
        if self.seconds in OTHERS:
            return super().ask(script, options)
        self.given.append(self.seconds)
        self.worked += self.seconds
        return SolverAnswer("unknown", reason="canceled")


def test_the_time_for_unrolled_loops_is_limited_for_all_faults_together():
    with GivesUp() as solver:
        report = verify(parse(STRIDE), Launch(), solver)
    assert report.verdict == "race"
    assert len(report.counterexamples) > 1
    assert sorted(set(solver.given)) == [4.0, 15.0]
    assert solver.given.count(15.0) == 2  # both about one number of rounds: with small numbers, and with any
