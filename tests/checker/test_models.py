"""Test models as data: their files, their automata, and the table in section 4 of the definitions."""

import itertools
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import strategies
from synth_checker import _native
from synth_checker.errors import InputError, LimitError
from synth_checker.models import LIBRARY, library, read_model, verdict_names
from synth_checker.models.automaton import MAX_THREADS, Automaton, history_automaton
from synth_checker.models.expression import parse
from synth_checker.twin import models as twin

# The table of the definitions, thread by thread: is the live thread t guaranteed to run?
FAIR = {
    "unfair": lambda t, live, stepped: False,  # noqa: ARG005
    "HSA": lambda t, live, stepped: all(t <= other for other in live),  # noqa: ARG005
    "OBE": lambda t, live, stepped: t in stepped,  # noqa: ARG005
    "LOBE": lambda t, live, stepped: any(t <= other for other in stepped),  # noqa: ARG005
    "HSA+OBE": lambda t, live, stepped: t in stepped or all(t <= other for other in live),
    "fair": lambda t, live, stepped: True,  # noqa: ARG005
}
THREAD_SYMMETRIC = {"unfair", "OBE", "fair"}

models = pytest.mark.parametrize("model", library(), ids=LIBRARY)


def _subsets(threads):
    return [frozenset(s) for size in range(threads + 1) for s in itertools.combinations(range(threads), size)]


def _bits(threads):
    return sum(1 << thread for thread in threads)


def test_the_library_is_the_six_models_in_their_fixed_order():
    assert tuple(model.name for model in library()) == tuple(FAIR) == LIBRARY


def test_there_are_eleven_verdicts_in_their_fixed_order():
    assert verdict_names(library()) == (
        "unfair", "HSA.weak", "HSA.strong", "OBE.weak", "OBE.strong", "LOBE.weak", "LOBE.strong",
        "HSA+OBE.weak", "HSA+OBE.strong", "fair.weak", "fair.strong",
    )  # fmt: skip


@models
@pytest.mark.parametrize("threads", [1, 2, 3, 4])
def test_after_every_run_the_fair_set_is_that_of_the_definitions(model, threads):
    """Whoever has stepped, in whichever order, how often and whether it ended with that or not."""
    automaton = model.automaton(threads)
    for stepped in _subsets(threads):
        for order in itertools.permutations(stepped):
            for ending in ([], order[:1], order[1:]):
                state = 0
                for thread in order:
                    state = automaton.steps[automaton.steps[state][thread]][thread]
                    state = automaton.ends[state][thread] if thread in ending else state
                for live in _subsets(threads):
                    expected = {t for t in live if FAIR[model.name](t, live, stepped)}
                    assert automaton.fair[state][_bits(live)] == _bits(expected)


@models
@pytest.mark.parametrize("threads", [2, 3])
def test_a_model_is_thread_symmetric_exactly_if_the_definitions_say_so(model, threads):
    everyone = frozenset(range(threads))

    def fair(live, stepped):
        return live & twin.denoted(model.fair, live=live, stepped=stepped, everyone=everyone)

    symmetric = all(
        fair({names[t] for t in live}, {names[t] for t in stepped}) == {names[t] for t in fair(live, stepped)}
        for names in itertools.permutations(range(threads))
        for live in _subsets(threads)
        for stepped in _subsets(threads)
    )
    assert symmetric == (model.name in THREAD_SYMMETRIC)


@given(strategies.model_expressions(), st.integers(1, 4), st.lists(st.integers(0, 3)))
def test_the_automaton_of_any_expression_has_its_fair_sets(text, threads, run):
    """Compared with the twin's evaluation over Python's sets, after a random run."""
    expression = parse(text)
    automaton = history_automaton(expression, threads)
    state, stepped = 0, frozenset()
    for thread in (t % threads for t in run):
        state, stepped = automaton.steps[state][thread], stepped | {thread}
    for live in _subsets(threads):
        denoted = twin.denoted(expression, live=live, stepped=stepped, everyone=frozenset(range(threads)))
        assert automaton.fair[state][_bits(live)] == _bits(live & denoted)


def test_an_automaton_is_made_for_at_most_eight_threads():
    assert history_automaton(parse("live"), MAX_THREADS).threads == 8
    with pytest.raises(LimitError, match="found a program with 9 threads, expected at most 8"):
        history_automaton(parse("live"), 9)


SOUND = {"threads": 1, "steps": ((1,), (0,)), "ends": ((0,), (1,)), "fair": ((0, 1), (0, 0))}


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        ({"steps": (), "ends": (), "fair": ()}, "tables for 0, 0 and 0 states"),
        ({"steps": ((0,),)}, "tables for 1, 2 and 2 states"),
        ({"ends": ((0,),)}, "tables for 2, 1 and 2 states"),
        ({"fair": ((0, 1),)}, "tables for 2, 2 and 1 states"),
        ({"steps": ((1,), (2,))}, "found the successors (2,), expected 1 numbers of states below 2"),
        ({"ends": ((0,), (-1,))}, "found the successors (-1,), expected 1 numbers of states below 2"),
        ({"steps": ((1, 0), (0,))}, "found the successors (1, 0), expected 1 numbers of states below 2"),
        ({"fair": ((0, 1), (0,))}, "each of the 2 sets of live threads"),
        ({"fair": ((1, 1), (0, 0))}, "sets of live threads, with live threads only"),
        ({"fair": ((0, 2), (0, 0))}, "sets of live threads, with live threads only"),
        ({"fair": ((0, -1), (0, 0))}, "sets of live threads, with live threads only"),
    ],
)
def test_a_table_that_does_not_fit_is_refused(damage, message):
    assert Automaton(**SOUND).states == _native.Automaton(**SOUND).states == 2
    with pytest.raises(InputError, match=re.escape(message)):
        Automaton(**SOUND | damage)
    # The core trusts no caller; a negative number is no set of threads for it.
    with pytest.raises((InputError, TypeError)):
        _native.Automaton(**SOUND | damage)


def test_a_model_file_is_comments_and_one_definition():
    model = read_model("# What it\n#  says.\n\nmy-OBE_2 = live & stepped\n", "file")
    assert (model.name, model.about, model.fair) == ("my-OBE_2", "What it says.", parse("live & stepped"))
    assert model.verdicts == ("my-OBE_2.weak", "my-OBE_2.strong")


def test_a_model_that_guarantees_nothing_has_one_verdict():
    assert read_model("nothing = none", "file").verdicts == ("nothing",)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "f: found 0 definitions, expected one line NAME = EXPRESSION"),
        ("A = live\nB = all", "f: found 2 definitions, expected one line NAME = EXPRESSION"),
        ("\nlive", "f:2: found 'live', expected NAME = EXPRESSION"),
        ("A.weak = live", "f:1: found 'A.weak = live', expected NAME = EXPRESSION"),
        (" = live", "f:1: found '= live', expected NAME = EXPRESSION"),
    ],
)
def test_any_other_model_file_is_refused_at_its_line(text, message):
    with pytest.raises(InputError) as raised:
        read_model(text, "f")
    assert str(raised.value) == message


def test_an_error_in_a_model_files_expression_points_at_its_place_in_the_file():
    with pytest.raises(InputError, match=re.escape("f:2: column 12: found 'al', expected a set")):
        read_model("# about\nA = live & al", "f")
