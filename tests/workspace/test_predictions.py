"""The lists of docs/predictions are what their command writes."""

from pathlib import Path

import pytest

from scripts import imported

FOLDER = Path(__file__).parents[2] / "docs" / "predictions"


@pytest.fixture(scope="module")
def predict():
    return imported(FOLDER / "predict.py")


def ids_in(name):
    return [line for line in (FOLDER / f"{name}.txt").read_text().splitlines() if not line.startswith("#")]


@pytest.mark.full
def test_the_tests_that_batches_hang_are_those_between_two_verdicts(predict):
    """A batch parts threads 1 and 2, as HSA+OBE allows and LOBE does not."""
    verdicts = predict.complete_tests()
    between = {
        id_ for id_, found in verdicts.items() if found["LOBE.weak"] == "pass" and found["HSA+OBE.strong"] == "fail"
    }
    assert set(ids_in("lobe-batched")) == between
    assert {id_.count("-") for id_ in between} == {2}
    assert set(ids_in("hybrid-jitter")) <= set(ids_in("parallel"))
    for id_ in ids_in("parallel"):
        assert verdicts[id_]["fair.strong"] == "pass"
        assert verdicts[id_]["LOBE.weak"] == "fail"
        assert 0 in predict.starves(id_)


def test_a_few_predictions_are_what_the_simulated_device_does(predict):
    few = ids_in("lobe-batched")[::20]
    found = predict.hung(predict.SCHEDULERS["batched"], few)
    assert (sorted(found.only("round-robin")), found.by["hybrid:2"]) == (sorted(few), frozenset())
    assert not any(predict.hung(predict.SCHEDULERS["linear"], ids_in("parallel")[::20]).by.values())


@pytest.mark.full
def test_the_lists_are_what_the_command_writes(predict):
    made = dict(predict.predictions())
    assert made == {path.name: path.read_text() for path in FOLDER.iterdir() if path.suffix in {".txt", ".csv"}}
