"""Test transition systems that are no programs: they have verdicts, lassos and rankings, too."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import strategies
from synth_checker import _native
from synth_checker.certificates.certificate import Lasso, Ranking
from synth_checker.certificates.certification import certify, certify_system, verdict_of
from synth_checker.certificates.checker import refusal_of_system
from synth_checker.errors import InputError, LimitError
from synth_checker.models import library, verdict_names
from synth_checker.models.compiled import compile_automaton
from synth_checker.programs.normal import written_out
from synth_checker.transitions.executions import Executions
from synth_checker.transitions.transition_system import explore
from synth_checker.twin import verdicts as twin
from synth_checker.twin.semantics import lts
from synth_checker.verdicts import judge, judge_automata, judge_system
from transition_tables import SPIN_LOCK, TableSystem

FORMS = ("weak", "strong")
limits = {"threads": (1, 3), "instructions": (1, 5)}
some_programs = strategies.programs(**limits) | strategies.waiting_programs(**limits)


def twin_verdicts(system):
    """Those of the library, as the twin has them."""
    verdicts = {}
    for model in library():
        passes = twin.system_passes(system.table, system.start, model.automaton(system.threads))
        verdicts |= dict(zip(model.verdicts, passes, strict=False))
    return verdicts


@st.composite
def systems(draw):
    """Any table: from each state each live thread has some step, which may end it."""
    threads = draw(st.integers(1, 3))
    masks = draw(st.lists(st.integers(0, 2**threads - 1), min_size=1, max_size=7))
    live = [2**threads - 1, *masks, *range(2**threads)]
    table = {}
    for state, mask in enumerate(live):
        here = [thread for thread in range(threads) if mask >> thread & 1]
        may_follow = {t: [k for k, other in enumerate(live) if other in {mask, mask & ~(1 << t)}] for t in here}
        table[state] = {t: draw(st.sampled_from(may_follow[t])) for t in here}
    return TableSystem(table, threads)


# --- verdicts ---


def test_a_spin_lock_given_as_a_table_has_the_verdicts_of_the_mutex():
    """They are told apart by OBE: whoever holds the lock has stepped, so it is fair to it."""
    passed = judge_system(SPIN_LOCK)
    assert passed == judge(["01100002-01100002"])[0]
    names = verdict_names(library())
    assert {name: bool(passed >> k & 1) for k, name in enumerate(names)} == twin_verdicts(SPIN_LOCK)
    assert [name for k, name in enumerate(names) if not passed >> k & 1] == ["unfair", "HSA.weak", "HSA.strong"]


@given(systems())
def test_core_and_twin_agree_on_any_table(system):
    passed = judge_system(system)
    assert {name: bool(passed >> k & 1) for k, name in enumerate(verdict_names(library()))} == twin_verdicts(system)


@given(systems(), st.data())
def test_core_and_twin_agree_on_any_table_under_any_automaton(system, data):
    automaton = data.draw(strategies.automata(system.threads))
    judged = _native.Judge(system.threads, [compile_automaton(automaton)], [(True, True)])
    passed = judged.passes(_native.Lts(explore(system, 100).table()))
    assert (bool(passed & 1), bool(passed & 2)) == twin.system_passes(system.table, system.start, automaton)


@given(some_programs)
def test_a_program_has_the_verdicts_of_its_table(program):
    as_table = TableSystem(lts(program), len(program))
    assert as_table.start == Executions(program).start
    assert judge_system(as_table) == judge_system(Executions(program)) == judge([written_out(program)])[0]


def test_a_system_of_many_threads_is_judged_without_tables():
    """Each of ten threads ends by its first step; one that spins for ever spoils it for all."""
    threads = 10
    ending = {
        mask: {t: mask & ~(1 << t) for t in range(threads) if mask >> t & 1} for mask in range(2**threads - 1, -1, -1)
    }
    assert judge_system(TableSystem(ending, threads)) == 2 ** len(verdict_names(library())) - 1
    spinning = {mask: row | ({0: mask} if 0 in row else {}) for mask, row in ending.items()}
    assert judge_system(TableSystem(spinning, threads)) == 0


# --- certificates ---


def test_the_lasso_of_the_spin_lock_is_accepted():
    hsa = library()[1].automaton(2)
    lasso = certify_system(SPIN_LOCK, hsa, "weak")
    assert isinstance(lasso, Lasso)
    assert [(step.state.system, step.thread) for step in lasso.steps] == [("try try", 1), ("try hold", 0)]
    assert refusal_of_system(lasso, SPIN_LOCK, hsa, "weak") is None
    assert "expected" in refusal_of_system(Lasso(lasso.steps[:1], 0), SPIN_LOCK, hsa, "weak")


def test_the_ranking_of_the_spin_lock_is_accepted():
    obe = library()[2].automaton(2)
    ranking = certify_system(SPIN_LOCK, obe, "strong")
    assert isinstance(ranking, Ranking)
    assert {state.system for state in ranking.ranks} == set(SPIN_LOCK.table)
    assert refusal_of_system(ranking, SPIN_LOCK, obe, "strong") is None
    start = next(iter(ranking.ranks))
    worse = Ranking({**ranking.ranks, start: ranking.ranks[start]._replace(rank=-1)})
    assert "expected at least 0" in refusal_of_system(worse, SPIN_LOCK, obe, "strong")


@given(systems(), st.sampled_from(FORMS), st.data())
def test_each_verdict_of_any_table_has_a_certificate_that_is_accepted(system, form, data):
    automaton = data.draw(strategies.automata(system.threads))
    passes = twin.system_passes(system.table, system.start, automaton)[FORMS.index(form)]
    assert verdict_of(certify_system(system, automaton, form)) == ("pass" if passes else "fail")


@given(strategies.with_automata(some_programs), st.sampled_from(FORMS))
def test_a_program_has_the_certificate_of_its_table(drawn, form):
    program, automaton = drawn
    assert certify_system(TableSystem(lts(program), len(program)), automaton, form) == certify(program, automaton, form)


# --- what is no transition system ---


@pytest.mark.parametrize(
    ("table", "live"),
    [
        ({"a": {0: "b", 1: "b"}, "b": {}}, "none"),  # a step ends the other thread, too
        ({"a": {0: "b"}, "b": {0: "b", 1: "b"}}, "0, 1"),  # a step makes one live
        ({"a": {2: "a"}}, "2"),  # there is no such thread
    ],
)
def test_a_step_that_no_thread_may_take_is_refused(table, live):
    with pytest.raises(InputError, match=rf"a: found .*the live threads (are )?{live}, expected"):
        explore(TableSystem(table, 2), 10)


def test_too_many_states_are_refused():
    assert len(explore(SPIN_LOCK, 8).states) == 8
    with pytest.raises(LimitError, match="states: the system has more than 7"):
        explore(SPIN_LOCK, 7)


@pytest.mark.parametrize(
    ("error", "table", "message"),
    [
        (InputError, [], "without a state"),
        (InputError, [[0, 0], [0]], "state 1: found 1 successors, expected 2"),
        (InputError, [[0, 1]], "state 0: found the successor 1, expected a state below 1, or -1"),
        (InputError, [[-2, 0]], "found the successor -2"),
        (InputError, [[1, 1], [-1, -1]], "state 0: found a step of thread 0 that ends another thread"),
        (LimitError, [[0] * 33], "33 threads, expected at most 32"),
    ],
)
def test_the_core_refuses_a_table_that_is_no_transition_system(error, table, message):
    with pytest.raises(error, match=message):
        _native.Lts(table)


def test_a_judge_refuses_a_system_of_other_threads():
    judge_of_one = _native.Judge(1, [], [])
    with pytest.raises(InputError, match="found 2 threads, expected 1"):
        judge_of_one.passes(_native.Lts(explore(SPIN_LOCK, 8).table()))
    assert judge_automata([], []) == []
