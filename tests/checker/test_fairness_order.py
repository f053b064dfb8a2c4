"""Test the order of verdicts: inclusion is right, and with refutation it decides every pair of the six models."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import strategies
from bounds import ids_of
from quick import examples
from synth_checker.errors import InputError
from synth_checker.models import Model, library, models_named, verdict_names
from synth_checker.models.automaton import Automaton
from synth_checker.models.expression import parse
from synth_checker.programs.normal import program_of_id
from synth_checker.reductions.shrink import size_of
from synth_checker.relations.fairness_order import (
    Verdict,
    compared,
    is_implied,
    is_included,
    is_included_in,
    is_settled,
    is_settled_order,
    verdicts_of,
)
from synth_checker.twin import models as twin
from synth_checker.twin import verdicts as twin_verdicts
from synth_checker.verdicts import judge_automata

#: Which fair sets lie in which, by hand: HSA's in LOBE's on every cycle, since there some thread has stepped.
BELOW = {
    "unfair": {"unfair", "HSA", "OBE", "LOBE", "HSA+OBE", "fair"},
    "HSA": {"HSA", "LOBE", "HSA+OBE", "fair"},
    "OBE": {"OBE", "LOBE", "HSA+OBE", "fair"},
    "LOBE": {"LOBE", "fair"},
    "HSA+OBE": {"HSA+OBE", "LOBE", "fair"},
    "fair": {"fair"},
}


def model(text):
    return Model(text, text, parse(text))


expressions = strategies.model_expressions().map(model)


@pytest.mark.parametrize("name", BELOW)
def test_the_six_models_are_ordered_as_worked_out_by_hand(name):
    (model_named,) = models_named([name])
    assert {other.name for other in library() if is_included(model_named, other)} == BELOW[name]


def on_cycles(threads):
    """Every state of history on a cycle: who has not stepped is live, and one who has is; as sets."""
    everyone = frozenset(range(threads))
    subsets = [frozenset(c) for size in range(threads + 1) for c in itertools.combinations(range(threads), size)]
    for live, stepped in itertools.product(subsets, subsets):
        if live | stepped == everyone and live & stepped:
            yield {"live": live, "stepped": stepped, "everyone": everyone}


@settings(max_examples=examples(60))
@given(expressions, expressions, st.integers(1, 3))
def test_inclusion_is_that_of_the_sets_that_the_expressions_denote_on_cycles(first, other, threads):
    expected = all(
        twin.denoted(first.fair, **state) & state["live"] <= twin.denoted(other.fair, **state)
        for t in range(1, threads + 1)
        for state in on_cycles(t)
    )
    assert is_included(first, other, threads) == expected


@pytest.mark.full
@settings(max_examples=examples(60))
@given(expressions, expressions)
def test_few_threads_settle_the_inclusion_of_set_expressions_for_all_numbers_of_threads(first, other):
    """The threads after which nothing changes are looked at by the twin's sets, up to one more than are needed."""
    holds = [is_included_in(first.automaton(t), other.automaton(t)) for t in range(1, 7)]
    for threads in range(1, 6):
        if is_settled(first, other, threads):
            assert all(holds[:threads]) == all(holds)


def test_inclusion_may_need_as_many_threads_as_are_said_to_settle_it():
    """The third lowest thread needs three; two of the functions that look for it are the same."""
    second = "lowest(live - lowest(live))"
    third, nothing = model(f"lowest(live - lowest(live) - {second}) & stepped"), library()[0]
    assert [is_included(third, nothing, threads) for threads in (2, 3)] == [True, False]
    assert [is_settled(third, nothing, threads) for threads in (4, 5)] == [False, True]


def test_all_orders_of_the_six_models_are_settled_and_those_of_automata_are_not():
    verdicts = verdicts_of(library())
    assert all(is_settled_order(first, other) for first, other in itertools.product(verdicts, repeat=2))
    unfair, hsa, obe, *_, fair = library()
    (resident,) = models_named(["resident-5"])
    assert is_included(obe, resident)
    assert not is_included(obe, resident, 6)
    assert not is_settled(obe, resident, 5)
    assert is_settled(unfair, resident, 1)
    assert is_settled(resident, fair, 1)
    assert is_settled(resident, resident, 1)
    assert not is_settled(obe, hsa, 2)
    assert not is_settled_order(Verdict(hsa, "strong"), Verdict(fair, "weak"), 2)


@settings(max_examples=examples(40))
@given(st.data())
def test_no_program_passes_what_is_included_and_fails_what_includes_it(data):
    """Of any automata; the twin decides the verdicts."""
    threads = data.draw(st.integers(2, 3))
    smaller = data.draw(strategies.automata(threads, states=2))
    more = tuple(
        tuple(fair | data.draw(st.integers(0, live)) & live for live, fair in enumerate(row)) for row in smaller.fair
    )
    other = Automaton(threads, smaller.steps, smaller.ends, more)
    assert is_included_in(smaller, other)
    program = data.draw(strategies.waiting_programs(threads=(threads, threads), instructions=(threads, 5)))
    for passes, also in zip(twin_verdicts.passes(program, smaller), twin_verdicts.passes(program, other), strict=True):
        assert also or not passes


@settings(max_examples=examples(30))
@given(st.data())
def test_what_includes_another_automaton_passes_all_that_it_passes(data):
    """Whether or not one was made of the other."""
    first, other = (data.draw(strategies.automata(2, states=2)) for _ in range(2))
    if is_included_in(first, other):
        for mask in judge_automata(ids_of("2x3"), [first, other]):
            assert not mask & 0b0011 & ~(mask >> 2)


def test_what_is_promised_before_any_cycle_does_not_count():
    start_only = Automaton(1, ((1,), (1,)), ((1,), (1,)), ((0, 1), (0, 0)))
    nothing = Automaton(1, ((0,),), ((0,),), ((0, 0),))
    assert is_included_in(start_only, nothing)
    on_cycle = Automaton(1, ((1,), (0,)), ((1,), (0,)), ((0, 1), (0, 0)))
    assert not is_included_in(on_cycle, nothing)


def test_automata_for_different_numbers_of_threads_are_refused():
    with pytest.raises(InputError, match="found one for 1 and one for 2 threads, expected the same number"):
        is_included_in(library()[0].automaton(1), library()[0].automaton(2))


def test_weak_is_at_most_as_fair_as_strong_and_unfair_has_one_form():
    unfair, *_, fair = library()
    assert [verdict.name for verdict in verdicts_of(library())] == list(verdict_names(library()))
    assert is_implied(Verdict(fair, "weak"), Verdict(fair, "strong"))
    assert not is_implied(Verdict(fair, "strong"), Verdict(fair, "weak"))
    assert is_implied(Verdict(unfair, "strong"), Verdict(fair, "weak"))
    (never,) = models_named(["never = live - live"])
    for other in (unfair, never, fair):
        assert is_implied(Verdict(never, "strong"), Verdict(other, "weak"))
        assert not is_implied(Verdict(fair, "strong"), Verdict(other, "weak"))


@pytest.fixture(scope="module")
def comparisons():
    return compared(library(), [id_ for bound in ("2x2", "2x3", "2x4", "3x3", "3x4") for id_ in ids_of(bound)])


@pytest.mark.full
def test_every_pair_of_the_six_models_is_implied_or_refuted(comparisons):
    """As the definitions promise; the tests of the paper's bounds are enough."""
    open_pairs = {pair for pair, comparison in comparisons.items() if comparison.at_most is None}
    assert open_pairs == set()


def test_a_refuting_test_is_the_smallest_that_passes_one_and_fails_the_other(comparisons):
    names = verdict_names(library())
    for (first, other), comparison in comparisons.items():
        if comparison.refuted_by:
            program = program_of_id(comparison.refuted_by)
            assert passed(program, first)
            assert not passed(program, other)
    comparison = comparisons["OBE.weak", "HSA.weak"].refuted_by
    smaller = [id_ for bound in ("2x2", "2x3") for id_ in ids_of(bound) if size_of(id_) < size_of(comparison)]
    assert not any(passed(program_of_id(id_), "OBE.weak", "HSA.weak") for id_ in smaller)
    assert set(comparisons) == set(itertools.product(names, names))


def passed(program, name, fails=None):
    """Whether a program passes a verdict, and fails another, by the twin."""
    (model_named,) = models_named([name.partition(".")[0]])
    passes = twin.passes(program, model_named.fair)[name.endswith(".strong")]
    return passes and not (fails and passed(program, fails))


def test_without_programs_what_is_not_implied_is_open():
    comparisons = compared(models_named(["HSA", "OBE"]), [])
    assert comparisons["HSA.weak", "OBE.weak"] == (None, None, False)
    assert comparisons["HSA.weak", "HSA.strong"].at_most
