"""Test that loops are unrolled as they run, and that faults which need chosen numbers are confirmed."""

import pytest
from hypothesis import HealthCheck, given, settings

from random_kernels import GROUPS, LOCAL, faults, kernels
from synth_kernels.flow import Flow
from synth_kernels.launch import Launch
from synth_kernels.text import parse
from synth_kernels.unrolling import unrolled
from synth_kernels.verifying import verify
from synth_solvers.asking import Solver

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


@settings(deadline=None, max_examples=30, suppress_health_check=list(HealthCheck))
@given(kernels())
def test_unrolled_kernels_have_the_faults_of_the_kernel(kernel):
    """All loops of random kernels make at most four rounds."""
    flat = unrolled(kernel, 4)
    assert not Flow(flat).loops
    assert faults(flat) == faults(kernel)


def test_rounds_beyond_the_last_are_assumed_away():
    text = "kernel k\nglobal A: i32\nentry:\n  jump loop(0:i32)\nloop(i: i32):\n  j = add i, 1:i32\n"
    text += "  c = ult i, 2:i32\n  branch c ? loop(j) : done\ndone:\n  write i32 A[0:i32] = lid.0\n  return\n"
    assert {rounds: faults(unrolled(parse(text), rounds), [0]) for rounds in (1, 2)} == {1: set(), 2: {"race"}}


@pytest.mark.parametrize(("text", "confirmed"), [(READS, True), (READS.replace("eq x, 77:i32", "ult x, x"), None)])
def test_a_run_begins_with_the_memory_that_the_fault_needs(text, confirmed):
    with Solver(seconds=120.0) as solver:
        report = verify(parse(text), Launch((LOCAL,), (GROUPS,)), solver)
    assert [one.is_confirmed for one in report.counterexamples] == ([] if confirmed is None else [confirmed])


@pytest.mark.parametrize("launch", [Launch((LOCAL,), (GROUPS,)), Launch()])
def test_counterexamples_have_small_numbers_where_they_can(launch):
    text = "kernel k\nglobal A: i32\nscalar n: i32\nscalar m: i32\nentry:\n  p = ult 2:i32, n\n  assume p\n"
    text += "  write i32 A[0:i32] = lid.0\n  q = ult 1000:i32, m\n  assume q\n  write i32 A[1:i32] = lid.0\n  return\n"
    with Solver(seconds=120.0) as solver:
        first, second = verify(parse(text), launch, solver).counterexamples
    assert 2 < first.scalars["n"] < 5
    assert max(first.sizes.values()) < 5
    assert second.scalars["m"] > 1000
