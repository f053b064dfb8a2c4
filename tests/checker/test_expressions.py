"""Test set expressions: Python's parser reads them in the same way, and Python's sets give the same values."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import strategies
from synth_checker.errors import InputError
from synth_checker.models.expression import Function, Name, Operation, evaluate, mentions, parse
from synth_checker.twin import models as twin

live, stepped, everyone, none = (Name(name) for name in ("live", "stepped", "all", "none"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("live", live),
        ("((all))", everyone),
        ("lowest(live)", Function("lowest", live)),
        ("highest(stepped)", Function("highest", stepped)),
        ("upto ( none )", Function("upto", none)),
        ("live | all & none", Operation("|", live, Operation("&", everyone, none))),
        ("live & all | none", Operation("|", Operation("&", live, everyone), none)),
        ("live & all - none", Operation("&", live, Operation("-", everyone, none))),
        ("live - all & none", Operation("&", Operation("-", live, everyone), none)),
        ("live - all - none", Operation("-", Operation("-", live, everyone), none)),
        ("live - (all - none)", Operation("-", live, Operation("-", everyone, none))),
        ("live&(stepped|lowest(live))", Operation("&", live, Operation("|", stepped, Function("lowest", live)))),
    ],
)
def test_minus_binds_tighter_than_and_tighter_than_or_and_all_from_the_left(text, expected):
    assert parse(text) == expected


@st.composite
def _threads(draw):
    """Everyone, who is live and who has stepped, as sets."""
    threads = frozenset(range(draw(st.integers(1, 5))))
    subset = st.frozensets(st.sampled_from(sorted(threads)))
    return threads, draw(subset), draw(subset)


@given(strategies.model_expressions(), _threads())
def test_an_expression_means_what_python_says_it_means(text, threads):
    """The text is also a Python expression over sets, with the same binding: `eval` reads it independently."""
    everyone, live, stepped = threads
    names = {"all": everyone, "live": live, "stepped": stepped, "none": frozenset()}
    expected = eval(text.strip(), names | {"lowest": twin.lowest, "highest": twin.highest, "upto": twin.upto})  # noqa: S307
    assert twin.denoted(parse(text), live=live, stepped=stepped, everyone=everyone) == expected
    assert evaluate(parse(text), live=_bits(live), stepped=_bits(stepped), everyone=_bits(everyone)) == _bits(expected)


@given(strategies.model_expressions())
def test_an_expression_mentions_the_names_that_its_text_contains(text):
    for name in ("live", "stepped", "all", "none"):
        assert mentions(parse(text), name) == (name in text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "column 1: found the end, expected a set"),
        ("  ", "column 3: found the end, expected a set"),
        ("live &", "column 7: found the end, expected a set"),
        ("live stepped", "column 6: found 'stepped', expected an operator (-, &, |) or the end"),
        ("live + all", "column 6: found '+', expected an operator (-, &, |) or the end"),
        ("live && all", "column 7: found '&', expected a set"),
        ("Live", "column 1: found 'Live', expected a set"),
        ("alive", "column 1: found 'alive', expected a set"),
        ("live & (all | none", "column 19: found the end, expected ')'"),
        ("live)", "column 5: found ')', expected an operator (-, &, |) or the end"),
        ("()", "column 2: found ')', expected a set"),
        ("lowest live", "column 8: found 'live', expected '('"),
        ("lowest(live, all)", "column 12: found ',', expected ')'"),
        ("-live", "column 1: found '-', expected a set"),
        ("live | 0", "column 8: found '0', expected a set"),
        ("(" * 250, "column 51: found '(', expected at most 50 nested parentheses"),
    ],
)
def test_what_does_not_fit_is_reported_with_its_column(text, message):
    with pytest.raises(InputError) as raised:
        parse(text, "X.model:2")
    sets = "a set (live, stepped, all, none), lowest(S), highest(S), upto(S) or a parenthesis"
    expected = message.replace("a set", sets)
    assert str(raised.value) == f"X.model:2: {expected}"


def test_all_that_is_not_too_deep_is_read():
    assert parse("(" * 50 + "live" + ")" * 50) == parse("live")
    assert parse("lowest(" * 50 + "live" + ")" * 50 + " & (all)") == parse(f"{'lowest(' * 50}live{')' * 50} & all")
    assert parse(" - ".join(["(live)"] * 70)) == parse(" - ".join(["live"] * 70))


def _bits(threads):
    return sum(1 << thread for thread in threads)
