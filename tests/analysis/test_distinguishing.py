"""Distinguishing and conformance tests, in the reading of the paper's Table 4 and in the literal one."""

from collections import Counter

import pytest

from conftest import FOLDER
from synth_analysis.tables.corpora import passed_in
from synth_analysis.verdict_shares import conformance_table, literal_shares, strong_weak_table
from synth_analysis.verdict_shares import published_shares as by_first_row
from synth_corpus.formats import FORMATS
from synth_corpus.imports import import_tests
from synth_corpus.store import Corpus

ROWS = ("HSA", "OBE", "LOBE", "fair")
#: What is strictly less fair than each verdict, written by hand: docs/results/results.md has the order.
LESS = {
    "unfair": "",
    "HSA.weak": "unfair",
    "HSA.strong": "unfair HSA.weak",
    "OBE.weak": "unfair",
    "OBE.strong": "unfair OBE.weak",
    "HSA+OBE.weak": "unfair HSA.weak OBE.weak",
    "HSA+OBE.strong": "unfair HSA.weak OBE.weak HSA.strong OBE.strong HSA+OBE.weak",
    "LOBE.weak": "unfair HSA.weak OBE.weak HSA+OBE.weak",
    "LOBE.strong": "unfair HSA.weak OBE.weak HSA.strong OBE.strong HSA+OBE.weak HSA+OBE.strong LOBE.weak",
    "fair.weak": "unfair HSA.weak OBE.weak HSA+OBE.weak LOBE.weak",
    "fair.strong": "unfair HSA.weak OBE.weak HSA.strong OBE.strong HSA+OBE.weak HSA+OBE.strong LOBE.weak LOBE.strong "
    "fair.weak",
}


def as_published(tests):
    """Table 4 by hand: each test once, in the first column and row that it fits."""
    distinguishing = Counter()
    for passed in tests:
        form = "weak" if "fair.weak" in passed else "strong"
        distinguishing[next(model for model in ROWS if f"{model}.{form}" in passed), form] += 1
    found = {}
    for form in ("weak", "strong"):
        hsa, obe, lobe, fair = (distinguishing[model, form] for model in ROWS)
        for model, numbers in zip(
            ROWS, ((hsa, hsa), (obe, obe), (lobe, hsa + obe + lobe), (fair, hsa + obe + lobe + fair)), strict=True
        ):
            found[f"{model}.{form}"] = numbers
    return found


def as_literal(tests):
    return {
        name: (
            sum(name in passed and not passed.intersection(less.split()) for passed in tests),
            sum(name in passed for passed in tests),
        )
        for name, less in LESS.items()
    }


@pytest.mark.full
@pytest.mark.parametrize("bounds", [("2x2", "2x3", "3x3"), ("2x4",), ("3x4",)])
def test_both_readings_are_as_counted_by_hand(bounds):
    tests = passed_in([Corpus(f"@complete/{bound}") for bound in bounds])
    assert by_first_row(tests) == as_published(tests)
    assert literal_shares(tests) == as_literal(tests)
    # Each test counts once for the paper.
    assert sum(numbers.distinguishing for numbers in by_first_row(tests).values()) == len(tests)


def test_both_readings_of_the_published_rows_are_as_their_own_verdicts_say(tmp_path, published):
    rows = {"2x2": "2t_2i", "2x3": "2t_3i"}
    for name in rows.values():
        import_tests([FOLDER / f"{name}.json"], FORMATS["published"], tmp_path / name)
    found = passed_in([Corpus(tmp_path / name) for name in rows.values()])
    told = [
        {name for name, result in test.verdicts.items() if result == "pass"} for row in rows for test in published(row)
    ]
    assert len(found) == len(told) == 184
    assert by_first_row(found) == as_published(told)
    assert literal_shares(found) == as_literal(told)


def test_a_table_has_both_readings_side_by_side():
    table = conformance_table([{"HSA.weak", "OBE.weak", "LOBE.weak", "fair.weak"}])
    row = {str(row[0]): dict(zip(table.columns, row, strict=True)) for row in table.rows}
    assert list(row) == ["HSA", "OBE", "LOBE", "fair", "unfair", "HSA+OBE"]
    assert row["HSA"]["published, weak, distinguishing"] == 1
    assert row["OBE"]["published, weak, distinguishing"] == 0
    assert row["OBE"]["literal, weak, distinguishing"] == 1
    assert row["HSA+OBE"]["published, weak, all"] is None


def test_weak_and_strong_tests_add_up():
    tests = passed_in([Corpus("@complete/2x3")])
    everything, *models = strong_weak_table(tests).rows
    assert everything[1:3] == (72, 90)
    assert [sum(row[k] for row in models) for k in (1, 2)] == [72, 90]
    assert everything[3:] == (44.4, 55.6)


def test_a_test_in_two_corpora_counts_once():
    assert len(passed_in([Corpus("@complete/2x2"), Corpus("@minimal/2x2"), Corpus("@complete/2x2")])) == 8
