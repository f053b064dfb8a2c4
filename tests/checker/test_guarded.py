"""Test models that are automata: they mean what a history says, they are read as written, and they are judged."""

import itertools
import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import own_models
import strategies
from quick import examples, mostly_full
from synth_checker.certificates.certification import certify, verdict_of
from synth_checker.errors import InputError, LimitError
from synth_checker.models import read_model, read_models
from synth_checker.programs.normal import normal_form, program_of_id, written_out
from synth_checker.programs.rules import broken_rules
from synth_checker.reductions.minimality import minimal
from synth_checker.reductions.subprograms import subprograms
from synth_checker.twin import verdicts as twin
from synth_checker.verdicts import judge
from synth_corpus.shipped import locate_corpus
from synth_corpus.store import Corpus

own = pytest.mark.parametrize(("text", "fair", "places"), own_models.OWN.values(), ids=own_models.OWN)


def histories(threads, length):
    """Every history of so many steps: (thread, whether it ended with the step), and who is live after it."""
    for steps in itertools.product(itertools.product(range(threads), (False, True)), repeat=length):
        live = set(range(threads))
        for t, ends in steps:
            if t not in live:
                break
            live -= {t} if ends else set()
        else:
            yield steps, live


def bits(threads):
    return sum(1 << t for t in threads)


def after(automaton, history):
    state = 0
    for t, ends in history:
        state = (automaton.ends if ends else automaton.steps)[state][t]
    return state


def assert_is(model, fair, places, threads, length):
    automaton = model.automaton(threads)
    for steps in range(length + 1):
        for history, live in histories(threads, steps):
            assert automaton.fair[after(automaton, history)][bits(live)] == bits(fair(places, history, live)), history


@own
@pytest.mark.parametrize(("threads", "length"), [(1, 2), (2, 5), (3, 4), (4, 3)])
def test_after_every_history_a_model_guarantees_what_its_sentence_says(text, fair, places, threads, length):
    assert_is(read_model(text, "own"), fair, places, threads, length)


@own
def test_a_definition_is_read_back_as_the_same_model(text, fair, places):  # noqa: ARG001
    model = read_model(text, "own")
    again = read_model(model.text, "corpus")
    assert (again.fair, again.definition) == (model.fair, model.definition)


MACHINE = """m = automaton
set odd
set held
counter n 0..3 = 1
state counting
fair odd | lowest(stepped)
step of live - held if n >= 1 and n != 3: n + 5; odd = held; held = odd | it
end of all if n < 3: go full; n = 0
step of all: odd = none
state full
fair none
end of odd: n - 1
"""


def test_every_kind_of_line_worked_out_by_hand():
    """Of two lines the first that holds; all changes from the values before; a counter stays inside its bounds."""
    (model,) = read_models(MACHINE, "f")
    automaton = model.automaton(2)

    def holds(*history):
        return model.fair.told(model.fair.configurations(2)[after(automaton, history)])

    assert holds() == "counting, n 1, odd {}, held {}, stepped {}, live {0,1}"
    assert holds((0, False)) == "counting, n 3, odd {}, held {0}, stepped {0}, live {0,1}"
    assert holds((0, False), (1, False)) == "counting, n 3, odd {}, held {0}, stepped {0,1}, live {0,1}"
    assert holds((1, True)) == "full, n 0, odd {}, held {}, stepped {1}, live {0}"
    assert holds((1, True), (0, True)) == "full, n 0, odd {}, held {}, stepped {0,1}, live {}"
    assert holds((0, False), (1, True)) == "counting, n 3, odd {}, held {0}, stepped {0,1}, live {0}"
    assert automaton.fair[after(automaton, [(1, False), (0, False)])][0b11] == 0b01


@pytest.mark.full
@mostly_full("left", ["none", "a", "b", "it", "all", "a | it", "live"], quick=["a", "a | it"])
@pytest.mark.parametrize("right", ["none", "a", "b", "it", "all", "b - a", "live"])
@pytest.mark.parametrize("relation", ["<", "<=", ">", ">=", "==", "!="])
def test_sets_are_compared_as_python_compares_them(left, relation, right):
    """Threads 0 and 1 have been put into a, 1 into b; 1 has ended; then thread 2 steps."""
    text = f"""m = automaton
    set a
    set b
    state one
    fair none
    step of all: a = a | it; go two
    end of all: go two
    state two
    fair none
    step of all if {left} {relation} {right} and none == none: a = none; b = none; go yes
    end of all: a = a | it; b = it
    state yes
    fair all
    """
    automaton = read_model(text, "f").automaton(3)
    names = {"none": set(), "a": {0, 1}, "b": {1}, "it": {2}, "all": {0, 1, 2}, "live": {0, 2}}
    expected = eval(f"({left}) {relation} ({right})", names)  # noqa: S307
    assert (automaton.fair[after(automaton, [(0, False), (1, True), (2, False)])][0b101] == 0b101) == expected


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("", "f:1: the automaton has no state; add a line 'state NAME'"),
        ("state s", "f:2: the state s has no fair set; add a line 'fair SET' to it"),
        ("state s\nstate t\nfair live", "f:2: the state s has no fair set; add a line 'fair SET' to it"),
        ("state s\nfair live\nstate t", "f:4: the state t has no fair set; add a line 'fair SET' to it"),
        ("fair live", "f:2: column 1: found 'fair', expected set, counter or state"),
        (
            "state s\nfair live\nset a",
            (
                "f:4: column 1: found 'set', expected state, fair, step or end, because sets and counters stand "
                "before the first state"
            ),
        ),
        (
            "state s\nfair live\nfair live",
            "f:4: column 1: found 'fair', expected a line other than fair, because the state has a fair line",
        ),
        ("state s\nfair live\nstate s", "f:4: column 7: found 's', expected a name that no line above defines"),
        ("set live", "f:2: column 5: found 'live', expected a name of letters, digits and _ that is no keyword"),
        ("set 4", "f:2: column 5: found '4', expected a name of letters, digits and _ that is no keyword"),
        ("set a\ncounter a 0..1 = 0", "f:3: column 9: found 'a', expected a name that no line above defines"),
        ("set a b", "f:2: column 7: found 'b', expected the end of the line"),
        ("counter n 1..0 = 0", "f:2: column 14: found '0', expected a number of at least 1"),
        ("counter n 1..2 = 3", "f:2: column 18: found '3', expected a number from 1 to 2"),
        ("counter n 0..1001 = 3", "f:2: column 14: found '1001', expected a number up to 1000"),
        pytest.param(f"counter n 0..{'9' * 5000} = 3", "f:2: column 14: found '999", id="thousands of digits"),
        ("counter n 0-1 = 3", "f:2: column 12: found '-', expected '..'"),
        (
            "state s\nfair it",
            "f:3: column 6: found 'it', expected a set (live, stepped, all, none), lowest(S), highest(S), upto(S)",
        ),
        ("state s\nfair all\nstep it: go s", "f:4: column 6: found 'it', expected 'of'"),
        (
            "state s\nfair all\nstep of it go s",
            "f:4: column 12: found 'go', expected an operator (-, &, |), if, or ':'",
        ),
        (
            "state s\nfair all\nstep of it if n > 0: go s",
            "f:4: column 15: found 'n', expected a counter (the automaton has none)",
        ),
        (
            "set a\nstate s\nfair all\nstep of it if a: go s",
            "f:5: column 16: found ':', expected one of < <= > >= == !=",
        ),
        ("set a\nstate s\nfair all\nstep of it if a == 0: go s", "f:5: column 20: found '0', expected a set (live, "),
        ("set a\nstate s\nfair all\nstep of it if a == a live: go s", "f:5: column 22: found 'live', expected and, or"),
        ("state s\nfair all\nend of it: go t", "f:4: column 15: found 't', expected a state (s)"),
        ("state s\nfair all\nend of it: go t\nstate t\x9b", "f:4: column 15: found 't', expected a state (s)"),
        (
            "state s\nfair all\nend of it: n + 1",
            "f:4: column 12: found 'n', expected a set or a counter (the automaton has none)",
        ),
        ("set a\nstate s\nfair all\nend of it: a + 1", "f:5: column 14: found '+', expected '='"),
        (
            "set a\nstate s\nfair all\nend of it: a = it; a = it",
            "f:5: column 20: found 'a', expected another change",
        ),
        ("counter n 0..1 = 0\nstate s\nfair all\nend of it if n = 1: n + 1", "column 16: found '=', expected one of <"),
        ("counter n 0..1 = 0\nstate s\nfair all\nend of it: n & 1", "f:5: column 14: found '&', expected =, + or -"),
        (
            "state s\nfair all\nfrob",
            "f:4: found 'frob', expected NAME = EXPRESSION, or a line of the automaton m: set, counter, state, fair, ",
        ),
        (
            "state s\nfair all\nsteps of all: go s",
            "f:4: found 'steps of all: go s' (did you mean step?), expected NAME",
        ),
        (
            "state s\nfair all\nstp of all: a = it",
            "f:4: found 'stp of all: a = it' (did you mean step?), expected NAME",
        ),
    ],
)
def test_what_does_not_fit_is_refused_at_its_place(lines, message):
    with pytest.raises(InputError) as raised:
        read_models(f"m = automaton\n{lines}", "f")
    assert message in str(raised.value)


def test_a_file_holds_models_with_comments_and_automata_between_expressions():
    models = read_models(f"// one\na = live  # of them\n\n{own_models.TEXT}\n# two\n# lines\nset = all - live", "f")
    assert [model.name for model in models] == ["a", "resident", "last", "set"]
    assert [model.about for model in models[::3]] == ["one", "two lines"]
    assert models[0].definition == "live"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a = live\na = all", "f:2: two models of the file are named a; rename one of them"),
        ("a = live\nOBE = live", "f:2: the name 'OBE' is taken; choose a name other than OBE, fair"),
        ("a = live\nfrob", "f:2: found 'frob', expected NAME = EXPRESSION"),
        # Where lines of an automaton follow, it is mostly the first line that is wrong, and not the second.
        (
            "a = Automaton\nstate s\nfair all",
            "f:1: column 5: found 'Automaton', expected automaton and the end of the line",
        ),
        ("a = automat\nstate s\nfrob", "f:1: column 5: found 'automat', expected automaton and the end of the line"),
        ("a =  automaton:\nstate s", "f:1: column 6: found 'automaton:', expected automaton and the end of the line"),
        ("a = automaton s\nstate s", "f:1: column 5: found 'automaton s', expected automaton and the end of the line"),
        ("a = live\nfair all", "f:2: 'fair all' stands below an expression; move it below a NAME = automaton"),
    ],
)
def test_a_file_that_does_not_fit_is_refused_at_its_line(text, message):
    with pytest.raises(InputError) as raised:
        read_models(text, "f", ("OBE", "fair"))
    assert str(raised.value) == message


def test_where_the_head_of_an_automaton_can_not_be_read_the_head_is_refused():
    with pytest.raises(InputError, match=r"^f:1: column 5: found 'liv', expected a set"):
        read_models("a = liv\nstate s\nfair all", "f")


def test_tables_that_would_be_too_large_are_refused():
    text = "m = automaton\ncounter a 0..1000 = 0\ncounter b 0..1000 = 0\nstate s\nfair all\n"
    text += "step of all: a + 1\nend of all: b + 1"
    with pytest.raises(LimitError, match="has more than 4096 states for 1 threads; make it simpler"):
        read_model(text, "f").automaton(1)


@settings(max_examples=examples(60))
@given(
    strategies.waiting_programs(threads=(1, 3), instructions=(1, 6)).map(normal_form),
    st.sampled_from([text for text, _, _ in own_models.OWN.values()] + [MACHINE]),
)
def test_the_core_the_twin_and_certificates_agree_under_models_of_ones_own(program, text):
    """The twin runs the tables, which the tests above hold against histories."""
    model = read_model(text, "own")
    automaton = model.automaton(len(program))
    expected = twin.passes(program, automaton)
    (mask,) = judge([written_out(program)], (model,))
    assert (bool(mask & 1), bool(mask & 2)) == expected
    for form, passed in zip(model.forms, expected, strict=True):
        assert verdict_of(certify(program, automaton, form)) == ("pass" if passed else "fail")


@pytest.mark.full
@own
def test_the_core_and_the_twin_agree_on_a_sample_of_what_ships(text, fair, places):  # noqa: ARG001
    model = read_model(text, "own")
    rng = random.Random(7)
    for bound in ("2x4", "3x4"):
        ids = [json.loads(line)["id"] for line in Corpus(locate_corpus(f"@complete/{bound}")).lines()]
        chosen = rng.sample(ids, 60)
        for id_, mask in zip(chosen, judge(chosen, (model,)), strict=True):
            program = program_of_id(id_)
            assert (bool(mask & 1), bool(mask & 2)) == twin.passes(program, model.automaton(len(program))), id_


@own
def test_minimality_goes_by_the_signature_under_a_model_of_ones_own(text, fair, places):  # noqa: ARG001
    """A test is minimal unless some sub-program is a test with the same verdicts, one by one."""
    model = read_model(text, "own")
    ids = [json.loads(line)["id"] for line in Corpus(locate_corpus("@complete/2x3")).lines()][::4]
    for id_, chosen, mask in zip(ids, minimal(ids, (model,)), judge(ids, (model,)), strict=True):
        below = [form for form, _ in subprograms(id_)][1:]  # the first is the program itself
        tests = [form for form, broken in zip(below, broken_rules(below), strict=True) if not broken]
        assert chosen == (mask not in judge(tests, (model,))), id_
