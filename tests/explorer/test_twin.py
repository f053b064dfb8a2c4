"""The page's own semantics are those of the core: every state and step, every verdict, every lasso and ranking."""

import random

import pytest

from synth_checker.certificates.certificate import Lasso
from synth_checker.certificates.certification import certify, program_product
from synth_checker.models import library
from synth_checker.transitions.executions import Executions
from synth_checker.transitions.transition_system import explore
from synth_corpus.store import Corpus
from synth_litmus.inputs.models import given_models

pytestmark = [pytest.mark.full, pytest.mark.command("npm")]
FORMS = ("weak", "strong")
MODELS = {model.name: model.definition for model in library()}


@pytest.fixture(scope="module")
def records():
    return [record for bound in ("2x2", "2x3", "2x4", "3x3", "3x4") for record in Corpus(f"@complete/{bound}")]


def a_tenth(records):
    return random.Random(3).sample(records, len(records) // 10)


def check_verdicts(records, under_node):
    expected = []
    for record in records:
        verdicts = record.verdicts
        letters = "".join(verdicts.get(f"{m}.{form}", verdicts.get(m))[0] for m in MODELS for form in FORMS)
        expected.append(letters)
    assert under_node("verdicts", [record.id for record in records], *MODELS.values()) == expected


def check_states(records, under_node):
    found = under_node("states", [record.id for record in records])
    for record, states in zip(records, found, strict=True):
        graph = explore(Executions(record.program), 10_000)
        assert states == [
            [list(state.memory), list(state.pcs), [list(step) for step in row.items()]]
            for state, row in zip(graph.states, graph.successors, strict=True)
        ]


def proof(program, model, form):
    """What the core proves: the lasso's length and threads, or the rank and helper of each state."""
    automaton = model.automaton(len(program))
    certificate = certify(program, automaton, form)
    if isinstance(certificate, Lasso):
        threads = [step.thread for step in certificate.steps]
        return {"lasso": [certificate.prefix, threads], "refusal": None} if certificate.is_shortest else None
    ranks = [certificate.ranks[state] for state in program_product(program, automaton).states]
    return {"ranks": [[rank, helper] for _, rank, helper in ranks]}


def check_proofs(records, under_node):
    found = under_node("proofs", [record.id for record in records], *MODELS.values())
    for record, proofs in zip(records, found, strict=True):
        asked = [(model, form) for model in library() for form in FORMS]
        for (model, form), given in zip(asked, proofs, strict=True):
            assert given == proof(record.program, model, form), (record.id, model.name, form)


def test_a_tenth_of_all_verdicts_and_states_are_those_of_the_core(records, under_node):
    check_verdicts(a_tenth(records), under_node)
    check_states(a_tenth(a_tenth(records)), under_node)


def test_some_lassos_and_rankings_are_those_of_the_core(records, under_node):
    check_proofs(a_tenth(a_tenth(records)), under_node)


@pytest.mark.exhaustive
def test_all_verdicts_and_states_are_those_of_the_core(records, under_node):
    assert sum(len(record.verdicts) for record in records) == 120_846
    check_verdicts(records, under_node)
    check_states(records, under_node)


@pytest.mark.exhaustive
def test_all_lassos_and_rankings_are_those_of_the_core(records, under_node):
    check_proofs(records, under_node)


OTHERS = ["live - lowest(live)", "highest(live)|stepped", "upto(stepped) & live", "all - (stepped-lowest(stepped))"]


def test_other_set_expressions_mean_the_same(records, under_node):
    some = a_tenth(a_tenth(records))
    models = given_models(OTHERS)
    assert len(models) == len(OTHERS)
    found = under_node("proofs", [record.id for record in some], *[model.definition for model in models])
    for record, proofs in zip(some, found, strict=True):
        assert proofs == [proof(record.program, model, form) for model in models for form in FORMS], record.id
