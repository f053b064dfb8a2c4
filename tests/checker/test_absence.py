"""Test the reasons why a thread is not in a fair set: the parts of the expression that leave it out."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import strategies
from synth_checker.models.absence import AbsenceReason, reasons_of_absence
from synth_checker.models.expression import evaluate, parse, written

expressions = strategies.model_expressions().map(parse)
sets = st.integers(0, 0b111)
ABSENT = AbsenceReason("stepped", 0b01, taken_away=False)


@given(expressions)
def test_an_expression_is_written_as_it_is_read(expression):
    assert parse(written(expression)) == expression


@pytest.mark.parametrize(
    "text",
    ["live", "lowest(live)", "live - stepped - none", "live - (stepped - none)", "(live | none) & all - stepped"],
)
def test_only_parentheses_that_are_needed_are_written(text):
    assert written(parse(text)) == text


@given(expressions, st.integers(0, 2), sets, sets)
def test_whoever_is_absent_has_reasons_and_they_are_true(expression, thread, live, stepped):
    history = {"live": live, "stepped": stepped, "everyone": 0b111}
    reasons = reasons_of_absence(expression, thread, **history)
    assert bool(reasons) == (not evaluate(expression, **history) >> thread & 1)
    for reason in reasons:
        assert reason.part in written(expression)
        assert reason.threads == evaluate(parse(reason.part), **history)
        assert bool(reason.threads >> thread & 1) == reason.taken_away


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("live & stepped", [ABSENT]),
        ("live & upto(stepped)", [AbsenceReason("upto(stepped)", 0b01, taken_away=False)]),
        ("stepped | lowest(live)", [ABSENT, AbsenceReason("lowest(live)", 0b01, taken_away=False)]),
        ("live - (live - stepped)", [AbsenceReason("live - stepped", 0b10, taken_away=True)]),
        ("none - live", [AbsenceReason("none", 0, taken_away=False)]),
        ("live", []),
    ],
)
def test_reasons_worked_out_by_hand(text, expected):
    """Of two live threads, thread 0 has stepped; why not thread 1?"""
    reasons = reasons_of_absence(parse(text), 1, live=0b11, stepped=0b01, everyone=0b11)
    assert reasons == tuple(expected)
