"""What is random in tests of the simulated device: schedulers, and launches of few workgroups."""

from hypothesis import strategies as st

from strategies import programs
from synth_backends.mapping import Launch, read_mapping
from synth_devices.sim.scheduler import ORDERS, PICKS, Scheduler

MOST_WORKGROUPS = 12


@st.composite
def schedulers(draw):
    """Schedulers with few slots, whatever their rules.

    Where the pick is random the twin searches all joint states of the residents, so there are fewer of them.
    """
    pick = draw(st.sampled_from(PICKS))
    slots = MOST_WORKGROUPS if pick in ("rotate", "lowest") else 4
    least = draw(st.integers(1, slots))
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
