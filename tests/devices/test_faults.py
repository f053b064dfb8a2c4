"""Planted faults: each breaks the verdict that it names, and those that hide under `plain` are not seen there."""

import struct

import pytest

from quick import mostly_full
from simulated import core_of, keys_as_they_come
from synth_backends.mapping import read_mapping
from synth_checker.programs.normal import program_of_id
from synth_corpus.shipped import NAMES
from synth_devices.sim.faults import FAULTS, PLAIN_THREADS
from synth_devices.sim.simulation import EVENTS, Simulator
from synth_devices.simulated.power import MAPPINGS, power_of
from synth_litmus.inputs.named_tests import ids_in
from synth_search.suites.choice import smallest_suite

GOALS = ("verdicts", "incomparable", "mutants")
VERDICTS = sorted({fault.verdict for fault in FAULTS})
HIDDEN = [fault for fault in FAULTS if fault.hides_in_plain]


def suites_with(goals):
    """For each verdict that a fault breaks, its smallest suite."""
    ids = [id_ for name in NAMES for id_ in ids_in(name)]
    return {
        verdict: [program_of_id(test.id) for test in smallest_suite(verdict, ids, goals).tests] for verdict in VERDICTS
    }


@pytest.fixture(scope="module")
def suites():
    """Those that cover idioms, too."""
    return suites_with((*GOALS, "idioms"))


@pytest.fixture(scope="module")
def powers(suites):
    """Which faults the suite of a verdict catches."""
    return {verdict: power_of(suite).faults for verdict, suite in suites.items()}


def test_there_are_twenty_and_ten_hide():
    assert len({fault.name for fault in FAULTS}) == 20
    assert sum(fault.hides_in_plain for fault in FAULTS) >= 10


@pytest.mark.full
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_the_suite_of_the_verdict_that_it_breaks_catches_a_fault(powers, fault):
    power_of_fault = next(power for power in powers[fault.verdict] if power.name == fault.name)
    assert power_of_fault.is_caught
    if fault.hides_in_plain:
        assert not power_of_fault.caught_by["plain"]


@pytest.mark.full
def test_what_the_default_suites_miss():
    """The figures of docs/understand/sim.md: three faults of one suite for each verdict, and one of all suites
    together."""
    suites = suites_with(GOALS)
    assert {len(suite) for suite in suites.values()} == {1}
    caught = {
        verdict: {fault_caught.name for fault_caught in power_of(suite).faults if fault_caught.is_caught}
        for verdict, suite in suites.items()
    }
    missed = {fault.name for fault in FAULTS if fault.name not in caught[fault.verdict]}
    assert missed == {"reversed-queue", "newest-first", "second-first"}
    assert {fault.name for fault in FAULTS} - set().union(*caught.values()) == {"second-first"}


@pytest.mark.full
def test_suites_with_idioms_have_two_or_three_tests(suites):
    assert {len(suite) for suite in suites.values()} == {2, 3}


def launched(fault, name, threads):
    """The events of a launch under `plain`: thread 0 lets the others end, which wait for it."""
    table = []
    numbers = {(0, (1 << threads) - 1): 0}
    for told, live in keys_as_they_come(numbers):
        row = []
        for thread in range(threads):
            after = (1, live & ~(1 << thread)) if thread == 0 or told else (told, live)
            row.append(numbers.setdefault(after, len(numbers)) if live >> thread & 1 else -1)
        table.append(row)
    packed = []
    core_of(table, fault.scheduler, [(0, thread) for thread in range(threads)], name).run(0, packed.append)
    return list(struct.iter_unpack("3i", b"".join(packed)))


@pytest.mark.parametrize("fault", HIDDEN, ids=lambda fault: fault.name)
def test_a_hidden_fault_changes_nothing_under_plain(fault):
    """All workgroups start before the first step, and step in the same order, or at random from any order of slots."""
    start = EVENTS.index("start")
    for threads in range(1, PLAIN_THREADS + 1):
        faulty, whole = launched(fault, fault.name, threads), launched(fault, "none", threads)
        for events in (faulty, whole):
            first = {workgroup for kind, workgroup, _ in events[:threads] if kind == start}
            assert first == set(range(threads)), threads
        assert faulty == whole or not fault.scheduler.is_deterministic, threads


def test_one_thread_more_shows_a_fault():
    fault = next(fault for fault in FAULTS if fault.name == "forgets-each-seventh")
    starts = [event for event in launched(fault, fault.name, PLAIN_THREADS + 1) if event[0] == EVENTS.index("start")]
    assert len(starts) == PLAIN_THREADS


@pytest.mark.full
@mostly_full("fault", FAULTS, ids=lambda fault: fault.name)
def test_without_the_fault_no_test_of_the_suite_hangs(suites, fault):
    for program in suites[fault.verdict]:
        for mapping in MAPPINGS:
            instances = 1 if mapping == "plain" else 240 // len(program)
            simulator = Simulator(fault.scheduler, program, read_mapping(mapping), instances)
            assert not any(simulator.hangs(number) for number in range(10))


def test_the_smallest_part_has_the_same_power(suites):
    programs = suites["LOBE.strong"] + suites["fair.weak"]
    whole = power_of(programs)
    part = power_of([program_of_id(id_) for id_ in whole.smallest])
    assert {fault.name: {m for m, ids in fault.caught_by.items() if ids} for fault in part.faults} == {
        fault.name: {m for m, ids in fault.caught_by.items() if ids} for fault in whole.faults
    }
    assert set(whole.smallest) <= set(whole.tests)
