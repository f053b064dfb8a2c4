"""Bayes' rule about what a device guarantees, against sums over many values of each sensitivity."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quick import examples
from synth_analysis.belief import MEASURING_FAULT, MOST_EARLIER, Belief, HangCounts, earlier_of, entropy
from synth_analysis.hypotheses import hypotheses_of
from synth_analysis.next_test import Cost, worth_of
from synth_checker.models import library, verdict_names
from synth_checker.verdicts import judge

#: Tests that tell all verdicts of the six models apart, as far as tests of this size do.
TESTS = ("0000-0010", "0010-0000", "0010-0100", "00100002-0110", "0110-00100002", "0110-0000-0011")
SIGNATURES = judge(TESTS)
GROUPS = [(signature, mapping) for signature in SIGNATURES for mapping in ("plain", "chunked")]
POINTS = 4000

launches = st.integers(0, 6)
seen_of_groups = st.dictionaries(st.sampled_from(GROUPS), st.builds(HangCounts, launches, launches), max_size=4)


def chance(before, hung, ended, part=lambda _: 1.0):
    """Of so many launches in a given order, with a sensitivity that is summed up over its whole range."""
    points = [(k + 0.5) / POINTS for k in range(POINTS)]
    weights = [p**before.hung * (1 - p) ** before.ended for p in points]
    found = sum(w * p**hung * (1 - p) ** ended * part(p) for w, p in zip(weights, points, strict=True))
    return found / sum(weights)


def slow_likelihood(hypothesis, belief):
    found = 1.0
    for (signature, mapping), seen in belief.seen.items():
        if hypothesis.forbids(signature):
            found *= MEASURING_FAULT**seen.hung * (1 - MEASURING_FAULT) ** seen.ended
        else:
            found *= chance(belief.earlier.get((signature, mapping), HangCounts()), seen.hung, seen.ended)
    return found


def slow_probabilities(belief):
    weights = [slow_likelihood(hypothesis, belief) for hypothesis in belief.hypotheses]
    return [weight / sum(weights) for weight in weights]


@given(seen_of_groups, seen_of_groups)
@settings(max_examples=examples(25), deadline=None)
def test_probabilities_are_those_of_the_sums(earlier, seen):
    belief = Belief(hypotheses_of(SIGNATURES), earlier, seen)
    assert belief.probabilities() == pytest.approx(slow_probabilities(belief), rel=1e-3, abs=1e-9)


@given(seen_of_groups, seen_of_groups, st.sampled_from(GROUPS), st.integers(1, 4))
@settings(max_examples=examples(15), deadline=None)
def test_what_launches_are_worth_is_the_mean_over_all_results(earlier, seen, group, count):
    """The results are: launch 1 hangs, launch 2 is the first to hang, ..., none hangs."""
    belief = Belief(hypotheses_of(SIGNATURES), earlier, seen)
    before = slow_probabilities(belief)
    knows = HangCounts(*(pseudo_count - 1 for pseudo_count in belief.sensitivity(group)))
    of_first = []  # for each number of the first launch that hangs: how probable it is, by hypothesis
    for ended in range(count + 1):
        hung = int(ended < count)
        free = chance(knows, hung, ended)
        bound = MEASURING_FAULT**hung * (1 - MEASURING_FAULT) ** ended
        of_first.append([bound if hypothesis.forbids(group[0]) else free for hypothesis in belief.hypotheses])
    results = [[sum(some) for some in zip(*of_first[:-1], strict=True)], of_first[-1]]
    left = 0.0
    for by_hypothesis in results:
        weights = [p * q for p, q in zip(before, by_hypothesis, strict=True)]
        left += sum(weights) * entropy(weight / sum(weights) for weight in weights)
    made = sum(
        min(place + 1, count) * sum(p * q for p, q in zip(before, row, strict=True))
        for place, row in enumerate(of_first)
    )
    hangs = sum(p * q for p, q in zip(before, results[0], strict=True))
    worth = worth_of(belief, belief.probabilities(), group, count, Cost(0.5, 7.0))
    assert worth.bits == pytest.approx(max(0.0, entropy(before) - left), abs=1e-3)
    assert worth.hangs == pytest.approx(hangs, abs=1e-3)
    assert worth.seconds == pytest.approx((made - hangs) * 0.5 + hangs * 7, abs=1e-2)


def test_entropy_is_in_bits():
    assert entropy([0.5, 0.25, 0.25]) == 1.5
    assert entropy([1.0, 0.0]) == 0


def test_a_group_that_hung_elsewhere_is_more_sensitive_and_one_that_never_did_tells_little():
    """A test that never hung on the other device may have ended because that device guarantees it."""
    hangs, ends = GROUPS[0], GROUPS[-1]
    found = earlier_of([{hangs: HangCounts(30, 10), ends: HangCounts(0, 40)}])
    assert found[hangs] == pytest.approx((30, 10), rel=0.01)
    assert found[ends].ended < 10
    alone = Belief(hypotheses_of(SIGNATURES), {}, {hangs: HangCounts(0, 3)})
    fed = Belief(hypotheses_of(SIGNATURES), found, {hangs: HangCounts(0, 3)})
    promising = [hypothesis.forbids(hangs[0]) for hypothesis in fed.hypotheses]

    def promised(belief):
        return math.fsum(p for p, yes in zip(belief.probabilities(), promising, strict=True) if yes)

    assert promised(fed) > promised(alone) > 0


def test_however_much_was_seen_earlier_counts_for_a_limited_number_of_launches():
    (found,) = earlier_of([{GROUPS[0]: HangCounts(900, 100)}, {GROUPS[0]: HangCounts(900, 100)}]).values()
    assert found.hung + found.ended == pytest.approx(MOST_EARLIER)
    assert found.hung == pytest.approx(0.9 * MOST_EARLIER)


def test_a_device_that_hangs_everywhere_guarantees_nothing():
    belief = Belief(hypotheses_of(SIGNATURES), seen={group: HangCounts(5, 0) for group in GROUPS})
    best = max(zip(belief.probabilities(), belief.hypotheses, strict=True), key=lambda weighted: weighted[0])
    assert best[0] > 0.99
    assert best[1].names == (("unfair",),)
    assert verdict_names(library())[0] == "unfair"
