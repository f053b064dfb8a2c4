"""Test the brute force that other tests compare with: its results are known, and it tries every program."""

import pytest

import brute
from synth_checker.programs.rules import DROPPABLE, broken_rules
from synth_checker.verdicts import judge


@pytest.mark.full
@pytest.mark.parametrize(
    ("instructions", "without", "tests"),
    [(2, (), 8), (3, (), 162), (2, ["effective-stores"], 8), (3, ["effective-stores"], 176)],
)
def test_as_many_tests_as_the_definitions_say(instructions, without, tests):
    """The definitions give 176; 14 of these have a store without effect, and 8 are published for 2x2."""
    assert len(brute.ids(2, instructions, without=without)) == tests


def test_the_space_of_one_instruction_is_what_was_listed_by_hand():
    """One thread, one instruction, one location: back to 0 on either value, writing nothing, 0 or 1; or a store."""
    branches, stores = {"00_0", "0000", "0010", "01_0", "0100", "0110"}, {"0001", "0011"}
    assert {brute.written_out(p) for p in brute.space(1, 1, 1, 2, keep_store_checks=False)} == branches | stores
    stores |= {"0101", "0111"}
    assert {brute.written_out(p) for p in brute.space(1, 1, 1, 2, keep_store_checks=True)} == branches | stores


def test_every_split_gives_each_thread_something():
    assert brute.splits(3, 4) == [(1, 1, 2), (1, 2, 1), (2, 1, 1)]
    assert brute.splits(2, 1) == []


@pytest.mark.full
def test_dropping_a_rule_adds_programs_and_loses_none():
    all_rules = set(brute.ids(2, 3))
    for rule in DROPPABLE:
        assert all_rules < set(brute.ids(2, 3, without=[rule]))


@pytest.mark.full
def test_the_core_agrees_on_the_verdicts_of_everything_that_any_rule_lets_through():
    records = brute.records(2, 3, without=DROPPABLE)
    ids = [identifier for identifier, _ in records]
    assert judge(ids) == [bits for _, bits in records]
    assert not any(mask & 0b111 for mask in broken_rules(ids))
