"""Test `--up-to threads`: one of several tests is kept that differ only in the order of their threads.

It is allowed only where that is sound.
"""

import itertools

import pytest

import synth
from brute import records
from synth_checker.errors import InputError
from synth_checker.models import library
from synth_checker.models.automaton import Automaton, is_thread_symmetric
from synth_checker.programs.normal import id_of, program_of_id
from synth_checker.programs.program import Program

SYMMETRIC = ("unfair", "OBE", "fair")


def orbit(id_: str) -> frozenset[str]:
    threads = program_of_id(id_).threads
    return frozenset(id_of(Program(order)) for order in itertools.permutations(threads))


@pytest.mark.parametrize("threads", [2, 3, 4])
def test_of_the_six_models_unfair_obe_and_fair_do_not_tell_threads_apart(threads):
    assert tuple(model.name for model in library() if model.is_thread_symmetric(threads)) == SYMMETRIC


def test_one_thread_has_no_order():
    assert all(model.is_thread_symmetric(1) for model in library())


def test_an_automaton_that_looks_at_who_ends_is_not_symmetric():
    """Its fair sets and steps are symmetric; only when thread 1 ends it goes to a state that guarantees nothing."""
    fair = ((0, 1, 2, 3), (0, 0, 0, 0))
    asymmetric = Automaton(2, ((0, 0), (1, 1)), ((0, 1), (1, 1)), fair)
    symmetric = Automaton(2, ((0, 0), (1, 1)), ((1, 1), (1, 1)), fair)
    assert not is_thread_symmetric(asymmetric)
    assert is_thread_symmetric(symmetric)


@pytest.mark.full
@pytest.mark.parametrize("without", [(), ("meaningful-comparisons", "effective-stores")])
def test_up_to_threads_keeps_the_least_of_every_orbit(without):
    everything = {id_ for id_, _ in records(2, 3, without=without)}
    found = synth.enumerate_tests(synth.question("2x3", without=without, models=SYMMETRIC, up_to=["threads"]), jobs=1)
    if "meaningful-comparisons" in without:  # `id_of` sets what stores compare with to 0
        assert set(found.ids) <= everything
        assert len(found.ids) == len(everything) // 2
    else:
        assert found.ids == sorted({min(orbit(id_)) for id_ in everything})


def test_up_to_threads_keeps_one_of_every_orbit_of_three_threads():
    everything = synth.enumerate_tests(synth.question("3x3"), jobs=1).ids
    found = synth.enumerate_tests(synth.question("3x3", models=SYMMETRIC, up_to=["threads"]), jobs=1)
    assert found.ids == sorted({min(orbit(id_)) for id_ in everything})
    assert found.verdicts == ("unfair", "OBE.weak", "OBE.strong", "fair.weak", "fair.strong")


def test_up_to_threads_is_refused_with_the_name_of_a_model_that_tells_threads_apart():
    with pytest.raises(InputError, match="up to threads: the model HSA treats threads differently by their ids"):
        synth.question("2x2", up_to=["threads"])
    with pytest.raises(InputError, match="the model LOBE"):
        synth.question("2x2", up_to=["threads"], models=["fair", "LOBE"])
