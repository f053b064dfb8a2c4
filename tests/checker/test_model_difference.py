"""Test how two models differ: a history shows the difference, and no shorter history does."""

import itertools

from hypothesis import given, settings
from hypothesis import strategies as st

import strategies
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


def can_go_round(one, other, history):
    """Whether some steps with which nobody ends lead both back to where they are; looked for by trying many."""
    here = run(one, history), run(other, history)
    alive = [t for t in range(one.threads) if here[0][1] >> t & 1]
    states = {(here[0][0], here[1][0])}
    seen = set()
    while states - seen:
        state = (states - seen).pop()
        seen.add(state)
        states |= {(one.steps[state[0]][t], other.steps[state[1]][t]) for t in alive}
        if any((one.steps[p][t], other.steps[q][t]) == (here[0][0], here[1][0]) for p, q in seen for t in alive):
            return True
    return False


@settings(max_examples=150)
@given(st.integers(1, 3).flatmap(lambda t: st.tuples(strategies.automata(t), strategies.automata(t))))
def test_a_difference_is_one_and_no_shorter_history_shows_one(automata):
    one, other = automata
    found = difference_in(one, other)
    most = 3 if found is None else len(found.history) - 1
    for length in range(min(most, 3) + 1):
        for history in itertools.product(itertools.product(range(one.threads), (False, True)), repeat=length):
            here = run(one, history)
            if here is not None:
                fair = one.fair[here[0]][here[1]], other.fair[run(other, history)[0]][here[1]]
                assert fair[0] == fair[1] or not can_go_round(one, other, history)
    if found is not None:
        state, live = run(one, found.history)
        assert (found.live, found.first, found.other) == (
            live,
            one.fair[state][live],
            other.fair[run(other, found.history)[0]][live],
        )
        assert found.first != found.other
        assert can_go_round(one, other, found.history)


@given(st.integers(1, 3).flatmap(lambda t: st.tuples(strategies.automata(t), strategies.automata(t))))
def test_models_do_not_differ_exactly_where_each_includes_the_other(automata):
    one, other = automata
    assert (difference_in(one, other) is None) == (is_included_in(one, other) and is_included_in(other, one))


def test_each_of_the_six_differs_from_each_other_and_not_from_itself():
    for one, other in itertools.product(library(), repeat=2):
        assert (difference(one, other, 3) is None) == (one is other)


def test_the_history_has_the_fewest_threads_and_then_steps():
    """Before a thread has stepped HSA guarantees one and OBE none, but under OBE no cycle is there."""
    hsa, obe, lobe = (model for model in library() if model.name in {"HSA", "OBE", "LOBE"})
    assert difference(hsa, obe) == (2, ((1, False),), 0b11, 0b01, 0b10)
    found = difference(obe, lobe)
    assert (found.threads, found.history, found.live) == (2, ((1, False),), 0b11)
    assert (found.first, found.other) == (0b10, 0b11)
    other = read_model("m = live & stepped | live - stepped", "own")
    assert difference(other, library()[-1]) is None
