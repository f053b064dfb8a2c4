"""Compare verdicts with runs of all threads of a launch, on random kernels."""

import collections
import random

import pytest
from hypothesis import HealthCheck, Phase, find, given, seed, settings
from hypothesis import strategies as st

from judged_kernels import LAUNCH, counted, is_proven, is_wrong
from quick import examples
from random_kernels import CONTENTS, GROUPS, LOCAL, SCALARS, faults, kernels
from synth_kernels.candidates.rules import ALL as ALL_RULES
from synth_kernels.flow import Flow
from synth_kernels.kernel_verdict import verify
from synth_kernels.launch import Launch
from synth_kernels.pair.options import Options
from synth_kernels.printer import kernel_text
from synth_kernels.text import parse
from synth_solvers.client import Solver

SLOW = settings(deadline=None, suppress_health_check=list(HealthCheck))
#: Kernels in which what is read decides nothing, and others.
ALL = kernels() | kernels(reads=True)


@pytest.fixture(scope="module")
def solver():
    with Solver(seconds=120.0) as solver:
        yield solver


@pytest.mark.full
@seed(1)
@settings(SLOW, max_examples=examples(200))
@given(ALL)
def test_no_kernel_with_a_fault_is_verified(solver, kernel):
    assert not is_wrong(kernel, solver)


@pytest.mark.exhaustive
def test_no_kernel_with_a_fault_is_verified_of_many(solver):
    counted(ALL, solver, settings(SLOW, max_examples=examples(2000)))


def has_shown_fault(kernel, solver, options):
    """Whether a counterexample is real: a run of its two threads confirms it, or one of all threads has a fault."""
    counterexamples = verify(kernel, LAUNCH, solver, options).counterexamples
    return any(
        counterexample.is_confirmed or faults(kernel, [counterexample.scalars["n"]], CONTENTS)
        for counterexample in counterexamples
    )


def judged_with_rules(solver, count):
    """Judge random kernels with loops by rules and by runs, and count them by what both say."""
    options = Options(rules=ALL_RULES)
    seen = collections.Counter()

    @seed(3)
    @settings(SLOW, max_examples=count, database=None, phases=[Phase.generate])
    @given(ALL.filter(lambda kernel: Flow(kernel).loops))
    def compare(kernel):
        has_fault = bool(faults(kernel, contents=CONTENTS))
        proven = is_proven(kernel, solver, options)
        assert not (has_fault and proven)
        if has_fault or (not proven and has_shown_fault(kernel, solver, options)):
            seen["with a fault"] += 1
        else:
            seen["verified" if proven else "false alarm"] += 1

    compare()
    print(dict(seen))  # noqa: T201  (pytest -s shows it)
    return seen


@pytest.mark.full
def test_rules_verify_no_loop_with_a_fault(solver):
    seen = judged_with_rules(solver, 100)
    assert seen["false alarm"] <= 0.05 * sum(seen.values())


@pytest.mark.exhaustive
def test_rules_verify_no_loop_with_a_fault_of_many(solver):
    seen = judged_with_rules(solver, 2000)
    assert seen["false alarm"] <= 0.05 * sum(seen.values())


@pytest.mark.full
@settings(SLOW, max_examples=examples(10))
@given(kernels())
def test_a_kernel_is_verified_if_no_check_can_fail(solver, kernel):
    assert is_proven(kernel, solver) == (verify(kernel, LAUNCH, solver).verdict == "verified")


def test_the_fault_that_somebody_enters_each_loop_is_caught(solver):
    """It makes all that follows a loop which nobody enters fine."""
    tried = []

    def is_caught(kernel):
        tried.append(kernel)
        return is_wrong(kernel, solver, Options(enters_always=True))

    wrong = find(
        kernels(),
        is_caught,
        settings=settings(SLOW, max_examples=200, phases=[Phase.generate], database=None),
        random=random.Random(2),
    )
    print(f"caught by kernel {len(tried)}")  # noqa: T201  (pytest -s shows it)
    assert not is_proven(wrong, solver)


@pytest.mark.exhaustive
def test_few_kernels_without_loops_have_false_alarms(solver):
    """What is read is arbitrary after a barrier, so some alarms are false."""
    seen = collections.Counter()

    @seed(1)
    @settings(SLOW, max_examples=examples(500), database=None, phases=[Phase.generate])
    @given(kernels(loops=0) | kernels(loops=0, reads=True))
    def count(kernel):
        counterexamples = verify(kernel, LAUNCH, solver).counterexamples
        tried = {*SCALARS, *(counterexample.scalars["n"] for counterexample in counterexamples)}
        if any(counterexample.is_confirmed for counterexample in counterexamples) or faults(kernel, tried, CONTENTS):
            seen["with a fault"] += 1
        else:
            seen["false alarm" if counterexamples else "verified"] += 1

    count()
    print(dict(seen))  # noqa: T201  (pytest -s shows it)
    assert sum(seen.values()) > 450
    assert seen["false alarm"] <= 0.05 * sum(seen.values())


@pytest.mark.exhaustive
def test_most_races_and_divergences_are_confirmed(solver):
    seen = collections.Counter()

    @seed(1)
    @settings(SLOW, max_examples=examples(300), database=None, phases=[Phase.generate])
    @given(ALL)
    def count(kernel):
        report = verify(kernel, LAUNCH, solver)
        if report.verdict in {"race", "divergence"}:
            seen[
                any(
                    counterexample.is_confirmed
                    for counterexample in report.counterexamples
                    if counterexample.kind == report.verdict
                )
            ] += 1

    count()
    print(dict(seen))  # noqa: T201  (pytest -s shows it)
    assert seen[True] >= 0.8 * sum(seen.values()) > 50


@settings(SLOW, max_examples=examples(25))
@given(kernels(loops=0))
def test_kernels_without_loops_have_no_false_alarm(solver, kernel):
    """What is read decides nothing in these kernels, so no value is invented that matters."""
    report = verify(kernel, LAUNCH, solver)
    for counterexample in report.counterexamples:
        assert counterexample.is_confirmed or faults(kernel, [counterexample.scalars["n"]])


@pytest.mark.full
@settings(SLOW, max_examples=examples(20))
@given(kernels())
def test_a_confirmed_counterexample_is_a_fault_of_all_threads(solver, kernel):
    """It was confirmed with two threads; here all threads run."""
    for counterexample in verify(kernel, LAUNCH, solver).counterexamples:
        if counterexample.is_confirmed:
            assert faults(kernel, [counterexample.scalars["n"]])


@pytest.mark.full
@settings(SLOW, max_examples=examples(60))
@given(kernels())
def test_kernels_are_read_as_they_are_printed(kernel):
    text = kernel_text(kernel)
    assert kernel_text(parse(text)) == text


@pytest.mark.full
@settings(SLOW, max_examples=examples(8))
@given(kernels(), st.sampled_from([None, LOCAL]), st.sampled_from([None, GROUPS]))
def test_a_proof_for_all_sizes_is_one_for_each(solver, kernel, local, groups):
    if verify(kernel, Launch((local,), (groups,)), solver).verdict == "verified":
        assert verify(kernel, LAUNCH, solver).verdict == "verified"
