"""Test warps in lockstep: both encodings and the rules against runs in lockstep, and what needs no barrier."""

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings

from judged_kernels import LAUNCH, counted, disagreement, is_wrong
from quick import examples
from random_kernels import CONTENTS, faults, kernels
from synth_kernels.candidates.rules import ALL as ALL_RULES
from synth_kernels.kernel_verdict import verify
from synth_kernels.launch import Launch
from synth_kernels.loop_proofs.attempts import WAYS, prove
from synth_kernels.pair.options import Options
from synth_kernels.text import parse
from synth_solvers.client import Solver

PAIRS = replace(LAUNCH, warp=2)
SLOW = settings(deadline=None, suppress_health_check=list(HealthCheck))
ALL = kernels() | kernels(reads=True)


@pytest.fixture(scope="module")
def solver():
    with Solver(seconds=120.0) as solver:
        yield solver


@seed(1)
@settings(SLOW, max_examples=examples(60))
@given(ALL)
def test_no_kernel_with_a_fault_is_verified(solver, kernel):
    assert not is_wrong(kernel, solver, launch=PAIRS)


@pytest.mark.exhaustive
@pytest.mark.parametrize("rules", [(), ALL_RULES])
def test_no_kernel_with_a_fault_is_verified_of_many(solver, rules):
    own_settings = settings(SLOW, max_examples=examples(1000), database=None, phases=[Phase.generate])
    seen = counted(ALL, solver, own_settings, Options(rules=rules), PAIRS)
    assert seen["verified"] > 20


@settings(SLOW, max_examples=examples(15))
@given(kernels(loops=0))
def test_kernels_without_loops_have_no_false_alarm(solver, kernel):
    for counterexample in verify(kernel, PAIRS, solver).counterexamples:
        assert counterexample.is_confirmed or faults(kernel, [counterexample.scalars["n"]], warp=2)


@seed(1)
@settings(SLOW, max_examples=6)
@given(kernels())
def test_encodings_fail_the_same_checks(solver, kernel):
    assert disagreement(kernel, solver, launch=PAIRS) is None


@settings(SLOW, max_examples=examples(30))
@given(ALL)
def test_a_warp_of_one_thread_changes_nothing(kernel):
    assert faults(kernel, contents=CONTENTS, warp=1) == faults(kernel, contents=CONTENTS)


BODY = "kernel k\nlocal T: i32\nglobal A: i32\nscalar n: i32\nentry:\n{}\n  return"
#: By name: the body, and the verdicts for warps of 4 and of 2 threads, in groups of 4.
KERNELS = {
    "a neighbour": (
        "  write i32 T[lid.0] = lid.0\n  i = xor lid.0, 1:i32\n  x = read i32 T[i]",
        "verified",
        "verified",
    ),
    "a far one": ("  write i32 T[lid.0] = lid.0\n  i = xor lid.0, 2:i32\n  x = read i32 T[i]", "verified", "race"),
    "one place": ("  write i32 T[0:i32] = lid.0", "race", "race"),
    "two groups": ("  write i32 A[lid.0] = gid.0", "race", "race"),
    "both sides of a branch": (
        (
            "  c = ult lid.0, 1:i32\n  branch c ? a : b\na:\n  write i32 T[0:i32] = 1:i32\n  jump d\nb:\n"
            "  x = read i32 T[0:i32]\n  jump d\nd:"
        ),
        "race",
        "race",
    ),
    "behind a branch": (
        (
            "  c = ult lid.0, 1:i32\n  branch c ? a : d\na:\n  write i32 T[0:i32] = 1:i32\n  jump d\nd:\n"
            "  i = and lid.0, 2:i32\n  x = read i32 T[i]"
        ),
        "verified",
        "verified",
    ),
}


@pytest.mark.parametrize(("body", "of_four", "of_two"), KERNELS.values(), ids=KERNELS)
@pytest.mark.parametrize("encoding", ["watched", "seed"])
def test_threads_of_a_warp_need_no_barrier(solver, encoding, body, of_four, of_two):
    kernel = parse(BODY.format(body))
    for warp, verdict in ((4, of_four), (2, of_two)):
        report = verify(kernel, replace(LAUNCH, warp=warp), solver, Options(encoding=encoding))
        assert report.verdict == verdict
        assert bool(faults(kernel, warp=warp)) == (verdict == "race")
        assert all(counterexample.is_confirmed for counterexample in report.counterexamples)


#: A loop without a barrier, in which all threads write. Then one thread reads what another one has written.
LOOP = """kernel fill
local T: i32
scalar n: i32
entry:
  jump loop(0:i32)
loop(i: i32):
  c = ult i, n
  branch c ? body : out
body:
  write i32 T[lid.0] = i
  j = add i, 1:i32
  jump loop(j)
out:
  d = eq lid.0, 0:i32
  branch d ? first : last
first:
  x = read i32 T[1:i32]
  jump last
last:
  return
"""


#: A loop in which each thread has places of its own.
ROUNDS = """kernel k
global A: i32
scalar n: i32
entry:
  b = mul gid.0, lsize.0
  g = add b, lid.0
  jump loop(g)
loop(i: i32):
  c = ult i, n
  branch c ? body : out
body:
  write i32 A[i] = g
  k = add i, 8:i32
  jump loop(k)
out:
  return
"""


def test_a_loop_of_a_warp_is_verified_only_with_rule_r18(solver):
    launch = Launch((4,), (1,), warp=4)
    kernel = parse(LOOP)
    assert verify(kernel, launch, solver, Options(rules=ALL_RULES)).verdict == "verified"
    without = tuple(rule for rule in ALL_RULES if rule != "r18")
    assert verify(kernel, launch, solver, Options(rules=without)).verdict == "race"
    assert verify(kernel, Launch((4,), (1,)), solver, Options(rules=ALL_RULES)).verdict == "race"
    assert not faults(kernel, warp=4)


def test_the_other_ways_to_prove_loops_are_left_out(solver):
    """They look at different rounds of two threads. There, no access brings the threads of a warp together."""
    kernel = parse(ROUNDS)
    options = Options(ways=WAYS)
    assert prove(kernel, LAUNCH, solver, options) is not None
    assert prove(kernel, PAIRS, solver, options) is None
