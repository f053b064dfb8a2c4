"""Adversaries: they make exactly those tests hang that fail, and the checker of certificates accepts what they do."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import synth_devices.sim.adversary
from quick import mostly_full
from synth_backends.mapping import read_mapping
from synth_checker.models import library
from synth_checker.programs.normal import program_of_id
from synth_corpus.store import Corpus
from synth_devices.sim.adversary import attack
from synth_devices.sim.attacks import attack_lines, broken_promise, replay_attack
from synth_devices.sim.scheduler import Scheduler
from synth_devices.sim.simulation import Simulator

MODELS = [model for model in library() if model.name != "unfair"]
#: What the adversary may know: models, graphs, and nothing of verdicts.
JUDGES = ("synth.", "synth_corpus", "synth_checker._native", "synth_checker.verdicts", "synth_checker.twin",
          "synth_checker.certificates", "synth_checker.relations")  # fmt: skip
ALLOWED = {"synth_checker.transitions.components", "synth_checker.models.automaton", "synth_checker.models.model"}


def check(record):
    program = program_of_id(record.id)
    simulator = Simulator(Scheduler((1, 1)), program, read_mapping("plain"), 1)
    table = simulator.table()
    for model in MODELS:
        automaton = model.automaton(len(program))
        for form in ("weak", "strong"):
            found = attack(table, automaton, form)
            assert (found is not None) == (record.verdicts[f"{model.name}.{form}"] == "fail")
            if found is not None:
                assert simulator.recurs((*found.stem, *found.cycle), len(found.stem))
                assert replay_attack(attack_lines(found, table), table) == found
                assert broken_promise(found, program, automaton, form) is None


@mostly_full("bound", ["2x2", "2x3", "3x3"])
def test_exactly_the_tests_that_fail_hang(bound):
    for record in Corpus(f"@complete/{bound}"):
        check(record)


@pytest.mark.exhaustive
@pytest.mark.parametrize("bound", ["2x4", "3x4"])
def test_exactly_the_tests_that_fail_hang_in_larger_bounds(bound):
    for record in Corpus(f"@complete/{bound}"):
        check(record)


def test_an_attack_that_owes_a_step_is_refused():
    """The certificate checker does not take just anything: a cycle of the spinner alone owes the other a step."""
    program = program_of_id("00_0-0011")
    fair = next(model for model in MODELS if model.name == "fair").automaton(2)
    unfair = synth_devices.sim.adversary.Attack((), (0,))
    assert "thread 1 is in the fair set of all states" in broken_promise(unfair, program, fair, "weak")


def test_no_module_that_the_adversary_loads_decides_verdicts():
    """A process of its own loads the adversary, and has neither the core nor a module that judges or reads a corpus."""
    script = "import sys, synth_devices.sim.adversary; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.split()
    ours = {name for name in loaded if name.startswith("synth")}
    assert "synth_devices.sim.adversary" in ours
    assert not {name for name in ours if name.startswith(JUDGES)}


def test_the_adversary_reads_no_verdicts():
    tree = ast.parse(Path(synth_devices.sim.adversary.__file__).read_text("utf-8"))
    imported = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {module for module in imported if module.startswith("synth")} <= ALLOWED
    assert not any(isinstance(node, ast.Import) for node in ast.walk(tree))
