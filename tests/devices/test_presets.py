"""The presets: what their rules imply holds of every test, and what they do not imply some test violates."""

import itertools
from dataclasses import replace

import pytest

from quick import mostly_full
from simulated import VERDICTS, closure, minimal_tests
from synth_backends.mapping import read_mapping
from synth_checker.programs.normal import program_of_id
from synth_checker.relations.fairness_order import is_implied
from synth_devices.sim.presets import IMPLIED, preset
from synth_devices.sim.simulation import Simulator

MAPPINGS = ("plain", "round-robin", "chunked", "hybrid:2")
WORKGROUPS = 96


def hung(name, seeds):
    """The tests of which a launch hangs."""
    found = preset(name)
    for id_ in minimal_tests():
        program = program_of_id(id_)
        for mapping in MAPPINGS:
            instances = 1 if mapping == "plain" else WORKGROUPS // len(program)
            for seed in range(seeds):
                simulator = Simulator(replace(found.scheduler, seed=seed), program, read_mapping(mapping), instances)
                if simulator.hangs(0):
                    yield id_


def violated_by(name, seeds):
    """The verdicts that tests pass although they hang on a preset."""
    return set().union(*(minimal_tests()[id_] for id_ in hung(name, seeds)))


def test_there_are_377_tests():
    assert len(minimal_tests()) == 377


@pytest.mark.full
@mostly_full("name", IMPLIED, quick=4)
def test_no_test_violates_what_a_preset_implies(name):
    assert not violated_by(name, seeds=1) & closure(IMPLIED[name])


@pytest.mark.full
@pytest.mark.parametrize("name", IMPLIED)
def test_exactly_what_a_preset_does_not_imply_some_test_violates(name):
    assert VERDICTS.keys() - violated_by(name, seeds=10) == closure(IMPLIED[name])


@pytest.mark.parametrize("name", IMPLIED)
def test_only_the_strongest_verdicts_are_listed(name):
    for verdict, other in itertools.permutations(IMPLIED[name], 2):
        assert not is_implied(VERDICTS[verdict], VERDICTS[other])


def test_what_follows_from_the_strongest_verdicts():
    assert {"HSA.strong", "OBE.strong", "HSA+OBE.strong", "LOBE.weak"} <= closure(["LOBE.strong"])
    assert {"HSA.strong", "OBE.strong", "OBE.weak"} <= closure(["HSA+OBE.strong"])
    assert "LOBE.strong" not in closure(["HSA+OBE.strong"])


@pytest.mark.full
def test_strided_lets_the_lowest_live_workgroup_wait_for_ever_so_hsa_is_violated():
    """docs/understand/sim.md follows this launch by hand."""
    simulator = Simulator(preset("strided").scheduler, program_of_id("0011-00_0"), read_mapping("chunked"), 2100)
    result = simulator.launch(0)
    assert result.is_hung
    assert "HSA.weak" in minimal_tests()["0011-00_0"]
    ran = [simulator.places[number] for number in range(0, 13 * 170, 13)]
    assert ran == [(13 * k, 0) for k in range(162)] + [(13 * k - 2100, 1) for k in range(162, 170)]
    assert [k for k, threads in enumerate(result.finished) if threads] == [k for k, thread in ran if thread == 0]
    assert [k for k, threads in enumerate(result.started) if threads == 0b10] == [k for k, thread in ran if thread == 1]
    assert simulator.places[1] == (1, 0)
    assert result.started[1] == 0
