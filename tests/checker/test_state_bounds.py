"""Test the bounds on the number of states: the number lies between them, and each state is counted once."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from long_work import LARGE, counting, ring
from strategies import programs
from synth_checker.errors import LimitError
from synth_checker.programs.normal import program_of_id
from synth_checker.transitions import state_bounds
from synth_checker.transitions.state_bounds import at_least, at_most, check_states
from synth_checker.twin.semantics import lts, start, step

MUTEX = "01100002"
ENOUGH = 1 << 22
some_programs = programs(threads=(1, 4), instructions=(1, 8), locations=3, values=3)


def one_after_another(program, order):
    """The states after threads ran alone, one after another, each to its first arrival somewhere."""
    reached = [start(program)]
    for thread in order:
        stops = []
        for first in reached:
            state, pcs = first, set()
            for _ in range(1000):
                if state.pcs[thread] not in pcs:
                    pcs.add(state.pcs[thread])
                    stops.append(state)
                if state.pcs[thread] == len(program[thread]):
                    break
                state = step(program, state, thread)
        reached = stops
    return reached


@given(some_programs)
def test_the_number_of_states_lies_between_the_bounds(program):
    assert at_least(program, ENOUGH) <= len(lts(program)) <= at_most(program)


@given(some_programs, st.integers(1, 3), st.integers(0, 3), st.integers(1, 20))
def test_limits_of_the_search_only_lower_the_lower_bound(program, memories, steps, enough):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(state_bounds, "_MOST_MEMORIES", memories)
        patch.setattr(state_bounds, "_MOST_STEPS", steps)
        assert at_least(program, enough) <= len(lts(program))


@given(some_programs)
def test_the_lower_bound_counts_different_reachable_states(program):
    orders = [range(len(program)), range(len(program))[::-1]]
    by_order = [one_after_another(program, order) for order in orders]
    for states in by_order:
        assert len(states) == len(set(states))
        assert set(states) <= set(lts(program))
    assert at_least(program, ENOUGH) == max(map(len, by_order))


@pytest.mark.parametrize(
    ("id_", "least", "most"),
    [
        (MUTEX, 3, 6),
        (f"{MUTEX}-{MUTEX}", 7, 18),
        ("-".join([MUTEX] * 16), 2**17 - 1, 2 * 3**16),
        ("0010-00_0", 3, 8),
        ("00_0-0010", 3, 8),
        (LARGE, 6**8, 6**8 * 3**4),
    ],
)
def test_bounds_of_known_programs(id_, least, most):
    program = program_of_id(id_)
    assert (at_least(program, ENOUGH), at_most(program)) == (least, most)


def test_a_program_that_surely_has_too_many_states_is_refused():
    check_states(program_of_id(f"{MUTEX}-{MUTEX}"), 7)
    with pytest.raises(LimitError, match=f"id '{MUTEX}-{MUTEX}': this program has more than 6 states; use fewer"):
        check_states(program_of_id(f"{MUTEX}-{MUTEX}"), 6)


@pytest.mark.parametrize("id_", [counting(9, 5), counting(16, 5), ring(10, 6)])
def test_large_programs_are_refused_before_any_is_explored(id_, monkeypatch):
    from synth_litmus.facts import check

    for name in ("broken_rules", "judge"):
        monkeypatch.setattr(check, name, None)
    for to_certify, limit in ((False, "4194304"), (True, "100000")):
        with pytest.raises(LimitError, match=f"more than {limit} states; use fewer threads or instructions"):
            check.check_programs([program_of_id(id_)], to_certify=to_certify)


@pytest.mark.full
def test_python_and_the_core_refuse_in_the_same_words():
    """The core here at its own limit, which takes seconds to reach."""
    from synth_checker import _native

    with pytest.raises(LimitError) as by_python:
        check_states(program_of_id(LARGE), 6**7)
    with pytest.raises(LimitError) as by_core:
        _native.broken_rules([LARGE])
    assert str(by_python.value).replace(str(6**7), str(_native.MAX_STATES)) == str(by_core.value)


@pytest.mark.full
def test_a_line_warns_before_a_program_with_many_states_is_explored(monkeypatch):
    from synth_litmus.facts import check

    lines = []
    check.check_programs([program_of_id(MUTEX)], tell=lines.append)
    assert not lines
    with pytest.raises(LimitError):  # without any work
        check.check_programs([program_of_id(MUTEX), program_of_id(counting(9, 5))], tell=lines.append)
    assert not lines
    monkeypatch.setattr(check, "broken_rules", lambda ids: pytest.fail("not told") if not lines else [0] * len(ids))
    monkeypatch.setattr(check, "judge", lambda ids, _models: [0] * len(ids))
    check.check_programs([program_of_id(MUTEX), program_of_id(LARGE)], tell=lines.append)
    (line,) = lines
    assert line.startswith(LARGE[:60])
    assert "may reach more than 4194304 states" in line
