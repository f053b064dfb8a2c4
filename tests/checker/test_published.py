"""Test that brute force finds the published suite of 2x2 and 2x3, and gives the published verdicts."""

import pytest

import brute
from synth_checker.models import library, verdict_names
from synth_checker.programs.normal import id_of, written_out
from synth_checker.programs.rules import RULES, broken_rules, rule_names
from synth_checker.programs.text import read_program
from synth_checker.twin import rules as twin
from synth_checker.verdicts import judge

bounds = pytest.mark.parametrize("bound", ["2x2", "2x3"])


@bounds
def test_the_published_text_is_the_published_program(published, bound):
    for test in published(bound):
        assert id_of(read_program(test.text, test.alias)) == id_of(test.program)


@bounds
@pytest.mark.parametrize("judged_by", ["core", "twin"])
def test_every_published_verdict_agrees_and_every_test_fails_under_unfair(published, bound, judged_by):
    for test in published(bound):
        bits = judge([written_out(test.program)])[0] if judged_by == "core" else brute.verdict_bits(test.program)
        verdicts = {n: "pass" if bits >> k & 1 else "fail" for k, n in enumerate(verdict_names(library()))}
        assert verdicts == test.verdicts | {"unfair": "fail"}, test.alias


@pytest.mark.parametrize(("bound", "size", "ineffective"), [("2x2", 8, 0), ("2x3", 176, 14)])
def test_the_published_tests_obey_all_rules_but_14_have_an_ineffective_store(published, bound, size, ineffective):
    tests = published(bound)
    broken = [rule_names(mask) for mask in broken_rules([written_out(test.program) for test in tests])]
    assert broken == [tuple(sorted(twin.broken_rules(test.program), key=RULES.index)) for test in tests]
    assert len(broken) == size
    assert broken.count(("effective-stores",)) == ineffective
    assert broken.count(()) == size - ineffective


@pytest.mark.parametrize(("bound", "size"), [("2x2", 2), ("2x3", 3)])
def test_brute_force_finds_exactly_the_published_tests(published, bound, size):
    ids = brute.ids(2, size, without=["effective-stores"])
    assert ids == sorted(id_of(test.program) for test in published(bound))
