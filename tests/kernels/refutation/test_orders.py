"""Test that the same candidates are kept in whatever order they stand, are asked about, and are refuted."""

import random
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from random_kernels import GROUPS, LOCAL, kernels
from rule_kernels import ESSENTIAL, text
from synth_kernels import houdini
from synth_kernels.candidates.placement import with_candidates
from synth_kernels.candidates.rules import ALL
from synth_kernels.flow import Flow
from synth_kernels.kernel_verdict import failing_checks
from synth_kernels.launch import Launch
from synth_kernels.pair.options import DEFAULT
from synth_kernels.pair.walk import Walk
from synth_kernels.program import KernelClaim
from synth_kernels.refutation import dynamic, portfolio
from synth_kernels.refutation.shared_refutations import Refutation, RefutedCandidates
from synth_kernels.text import parse
from synth_solvers.client import Solver

LAUNCH = Launch((LOCAL,), (GROUPS,))
SLOW = settings(deadline=None, suppress_health_check=list(HealthCheck), database=None, phases=[Phase.generate])
WITH_LOOPS = (kernels() | kernels(reads=True)).filter(lambda kernel: Flow(kernel).loops)
#: Kernels of rules of which several engines refute candidates, and one in which each removal makes others fail.
OF_RULES = st.sampled_from(["r9", "r10", "r11", "r15"]).map(lambda rule: parse(text(rule)))


@pytest.fixture(scope="module")
def solver():
    with Solver(seconds=120.0) as solver:
        yield solver


def is_candidate(instruction):
    return isinstance(instruction, KernelClaim) and instruction.kind == "candidate"


def shuffled(kernel, chance):
    """Return a kernel with the candidates of each loop in another order, behind the values that they need."""

    def of_block(block):
        last = (
            max(
                (place for place, instruction in enumerate(block.instructions) if is_candidate(instruction)), default=-1
            )
            + 1
        )
        before, after = block.instructions[:last], block.instructions[last:]
        claims = [instruction for instruction in before if is_candidate(instruction)]
        chance.shuffle(claims)
        return replace(
            block, instructions=(*(instruction for instruction in before if instruction not in claims), *claims, *after)
        )

    return replace(kernel, blocks=tuple(map(of_block, kernel.blocks)))


def removed_in_some_order(kernel, solver, chance):
    """Remove some of what fails among some candidates, again and again: the slow twin of `infer`, in any order."""
    removed = set()
    while True:
        walk = Walk(kernel, LAUNCH, removed)
        checks = [check for check in walk.state.checks if check.candidate]
        sample = chance.sample(checks, chance.randint(1, len(checks))) if checks else []
        failing = failing_checks(sample, walk, solver) or failing_checks(checks, walk, solver)
        if failing is None:
            return removed
        lines = sorted({check.line for check in failing[0]})
        removed.update(chance.sample(lines, chance.randint(1, len(lines))))


class Arriving(dict):
    """Refutations that arrive in some order: each look shows some more of them."""

    def __init__(self, lines, chance):
        super().__init__()
        self.coming = sorted(lines)
        self.chance = chance
        chance.shuffle(self.coming)

    def copy(self):
        for _ in range(self.chance.choice((0, 0, 1, 2, len(self.coming)))):
            if self.coming:
                self[self.coming.pop()] = Refutation("some engine", 1)
        return dict(self)


def refuted_by(engine, kernel, solver, chance):
    refuted = RefutedCandidates()
    if engine == "DYN":
        dynamic.refute(kernel, LAUNCH, refuted, chance.randrange(1000))
    else:
        portfolio.refute(engine, kernel, LAUNCH, solver, DEFAULT, refuted)
    return refuted.lines()


def check_orders(kernel, solver, chance):
    """Check all orders, and return whether no limit removed a candidate, and how many were removed."""
    whole, candidates = with_candidates(kernel, LAUNCH, ALL)
    alone = houdini.infer(whole, LAUNCH, solver)
    dropped = set(alone.dropped)
    results = [houdini.infer(shuffled(whole, chance), LAUNCH, solver)]
    refuted = {name: refuted_by(name, whole, solver, chance) for name in ("DYN", "SBASE", "SSTEP", "LU(1)", "LU(2)")}
    for lines in refuted.values():  # R;H
        shared = RefutedCandidates()
        shared.add(lines, "R", 1)
        results.append(houdini.infer(whole, LAUNCH, solver, DEFAULT, shared))
    together = RefutedCandidates(Arriving(refuted["DYN"] | refuted["SBASE"], chance))  # DYN||SBASE||H
    results.append(houdini.infer(shuffled(whole, chance), LAUNCH, solver, DEFAULT, together))
    dropped.update(*(result.dropped for result in results))
    if not dropped:
        assert {result.removed for result in results} == {alone.removed}
        assert removed_in_some_order(whole, solver, chance) == alone.removed
    return not dropped, len(alone.removed), len(candidates)


@pytest.mark.full
@seed(1)
@settings(SLOW, max_examples=2)
@given(OF_RULES, st.integers(0, 1000))
def test_no_order_of_refutations_changes_what_is_removed_on_kernels_of_rules(solver, kernel, number):
    is_whole, removed, candidates = check_orders(kernel, solver, random.Random(number))
    assert is_whole
    assert 0 < removed < candidates


def check_many(solver, kernels, count):
    seen = []

    @seed(7)
    @settings(SLOW, max_examples=count)
    @given(kernels, st.integers(0, 1000))
    def check(kernel, number):
        seen.append(check_orders(kernel, solver, random.Random(number)))

    check()
    whole = sum(is_whole for is_whole, _, _ in seen)
    print(f"{whole} of {len(seen)} without a limit, {sum(removed for _, removed, _ in seen)} removed")  # noqa: T201
    assert whole >= 0.95 * len(seen)
    assert any(removed for _, removed, _ in seen)


@pytest.mark.full
def test_no_order_of_refutations_changes_what_is_removed_on_random_kernels(solver):
    check_many(solver, WITH_LOOPS, 6)


@pytest.mark.exhaustive
def test_no_order_of_refutations_changes_what_is_removed_on_many_random_kernels(solver):
    check_many(solver, WITH_LOOPS, 300)


@pytest.mark.exhaustive
def test_no_order_of_refutations_changes_what_is_removed_on_all_kernels_of_rules(solver):
    check_many(solver, st.sampled_from(sorted(ESSENTIAL)).map(lambda rule: parse(text(rule))), 60)


def test_a_wrong_refutation_changes_what_is_removed(solver):
    """An engine that refutes an invariant changes what is kept, so these tests can fail."""
    whole, candidates = with_candidates(parse(text("r9")), LAUNCH, ALL)
    alone = houdini.infer(whole, LAUNCH, solver)
    wrong = RefutedCandidates()
    wrong.add([next(candidate.line for candidate in candidates if candidate.line not in alone.removed)], "R", 1)
    assert houdini.infer(whole, LAUNCH, solver, DEFAULT, wrong).removed != alone.removed
