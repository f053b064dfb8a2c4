"""Who had finished in hangs of simulated schedulers never speaks against a verdict that the scheduler implies."""

import functools
from dataclasses import replace

import pytest

from quick import mostly_full
from simulated import closure, minimal_tests
from synth_backends.mapping import read_mapping
from synth_checker.patterns import refuted_verdicts
from synth_checker.programs.normal import program_of_id
from synth_devices.sim.presets import IMPLIED, preset
from synth_devices.sim.simulation import Simulator

MAPPINGS = ("plain", "round-robin", "chunked", "hybrid:2", "random")


@functools.cache
def refuted_by(id_, patterns):
    return refuted_verdicts(id_, patterns)


def hangs(name, ids, launches, workgroups):
    """The id of each launch of a preset, and the verdicts that its patterns refute: none if it ended."""
    scheduler = preset(name).scheduler
    for id_ in ids:
        program = program_of_id(id_)
        everyone = (1 << len(program)) - 1
        for seed, mapping in enumerate(MAPPINGS):
            instances = 1 if mapping == "plain" else workgroups // len(program)
            simulator = Simulator(replace(scheduler, seed=seed), program, read_mapping(mapping), instances)
            for number in range(launches):
                result = simulator.launch(number)
                unfinished = {everyone & ~finished for finished in set(result.finished)} - {0} if result.is_hung else ()
                yield id_, refuted_by(id_, frozenset(unfinished))


@mostly_full("name", IMPLIED, quick=3)
def test_no_pattern_refutes_what_a_preset_implies(name):
    promised = closure(IMPLIED[name])
    for id_, found in hangs(name, list(minimal_tests())[::10], 4, 48):
        assert not found & promised, id_


@pytest.mark.full
def test_in_a_million_launches_no_pattern_refutes_what_a_preset_implies():
    count, refuting = 0, 0
    for name in IMPLIED:
        promised = closure(IMPLIED[name])
        for id_, found in hangs(name, minimal_tests(), 45, 24):
            assert not found & promised, (name, id_)
            count += 1
            refuting += bool(found - minimal_tests()[id_])
    assert count >= 1_000_000
    assert refuting > 10_000


def test_patterns_refute_verdicts_that_their_tests_fail():
    """A strided scheduler leaves threads with lower numbers waiting, in ways that LOBE does not allow."""
    sharper = set()
    for id_, found in hangs("strided", list(minimal_tests())[::10], 4, 48):
        sharper |= found - minimal_tests()[id_]
    assert "LOBE.strong" in sharper
    assert not sharper & closure(IMPLIED["strided"])
