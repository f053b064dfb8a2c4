"""Test that the rules find the invariants of loops, and that Houdini keeps all that hold."""

import pytest

from rule_kernels import ESSENTIAL, SUPERSEDED, text
from synth_kernels.candidates.making import with_candidates
from synth_kernels.candidates.rules import ALL, RULES
from synth_kernels.houdini import infer
from synth_kernels.launch import Launch
from synth_kernels.pair.options import Options
from synth_kernels.pair.walk import Walk
from synth_kernels.text import parse
from synth_kernels.verifying import failing, verify
from synth_solvers.asking import Solver

LAUNCH = Launch((8,), (2,))


@pytest.fixture(scope="module")
def solver():
    with Solver(seconds=120.0) as solver:
        yield solver


def is_proven(kernel, solver, rules):
    """Whether no check can fail. This does not look for runs, so it is faster than `verify`."""
    whole, _ = with_candidates(kernel, LAUNCH, rules)
    walk = Walk(whole, LAUNCH, infer(whole, LAUNCH, solver).removed)
    return failing([one for one in walk.state.checks if not one.candidate], walk, solver) is None


@pytest.mark.parametrize("rule", ESSENTIAL)
def test_a_kernel_is_verified_with_a_rule_and_not_without(solver, rule):
    kernel = parse(text(rule))
    assert is_proven(kernel, solver, ALL)
    assert not is_proven(kernel, solver, [one for one in ALL if one != rule])


@pytest.mark.parametrize("rule", SUPERSEDED)
def test_a_candidate_of_a_rule_that_others_supersede_is_kept(solver, rule):
    report = verify(parse(text(rule)), LAUNCH, solver, Options(rules=ALL))
    assert report.verdict == "verified"
    assert rule in {one.rule for one in report.candidates if one.line not in report.inferred.removed}


def test_each_rule_has_a_kernel():
    assert {*ESSENTIAL, *SUPERSEDED} == set(RULES)
