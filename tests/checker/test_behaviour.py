"""Test behaviour: the core and the twin have the same canonical form, and equal forms have equal verdicts."""

import functools
import hashlib
import itertools
import struct

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import strategies
from bounds import ids_of
from quick import examples
from synth_checker.errors import InputError
from synth_checker.programs.normal import program_of_id, written_out
from synth_checker.programs.program import Instruction, Program, Thread
from synth_checker.transitions.behaviour import HASH_DIGITS, behaviour, behaviour_hashes, canonical_forms
from synth_checker.twin import behaviour as twin
from synth_checker.twin import normal as twin_normal
from synth_checker.verdicts import judge_automata

small = strategies.programs(threads=(1, 3), instructions=(1, 4), locations=2, values=3)


@functools.cache
def classes(bound):
    """The tests of a bound by their behaviour, those classes that have several."""
    classes_found = {}
    for id_, form in zip(ids_of(bound), canonical_forms(ids_of(bound)), strict=True):
        classes_found.setdefault(form, []).append(id_)
    return [ids for ids in classes_found.values() if len(ids) > 1]


@settings(max_examples=examples(60))
@given(small | strategies.waiting_programs(threads=(1, 3), instructions=(1, 4), locations=2, values=2))
@example(program_of_id("001100120013"))  # each round tells only one more state apart
def test_the_canonical_form_is_the_automaton_of_the_twin(program):
    automaton = behaviour(written_out(program))
    assert automaton.threads == len(program)
    assert [dict(row) for row in automaton.successors] == twin.behaviour(program)


@settings(max_examples=examples(60))
@given(small, small)
def test_forms_are_equal_exactly_for_equal_automata(first, other):
    forms = canonical_forms([written_out(first), written_out(other)])
    assert (forms[0] == forms[1]) == (len(first) == len(other) and twin.behaviour(first) == twin.behaviour(other))


@given(small, strategies.location_names(), strategies.value_names())
def test_renaming_locations_and_values_does_not_change_the_canonical_form(program, locations, values):
    renamed = twin_normal.renamed(program, locations, values)
    assert len(set(canonical_forms([written_out(program), written_out(renamed)]))) == 1


@pytest.mark.full
@given(small)
def test_unreachable_instructions_do_not_change_the_canonical_form(program):
    """Behind an instruction that always jumps to the end, since nobody writes its location."""
    thread = program[0]
    leave = Instruction(35, 0, len(thread) + 2, None)
    unreached = Instruction(0, 0, 0, 1)
    first, other = (
        written_out(Program((Thread((leave, *thread_end)), *program.threads[1:])))
        for thread_end in ((unreached,) * (len(thread) + 1), (Instruction(1, 1, 0, None),) * (len(thread) + 1))
    )
    assert len(set(canonical_forms([first, other]))) == 1


@settings(max_examples=examples(40))
@given(st.data())
def test_behaviour_equivalent_programs_have_equal_verdicts_under_any_automaton(data):
    ids = data.draw(st.sampled_from(classes(data.draw(st.sampled_from(["2x3", "2x4", "3x4"])))))
    threads = ids[0].count("-") + 1
    automata = [data.draw(strategies.automata(threads)) for _ in range(5)]
    assert len(set(judge_automata(ids, automata))) == 1


@settings(max_examples=examples(20))
@given(st.data())
def test_programs_of_one_class_are_bisimilar_and_of_two_are_not(data):
    representatives = [ids[0] for ids in classes("2x3")[:10]]
    for first, other in itertools.combinations(representatives, 2):
        assert behaviour(first) != behaviour(other)
    ids = data.draw(st.sampled_from(classes("2x4")))
    assert len({behaviour(id_) for id_ in ids}) == 1


def test_the_bytes_and_their_hash_are_as_stated():
    """A spinner and the store it waits for; then only the spinner, which goes on; then nobody."""
    (form,) = canonical_forms(["00_0-0011"])
    assert behaviour("00_0-0011").successors == (((0, 0), (1, 1)), ((0, 2),), ())
    words = [2, 3, 0b11, 0, 1, 0b01, 2, 0]
    assert form == struct.pack("<8I", *words)
    assert behaviour_hashes(["00_0-0011"]) == [hashlib.sha256(form).hexdigest()[:HASH_DIGITS]]


def test_the_program_without_threads_has_ended():
    assert behaviour("").successors == ((),)


def test_what_is_no_id_is_refused():
    with pytest.raises(InputError, match="'0'"):
        canonical_forms(["0"])
