"""Hangs of deterministic schedulers: recurrence by parts against a search for the whole state of the launch."""

import struct

import pytest
from hypothesis import given, settings

from quick import examples
from simulated import TableSteps, core_of, tables
from simulation_twin import TwinSimulator
from synth_devices.sim.scheduler import Scheduler


def compare(table, scheduler, places, most):
    """Compare the core with the twin, which keeps every whole state; it gives up after so many steps.

    Return how the launch goes on, None if the twin does not know.
    """
    is_hung, steps, _, period, started, finished = core_of(table, scheduler, places).run(0)
    found, _ = TwinSimulator(scheduler, TableSteps(table), places).schedule(
        0, max(most, steps) if not is_hung else most
    )
    if found is None:
        assert is_hung
        return None
    assert found.is_hung == is_hung
    assert (found.packed_started, found.packed_finished) == (started, finished)
    if is_hung:
        assert period > 0
    else:
        assert found.steps == steps
    return found.outcome


@given(tables())
@settings(max_examples=examples(120))
def test_hangs_are_those_that_the_whole_state_shows(case):
    compare(*case, most=4_000)


@pytest.mark.exhaustive
@given(tables())
@settings(max_examples=examples(3_000))
def test_hangs_are_those_that_the_whole_state_shows_in_longer_launches(case):
    compare(*case, most=60_000)


def test_a_round_is_as_long_as_there_are_occupied_slots():
    """The same state comes 3 steps after 64, when the other thread is next, and then the launch ends.

    Thread 2 ends at its first step, so that two of three slots take turns.
    """
    same, end_of_0, end = 67, 71, 72
    table = [[1, 1, 1], [2, 2, 2], [2, 2, 3]] + [[state + 1, state + 1, -1] for state in range(3, same)]
    table += [[68, 70, -1], [69, 69, -1], [same, same, -1], [end_of_0, 70, -1], [-1, end, -1], [-1, -1, -1]]
    scheduler = Scheduler((3, 3), pick="rotate")
    places = [(0, 0), (0, 1), (0, 2)]
    assert compare(table, scheduler, places, most=200) == "ended"


def test_an_instance_that_goes_on_for_long_is_waited_for():
    """Instance 0 comes back at once. Instance 1, whose thread 1 steps first, has a long way to its end."""
    length = 1_000
    table = [[1, 2], [1, 1]] + [[state + 1, state + 1] for state in range(2, length)]
    table += [[length + 1, length], [-1, length + 2], [-1, -1]]
    scheduler = Scheduler((2, 2), quantum=1, pick="rotate")
    places = [(0, 0), (1, 1), (0, 1), (1, 0)]
    assert compare(table, scheduler, places, most=6_000) == "hung"
    finished = core_of(table, scheduler, places).run(0)[5]
    assert struct.unpack("2I", finished) == (0, 3)
