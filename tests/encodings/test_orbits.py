"""Test thread permutations: the splits with falling sizes give the tests of all splits, each once."""

import itertools
from collections import Counter

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import brute
import strategies
from quick import mostly_full
from synth_checker.programs.normal import id_of, normal_form, written_out
from synth_checker.programs.program import Program
from synth_checker.programs.rules import DROPPABLE
from synth_checker.question import Bound
from synth_encodings.orbits import arrangements, expand_arrangements, falling_splits

falling_sizes = st.lists(st.integers(1, 4), max_size=6).map(lambda sizes: tuple(sorted(sizes, reverse=True)))


@pytest.mark.full
@given(falling_sizes)
def test_arrangements_give_every_split_of_these_sizes_once(sizes):
    arranged = [tuple(sizes[k] for k in order) for order in arrangements(sizes)]
    assert Counter(arranged) == Counter(set(itertools.permutations(sizes)))


@given(falling_sizes)
def test_arrangements_keep_the_order_of_threads_of_equal_size(sizes):
    """So that no test of a split arises from two of its images."""
    for order in arrangements(sizes):
        assert sorted(order) == list(range(len(sizes)))
        for first, other in itertools.combinations(order, 2):
            assert sizes[first] != sizes[other] or first < other


@pytest.mark.parametrize("bound", [(1, 3), (2, 5), (3, 6), (4, 7)])
def test_every_split_of_a_bound_is_an_arrangement_of_one_with_falling_sizes(bound):
    splits = list(Bound(*bound).splits())
    solved = falling_splits(splits)
    arranged = [tuple(sizes[k] for k in order) for sizes in solved for order in arrangements(sizes)]
    assert sorted(arranged) == sorted(splits) == sorted(brute.splits(*bound))


def sizes_of(id_):
    return tuple(len(part) // 4 for part in id_.split("-"))


@pytest.mark.full
@pytest.mark.parametrize("without", [(), DROPPABLE], ids=" ".join)
@mostly_full("bound", [(2, 2), (2, 3), (3, 3)], quick=2)
def test_the_tests_of_falling_splits_expand_to_all_tests_each_once(bound, without):
    """By brute force over every split."""
    tests = brute.ids(*bound, without=without)
    ids = []
    for sizes in falling_splits(Bound(*bound).splits()):
        solved = [id_ for id_ in tests if sizes_of(id_) == sizes]
        ids += expand_arrangements(solved, sizes, keep_store_checks="meaningful-comparisons" in without)
    assert sorted(ids) == tests


@given(strategies.programs(threads=(1, 4), instructions=(1, 6)), st.booleans())
def test_expanding_permutes_the_threads_and_brings_the_result_to_normal_form(drawn, keep_store_checks):
    """The program itself comes first, as it was."""
    falling = Program(tuple(sorted(normal_form(drawn), key=len, reverse=True)))
    assume(len(falling))
    program = normal_form(falling, keep_store_checks=keep_store_checks)
    sizes = tuple(len(thread) for thread in program)
    images = [Program(tuple(program[k] for k in order)) for order in arrangements(sizes)]
    ids = expand_arrangements([written_out(program)], sizes, keep_store_checks=keep_store_checks)
    assert ids[0] == written_out(program)
    assert sorted(ids) == sorted(id_of(image, keep_store_checks=keep_store_checks) for image in images)
