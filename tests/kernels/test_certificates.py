"""Proofs of verdicts on launches: the checker accepts them, and refuses what is changed in them."""

import dataclasses

import pytest
from hypothesis import given, settings

from support.kernels_of_programs import as_kernel
from support.launches import DIVIDED, HANDED, space_of
from support.strategies import programs
from synth_checker.certificates import verdict_of
from synth_checker.certificates.certificate import Lasso, Ranking
from synth_checker.models import library, models_named
from synth_checker.models.reading import read_word
from synth_kernels.progress.certificates import Launched, refusal
from synth_kernels.progress.verdicts import certificate_of, passes


def proofs_of(space, models=None):
    """Each verdict of some models, with its proof."""
    for model in models or library():
        for form, (_, ok) in zip(model.forms, passes(space, model).items(), strict=True):
            proof = certificate_of(space, model, form)
            assert (verdict_of(proof) == "pass") == ok
            yield proof, model, form


def refused(space, proof, model, form, system=None):
    return refusal(proof, space, system or Launched(space.machine), model, form)


@settings(deadline=None, max_examples=30)
@given(programs(threads=(1, 3), instructions=(1, 5)))
def test_each_verdict_on_a_program_as_a_kernel_has_a_proof(program):
    space = space_of(as_kernel(program), len(program), arguments=["M=0"])
    for found in proofs_of(space):
        assert refused(space, *found) is None


@pytest.fixture(scope="module")
def handed():
    return space_of(HANDED, 2, 2, ["flags=0"])


def test_each_verdict_on_a_launch_with_barriers_has_a_proof(handed):
    found = list(proofs_of(handed, (*library(), read_word("highest(live)"))))
    assert {type(proof) for proof, _, _ in found} == {Lasso, Ranking}
    assert all(refused(handed, *one) is None for one in found)


def test_the_way_to_a_stuck_state_is_a_proof_for_each_model():
    space = space_of(DIVIDED, 1, 2)
    for proof, model, form in proofs_of(space):
        assert isinstance(proof, Lasso)
        assert not proof.cycle
        assert refused(space, proof, model, form) is None
        assert "prefix" in refused(space, dataclasses.replace(proof, steps=proof.steps[:-1], prefix=0), model, form)


def test_a_ranking_with_one_rank_changed_is_refused(handed):
    (fair,) = models_named(["fair"])
    for form in fair.forms:
        proof = certificate_of(handed, fair, form)
        for state, rank in proof.ranks.items():
            if handed.successors[state.system]:
                changed = Ranking({**proof.ranks, state: rank._replace(rank=0)})
                assert "rank" in refused(handed, changed, fair, form)


def test_a_ranking_without_one_state_is_refused(handed):
    (fair,) = models_named(["fair"])
    proof = certificate_of(handed, fair, "weak")
    for state in proof.ranks:
        less = Ranking({one: rank for one, rank in proof.ranks.items() if one != state})
        assert refused(handed, less, fair, "weak") is not None


def test_a_ranking_with_another_owed_set_or_helper_is_refused(handed):
    (fair,) = models_named(["fair"])
    proof = certificate_of(handed, fair, "weak")
    state, rank = next((state, rank) for state, rank in proof.ranks.items() if rank.helper is not None)
    spins = next(thread for thread, after in handed.successors[state.system].items() if after == state.system)
    for changed in (rank._replace(fair=rank.fair ^ 1), rank._replace(helper=None), rank._replace(helper=spins)):
        assert refused(handed, Ranking({**proof.ranks, state: changed}), fair, "weak") is not None


def test_a_lasso_with_one_step_removed_or_another_owed_set_is_refused(handed):
    (model,) = models_named(["OBE"])
    for form in model.forms:
        proof = certificate_of(handed, model, form)
        assert refused(handed, proof, model, form) is None
        for place, one in enumerate(proof.steps):
            less = dataclasses.replace(
                proof, steps=(*proof.steps[:place], *proof.steps[place + 1 :]), prefix=min(proof.prefix, place)
            )
            assert refused(handed, less, model, form) is not None
            other = (*proof.steps[:place], one._replace(fair=one.fair ^ 8), *proof.steps[place + 1 :])
            assert "fair set" in refused(handed, dataclasses.replace(proof, steps=other), model, form)


def test_a_lasso_of_a_weaker_promise_is_refused_for_a_stronger_one(handed):
    unfair, fair = models_named(["unfair", "fair"])
    proof = certificate_of(handed, unfair, "strong")
    assert refused(handed, proof, fair, "weak") is not None


def test_a_proof_from_a_space_that_lacks_a_step_is_refused(handed):
    """The checker computes the states itself, so what the space forgot shows."""
    (fair,) = models_named(["fair"])
    broken = space_of(HANDED, 2, 2, ["flags=0"])
    for number, row in enumerate(broken.successors):
        if len(row) > 1:
            kept = dict(row)
            row.popitem()
            proof = certificate_of(broken, fair, "strong")
            assert refused(broken, proof, fair, "strong", Launched(handed.machine)) is not None
            broken.successors[number] = kept


def test_a_proof_for_another_kernel_is_refused(handed):
    other = space_of(HANDED.replace("is0 = eq gid.0, 0:i32", "is0 = eq gid.0, 1:i32"), 2, 2, ["flags=0"])
    refusals = [refused(handed, *found, Launched(other.machine)) for found in proofs_of(handed)]
    assert all(refusals)
