"""Test that claims about single threads may be checked for thread 1 only: the verdicts stay the same."""

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, seed, settings

from judged_kernels import LAUNCH, all_failing
from quick import examples
from random_kernels import kernels
from synth_kernels.kernel_verdict import verify
from synth_kernels.pair.options import DEFAULT, ENCODINGS
from synth_kernels.pair.walk import Walk
from synth_kernels.text import parse
from synth_solvers.client import Solver

ASYMMETRIC = replace(DEFAULT, asymmetric=True)
SLOW = settings(deadline=None, suppress_health_check=list(HealthCheck))
CLAIMS = """kernel k
scalar n: i32
entry:
  jump loop(lid.0)
loop(i: i32):
  a = ule {}, i
  invariant a
  c = ult i, n
  branch c ? body : out
body:
  k = add i, 1:i32
  jump loop(k)
out:
  b = ule {}, i
  assert b
  return
"""


@pytest.fixture(scope="module")
def solver():
    with Solver(seconds=120.0) as solver:
        yield solver


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize(("invariant", "claim"), [("0:i32", "n"), ("0:i32", "1:i32"), ("1:i32", "0:i32")])
def test_a_claim_has_the_same_verdict_if_it_is_checked_for_thread_1_only(solver, invariant, claim, encoding):
    kernel = parse(CLAIMS.format(invariant, claim))
    verdicts = {
        verify(kernel, LAUNCH, solver, replace(DEFAULT, asymmetric=asymmetric, encoding=encoding)).verdict
        for asymmetric in (False, True)
    }
    assert len(verdicts) == 1
    assert verdicts == {"verified"} or (invariant, claim) != ("0:i32", "n")


def test_claims_checked_for_thread_1_only_need_fewer_checks():
    kernel = parse(CLAIMS.format("1:i32", "n"))
    symmetric, asymmetric = (Walk(kernel, LAUNCH, options=options).state.checks for options in (DEFAULT, ASYMMETRIC))
    assert 0 < len(asymmetric) < len(symmetric)


@seed(1)
@settings(SLOW, max_examples=examples(8))
@given(kernels(reads=True))
def test_the_same_checks_fail_if_claims_are_checked_for_thread_1_only(solver, kernel):
    (removed, failing), (other_removed, others) = (
        all_failing(kernel, solver, options) for options in (DEFAULT, ASYMMETRIC)
    )
    assert (removed, set(failing)) == (other_removed, set(others))
