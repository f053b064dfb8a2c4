"""The family of simulated schedulers: presets and a grid, each once."""

from dataclasses import replace

import pytest

from synth_analysis.schedulers import Grid, is_repeatable, keys_of, scheduler_family
from synth_checker.errors import InputError
from synth_devices.sim.presets import IMPLIED, preset
from synth_devices.sim.scheduler import Scheduler


def test_the_family_has_each_scheduler_once_and_presets_by_their_names():
    found = scheduler_family(Grid())
    assert found.keys() >= set(IMPLIED)
    assert len(set(found.values())) == len(found) > 300
    assert found["strided"] == preset("strided").scheduler
    assert "slots 8, stride:13, random" not in found
    assert "slots 8, stride:13, rotate" in found


def test_further_schedulers_join_the_family_unless_they_differ_by_the_seed_alone():
    grid = Grid((2,), ("linear",), (1,), (0,), ("rotate",))
    mine = Scheduler((3, 5), quantum=2, pick="rotate")
    found = scheduler_family(grid, [mine, replace(mine, seed=7), replace(preset("linear").scheduler, seed=1)])
    assert found.keys() == {*IMPLIED, "slots 2, linear, rotate", "slots 3 to 5, linear, preempt 2, rotate"}


def test_a_grid_has_all_combinations_that_a_file_allows():
    grid = Grid((1, 2), ("linear", "jitter:3"), (1, 4), (0, 7), ("rotate", "random"))
    found = grid.schedulers()
    # each of 4 places and orders: 2 batches and 2 picks without pre-emption, and 1 with it
    assert len(found) == len(set(found)) == 4 * (4 + 1)
    with pytest.raises(InputError, match="order"):
        Grid(order=("lineal",)).schedulers()
    with pytest.raises(InputError, match="pick"):
        Grid(pick=("any",)).schedulers()


def test_the_name_has_the_keys():
    assert keys_of(Scheduler((4, 4), batch=2)) == "slots 4, linear, batch 2, random"
    assert keys_of(Scheduler((1 << 20, 1 << 20), "stride", 5, pick="lowest")) == "slots all, stride:5, lowest"


def test_launches_are_repeatable_if_nothing_is_random():
    assert is_repeatable(Scheduler((2, 2), pick="rotate", quantum=3))
    for other in (
        Scheduler((2, 2)),
        Scheduler((2, 3), pick="rotate"),
        Scheduler((2, 2), "random", pick="rotate"),
        Scheduler((2, 2), "jitter", 4, pick="lowest"),
    ):
        assert not is_repeatable(other)
