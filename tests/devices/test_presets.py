"""The presets: what their rules imply holds of every test, and what they do not imply some test violates."""

import functools
from dataclasses import replace

import pytest

from synth_backends.mapping import read_mapping
from synth_checker.models import library
from synth_checker.programs.normal import program_of_id
from synth_checker.relations.fairness_order import is_implied, verdicts_of
from synth_corpus.store import Corpus
from synth_devices.sim.presets import IMPLIED, preset
from synth_devices.sim.simulation import Simulator

BOUNDS = ("2x2", "2x3", "2x4", "3x3", "3x4")
MAPPINGS = ("plain", "round-robin", "chunked", "hybrid:2")
WORKGROUPS = 96
VERDICTS = {verdict.name: verdict for verdict in verdicts_of(library())}


@functools.cache
def minimal_tests():
    """The minimal tests of the bounds of the paper, each with the verdicts that it passes."""
    return {
        record.id: {name for name, found in record.verdicts.items() if found == "pass"}
        for bound in BOUNDS
        for record in Corpus(f"@minimal/{bound}")
    }


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


def closure(implied):
    """These verdicts and all that are at most as fair: whoever passes such a verdict passes one of these."""
    return {
        name
        for name, verdict in VERDICTS.items()
        if any(name == one or is_implied(verdict, VERDICTS[one]) for one in implied)
    }


def check(name, seeds):
    violated = set().union(*(minimal_tests()[id_] for id_ in hung(name, seeds)), set())
    kept = closure(IMPLIED[name])
    assert not violated & kept
    return VERDICTS.keys() - kept - violated


def test_there_are_377_tests():
    assert len(minimal_tests()) == 377


@pytest.mark.parametrize("name", IMPLIED)
def test_no_test_violates_what_a_preset_implies(name):
    check(name, seeds=1)


@pytest.mark.full
@pytest.mark.parametrize("name", IMPLIED)
def test_what_a_preset_does_not_imply_some_test_violates(name):
    assert check(name, seeds=10) == set()
