"""Test certificates of verdicts: each verdict has one that the checker accepts, and it accepts no false one."""

import ast
import doctest
import itertools
import json
import random
import tracemalloc
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import strategies
from quick import examples
from synth_checker import certificates
from synth_checker.certificates import checker, lasso, product
from synth_checker.certificates.certificate import Lasso, LassoStep, Ranking
from synth_checker.certificates.certification import certify, program_product, verdict_of
from synth_checker.certificates.checker import refusal
from synth_checker.certificates.product import failing_sets, recurrent_sets
from synth_checker.errors import LimitError
from synth_checker.models import library, models_named
from synth_checker.programs.normal import program_of_id
from synth_checker.twin import verdicts as twin
from synth_corpus.shipped import locate_corpus
from synth_corpus.store import Corpus

FORMS = ("weak", "strong")
MUTEX = program_of_id("01100002-01100002")
forms = st.sampled_from(FORMS)
limits = {"threads": (1, 3), "instructions": (1, 6)}
some_programs = strategies.programs(**limits) | strategies.waiting_programs(**limits)
small_programs = strategies.waiting_programs(threads=(1, 3), instructions=(1, 4), locations=1)


def automaton_of(name, program=MUTEX):
    (model,) = models_named([name])
    return model.automaton(len(program))


def twin_verdict(program, automaton, form):
    return "pass" if twin.passes(program, automaton)[FORMS.index(form)] else "fail"


# --- a certificate for each verdict ---


@settings(max_examples=examples(100))
@given(strategies.with_automata(some_programs), forms)
def test_each_verdict_under_any_automaton_has_a_certificate_that_is_accepted(drawn, form):
    """`certify` raises where its checker refuses."""
    program, automaton = drawn
    certificate = certify(program, automaton, form)
    assert verdict_of(certificate) == twin_verdict(program, automaton, form)
    assert refusal(certificate, program, automaton, form) is None


@pytest.mark.full
@settings(max_examples=examples(400))
@given(strategies.with_automata(some_programs, states=5), forms)
def test_each_verdict_of_many_programs_has_a_certificate(drawn, form):
    program, automaton = drawn
    assert verdict_of(certify(program, automaton, form)) == twin_verdict(program, automaton, form)


def check_records(lines):
    for record in map(json.loads, lines):
        program = program_of_id(record["id"])
        for model in library():
            automaton = model.automaton(len(program))
            verdicts = [verdict_of(certify(program, automaton, form)) for form in model.forms]
            assert verdicts == [record["verdicts"][name] for name in model.verdicts], record["id"]


def records(bound):
    return list(Corpus(locate_corpus(f"@complete/{bound}")).lines())


@pytest.mark.full
@pytest.mark.parametrize("bound", ["2x4", "3x4"])
def test_all_verdicts_of_a_sample_of_tests_are_certified(bound):
    check_records(random.Random(5).sample(records(bound), 300))


@pytest.mark.exhaustive
@pytest.mark.parametrize("bound", ["2x2", "2x3", "2x4"])
def test_all_verdicts_of_all_tests_are_certified(bound):
    check_records(records(bound))


def test_a_program_with_too_many_states_is_a_limit_error(monkeypatch):
    monkeypatch.setattr(product, "MAX_STATES", 7)
    with pytest.raises(LimitError, match="states: the system has more than 7; use fewer"):
        certify(MUTEX, automaton_of("fair"), "weak")
    monkeypatch.setattr(product, "MAX_STATES", 8)  # the program has eight, the product more
    with pytest.raises(LimitError, match="product: it has more than 8 states; use fewer"):
        certify(MUTEX, automaton_of("OBE"), "weak")


def test_the_example_of_the_package_is_true():
    results = doctest.testmod(certificates)
    assert results.attempted
    assert not results.failed


# --- the recurrent sets ---


@given(strategies.with_automata(some_programs))
def test_the_recurrent_sets_are_the_twins(drawn):
    product, other = program_product(*drawn), twin.automaton_product(*drawn)
    recurrent = [{product.states[s] for s in c} for c in recurrent_sets(product, set(range(len(product.states))))]
    expected = [{(state, model) for state, model in c} for c in twin.strongly_connected_sets(other, other.successors)]
    assert sorted(map(sorted, recurrent)) == sorted(map(sorted, expected))


def closed_recurrent_sets(product):
    """By looking at every set of states there is."""
    states = range(len(product.states))
    for c in itertools.chain.from_iterable(itertools.combinations(states, size) for size in range(1, len(states) + 1)):
        if all(product.successors[s][t] in c for s in c for t in product.owed(s)) and recurrent_sets(
            product, set(c)
        ) == [set(c)]:
            yield set(c)


@settings(max_examples=60)
@given(strategies.with_automata(small_programs, states=2))
def test_the_failing_sets_of_the_strong_form_are_the_largest_closed_ones(drawn):
    product = program_product(*drawn)
    assume(len(product.states) <= 9)
    every = list(closed_recurrent_sets(product))
    largest = [c for c in every if not any(c < other for other in every)]
    assert failing_sets(product, "strong") == sorted(largest, key=min)


# --- the shortest lasso ---


def executions(program, automaton, length):
    """Every sequence of so many steps, as a lasso's steps."""
    product = program_product(program, automaton)

    def prolonged(state, steps):
        if len(steps) == length:
            yield steps
            return
        for thread, after in product.successors[state].items():
            yield from prolonged(after, (*steps, LassoStep(product.states[state], product.fair[state], thread)))

    yield from prolonged(0, ())


@settings(max_examples=examples(100))
@given(strategies.with_automata(small_programs), forms)
def test_no_lasso_is_shorter_than_the_shortest(drawn, form):
    """Whatever execution and wherever its cycle might begin: the checker accepts none."""
    program, automaton = drawn
    lasso = certify(program, automaton, form)
    assume(isinstance(lasso, Lasso) and len(lasso.steps) <= 7)
    assert lasso.is_shortest
    for length in range(1, len(lasso.steps)):
        for steps in executions(program, automaton, length):
            for prefix in range(length):
                assert refusal(Lasso(steps, prefix), program, automaton, form) is not None


def test_of_the_shortest_lassos_the_one_with_the_earliest_cycle_is_taken():
    """Both threads of the mutex can come to hold it, while the other waits; thread 0 is tried first."""
    lasso = certify(MUTEX, automaton_of("unfair"), "weak")
    assert ([step.thread for step in lasso.steps], lasso.prefix) == ([0, 1], 1)


@given(strategies.with_automata(some_programs), forms)
def test_a_lasso_that_is_not_searched_for_long_is_a_lasso_still(drawn, form):
    program, automaton = drawn
    budget = lasso.BUDGET
    lasso.BUDGET = -1
    try:
        certificate = certify(program, automaton, form)
    finally:
        lasso.BUDGET = budget
    assert refusal(certificate, program, automaton, form) is None
    assert verdict_of(certificate) == twin_verdict(program, automaton, form)
    assert not getattr(certificate, "is_shortest", False)


@pytest.mark.full
def test_a_lasso_in_a_large_set_takes_no_mask_for_each_of_its_states(monkeypatch):
    """Three threads in circles of 24 stores: 13,824 masks of so many bits, and of owed steps, take 40 MB more."""
    monkeypatch.setattr(lasso, "BUDGET", -1)
    circle = "".join(f"000{place}" for place in "123456789abcdefghijklmn0")
    program = program_of_id("-".join([circle] * 3))
    product = program_product(program, automaton_of("HSA", program))
    sets = failing_sets(product, "strong")
    tracemalloc.start()
    try:
        in_it = lasso.lasso_of(product, "strong", sets)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(product.states) == 24**3
    assert len(in_it.cycle) == 24
    assert most < 10 << 20


# --- the checker on its own ---


def test_the_checker_imports_nothing_but_the_types():
    tree = ast.parse(Path(checker.__file__).read_text("utf-8"))
    imported = {node.module: node for node in tree.body if isinstance(node, ast.ImportFrom)}
    states = {"synth_checker.programs.program", "synth_checker.transitions.transition_system"}
    assert imported.keys() == {"__future__", "typing", "synth_checker.certificates.certificate", *states}
    assert {alias.name for module in states for alias in imported[module].names} == {"State", "AnyState"}


@st.composite
def corrupted(draw, certificate):
    """A certificate with something about it changed."""
    threads = st.integers(0, 3)
    if isinstance(certificate, Lasso):
        steps = list(certificate.steps)
        at = draw(st.integers(0, len(steps) - 1))
        state, fair, thread = steps[at]
        how = draw(st.sampled_from(["state", "fair", "thread", "prefix", "drop", "double"]))
        if how == "prefix":
            return replace(certificate, prefix=draw(st.integers(-1, len(steps))))
        if how in {"drop", "double"}:
            return replace(
                certificate, steps=tuple(steps[:at] + steps[at : at + 1] * (how == "double") * 2 + steps[at + 1 :])
            )
        changed = {
            "state": LassoStep(draw(corrupted_state(state)), fair, thread),
            "fair": LassoStep(state, fair ^ 1 << draw(threads), thread),
            "thread": LassoStep(state, fair, draw(threads)),
        }
        return replace(certificate, steps=(*steps[:at], changed[how], *steps[at + 1 :]))
    ranks = dict(certificate.ranks)
    state = draw(st.sampled_from(sorted(ranks)))
    how = draw(st.sampled_from(["state", "fair", "rank", "helper", "drop"]))
    rank = ranks.pop(state)
    if how == "state":
        ranks[draw(corrupted_state(state))] = rank
    elif how != "drop":
        other = {
            "fair": rank.fair ^ 1 << draw(threads),
            "rank": draw(st.integers(-1, 9)),
            "helper": draw(st.none() | threads),
        }
        ranks[state] = rank._replace(**{how: other[how]})
    return Ranking(ranks)


def corrupted_state(state):
    field = st.sampled_from(["memory", "pcs", "model"])

    def changed(name, place, number):
        if name == "model":
            return state._replace(model=number)
        old = list(getattr(state.system, name))
        changed = state.system._replace(**{name: (*old[:place], number, *old[place + 1 :])})
        return state._replace(system=changed)

    return st.builds(changed, field, st.integers(0, 2), st.integers(0, 3))


@settings(max_examples=examples(100))
@given(strategies.with_automata(some_programs), forms, st.data())
def test_a_corrupted_certificate_is_refused_unless_it_is_still_right(drawn, form, data):
    """Ranks may well be others; but nothing that is accepted proves a verdict that the twin denies."""
    program, automaton = drawn
    good = certify(program, automaton, form)
    bad = data.draw(corrupted(good))
    if refusal(bad, program, automaton, form) is None:
        assert verdict_of(bad) == twin_verdict(program, automaton, form)


@pytest.mark.full
@given(strategies.with_automata(some_programs), forms, some_programs, st.data())
def test_nothing_is_proven_of_another_program_model_or_form_that_is_not_true_of_it(drawn, form, other, data):
    program, automaton = drawn
    certificate = certify(program, automaton, form)
    other_automaton = data.draw(strategies.automata(len(other)))
    for case in ((other, other_automaton, form), (program, automaton, "weak"), (program, automaton, "strong")):
        if refusal(certificate, *case) is None:
            assert verdict_of(certificate) == twin_verdict(*case)


@given(strategies.with_automata(some_programs), forms, st.data())
def test_a_fair_set_or_a_state_of_a_lasso_that_is_not_so_is_always_refused(drawn, form, data):
    program, automaton = drawn
    lasso = certify(program, automaton, form)
    assume(isinstance(lasso, Lasso))
    at = data.draw(st.integers(0, len(lasso.steps) - 1))
    step = lasso.steps[at]
    flipped = step._replace(fair=step.fair ^ 1 << data.draw(st.integers(0, 3)))
    moved = step._replace(state=step.state._replace(model=step.state.model + 1))
    for other in (flipped, moved):
        assert refusal(
            replace(lasso, steps=(*lasso.steps[:at], other, *lasso.steps[at + 1 :])), program, automaton, form
        )


@pytest.mark.full
@given(strategies.with_automata(some_programs), forms, st.data())
def test_a_ranking_that_lacks_a_state_or_has_a_wrong_fair_set_is_always_refused(drawn, form, data):
    program, automaton = drawn
    ranking = certify(program, automaton, form)
    assume(isinstance(ranking, Ranking))
    state = data.draw(st.sampled_from(sorted(ranking.ranks)))
    rank = ranking.ranks[state]
    flipped = {**ranking.ranks, state: rank._replace(fair=rank.fair ^ 1 << data.draw(st.integers(0, 3)))}
    missing = {other: rank for other, rank in ranking.ranks.items() if other != state}
    for ranks in (flipped, missing):
        assert refusal(Ranking(ranks), program, automaton, form)


def hsa_lasso():
    """Thread 1 holds the mutex and waits; thread 0 spins."""
    return certify(MUTEX, automaton_of("HSA"), "weak")


def with_step(lasso, at, **fields):
    return replace(lasso, steps=(*lasso.steps[:at], lasso.steps[at]._replace(**fields), *lasso.steps[at + 1 :]))


def with_rank(ranking, at, **fields):
    """A ranking in which the state with that number in it is changed."""
    state = list(ranking.ranks)[at]
    return Ranking({**ranking.ranks, state: ranking.ranks[state]._replace(**fields)})


@pytest.mark.parametrize(
    ("corrupt", "reason"),
    [
        (lambda lasso: with_step(lasso, 1, state=lasso.steps[0].state), "step 1: found ProductState"),
        (lambda lasso: with_step(lasso, 0, fair=0b10), "step 0: found the fair set 10, expected 1"),
        (lambda lasso: with_step(lasso, 1, thread=2), "step 1: found thread 2, expected a live one"),
        (lambda lasso: replace(lasso, prefix=2), "prefix: found 2, expected a number below"),
        (lambda lasso: replace(lasso, prefix=-1), "prefix: found -1"),
        (lambda _: Lasso((), 0), "prefix: found 0"),
        (lambda lasso: replace(lasso, prefix=0), "cycle: it ends in the state"),
        (lambda lasso: with_step(lasso, 1, thread=1), "cycle: it ends in the state"),
    ],
)
def test_a_lasso_is_refused_with_the_reason(corrupt, reason):
    assert refusal(hsa_lasso(), MUTEX, automaton_of("HSA"), "weak") is None
    assert reason in refusal(corrupt(hsa_lasso()), MUTEX, automaton_of("HSA"), "weak")


def test_a_cycle_that_breaks_a_promise_is_refused():
    """Thread 0 holds the mutex, thread 1 spins: HSA owes thread 0 a step, which would release it."""
    broken = certify(MUTEX, automaton_of("unfair"), "weak")
    as_hsa = Lasso(tuple(step._replace(fair=0b1) for step in broken.steps), broken.prefix)
    weak, strong = (refusal(as_hsa, MUTEX, automaton_of("HSA"), form) for form in FORMS)
    assert weak == "cycle: thread 0 is in the fair set of all states, expected that the thread takes a step"
    state = "ProductState(system=State(memory=(1,), pcs=(1, 0)), model=0)"
    assert strong.startswith(f"cycle: thread 0 is in the fair set of {state}")


@pytest.mark.parametrize(
    ("corrupt", "reason"),
    [
        (lambda _: Ranking({}), "the ranking lacks this reachable state"),
        (lambda ranking: with_rank(ranking, 0, fair=1), "found the fair set 1, expected 0"),
        (lambda ranking: with_rank(ranking, 0, rank=-1), "found the rank -1, expected at least 0"),
        (
            lambda ranking: with_rank(ranking, 0, rank=0),
            "this state has no helper, expected that each step leads to a rank below 0",
        ),
        (
            lambda ranking: with_rank(ranking, 0, helper=0),
            "found thread 0 as the helper, expected a thread of the fair set",
        ),
        (
            lambda ranking: with_rank(ranking, 4, helper=1),
            "found thread 1 as the helper, expected a thread of the fair set",
        ),
    ],
)
@pytest.mark.parametrize("form", FORMS)
def test_a_ranking_is_refused_with_the_reason(form, corrupt, reason):
    ranking = certify(MUTEX, automaton_of("OBE"), form)
    assert refusal(ranking, MUTEX, automaton_of("OBE"), form) is None
    assert reason in refusal(corrupt(ranking), MUTEX, automaton_of("OBE"), form)


def test_the_lasso_of_a_livelock_proves_only_the_weak_form():
    """Both threads step in turn, but from each state a step of the other one is owed, too, and leads to an end."""
    program, fair = program_of_id("0010-0100"), automaton_of("fair")
    lasso = certify(program, fair, "weak")
    assert [step.thread for step in lasso.cycle] == [0, 1]
    assert "thread 0 is in the fair set of ProductState(system=State(memory=(1,)" in refusal(
        lasso, program, fair, "strong"
    )


def test_a_rank_that_rises_or_a_helper_that_changes_proves_only_the_strong_form():
    """Two threads that can keep each other going take turns for ever, and one step more of one would end it."""
    program, fair = program_of_id("0010-0100"), automaton_of("fair")
    assert twin.passes(program, fair) == (False, True)
    strong = certify(program, fair, "strong")
    assert refusal(strong, program, fair, "strong") is None
    assert "expected that each step lowers the rank, or keeps both" in refusal(strong, program, fair, "weak")
