"""Adversaries: they make exactly those tests hang that fail, and the checker of certificates accepts what they do."""

import ast
from pathlib import Path

import pytest

import synth_devices.sim.adversary
from synth_backends.mapping import read_mapping
from synth_checker.certificates.certificate import Lasso, LassoStep, ProductState
from synth_checker.certificates.checker import refusal
from synth_checker.models import library
from synth_checker.programs.normal import program_of_id
from synth_checker.twin import semantics
from synth_corpus.store import Corpus
from synth_devices.sim.adversary import attack
from synth_devices.sim.scheduler import Scheduler
from synth_devices.sim.simulation import Simulator

MODELS = [model for model in library() if model.name != "unfair"]
#: What the adversary may know: models, graphs, and nothing of verdicts.
ALLOWED = {"synth_checker.transitions.components", "synth_checker.models.automaton", "synth_checker.models.model"}


def lasso_of(found, program, automaton):
    """What an attack does, as a certificate."""
    steps, state, model = [], semantics.start(program), 0
    for thread in (*found.stem, *found.cycle):
        live = semantics.live(program, state)
        fair = automaton.fair[model][sum(1 << one for one in live)]
        steps.append(LassoStep(ProductState(state, model), fair, thread))
        state = semantics.step(program, state, thread)
        is_live = thread in semantics.live(program, state)
        model = (automaton.steps if is_live else automaton.ends)[model][thread]
    return Lasso(tuple(steps), len(found.stem))


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
                assert refusal(lasso_of(found, program, automaton), program, automaton, form) is None


@pytest.mark.parametrize("bound", ["2x2", "2x3", "3x3"])
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
    assert "thread 1 is in the fair set of all states" in refusal(
        lasso_of(unfair, program, fair), program, fair, "weak"
    )


def test_the_adversary_reads_no_verdicts():
    tree = ast.parse(Path(synth_devices.sim.adversary.__file__).read_text("utf-8"))
    imported = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {module for module in imported if module.startswith("synth")} <= ALLOWED
    assert not any(isinstance(node, ast.Import) for node in ast.walk(tree))
