"""Which test tells schedulers apart."""

import pytest

from synth_analysis.reproduction import FEW, LaunchSetup, simulated_hangs
from synth_analysis.schedulers import Grid, scheduler_family
from synth_analysis.telling_test import best_division, hang_frequency

SCHEDULERS = scheduler_family(Grid((2, 8), ("linear", "reverse"), (1,), (0, 3), ("rotate",)))
PLACES = [
    LaunchSetup(id_, mapping, 12)
    for id_ in ("0011-00_0", "00_0-0011", "0010-0100")
    for mapping in ("round-robin", "chunked")
]


def test_the_best_place_leaves_the_fewest_on_average():
    divisions = {}
    for place in PLACES:
        parts = {}
        for name, scheduler in SCHEDULERS.items():
            hung = simulated_hangs(scheduler, place, FEW)
            parts.setdefault("never" if not hung else "always" if hung == FEW else "sometimes", []).append(name)
        divisions[place] = parts
    left = {
        place: sum(len(some) ** 2 for some in parts.values()) / len(SCHEDULERS) for place, parts in divisions.items()
    }
    found = best_division(SCHEDULERS, PLACES, 2)
    assert found.left == pytest.approx(min(left.values()))
    assert {key: list(some) for key, some in found.by_outcome.items()} == divisions[found.place]


def test_schedulers_that_are_the_same_are_told_apart_by_nothing():
    same = {"one": SCHEDULERS["serial"], "other": SCHEDULERS["serial"]}
    assert best_division(same, PLACES) is None


def test_the_search_ends_where_nothing_better_can_come():
    two = {name: SCHEDULERS[name] for name in ("serial", "slots 2, reverse, rotate")}
    told = []
    found = best_division(two, PLACES * 100, 1, lambda *now: told.append(now))
    assert found.place == PLACES[len(told) - 1]
    assert len(told) < len(PLACES)
    assert [hang_frequency(scheduler, found.place) for scheduler in two.values()] in (
        ["never", "always"],
        ["always", "never"],
    )
