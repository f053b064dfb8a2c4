"""Proofs of verdicts on launches: the checker accepts them, and refuses what is changed in them."""

import dataclasses
from functools import cache

import pytest
from hypothesis import given, settings

from quick import examples
from support.kernels_of_programs import as_kernel
from support.launches import DIVIDED, HANDED, space_of
from support.strategies import programs
from synth_checker.certificates.certificate import Lasso, Ranking
from synth_checker.certificates.certification import verdict_of
from synth_checker.certificates.checker import refusal_of_groups
from synth_checker.certificates.lasso import shortest_way
from synth_checker.certificates.ranking import ranking_of
from synth_checker.models import library, models_named
from synth_checker.models.model_text import read_word
from synth_kernels.program import IDS
from synth_kernels.progress.certificates import SteppedLaunch, refusal, system_of, with_states_of
from synth_kernels.progress.live_values import live_before
from synth_kernels.progress.steps import Rules
from synth_kernels.progress.twin_system import may_use
from synth_kernels.progress.verdicts import certificate_of, passes, product
from synth_kernels.text import parse

#: Each arrival at a barrier is a step of its own, as the twin has it.
SINGLE = Rules(merges=False)


def proofs_of(space, models=None):
    """Each verdict of some models, with its proof."""
    for model in models or library():
        for form, (_, ok) in zip(model.forms, passes(space, model).items(), strict=True):
            proof = certificate_of(space, model, form)
            assert (verdict_of(proof) == "pass") == ok
            yield proof, model, form


def refused(space, proof, model, form, system=None):
    return refusal(proof, space, system or of_launch(space.machine), model, form)


@cache
def of_launch(machine):
    """The system of a launch, which keeps the states that it has computed."""
    return system_of(machine)


@settings(deadline=None, max_examples=examples(30))
@given(programs(threads=(1, 3), instructions=(1, 5)))
def test_each_verdict_on_a_program_as_a_kernel_has_a_proof(program):
    space = space_of(as_kernel(program), len(program), arguments=["M=0"], rules=SINGLE)
    for proof_of_form in proofs_of(space):
        assert refused(space, *proof_of_form) is None


@pytest.mark.parametrize("rules", [Rules(), Rules(2, lockstep=True), Rules(leave=True)])
def test_under_other_rules_the_system_shares_the_steps_with_the_search(rules):
    space = space_of(HANDED, 2, 2, ["flags=0"], rules=rules)
    system = system_of(space.machine)
    assert isinstance(system, SteppedLaunch)
    assert all(refused(space, *proof_of_form, system) is None for proof_of_form in proofs_of(space))


@pytest.fixture(scope="module")
def handed():
    return space_of(HANDED, 2, 2, ["flags=0"], rules=SINGLE)


def test_each_verdict_on_a_launch_with_barriers_has_a_proof(handed):
    proofs = list(proofs_of(handed, (*library(), read_word("highest(live)"))))
    assert {type(proof) for proof, _, _ in proofs} == {Lasso, Ranking}
    assert all(refused(handed, *proof_of_form) is None for proof_of_form in proofs)


#: Loops with parameters. `base` is used only in later rounds, and `i` gets another value before the next round.
LOOPS = """
kernel loops
global A: i32[4]
scalar n: i32
entry:
  base = add n, 1:i32
  jump outer(0:i32)
outer(i: i32):
  x = atomic i32 A[0:i32] add base
  dead = add x, i
  jump inner(x)
inner(k: i32):
  y = volatile read i32 A[1:i32]
  more = eq y, i
  l = add k, y
  branch more ? inner(l) : next
next:
  j = add i, 1:i32
  again = ult j, l
  z = volatile read i32 A[2:i32]
  branch again ? outer(j) : end
end:
  return
"""


def test_two_ways_find_which_values_a_thread_may_still_use():
    for kernel in (parse(LOOPS), parse(HANDED)):
        words = {name for name, _ in kernel.scalars} | set(IDS)
        for name, places in live_before(kernel, words).items():
            for live, instruction in zip(places, kernel.block(name).instructions, strict=False):
                used = {value for value in kernel.all_widths() if may_use(kernel, instruction, value)}
                assert used - words == set(live)


def test_the_way_to_a_stuck_state_is_a_proof_for_each_model():
    space = space_of(DIVIDED, 1, 2, rules=SINGLE)
    for proof, model, form in proofs_of(space):
        assert isinstance(proof, Lasso)
        assert not proof.cycle
        assert refused(space, proof, model, form) is None
        assert "prefix" in refused(space, dataclasses.replace(proof, steps=proof.steps[:-1], prefix=0), model, form)


def test_the_ranking_of_a_launch_that_gets_stuck_is_refused():
    space = space_of(DIVIDED, 1, 2, rules=SINGLE)
    for model in library():
        for form in model.forms:
            proof = ranking_of(product(space, model), form)
            assert "no thread can take a step" in refused(space, proof, model, form)


def test_a_way_that_ends_elsewhere_is_no_proof(handed):
    (fair,) = models_named(["fair"])
    for number in (0, 5, len(handed.states) - 1):
        proof = shortest_way(product(handed, fair), {number})
        assert not proof.cycle
        assert "prefix" in refused(handed, proof, fair, "weak")


def test_a_model_that_looks_at_ends_is_judged_as_the_checker_judges_it(handed):
    """When a group ends that is resident, the next one becomes resident."""
    assert all(
        refused(handed, *proof_of_form) is None for proof_of_form in proofs_of(handed, models_named(["resident-1"]))
    )


def test_a_ranking_with_one_rank_changed_is_refused(handed):
    (fair,) = models_named(["fair"])
    for form in fair.forms:
        proof = certificate_of(handed, fair, form)
        again = with_states_of(proof, handed, of_launch(handed.machine))
        for state, rank in again.ranks.items():
            if of_launch(handed.machine).steps(state.system):
                changed = Ranking({**again.ranks, state: rank._replace(rank=0)})
                why = refusal_of_groups(changed, of_launch(handed.machine), fair.beside(2), form)
                assert "rank" in why


def test_a_ranking_without_one_state_is_refused(handed):
    (fair,) = models_named(["fair"])
    system = of_launch(handed.machine)
    proof = with_states_of(certificate_of(handed, fair, "weak"), handed, system)
    for state in proof.ranks:
        less = Ranking({ranked: rank for ranked, rank in proof.ranks.items() if ranked != state})
        assert refusal_of_groups(less, system, fair.beside(2), "weak") is not None


def test_a_ranking_with_another_owed_set_or_helper_is_refused(handed):
    (fair,) = models_named(["fair"])
    system = of_launch(handed.machine)
    proof = with_states_of(certificate_of(handed, fair, "weak"), handed, system)
    state, rank = next((state, rank) for state, rank in proof.ranks.items() if rank.helper is not None)
    spins = next(thread for thread, after in system.steps(state.system).items() if after == state.system)
    for changed in (rank._replace(fair=rank.fair ^ 1), rank._replace(helper=None), rank._replace(helper=spins)):
        other = Ranking({**proof.ranks, state: changed})
        assert refusal_of_groups(other, system, fair.beside(2), "weak") is not None


def test_a_lasso_with_one_step_removed_or_another_owed_set_is_refused(handed):
    (model,) = models_named(["OBE"])
    system = of_launch(handed.machine)
    for form in model.forms:
        proof = with_states_of(certificate_of(handed, model, form), handed, system)
        assert refusal_of_groups(proof, system, model.beside(2), form) is None
        for place, step in enumerate(proof.steps):
            steps = (*proof.steps[:place], *proof.steps[place + 1 :])
            less = dataclasses.replace(proof, steps=steps, prefix=proof.prefix - (place < proof.prefix))
            stays = system.steps(step.state.system)[step.thread] == step.state.system and place < proof.prefix
            assert stays or refusal_of_groups(less, system, model.beside(2), form) is not None
            steps = (*proof.steps[:place], step._replace(fair=step.fair ^ 8), *proof.steps[place + 1 :])
            other = dataclasses.replace(proof, steps=steps)
            assert "fair set" in refusal_of_groups(other, system, model.beside(2), form)


def test_a_lasso_of_a_weaker_promise_is_refused_for_a_stronger_one(handed):
    unfair, fair = models_named(["unfair", "fair"])
    proof = certificate_of(handed, unfair, "strong")
    assert refused(handed, proof, fair, "weak") is not None


def test_a_proof_from_a_space_with_a_wrong_step_is_refused(handed):
    """The checker computes the states itself. So it sees that a thread can spin, which the space has forgotten."""
    (unfair,) = models_named(["unfair"])
    broken = space_of(HANDED, 2, 2, ["flags=0"], rules=SINGLE)
    end = next(number for number, live in enumerate(broken.live) if not live)
    for number, row in enumerate(broken.successors):
        row.update({thread: end for thread, after in row.items() if after == number})
    proof = certificate_of(broken, unfair, "strong")
    assert isinstance(proof, Ranking)
    assert refused(broken, proof, unfair, "strong", of_launch(handed.machine)) is not None


def test_a_proof_for_another_kernel_is_refused(handed):
    other = space_of(HANDED.replace("is0 = eq gid.0, 0:i32", "is0 = eq gid.0, 1:i32"), 2, 2, ["flags=0"], rules=SINGLE)
    refusals = [refused(handed, *proof_of_form, of_launch(other.machine)) for proof_of_form in proofs_of(handed)]
    assert all(refusals)
