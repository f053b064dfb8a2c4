"""What a device may guarantee: down-sets of the order of verdicts, against the definition."""

import itertools

import pytest

from campaigns import ids_of
from synth_analysis.hypotheses import down_sets, hypotheses_of
from synth_checker.models import library, verdict_names
from synth_checker.relations.fairness_order import is_implied, verdicts_of
from synth_checker.verdicts import judge

NAMES = verdict_names(library())
BOUNDS = ("2x2", "2x3", "2x4", "3x3", "3x4")


@pytest.fixture(scope="module")
def at_most():
    """The pairs of verdicts of which the first is at most as fair as the second."""
    verdicts = verdicts_of(library())
    return {
        (verdict.name, other.name)
        for verdict, other in itertools.product(verdicts, repeat=2)
        if is_implied(verdict, other, 3)
    }


def named(mask):
    return {name for place, name in enumerate(NAMES) if mask >> place & 1}


def test_the_27_down_sets_are_those_of_the_definition(at_most):
    slow = set()
    for chosen in itertools.product([False, True], repeat=len(NAMES)):
        some = {name for name, is_in in zip(NAMES, chosen, strict=True) if is_in}
        if "unfair" in some and all(name in some for name, other in at_most if other in some):
            slow.add(frozenset(some))
    assert {frozenset(named(down_set.verdicts)) for down_set in down_sets()} == slow
    assert len(down_sets()) == len(slow) == 27
    assert down_sets()[0].fairest == ("unfair",)


@pytest.mark.full
def test_two_pairs_of_down_sets_are_told_apart_by_no_test():
    ids = [id_ for bound in BOUNDS for id_ in ids_of(f"@complete/{bound}")]
    found = hypotheses_of(judge(ids))
    assert sum(len(hypothesis.sets) for hypothesis in found) == 27
    several = {hypothesis.names for hypothesis in found if len(hypothesis.sets) > 1}
    assert several == {
        (("LOBE.weak", "HSA+OBE.strong"), ("LOBE.strong",)),
        (("HSA+OBE.strong", "fair.weak"), ("LOBE.strong", "fair.weak")),
    }


def test_without_tests_nothing_is_told_apart():
    (hypothesis,) = hypotheses_of([])
    assert len(hypothesis.sets) == 27
    assert not hypothesis.forbids(0)
