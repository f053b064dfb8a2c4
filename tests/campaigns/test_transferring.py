"""Test whether verdicts hold of the launches of cells: the six models always, others as small launches say."""

import pytest

from own_models import OWN
from synth_campaigns.cells import Cell, Setting
from synth_campaigns.transfer import transfer_of
from synth_checker.models import further_model, library, models_named, read_model
from synth_checker.programs.normal import program_of_id
from synth_corpus.store import Corpus

WAITS, MUTEX = "00_0-0011", "01100002-01100002"


def cell(test=WAITS, mapping="chunked", instances=100, stress=0):
    return Cell(0, "sim", test, len(program_of_id(test)), Setting(mapping, instances, stress), 0, 20)


@pytest.mark.parametrize("mapping", ["round-robin", "chunked", "hybrid:2", "stride:16", "random:0"])
def test_every_verdict_of_the_six_models_holds_of_thousands_of_instances_and_beside_stress(mapping):
    for model in library():
        for form in model.forms:
            answer = transfer_of(cell(mapping=mapping, instances=30_000, stress=50), model, form)
            assert answer.holds
            assert answer.is_proven
            assert answer.reason.startswith(f"{model.name} promises ")


def test_every_verdict_holds_of_one_instance_alone():
    for text, *_ in OWN.values():
        answer = transfer_of(cell(mapping="plain", instances=1), read_model(text, "own"), "strong")
        assert (answer.holds, answer.reason) == (True, "there is only one instance")


def test_a_verdict_that_a_launch_of_a_few_instances_fails_holds_of_no_large_launch():
    (model,) = models_named(["lowest(stepped)"])
    tests = [record.id for record in Corpus("@minimal/2x3")]
    answers = [transfer_of(cell(test), model, "strong") for test in tests]
    losing = [answer for answer in answers if not answer.holds]
    assert losing
    assert all(
        result.is_proven and "instances of it fail it as the workgroups 0.0 " in result.reason for result in losing
    )
    keeping = [answer for answer in answers if answer.holds]
    assert all(("2 and 3 instances of" in result.reason) != result.is_proven for result in keeping)


def test_whether_small_launches_fail_depends_on_the_mapping():
    """Under round-robin, no instance stands between the threads of another."""
    model = read_model(
        "between = automaton\n  set last\n  state only\n    fair last\n    step of all: last = it\n", "own"
    )
    tests = [record.id for record in Corpus("@minimal/2x2")]
    by_mapping = {
        mapping: [transfer_of(cell(test, mapping), model, "strong").holds for test in tests]
        for mapping in ("round-robin", "chunked", "stride:2")
    }
    assert by_mapping["stride:2"] == [
        plain_one and other for plain_one, other in zip(by_mapping["round-robin"], by_mapping["chunked"], strict=True)
    ]


def test_a_model_must_not_count_as_far_as_there_are_instances_that_are_judged():
    """Each mutex that hangs keeps one place of residents, so three of them say nothing about four places."""
    for model in ("resident-1", "resident-2"):
        assert "instances of it fail it as" in transfer_of(cell(MUTEX), further_model(model), "strong").reason
    answer = transfer_of(cell(MUTEX), further_model("resident-3"), "strong")
    assert not answer.holds
    assert answer.reason == "resident-3 counts to 3, and only 3 instances can be judged"


def test_other_models_do_not_transfer_to_what_is_not_judged():
    model = further_model("round-robin")
    assert transfer_of(cell(stress=8), model, "weak").reason.endswith("workgroups that stress memory")
    assert transfer_of(cell(instances=0), model, "weak").reason.endswith("an unknown number of instances")
    assert not transfer_of(cell(stress=8), model, "weak").holds
