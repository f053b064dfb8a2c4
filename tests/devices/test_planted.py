"""Planted faults: each edit to the core does what the same edit to the slow rules of the twin does."""

import random
import struct

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from faulty_twin import FAULTY
from quick import examples
from simulated import TableSteps, core_of, long_table
from simulation_twin import TwinLaunch, TwinSimulator
from synth_devices.sim.faults import FAULTS
from synth_devices.sim.scheduler import Scheduler
from synth_devices.sim.simulation import EVENTS

NAMES = [fault.name for fault in FAULTS]
OF_TURNS = {name for name in NAMES if name.startswith(("skips", "sticks"))}
OF_PREEMPTION = {name for name in NAMES if "preempt" in name}


def launch_of(fault, chance):
    """A table, a scheduler on which the fault may show, and the places of at most 90 workgroups."""
    threads = chance.choice([1, 2, 3])
    table = long_table(chance, threads, chance.choice([2, 3, 8, 30]))
    instances = chance.randint(1, chance.choice([2, 8, 30]))
    places = [(instance, thread) for thread in range(threads) for instance in range(instances)]
    slots = chance.randint(1, chance.choice([3, 12, 50, 90]))
    quantum = chance.randint(1, 5) if fault in OF_PREEMPTION else 0
    batch = 1 if quantum or fault == "starts-pairs" else chance.choice([1, 1, 2, 3])
    pick = "rotate" if fault in OF_TURNS else chance.choice(["rotate", "rotate", "lowest"])
    order = chance.choice(["linear", "reverse", "random"])
    return table, Scheduler((slots, slots), order, batch=batch, quantum=quantum, pick=pick, seed=3), places


def compare(fault, rules, seed, most=1_500):
    """Compare core and twin, event by event as far as both go; return the events of the core."""
    table, scheduler, places = launch_of(fault, random.Random(seed))
    packed = []
    core = core_of(table, scheduler, places, fault)
    is_hung, steps, _, _, started, finished = core.run(0, packed.append)
    events = [(EVENTS[kind], w, slot) for kind, w, slot in struct.iter_unpack("3i", b"".join(packed))]
    found, others = TwinSimulator(scheduler, TableSteps(table), places, rules).schedule(0, most)
    short = min(len(events), len(others))
    assert events[:short] == others[:short]
    if found is None:
        assert is_hung or steps > most
    else:
        assert (found.is_hung, found.packed_started, found.packed_finished) == (is_hung, started, finished)
        assert is_hung or found.steps == steps
    return events


def test_each_fault_has_a_twin():
    assert list(FAULTY) == NAMES


@pytest.mark.parametrize("fault", ["reversed-queue", "skips-far-slots"])
@given(seed=st.integers(0, 2**32))
@settings(max_examples=examples(240))
def test_a_planted_fault_is_the_edit_that_it_says(fault, seed):
    compare(fault, FAULTY[fault], seed)


@pytest.mark.full
@pytest.mark.parametrize("fault", NAMES)
@given(seed=st.integers(0, 2**32))
@settings(max_examples=examples(500))
def test_a_planted_fault_is_the_edit_that_it_says_in_many_launches(fault, seed):
    compare(fault, FAULTY[fault], seed, most=6_000)


@pytest.mark.parametrize("fault", NAMES)
def test_the_comparison_sees_each_fault(fault):
    """The rules without the fault do something else in some launch."""

    def differs(seed):
        try:
            compare(fault, TwinLaunch, seed)
        except AssertionError:
            return True
        return False

    assert any(differs(seed) for seed in range(200))
