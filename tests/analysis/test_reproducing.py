"""Which schedulers have given results: planted ones are found again, up to those that no cell tells apart.

Run all 50 trials, and print what they found, with

    .venv/bin/pytest -s -m exhaustive tests/analysis/test_reproducing.py
"""

import math
import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from campaigns import ids_of
from quick import examples, mostly_full
from synth_analysis import reproduction
from synth_analysis.reproduction import (
    FEW,
    MANY,
    SOME,
    CellHangs,
    LaunchSetup,
    fits_of,
    hanging_launches,
    likelihood_by_sample,
    log_likelihood,
    simulated_hangs,
)
from synth_analysis.schedulers import Grid, implied_by, is_repeatable, scheduler_family
from synth_campaigns.claims import passed_verdicts

TESTS = [id_ for bound in ("2x2", "2x3", "3x3") for id_ in ids_of(f"@minimal/{bound}")]
WORKGROUPS = 120
PLACES = [
    LaunchSetup(id_, mapping, 1 if mapping == "plain" else WORKGROUPS // (id_.count("-") + 1))
    for id_ in TESTS
    for mapping in ("plain", "round-robin", "chunked")
]
SMALL = Grid((1, 4), ("linear", "reverse", "random"), (1,), (0, 3), ("rotate", "random"))
FAMILY = scheduler_family(Grid())


def campaign(scheduler, places=PLACES, launches=20, after_hang=4):
    """The results of a campaign on a scheduler: after the first hang of a cell, four launches follow."""
    found = []
    for place in places:
        hung = ended = 0
        left = launches
        while left:
            hangs = simulated_hangs(scheduler, place, 1, first=hung + ended)
            left = min(left - 1, after_hang) if hangs and not hung else left - 1
            hung, ended = hung + hangs, ended + 1 - hangs
        found.append(CellHangs(place, hung, ended))
    return found


def check_equivalent(scheduler, other, seen):
    """No cell tells two schedulers apart, by launches that the search has not made."""
    for result in seen:
        if is_repeatable(scheduler) and is_repeatable(other):
            assert simulated_hangs(scheduler, result.place, 1) == simulated_hangs(other, result.place, 1)
            continue
        hung = [simulated_hangs(each, result.place, 20, first=1000) for each in (scheduler, other)]
        assert abs(hung[0] - hung[1]) < 15, result  # by Fisher's test, 15 more of 20 have a chance of one in a million


def trial(number):
    """Plant a scheduler of the family with a seed of its own, and return its name and what is found."""
    rng = random.Random(number)
    name = rng.choice(list(FAMILY))
    planted = replace(FAMILY[name], seed=rng.randrange(1, 10**9))
    seen = campaign(planted)
    fits = fits_of(seen, FAMILY)
    names = [fit.name for fit in fits.left]
    print(f"\n{number}: {name}: {len(names)} left", end="")  # noqa: T201  (the progress of an hour's work)
    assert name in names, (name, fits)
    assert not fits.nearest
    for fit in random.Random(number).sample(fits.left, min(4, len(fits.left))):
        check_equivalent(planted, fit.scheduler, seen)
    return len(names)


@pytest.mark.full
@mostly_full("number", range(2))
def test_a_planted_scheduler_is_found_again(number):
    trial(number)


@pytest.mark.exhaustive
def test_planted_schedulers_are_found_again_in_50_of_50_trials():
    left = [trial(number) for number in range(50)]
    print(f"\nalone: {left.count(1)}, at most 10 left: {sum(number <= 10 for number in left)}, most: {max(left)}")  # noqa: T201


@pytest.mark.parametrize("number", range(3))
def test_what_is_left_is_what_is_left_if_no_cell_is_skipped(number):
    """The twin simulates every scheduler on every cell."""
    schedulers = scheduler_family(SMALL)
    rng = random.Random(number)
    name = rng.choice(list(schedulers))
    seen = campaign(replace(schedulers[name], seed=5), rng.sample(PLACES, 12))
    slow = {}
    for each, scheduler in schedulers.items():
        likelihoods = [log_likelihood(scheduler, cell) for cell in seen]
        best = [sum(k * math.log(k / (cell.hung + cell.ended)) for k in (cell.hung, cell.ended) if k) for cell in seen]
        if all(found - most >= -math.log(1e5) for found, most in zip(likelihoods, best, strict=True)):
            slow[each] = sum(likelihoods)
    highest = max(slow.values())
    assert {fit.name: pytest.approx(fit.log_likelihood) for fit in fits_of(seen, schedulers, 2).left} == {
        each: found for each, found in slow.items() if found >= highest - math.log(1e3)
    }
    assert name in slow


@given(st.integers(0, FEW), st.integers(0, 6), st.integers(0, 6))
@settings(max_examples=examples(40), deadline=None)
def test_the_likelihood_is_the_sum_over_all_rates(sampled, hung, ended):
    is_mixed = 0 < sampled < FEW or (hung and ended)
    if not hung + ended or not is_mixed:
        return  # the density of the rate is infinite at its ends
    points = [(k + 0.5) / 20_000 for k in range(20_000)]
    weights = [p ** (sampled - 0.5) * (1 - p) ** (FEW - sampled - 0.5) for p in points]
    slow = sum(w * p**hung * (1 - p) ** ended for w, p in zip(weights, points, strict=True)) / sum(weights)
    place = LaunchSetup("0010-0100", "plain", 1)
    assert likelihood_by_sample(CellHangs(place, hung, ended), sampled, FEW) == pytest.approx(math.log(slow), abs=0.05)
    none = sum(w * (1 - p) ** (hung + ended) for w, p in zip(weights, points, strict=True)) / sum(weights)
    if hung and 0 < sampled < FEW:
        found = likelihood_by_sample(CellHangs(place, hung, ended, is_least=True), sampled, FEW)
        assert found == pytest.approx(math.log(1 - none), abs=0.05)


def test_a_scheduler_without_chance_matches_exactly_or_not_at_all():
    place = LaunchSetup("0011-00_0", "chunked", 40)
    reverse, linear = FAMILY["slots 8, reverse, rotate"], FAMILY["slots 8, linear, rotate"]
    assert [log_likelihood(scheduler, CellHangs(place, 5, 0)) for scheduler in (reverse, linear)] == [0.0, -math.inf]
    assert [log_likelihood(scheduler, CellHangs(place, 0, 9)) for scheduler in (reverse, linear)] == [-math.inf, 0.0]
    assert [log_likelihood(scheduler, CellHangs(place, 3, 9)) for scheduler in (reverse, linear)] == [
        -math.inf,
        -math.inf,
    ]
    at_least = CellHangs(place, 1, 19, is_least=True)
    assert [log_likelihood(scheduler, at_least) for scheduler in (reverse, linear)] == [0.0, -math.inf]


def test_what_the_rules_of_a_scheduler_imply_needs_no_simulation(monkeypatch):
    passes = passed_verdicts(TESTS)
    implied = {name: scheduler for name, scheduler in FAMILY.items() if implied_by(scheduler)}
    assert {scheduler.pick for scheduler in implied.values()} == {"random", "weighted", "rotate"}
    assert all(not scheduler.quantum for scheduler in implied.values())
    rng, simulated = random.Random(0), []
    monkeypatch.setattr(reproduction, "simulated_hangs", lambda *_, **__: simulated.append(1))
    for name, place in [(rng.choice(list(implied)), rng.choice(PLACES)) for _ in range(400)]:
        if implied_by(FAMILY[name]) in passes[place.test]:
            assert hanging_launches(FAMILY[name], place, 2) == simulated_hangs(FAMILY[name], place, 2) == 0, (
                name,
                place,
            )
    assert not simulated
    hanging_launches(FAMILY["strided"], LaunchSetup("0011-00_0", "chunked", 60), 1)  # fails OBE.strong
    assert simulated


@pytest.mark.parametrize(
    ("hung", "ended", "hangs", "wanted"),
    [(0, 20, lambda _: False, FEW), (20, 0, lambda _: False, SOME), (0, 20, lambda _: True, SOME),
     (20, 0, lambda number: number == 15, MANY), (10, 10, lambda _: False, MANY), (1, 4, lambda _: False, FEW)],
)  # fmt: skip
def test_more_launches_are_simulated_until_it_is_clear_whether_they_refute(monkeypatch, hung, ended, hangs, wanted):
    simulated = []

    def launch(_scheduler, _place, launches, *, first=0):
        simulated.extend(range(first, first + launches))
        return sum(map(hangs, simulated[first:]))

    monkeypatch.setattr(reproduction, "hanging_launches", launch)
    found = log_likelihood(FAMILY["strided"], CellHangs(LaunchSetup("0011-00_0", "chunked", 60), hung, ended))
    assert simulated == list(range(wanted))
    assert found == likelihood_by_sample(CellHangs(None, hung, ended), sum(map(hangs, simulated)), wanted)


def test_results_of_no_scheduler_have_nearest_ones():
    """A test that hangs under plain on every second launch, while all others end."""
    seen = [CellHangs(place, 0, 20) for place in PLACES[:6]] + [CellHangs(LaunchSetup("00_0-0011", "plain", 1), 10, 10)]
    fits = fits_of(seen, scheduler_family(SMALL))
    assert not fits.left
    assert {tuple(cell.place.mapping for cell in fit.refuting) for fit in fits.nearest} == {("plain",)}
    assert all(len(fit.refuting) == 1 for fit in fits.nearest)
