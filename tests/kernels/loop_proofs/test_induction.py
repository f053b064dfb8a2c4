"""Test k-induction: against runs of all threads, and on claims that one round alone does not prove."""

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, seed, settings

from judged_kernels import LAUNCH, is_wrong
from quick import examples
from random_kernels import CONTENTS, faults, kernels
from synth_kernels.block_copies import defined_values, rename_values
from synth_kernels.candidates.rules import ALL
from synth_kernels.flow import Flow
from synth_kernels.induction import count_induced_blocks, with_induction
from synth_kernels.kernel_verdict import verify
from synth_kernels.launch import Launch
from synth_kernels.pair.options import DEFAULT, ENCODINGS, Options
from synth_kernels.program import operands_of
from synth_kernels.text import parse
from synth_solvers.client import Solver

SLOW = settings(deadline=None, suppress_health_check=list(HealthCheck))
LOOPS = (kernels() | kernels(reads=True)).filter(lambda kernel: Flow(kernel).loops)


@pytest.fixture(scope="module")
def solver():
    with Solver(seconds=120.0) as solver:
        yield solver


@pytest.mark.full
@seed(1)
@settings(SLOW, max_examples=examples(40))
@given(LOOPS)
def test_no_kernel_with_a_fault_is_verified(solver, kernel):
    assert not is_wrong(kernel, solver, replace(DEFAULT, depth=1))


@pytest.mark.full
@seed(2)
@settings(SLOW, max_examples=examples(40))
@given(LOOPS)
def test_rules_verify_no_loop_with_a_fault(solver, kernel):
    assert not is_wrong(kernel, solver, Options(rules=ALL, depth=2))


@pytest.mark.full
@settings(SLOW, max_examples=examples(40))
@given(LOOPS)
def test_copies_of_rounds_run_as_the_loop_does(kernel):
    copied = with_induction(kernel, 2)
    assert faults(copied, contents=CONTENTS) == faults(kernel, contents=CONTENTS)
    assert len(copied.blocks) <= count_induced_blocks(kernel, 2)


#: A block with an instruction of each kind and all its operands.
EACH = """kernel k
global A: i32
entry:
  jump b(0:i32, 0:i32, 0:i64)
b(i: i32, e: i32, m: i64):
  a = any i32 usually i
  s = add i, a
  o = opaque i32 f(s)
  r = read i32 A[s] for i step a event e
  write i32 A[s] = o for i step a event e
  x = atomic i32 A[i] compare-exchange a, s
  p = peek i32 A[i]
  c = eq i, i
  barrier group same i waits e
  barrier subgroup local of m
  assert c
  branch c ? b(i, e, m) : b(s, e, m)
"""


def test_a_copy_of_a_block_has_no_name_of_the_block():
    block = parse(EACH).block("b")
    copy = rename_values(block, "copy", set())
    assert [[*map(of, operands_of(instruction))] for instruction in block.instructions] == [
        list(operands_of(instruction)) for instruction in copy.instructions
    ]
    assert list(map(of, block.end.operands)) == list(copy.end.operands)
    assert set(map(of, defined_values(block))) == defined_values(copy)


def of(operand):
    """Return the operand that a copy has in its place."""
    return f"{operand}@copy" if operand else operand


#: Three values change places. That two of them differ follows from what held in the two rounds before.
TURNING = """kernel k
scalar n: i32
entry:
  jump loop(0:i32, {})
loop(i: i32, p: i32, q: i32, r: i32):
  {}
  c = ult i, n
  branch c ? body : out
body:
  {}
  k = add i, 1:i32
  jump loop(k, q, r, p)
out:
  return
"""
CLAIM = "e = eq p, q\n  a = not e\n  {} a"


@pytest.mark.full
@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize(("start", "is_wrong_"), [("3:i32, 4:i32, 6:i32", False), ("3:i32, 4:i32, 3:i32", True)])
@pytest.mark.parametrize("kind", ["invariant", "assert"])
def test_what_held_in_earlier_rounds_is_assumed(solver, start, is_wrong_, kind, encoding):
    claim = CLAIM.format(kind)
    kernel = parse(TURNING.format(start, claim if kind == "invariant" else "", claim if kind == "assert" else ""))
    reports = [verify(kernel, LAUNCH, solver, replace(DEFAULT, depth=depth, encoding=encoding)) for depth in range(4)]
    fault = "assertion" if kind == "assert" else "invariant"
    # The assertions of three rounds are needed. Of d + 1 rounds, those of d are trusted, and all have the invariant.
    needed = 3 if kind == "assert" else 2
    assert {report.verdict for report in reports[:needed]} == {fault}
    assert {report.verdict for report in reports[needed:]} == {fault if is_wrong_ else "verified"}
    assert any(counterexample.is_confirmed for counterexample in reports[3].counterexamples) == is_wrong_


def test_candidates_are_proved_by_induction_too(solver):
    kernel = parse(TURNING.format("3:i32, 4:i32, 6:i32", CLAIM.format("candidate"), "assert a"))
    report, deep = (verify(kernel, LAUNCH, solver, replace(DEFAULT, depth=depth)) for depth in (0, 2))
    assert (report.verdict, deep.verdict) == ("assertion", "verified")
    assert report.inferred.removed
    assert not deep.inferred.removed


#: Thread 1 leaves the loop behind the barrier of one round, and the other threads wait in the next one.
LEAVING = """kernel k
entry:
  jump loop(0:i32)
loop(i: i32):
  barrier group local
  {}
  k = add i, 1:i32
  c = ult k, 2:i32
  d = {}
  branch d ? loop(k) : out
out:
  return
"""


@pytest.mark.parametrize("claim", ["", "e = uniform enabled\n  assert once e"])
@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_a_thread_may_leave_in_a_round_before_those_in_a_row(solver, encoding, depth, claim):
    launch, options = Launch((2,), (1,)), Options(rules=ALL, depth=depth, encoding=encoding)
    assert verify(parse(LEAVING.format(claim, "or c, 0:i1")), launch, solver, options).verdict == "verified"
    wrong = LEAVING.format("m = ult lid.0, 1:i32\n  " + claim, "and c, m")
    assert verify(parse(wrong), launch, solver, options).verdict == "divergence"


def test_the_loops_of_a_proof_are_those_of_the_kernel(solver):
    """The copies of a loop in a loop are no loops of the kernel."""
    kernel = parse("""kernel k
entry:
  jump outer(0:i32)
outer(i: i32):
  jump inner(0:i32)
inner(j: i32):
  k = add j, 1:i32
  c = ult k, 3:i32
  branch c ? inner(k) : next
next:
  l = add i, 1:i32
  d = ult l, 3:i32
  branch d ? outer(l) : out
out:
  return
""")
    for depth in (0, 1, 2):
        report = verify(kernel, LAUNCH, solver, replace(DEFAULT, depth=depth))
        assert report.verdict == "verified"
        assert {header for header, _ in report.loops} == {"outer", "inner"}
