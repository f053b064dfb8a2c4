"""The simulated device: the core and its twin do the same, event by event, and decide the same hangs."""

import functools
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quick import examples, mostly_full
from simulated import core_of, launches, schedulers, twin_of
from synth_backends.mapping import read_mapping
from synth_checker.errors import InputError
from synth_checker.programs.normal import program_of_id
from synth_checker.programs.text import read_program
from synth_devices.sim.presets import preset
from synth_devices.sim.scheduler import Scheduler, scheduler_of
from synth_devices.sim.simulation import Simulator

MUTEX = program_of_id("01100002-01100002")


def compare(scheduler, program, launch, number):
    """Core and twin agree; where nothing is random, one may need longer than the other to be certain of a hang."""
    found, events = Simulator(scheduler, program, launch.mapping, launch.instances).schedule(number)
    expected, others = twin_of(scheduler, program, launch).schedule(number)
    assert found.outcome == expected.outcome
    assert (found.slots, found.started, found.finished) == (expected.slots, expected.started, expected.finished)
    if found.is_hung and scheduler.is_deterministic:
        short = min(len(events), len(others))
        assert events[:short] == others[:short]
    else:
        assert (found.steps, events) == (expected.steps, others)


@given(scheduler=schedulers(), test=launches(), number=st.integers(0, 5))
def test_core_and_twin_agree(scheduler, test, number):
    compare(scheduler, *test, number)


@pytest.mark.exhaustive
@settings(max_examples=examples(10_000))
@given(scheduler=schedulers(), test=launches(), number=st.integers(0, 5))
def test_core_and_twin_agree_on_many(scheduler, test, number):
    compare(scheduler, *test, number)


LENGTH = 10_000


@mostly_full("quantum", [0, 3])
@pytest.mark.parametrize("ends", [True, False])
def test_a_hang_is_told_from_a_long_way_to_the_end(quantum, ends):
    """A thread that takes 10,000 steps before it ends, or goes round: in 101 instances, 1,010,000 steps."""
    chain = [[state + 1] for state in range(LENGTH)]
    table = [*chain, [-1]] if ends else [*chain, [LENGTH - 1]]
    scheduler = Scheduler((101, 101), pick="rotate", quantum=quantum)
    is_hung, steps, *_ = core_of(table, scheduler, [(instance, 0) for instance in range(101)]).run(0)
    assert is_hung is not ends
    assert steps >= 101 * LENGTH


@pytest.mark.parametrize("ends", [True, pytest.param(False, marks=pytest.mark.full)])
def test_a_scheduler_file_may_need_ten_million_steps_before_the_stores(ends):
    """Ten threads that wait take a million steps each before the first thread that stores has a slot."""
    scheduler = scheduler_of('slots = 1\npreempt = 1048576\npick = "rotate"')
    program = read_program(
        "THREAD 0\n0: if (Mem[0] == 0) goto 0;\nTHREAD 1\n0: Mem[0] = 1;"
        + ("" if ends else "\n1: if (Mem[1] == 0) goto 1;")
    )
    result = Simulator(scheduler, program, read_mapping("chunked"), 10).launch(0)
    assert result.is_hung is not ends
    assert result.steps > 10 * 2**20
    assert result.finished == ((3 if ends else 1),) * 10


def test_a_launch_is_repeated_by_its_number():
    simulator = Simulator(preset("jitter").scheduler, MUTEX, read_mapping("chunked"), 50)
    first, second = simulator.schedule(3), simulator.schedule(3)
    assert first == second
    assert simulator.launch(3) == first[0]
    assert simulator.schedule(4) != first


def test_the_events_of_a_long_launch_need_little_memory():
    """A hundred thousand steps: their events come in parts, and nobody keeps them."""
    scheduler = Scheduler((1, 1), quantum=1 << 15, pick="rotate")
    simulator = Simulator(scheduler, program_of_id("00_0-0011"), read_mapping("chunked"), 4)
    most = 0

    def take(events):
        nonlocal most
        most = max(most, sum(1 for _ in events))

    tracemalloc.start()
    result = simulator.watch(0, take)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert result.steps > 1 << 17
    assert most == 1 << 14
    assert peak < 2 << 20


def test_no_part_of_the_events_is_empty():
    """4,096 threads with four events each fill a part exactly."""
    program = read_program("THREAD 0\n0: Mem[0] = 1;\n1: Mem[0] = 1;")
    sizes = []
    simulator = Simulator(Scheduler((1, 1)), program, read_mapping("chunked"), 4_096)
    simulator.watch(0, lambda events: sizes.append(sum(1 for _ in events)))
    assert sizes == [1 << 14]


def test_a_fault_of_whoever_takes_events_is_told():
    def take(_):
        raise KeyError("full")

    simulator = Simulator(Scheduler((1, 1)), program_of_id("00_0-0011"), read_mapping("plain"), 1)
    with pytest.raises(KeyError, match="full"):
        simulator.watch(0, take)
    assert simulator.launch(0).is_hung


@given(seed=st.integers(0, 2**64 - 1), number=st.integers(0, 2**64 - 1), size=st.integers(1, 40))
def test_the_random_numbers_of_the_documents_are_those_of_the_core(seed, number, size):
    """The order `random` for a scheduler with a slot for each workgroup, whose number is drawn first."""
    random = documented()["RandomNumbers"](seed, number)
    slots = size + random.below(4)
    order = documented()["shuffled"](random, size)
    scheduler = Scheduler((size, size + 3), "random", seed=seed)
    program = read_program("THREAD 0\n0: Mem[0] = 1;")
    result, events = Simulator(scheduler, program, read_mapping("chunked"), size).schedule(number)
    assert result.slots == slots
    assert [event.workgroup for event in events[:size]] == order
    occupied, steps = list(range(size)), []
    while occupied:
        place = random.below(len(occupied))
        steps.append(order[occupied[place]])
        occupied[place] = occupied[-1]
        occupied.pop()
    assert [event.workgroup for event in events if event.kind == "step"] == steps


@functools.cache
def documented():
    """The Python code of docs/understand/sim.md about random numbers."""
    text = (Path(__file__).parents[2] / "docs" / "understand" / "sim.md").read_text("utf-8")
    names = {}
    exec(next(code for code in text.split("```python")[1:] if "RandomNumbers" in code).partition("```")[0], names)  # noqa: S102
    return names


def test_slots_are_drawn_between_two_numbers():
    simulator = Simulator(Scheduler((2, 6)), MUTEX, read_mapping("chunked"), 50)
    assert {simulator.launch(number).slots for number in range(60)} == {2, 3, 4, 5, 6}


@pytest.mark.parametrize("instances", [1, 7])
def test_a_schedule_is_replayed_and_comes_back_or_not(instances):
    simulator = Simulator(Scheduler((1, 1)), program_of_id("00_0-0011"), read_mapping("round-robin"), instances)
    assert simulator.recurs([0], 0)
    assert not simulator.recurs([1], 0)
    assert simulator.recurs([0, 0, 0], 2)


@pytest.mark.parametrize(
    ("workgroups", "prefix", "told"),
    [
        ([0, 1, 1], 0, "step 2: found workgroup 1, expected one that has not ended"),
        ([2], 0, "step 0: found workgroup 2"),
        ([-1], 0, "step 0: found workgroup -1"),
        ([0], 1, "found a schedule without a cycle"),
        ([], 0, "found a schedule without a cycle"),
    ],
)
def test_a_schedule_that_cannot_be_replayed_is_refused(workgroups, prefix, told):
    simulator = Simulator(Scheduler((1, 1)), program_of_id("00_0-0011"), read_mapping("plain"), 1)
    with pytest.raises(InputError, match=told):
        simulator.recurs(workgroups, prefix)


def test_a_system_without_all_threads_at_the_start_is_refused():
    with pytest.raises(InputError, match="found a thread that has ended at the start"):
        core_of([[-1, 0]], Scheduler((1, 1)), [(0, 0), (0, 1)])
