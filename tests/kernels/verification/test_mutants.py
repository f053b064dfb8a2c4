"""Mutants of kernels without faults: each is reported, or runs of all threads show that it has no fault either."""

from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings

from mutants import KINDS, chosen
from quick import examples
from random_kernels import CONTENTS, GROUPS, LOCAL, faults, kernels
from synth_kernels.kernel_verdict import verify
from synth_kernels.launch import Launch
from synth_kernels.printer import kernel_text
from synth_kernels.program import Access, Barrier, Kernel
from synth_kernels.reports import KernelReport
from synth_solvers.client import Solver
from verified_kernels import kernels as verified_kernels

LAUNCH = Launch((LOCAL,), (GROUPS,))
FAULTS = {"race", "divergence"}


@pytest.fixture(scope="module")
def solver():
    with Solver(seconds=120.0) as solver:
        yield solver


@pytest.fixture(scope="module")
def originals():
    return verified_kernels()


def has_fault(kernel):
    return bool(FAULTS & faults(kernel, range(10), CONTENTS))


@pytest.mark.full
def test_the_kernels_are_verified_and_have_no_fault(solver, originals):
    assert len(originals) >= 25
    for name, kernel in originals.items():
        assert not has_fault(kernel), name
        assert verify(kernel, LAUNCH, solver).verdict == "verified", name


class MutantReport(NamedTuple):
    """A mutant of a kind of the kernel `name`, whether a run of it has a fault, and the report on it."""

    name: str
    kind: str
    kernel: Kernel
    fails: bool
    report: KernelReport


def judge_mutants(originals, solver, count):
    """Judge so many mutants of each kind."""
    return [
        MutantReport(name, kind, kernel, has_fault(kernel), verify(kernel, LAUNCH, solver))
        for name, kind, kernel in chosen(originals, count)
    ]


def assert_reported_or_harmless(mutants):
    for mutant in mutants:
        verdict = mutant.report.verdict
        assert verdict in FAULTS or (verdict == "verified" and not mutant.fails), (
            f"{mutant.name}\n{kernel_text(mutant.kernel)}"
        )


@pytest.mark.full
def test_a_mutant_is_reported_or_harmless(solver, originals):
    mutants = judge_mutants(originals, solver, 2)
    assert_reported_or_harmless(mutants)
    assert all(mutant.fails for mutant in mutants if mutant.kind in {"barrier", "fence"})


@pytest.mark.exhaustive
def test_each_of_many_mutants_is_reported_or_harmless(solver, originals):
    mutants = judge_mutants(originals, solver, 20)
    assert_reported_or_harmless(mutants)
    assert len({mutant.name for mutant in mutants}) >= 25
    for kind in KINDS:
        reported = [mutant.fails for mutant in mutants if mutant.kind == kind and mutant.report.verdict in FAULTS]
        print(f"{kind}: {len(reported)} reported, of which {sum(reported)} fail in a run")  # noqa: T201  (docs/results/results.md)
    assert len(mutants) == 100


def confirmed_of(reports):
    """How many reports have a race or a divergence, and of these, how many have one that a run confirms.

    A confirmed counterexample names two threads, and a line for each that has not ended.
    """
    faulty = [(kernel, report) for kernel, report in reports if report.verdict in FAULTS]
    confirmed = 0
    for kernel, report in faulty:
        lines = {
            instruction.line
            for block in kernel.blocks
            for instruction in block.instructions
            if isinstance(instruction, Access | Barrier)
        }
        real = [
            counterexample
            for counterexample in report.counterexamples
            if counterexample.is_confirmed and counterexample.kind in FAULTS
        ]
        assert all(
            len(set(counterexample.threads)) == 2 and counterexample.lines and set(counterexample.lines) <= lines
            for counterexample in real
        )
        assert all(len(counterexample.lines) == 2 for counterexample in real if counterexample.kind == "race")
        confirmed += bool(real)
    return len(faulty), confirmed


@pytest.mark.exhaustive
def test_most_verdicts_are_confirmed_by_a_run(solver, originals, oclgrind):
    random = []

    @seed(1)
    @settings(
        max_examples=examples(200), database=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck)
    )
    @given(kernels())
    def draw(kernel):
        random.append((kernel, verify(kernel, LAUNCH, solver)))

    draw()
    mutants = [(mutant.kernel, mutant.report) for mutant in judge_mutants(originals, solver, 20)]
    cases = [(case.read, case.report) for case in oclgrind.cases("oclgrind") if case.read is not None]
    for name, reports in {"random kernels": random, "mutants": mutants, "Oclgrind": cases}.items():
        count, confirmed = confirmed_of(reports)
        print(f"{name}: {len(reports)} kernels, {count} with a fault, {confirmed} confirmed")  # noqa: T201  (as above)
        assert confirmed >= 0.8 * count
