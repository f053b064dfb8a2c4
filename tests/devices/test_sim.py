"""The simulated device: the core and its twin do the same, event by event, and decide the same hangs."""

from hypothesis import given
from hypothesis import strategies as st
from synth_devices.sim.scheduler import ORDERS, PICKS, Scheduler
from synth_devices.sim.simulation import Simulator
from synth_devices.sim.twin import TwinSimulator

from strategies import programs
from synth_backends.mapping import Launch, read_mapping

MOST_WORKGROUPS = 12


@st.composite
def schedulers(draw, *, slots=MOST_WORKGROUPS):
    """Schedulers with few slots, whatever their rules."""
    least = draw(st.integers(1, slots))
    pick = draw(st.sampled_from(PICKS))
    quantum = draw(st.integers(0, 4)) if pick in ("rotate", "lowest") else 0
    return Scheduler(
        slots=(least, draw(st.integers(least, slots))),
        order=(order := draw(st.sampled_from(sorted(ORDERS)))),
        spread=draw(st.integers(1, 5)) if ORDERS[order] else 1,
        batch=1 if quantum else draw(st.integers(1, 3)),
        quantum=quantum,
        pick=pick,
        seed=draw(st.integers(0, 2**64 - 1)),
    )


@st.composite
def launches(draw):
    """A program, and a launch of at most so many workgroups."""
    program = draw(programs(threads=(1, 3), instructions=(1, 5)))
    mapping = read_mapping(
        draw(st.sampled_from(["plain", "round-robin", "chunked", "hybrid:2", "random:7", "stride:2"]))
    )
    instances = 1 if mapping.name == "plain" else draw(st.integers(1, MOST_WORKGROUPS // len(program)))
    return program, Launch(mapping, len(program), instances)


def compare(scheduler, program, launch, number):
    """Core and twin agree; the one that needs longer to be certain of a hang has more events."""
    found, events = Simulator(scheduler, program, launch.mapping, launch.instances).schedule(number)
    expected, others = TwinSimulator(scheduler, program, launch).schedule(number)
    assert found.outcome == expected.outcome
    assert (found.slots, found.started, found.finished) == (expected.slots, expected.started, expected.finished)
    if found.is_hung:
        short = min(len(events), len(others))
        assert events[:short] == others[:short]
    else:
        assert (found.steps, events) == (expected.steps, others)


@given(scheduler=schedulers(), test=launches(), number=st.integers(0, 5))
def test_core_and_twin_agree(scheduler, test, number):
    compare(scheduler, *test, number)
