"""Test the directed encoding: clauses that refute a verdict refute no program with another, under any automaton."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pysat.solvers import Solver

import brute
import strategies
from bounds import ids_of
from clauses import fields_of
from quick import examples
from synth_checker.models import library
from synth_checker.models.compiled import compile_automaton, compile_model
from synth_checker.programs.normal import program_of_id
from synth_checker.question import Bound
from synth_checker.verdicts import judge_automata
from synth_checker.wanted import Wanted
from synth_encodings.directed import DirectedEncoding, verdicts_wanted
from synth_encodings.lazy import LazyEncoding


def found_by(encoding):
    """All tests that a solver comes to with an encoding's clauses and answers."""
    ids = []
    with Solver("cadical195", bootstrap_with=encoding.cnf.clauses) as solver:
        while solver.solve():
            tests, clauses = encoding.answer(solver.get_model())
            ids += tests
            for clause in clauses:
                solver.add_clause(clause)
    assert len(ids) == len(set(ids))
    return set(ids)


def found_in(bound, wanted):
    splits = Bound(*map(int, bound.split("x"))).splits()
    return {id_ for sizes in splits for id_ in found_by(DirectedEncoding(sizes, 2, 2, (), wanted))}


@settings(max_examples=examples(25))
@given(strategies.automata(2), st.booleans(), st.booleans())
def test_a_search_under_any_automaton_finds_all_tests_with_the_wanted_verdict(automaton, strong, passes):
    """Completions share a skeleton, and may have other verdicts: they are judged by who asks for them."""
    compiled = compile_automaton(automaton)
    ids_found = set()
    for sizes in ((1, 1), (2, 1), (1, 2)):
        ids_found |= found_by(LazyEncoding(sizes, 2, 2, (), [(compiled, strong, passes)]))
    ids = brute.ids(2, 2) + brute.ids(2, 3)
    masks = judge_automata(ids, [automaton])
    wanted = {id_ for id_, mask in zip(ids, masks, strict=True) if bool(mask >> strong & 1) == passes}
    assert wanted <= ids_found <= set(ids)


@settings(max_examples=examples(60))
@given(strategies.automata(2), st.booleans(), st.booleans(), st.randoms(use_true_random=False))
def test_a_test_is_refuted_exactly_if_its_verdict_is_not_the_wanted_one(automaton, strong, passes, chance):
    compiled = compile_automaton(automaton)
    encoding = LazyEncoding((2, 1), 2, 2, (), [(compiled, strong, passes)])
    ids = [id_ for id_ in brute.ids(2, 3) if len(id_.partition("-")[0]) == 8]
    for id_ in chance.sample(ids, 10):
        (mask,) = judge_automata([id_], [automaton])
        with Solver("cadical195", bootstrap_with=encoding.cnf.clauses) as solver:
            assert solver.solve(assumptions=fields_of(encoding.program, program_of_id(id_)))
            answer = encoding.answer(solver.get_model())  # which checks that a clause does not hold of the program
        assert (id_ in answer.tests) == (bool(mask >> strong & 1) == passes)


STRUCTURE = [
    Wanted(locations=1),
    Wanted(locations=2),
    Wanted(locations=3),
    Wanted(no_exchange_branches=True),
    Wanted(silent_thread=True),
    Wanted(thread_symmetric=True),
    Wanted(("OBE.weak",), ("HSA.strong",), ("simplified-mutex",)),
]


@pytest.mark.parametrize("wanted", STRUCTURE, ids=range(len(STRUCTURE)))
def test_how_a_test_is_built_is_asked_of_all(wanted):
    ids = brute.ids(2, 3)
    assert found_in("2x3", wanted) == set(wanted.among(ids))


def test_each_wanted_verdict_has_the_automaton_of_its_model():
    wanted = Wanted(("OBE.strong", "unfair"), ("OBE.weak",))
    by_form = {(strong, passes): automaton for automaton, strong, passes in verdicts_wanted(wanted, 2)}
    unfair, _, obe, *_ = (compile_model(model, 2) for model in library())
    assert by_form == {(False, True): unfair, (True, True): obe, (False, False): obe}


def test_verdicts_of_every_split_are_found_whatever_the_order_of_sizes():
    wanted = Wanted(("HSA.weak",), ("OBE.weak",))
    assert found_in("3x3", wanted) == set(wanted.among(ids_of("3x3")))
    assert list(itertools.islice(Bound(2, 3).splits(), 2)) == [(1, 2), (2, 1)]
