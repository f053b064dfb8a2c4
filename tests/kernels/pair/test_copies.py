"""Test asynchronous copies: both encodings, the rules and DYN against runs of all threads, and what OpenCL C says."""

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings

from judged_kernels import LAUNCH, counted, disagreement, is_wrong
from quick import examples
from random_kernels import CONTENTS, faults, kernels
from synth_checker.errors import InputError
from synth_kernels.candidates.placement import with_candidates
from synth_kernels.candidates.rules import ALL as ALL_RULES
from synth_kernels.concrete_run import MOST_STEPS
from synth_kernels.kernel_verdict import verify
from synth_kernels.launch import threads
from synth_kernels.pair.options import Options
from synth_kernels.printer import kernel_text
from synth_kernels.progress.machine import Machine
from synth_kernels.refutation.portfolio import infer
from synth_kernels.text import parse
from synth_solvers.client import Solver

SLOW = settings(deadline=None, suppress_health_check=list(HealthCheck))
COPIES = kernels(copies=True) | kernels(copies=True, reads=True)


@pytest.fixture(scope="module")
def solver():
    with Solver(seconds=120.0) as solver:
        yield solver


@seed(1)
@settings(SLOW, max_examples=examples(60))
@given(COPIES)
def test_no_kernel_with_a_fault_is_verified(solver, kernel):
    assert not is_wrong(kernel, solver)


@pytest.mark.full
@seed(4)
@settings(SLOW, max_examples=examples(60))
@given(COPIES)
def test_rules_verify_no_copy_with_a_fault(solver, kernel):
    assert not is_wrong(kernel, solver, Options(rules=ALL_RULES))


@pytest.mark.exhaustive
@pytest.mark.parametrize("rules", [(), ALL_RULES])
def test_no_kernel_with_a_fault_is_verified_of_many(solver, rules):
    own_settings = settings(SLOW, max_examples=examples(1000), database=None, phases=[Phase.generate])
    seen = counted(COPIES, solver, own_settings, Options(rules=rules))
    assert seen["verified"] > 20


@settings(SLOW, max_examples=examples(15))
@given(kernels(loops=0, copies=True))
def test_copies_without_loops_have_no_false_alarm(solver, kernel):
    for counterexample in verify(kernel, LAUNCH, solver).counterexamples:
        n = counterexample.scalars["n"]
        if n <= MOST_STEPS:  # no run makes a longer copy
            assert counterexample.is_confirmed or faults(kernel, [n], CONTENTS)


@seed(1)
@settings(SLOW, max_examples=6)
@given(kernels(copies=True))
def test_encodings_fail_the_same_checks(solver, kernel):
    assert disagreement(kernel, solver) is None


@pytest.mark.exhaustive
@settings(SLOW, max_examples=examples(100))
@given(kernels(copies=True))
def test_encodings_fail_the_same_checks_of_many(solver, kernel):
    assert disagreement(kernel, solver) is None


@pytest.mark.full
@settings(SLOW, max_examples=examples(15))
@given(kernels(copies=True))
def test_runs_refute_only_what_houdini_refutes(solver, kernel):
    whole, _ = with_candidates(kernel, LAUNCH, ALL_RULES)
    alone, after = (infer(whole, LAUNCH, solver, Options(rules=ALL_RULES, engine=engine)) for engine in ("H", "DYN;H"))
    assert alone.removed == after.removed


@settings(SLOW, max_examples=examples(30))
@given(kernels(copies=True))
def test_copies_are_read_as_they_are_printed(kernel):
    text = kernel_text(kernel)
    assert kernel_text(parse(text)) == text


WAIT, FENCE = "  barrier group same e waits e", "  barrier group local"
TILE = """
kernel tile
global A: i32
local T: i32
entry:
  e = any event i32
  barrier group same e
  x = read i32 A[0:i32] for 4:i32 event e
  write i32 T[0:i32] = x for 4:i32{step} event e
{between}
  y = read i32 T[lid.0]
  return
"""


@pytest.mark.parametrize(
    ("between", "verdict"),
    [
        (f"{WAIT}\n{FENCE}", "verified"),
        (WAIT, "race"),
        (f"{WAIT}\n  barrier group global", "race"),
        (FENCE, "race"),
        (f"{FENCE}\n{WAIT}", "race"),
        (f"  f = any event i32\n  barrier group same f waits f\n{FENCE}", "race"),
        (f"  c = eq lid.0, 0:i32\n  branch c ? a : b\na:\n{WAIT}\n  jump b\nb:\n{WAIT}\n{FENCE}", "divergence"),
    ],
)
@pytest.mark.parametrize("encoding", ["watched", "seed"])
def test_a_copy_is_complete_behind_a_wait_and_a_barrier(solver, between, verdict, encoding):
    kernel = parse(TILE.format(between=between, step=""))
    report = verify(kernel, LAUNCH, solver, Options(encoding=encoding))
    assert report.verdict == verdict
    assert all(counterexample.is_confirmed for counterexample in report.counterexamples)


@pytest.mark.parametrize("encoding", ["watched", "seed"])
@pytest.mark.parametrize(
    ("between", "verdict"),
    [(WAIT, "verified"), ("", "race"), (f"  f = any event i32\n{WAIT.replace('e w', 'f w')[:-1]}f", "race")],
)
def test_a_wait_may_fence_its_copies(solver, encoding, between, verdict):
    launch = replace(LAUNCH, waits_fence=True)
    kernel = parse(TILE.format(between=between, step=""))
    report = verify(kernel, launch, solver, Options(encoding=encoding))
    assert report.verdict == verdict
    assert all(counterexample.is_confirmed for counterexample in report.counterexamples)


@pytest.mark.full
@seed(5)
@settings(SLOW, max_examples=examples(40))
@given(COPIES)
def test_no_kernel_with_a_fault_is_verified_if_waits_fence(solver, kernel):
    launch = replace(LAUNCH, waits_fence=True)
    assert not is_wrong(kernel, solver, launch=launch)
    assert disagreement(kernel, solver, launch=launch) is None


@pytest.mark.parametrize(("step", "verdict"), [("", "race"), (" step 1:i32", "race"), (" step 8:i32", "verified")])
def test_a_copy_in_steps_touches_the_places_of_its_steps(solver, step, verdict):
    text = TILE.format(between="  barrier group local", step=step).replace("T[lid.0]", "T[3:i32]")
    assert verify(parse(text), LAUNCH, solver).verdict == verdict


def test_threads_come_to_a_copy_with_the_same_values(solver):
    kernel = parse(TILE.format(between="", step="").replace("same e", "same e, lid.0"))
    kinds = {
        (counterexample.kind, counterexample.is_confirmed)
        for counterexample in verify(kernel, LAUNCH, solver).counterexamples
    }
    assert ("divergence", True) in kinds


@pytest.mark.parametrize(("size", "is_inside"), [(7, True), (6, False)])
def test_a_copy_is_inside_its_arrays(solver, size, is_inside):
    text = TILE.format(between="", step=" step 2:i32").replace("T: i32", f"T: i32[{size}]")
    counterexamples = verify(parse(text), LAUNCH, solver, Options(check_bounds=True)).counterexamples
    assert any(counterexample.kind == "bounds" for counterexample in counterexamples) != is_inside


def test_synth_kernel_refuses_copies():
    kernel = parse(TILE.format(between="", step=""))
    sizes = {name: size for name, size in LAUNCH.sizes().items() if size is not None}
    with pytest.raises(InputError, match="line 7: not supported: an asynchronous copy"):
        Machine(kernel, sizes, list(threads(sizes)), {})
