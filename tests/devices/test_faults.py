"""Planted faults: each breaks the verdict that it names, and those that hide under `plain` are not seen there."""

import pytest

from synth.inputs.named_tests import ids_in
from synth.simulating.power import MAPPINGS, power_of
from synth.suites.choosing import smallest_suite
from synth_backends.mapping import read_mapping
from synth_checker.programs.normal import program_of_id
from synth_corpus.shipped import NAMES
from synth_devices.sim.faults import FAULTS
from synth_devices.sim.simulation import Simulator

GOALS = ("verdicts", "incomparable", "mutants", "idioms")


@pytest.fixture(scope="module")
def suites():
    """For each verdict that a fault breaks, its suite that covers idioms, too."""
    ids = [id_ for name in NAMES for id_ in ids_in(name)]
    return {
        verdict: [program_of_id(test.id) for test in smallest_suite(verdict, ids, GOALS).tests]
        for verdict in {fault.verdict for fault in FAULTS}
    }


def test_there_are_twenty_and_ten_hide():
    assert len({fault.name for fault in FAULTS}) == 20
    assert sum(fault.hides_in_plain for fault in FAULTS) >= 10


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_the_suite_of_the_verdict_that_it_breaks_catches_a_fault(suites, fault):
    found = next(one for one in power_of(suites[fault.verdict]).faults if one.fault == fault)
    assert found.is_caught
    if fault.hides_in_plain:
        assert not found.by["plain"]


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
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
    assert {one.fault.name: {m for m, ids in one.by.items() if ids} for one in part.faults} == {
        one.fault.name: {m for m, ids in one.by.items() if ids} for one in whole.faults
    }
    assert set(whole.smallest) <= set(whole.tests)
