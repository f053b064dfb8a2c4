"""The most informative next test, on simulated devices.

A device guarantees something, and hangs with a given sensitivity on tests that need not end. A trial launches tests
until some hypothesis has 95 %. It knows the sensitivity as well as an earlier campaign of the same kind tells it,
with 100 launches of each signature. Run all trials, and print their table, with

    .venv/bin/pytest -s -m exhaustive tests/analysis/test_next_test.py
"""

import random
from statistics import fmean

import pytest

from campaigns import ids_of
from synth_analysis.belief import MEASURING_FAULT, MOST_EARLIER, Belief, HangCounts, earlier_of
from synth_analysis.hypotheses import hypotheses_of
from synth_analysis.next_test import Candidate, Cost, proposals
from synth_checker.verdicts import judge

BOUNDS = ("2x2", "2x3", "2x4", "3x3", "3x4")
#: The most tests that a trial needs on average, by the sensitivity.
MOST = {0.99: 5.5, 0.9: 7.5, 0.5: 18.5}
LEAST_RATIO = 15
COSTS = {"plain": Cost(1.0, 1.0)}


@pytest.fixture(scope="module")
def candidates():
    """All 10,986 tests as candidates, each launched once."""
    ids = [id_ for bound in BOUNDS for id_ in ids_of(f"@complete/{bound}")]
    return [Candidate(id_, mask, "plain", 1) for id_, mask in zip(ids, judge(ids), strict=True)]


class Device:
    """A device that never hangs on what its hypothesis forbids, and else with a given probability."""

    def __init__(self, hypothesis, sensitivity, rng):
        self.hypothesis, self.sensitivity, self.rng = hypothesis, sensitivity, rng

    def hangs(self, candidate):
        rate = MEASURING_FAULT if self.hypothesis.forbids(candidate.signature) else self.sensitivity
        return self.rng.random() < rate


def earlier(signatures, sensitivity, rng):
    """What an earlier campaign saw on a device of the same kind that guarantees nothing."""
    launches = int(MOST_EARLIER)
    hung = {signature: sum(rng.random() < sensitivity for _ in range(launches)) for signature in signatures}
    return earlier_of(
        [{(signature, "plain"): HangCounts(number, launches - number) for signature, number in hung.items()}]
    )


def until_sure(device, belief, choose):
    """How many tests a trial needs, and whether what it is sure of is true."""
    for number in range(10_000):
        probabilities = belief.probabilities()
        highest = max(probabilities)
        if highest >= 0.95:
            return number, belief.hypotheses[probabilities.index(highest)] is device.hypothesis
        candidate = choose(belief)
        hung = device.hangs(candidate)
        belief.add(candidate.group, hung, not hung)
    raise AssertionError


def trials(candidates, sensitivity, repeats, *, is_random):
    """The results of trials with each hypothesis."""
    rng = random.Random(f"{sensitivity} {is_random}")
    of_signature = list({candidate.signature: candidate for candidate in candidates}.values())
    hypotheses = hypotheses_of(candidate.signature for candidate in candidates)

    def informative(belief):
        return proposals(belief, of_signature, COSTS)[0].candidate

    def drawn(_):
        return rng.choice(candidates)

    return [
        until_sure(
            Device(hypothesis, sensitivity, rng),
            Belief(hypotheses, earlier([candidate.signature for candidate in of_signature], sensitivity, rng)),
            drawn if is_random else informative,
        )
        for _ in range(repeats)
        for hypothesis in hypotheses
    ]


@pytest.mark.full
@pytest.mark.parametrize("sensitivity", MOST)
def test_a_sample_of_trials_needs_few_tests(candidates, sensitivity):
    found = trials(candidates, sensitivity, 4, is_random=False)
    assert fmean(number for number, _ in found) < 1.2 * MOST[sensitivity]
    assert fmean(is_true for _, is_true in found) >= 0.9
    at_random = trials(candidates, sensitivity, 1, is_random=True)
    assert fmean(number for number, _ in at_random) > LEAST_RATIO * fmean(number for number, _ in found)


@pytest.mark.exhaustive
@pytest.mark.parametrize("sensitivity", MOST)
def test_all_trials_need_few_tests_and_random_ones_at_least_fifteen_times_as_many(candidates, sensitivity):
    found = trials(candidates, sensitivity, 40, is_random=False)
    at_random = trials(candidates, sensitivity, 10, is_random=True)
    mean, random_mean = fmean(number for number, _ in found), fmean(number for number, _ in at_random)
    right, random_right = fmean(yes for _, yes in found), fmean(yes for _, yes in at_random)
    print(  # noqa: T201  (the row of the table in docs/results/results.md)
        f"\n| {sensitivity} | {mean:.1f} | {right:.1%} | {random_mean:.0f} | {random_right:.1%} |"
        f" {random_mean / mean:.0f} |"
    )
    assert mean < MOST[sensitivity]
    assert random_mean > LEAST_RATIO * mean
    assert right > 0.94


@pytest.mark.full
def test_the_most_sensitive_test_of_a_group_comes_first_and_then_the_smallest(candidates):
    signature = max(
        {candidate.signature for candidate in candidates},
        key=lambda mask: sum(candidate.signature == mask for candidate in candidates),
    )
    some = sorted(
        (candidate for candidate in candidates if candidate.signature == signature),
        key=lambda test: (len(test.test), test.test),
    )[:9]
    belief = Belief(hypotheses_of(candidate.signature for candidate in candidates))
    smallest = proposals(belief, reversed(some), COSTS)[0].candidate
    assert smallest == min(some, key=lambda test: (len(test.test), test.test))
    seen = {(some[0].test, "plain"): HangCounts(0, 20), (some[5].test, "plain"): HangCounts(9, 1)}
    assert proposals(belief, some, COSTS, seen)[0].candidate == some[5]
    assert proposals(belief, some[:2], COSTS, seen)[0].candidate == some[1]


@pytest.mark.full
def test_a_hang_that_costs_much_is_avoided(candidates):
    """Of two mappings with the same sensitivity, the one whose hangs cost less is better."""
    both = [candidate._replace(mapping=mapping) for candidate in candidates[:1] for mapping in ("plain", "chunked")]
    belief = Belief(hypotheses_of(candidate.signature for candidate in candidates))
    costs = {"plain": Cost(1.0, 30.0), "chunked": Cost(1.0, 2.0)}
    assert [proposal.candidate.mapping for proposal in proposals(belief, both, costs)] == ["chunked", "plain"]


@pytest.mark.full
def test_many_clean_launches_leave_nothing_to_learn_from_more_of_the_same(candidates):
    candidate = candidates[0]._replace(launches=20)
    belief = Belief(hypotheses_of(each.signature for each in candidates))
    bits = []
    for _ in range(5):
        bits.append(proposals(belief, [candidate], COSTS)[0].worth.bits)
        belief.add(candidate.group, 0, 20)
    assert bits == sorted(bits, reverse=True)
    assert bits[-1] < bits[0] / 4
