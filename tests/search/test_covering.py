"""Test smallest covers: compare those of the solver with all possible choices."""

import functools
import itertools
import operator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from quick import examples
from synth_checker.errors import InternalError
from synth_search.suites import cover
from synth_search.suites.cover import Cover, smallest_cover


@pytest.fixture
def here(monkeypatch):
    """The solver in this process, for tests that ask it very often."""
    monkeypatch.setattr("synth_workers.pool.run_in_process", lambda task: task())


instances = st.integers(1, 8).flatmap(
    lambda count: st.tuples(
        st.lists(st.integers(0, 63), min_size=count, max_size=count),
        st.lists(st.integers(1, 4), min_size=count, max_size=count),
    )
)


def union(masks):
    return functools.reduce(operator.or_, masks, 0)


def cost(chosen, reaches, weights):
    """What is compared, least first: goals that are not reached, things, weight."""
    missed = union(reaches) & ~union(reaches[k] for k in chosen)
    return missed.bit_count(), len(chosen), sum(weights[k] for k in chosen)


def least_cost(reaches, weights, size=None):
    """By trying all choices."""
    most = len(reaches) if size is None else min(size, len(reaches))
    choices = itertools.chain.from_iterable(itertools.combinations(range(len(reaches)), k) for k in range(most + 1))
    return min(cost(chosen, reaches, weights) for chosen in choices)


@pytest.mark.usefixtures("here")
@settings(max_examples=examples(60), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(instances)
def test_no_choice_that_reaches_all_goals_is_smaller(instance):
    reaches, weights = instance
    found = smallest_cover(reaches, weights)
    assert found.reached == union(reaches) == union(reaches[k] for k in found.chosen)
    assert cost(found.chosen, reaches, weights) == least_cost(reaches, weights)


@pytest.mark.usefixtures("here")
@settings(max_examples=examples(60), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(instances, st.integers(1, 4))
def test_no_choice_of_so_few_reaches_more(instance, size):
    reaches, weights = instance
    found = smallest_cover(reaches, weights, size)
    assert len(found.chosen) <= size
    assert found.reached == union(reaches[k] for k in found.chosen)
    assert cost(found.chosen, reaches, weights) == least_cost(reaches, weights, size)


def cost_of_redundancy(chosen, reaches, weights, redundancy):
    """What is compared, or nothing if some goal is not reached often enough."""
    for goal in range(6):
        reaching = [place for place, mask in enumerate(reaches) if mask >> goal & 1]
        if len(set(chosen) & set(reaching)) < min(redundancy, len(reaching)):
            return None
    return len(chosen), sum(weights[k] for k in chosen)


@pytest.mark.usefixtures("here")
@settings(max_examples=examples(100), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(instances, st.integers(1, 4))
def test_no_choice_that_reaches_all_goals_so_often_is_smaller(instance, redundancy):
    reaches, weights = instance
    found = smallest_cover(reaches, weights, redundancy=redundancy)
    choices = itertools.chain.from_iterable(
        itertools.combinations(range(len(reaches)), k) for k in range(len(reaches) + 1)
    )
    costs = (cost_of_redundancy(chosen, reaches, weights, redundancy) for chosen in choices)
    assert cost_of_redundancy(found.chosen, reaches, weights, redundancy) == min(each for each in costs if each)
    assert found.reached == union(reaches)


def test_redundancy_is_by_different_things_and_all_of_them_where_they_are_too_few():
    assert smallest_cover([1, 1, 1, 2], [3, 1, 2, 1], redundancy=2).chosen == (1, 2, 3)
    assert smallest_cover([1, 1, 1, 2], [3, 1, 2, 1], redundancy=9).chosen == (0, 1, 2, 3)
    assert smallest_cover([3, 3, 1, 2], [1, 1, 1, 1], redundancy=2).chosen == (0, 1)


def test_where_there_is_nothing_to_reach_nothing_is_chosen():
    assert smallest_cover([], []) == smallest_cover([0, 0], [1, 1]) == smallest_cover([0], [1], 2) == Cover((), 0, 0)


def test_fewer_go_before_lighter_and_lighter_before_earlier():
    assert smallest_cover([0b11, 0b01, 0b10], [9, 1, 1]).chosen == (0,)
    assert smallest_cover([0b11, 0b11, 0b11], [2, 1, 1]).chosen == (1,)
    assert smallest_cover([0b0011, 0b0111, 0b1100], [1, 3, 1]).chosen == (0, 2)


@pytest.mark.parametrize("lie", [([1, 1], 3), ([-1, -1], 0)])
def test_an_answer_that_does_not_cost_what_is_proven_is_a_defect(monkeypatch, lie):
    monkeypatch.setattr(cover, "_solved", lambda _: lie)
    with pytest.raises(InternalError, match="the solver proves the least cost"):
        smallest_cover([0b01, 0b10], [1, 1])
