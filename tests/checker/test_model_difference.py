"""Test how two models differ: a history shows the difference, and no shorter history does."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import strategies
from quick import examples
from synth_checker.models import library, read_model
from synth_checker.relations.fairness_order import is_included_in
from synth_checker.relations.model_difference import difference, difference_in


def run(automaton, history):
    state, live = 0, (1 << automaton.threads) - 1
    for thread, ends in history:
        if not live >> thread & 1:
            return None
        state = (automaton.ends if ends else automaton.steps)[state][thread]
        live &= ~(ends << thread)
    return state, live


def can_go_round(first, other, history):
    """Whether some steps with which nobody ends lead both back to where they are; looked for by trying many."""
    here = run(first, history), run(other, history)
    alive = [t for t in range(first.threads) if here[0][1] >> t & 1]
    states = {(here[0][0], here[1][0])}
    seen = set()
    while states - seen:
        state = (states - seen).pop()
        seen.add(state)
        states |= {(first.steps[state[0]][t], other.steps[state[1]][t]) for t in alive}
        if any((first.steps[p][t], other.steps[q][t]) == (here[0][0], here[1][0]) for p, q in seen for t in alive):
            return True
    return False


@settings(max_examples=examples(150))
@given(st.integers(1, 3).flatmap(lambda t: st.tuples(strategies.automata(t), strategies.automata(t))))
def test_a_difference_is_real_and_its_history_is_shortest(automata):
    first, other = automata
    difference_found = difference_in(first, other)
    most = 3 if difference_found is None else len(difference_found.history) - 1
    for length in range(min(most, 3) + 1):
        for history in itertools.product(itertools.product(range(first.threads), (False, True)), repeat=length):
            here = run(first, history)
            if here is not None:
                fair = first.fair[here[0]][here[1]], other.fair[run(other, history)[0]][here[1]]
                assert fair[0] == fair[1] or not can_go_round(first, other, history)
    if difference_found is not None:
        state, live = run(first, difference_found.history)
        assert (difference_found.live, difference_found.first, difference_found.other) == (
            live,
            first.fair[state][live],
            other.fair[run(other, difference_found.history)[0]][live],
        )
        assert difference_found.first != difference_found.other
        assert can_go_round(first, other, difference_found.history)


@pytest.mark.full
@given(st.integers(1, 3).flatmap(lambda t: st.tuples(strategies.automata(t), strategies.automata(t))))
def test_models_do_not_differ_exactly_where_each_includes_the_other(automata):
    first, other = automata
    assert (difference_in(first, other) is None) == (is_included_in(first, other) and is_included_in(other, first))


def test_each_of_the_six_differs_from_each_other_and_not_from_itself():
    for first, other in itertools.product(library(), repeat=2):
        assert (difference(first, other, 3) is None) == (first is other)


def test_the_history_has_the_fewest_threads_and_then_steps():
    """Before a thread has stepped HSA guarantees one and OBE none, but under OBE no cycle is there."""
    hsa, obe, lobe = (model for model in library() if model.name in {"HSA", "OBE", "LOBE"})
    assert difference(hsa, obe) == (2, ((1, False),), 0b11, 0b01, 0b10)
    difference_found = difference(obe, lobe)
    assert (difference_found.threads, difference_found.history, difference_found.live) == (2, ((1, False),), 0b11)
    assert (difference_found.first, difference_found.other) == (0b10, 0b11)
    other = read_model("m = live & stepped | live - stepped", "own")
    assert difference(other, library()[-1]) is None
