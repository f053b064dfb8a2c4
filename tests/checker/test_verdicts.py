"""Test the verdicts: the core decides as the twin does, and the twin as the sentences of section 5 say."""

import itertools

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import brute
import strategies
from quick import examples
from synth_checker._native import Judge, Lts
from synth_checker.errors import InputError, LimitError
from synth_checker.models import library, read_model, verdict_names
from synth_checker.models.compiled import compile_automaton
from synth_checker.programs.normal import program_of_id, written_out
from synth_checker.twin import models as twin_models
from synth_checker.twin import normal as twin_normal
from synth_checker.twin import verdicts as twin
from synth_checker.verdicts import judge, judge_automata, judge_for

limits = {"threads": (1, 4), "instructions": (1, 6), "locations": 3, "values": 3}
some_programs = strategies.programs(**limits) | strategies.waiting_programs(**limits)


# --- the twin against the sentence ---


def fails_by_trying_every_set(product):
    """(weak, strong), by asking the question of section 5 about every set of product states there is."""
    weakly = strongly = False
    states = list(product.successors)
    for size in range(1, len(states) + 1):
        for c in map(frozenset, itertools.combinations(states, size)):
            if is_recurrent(product, c):
                inside = {t for s in c for t, after in product.successors[s].items() if after in c}
                everyone = {t for s in c for t in product.successors[s]}
                weakly |= all(t in inside for t in everyone if all(t in product.fair[s] for s in c))
                strongly |= all(product.successors[s][t] in c for s in c for t in product.fair[s])
    return weakly, strongly


def is_recurrent(product, c):
    """From each state every state of C, itself included, is reached by one or more edges inside C."""
    for first in c:
        reached = set()
        to_do = [first]
        while to_do:
            for after in product.successors[to_do.pop()].values():
                if after in c and after not in reached:
                    reached.add(after)
                    to_do.append(after)
        if reached != c:
            return False
    return True


@settings(max_examples=examples(60))
@given(
    strategies.with_automata(
        strategies.waiting_programs(threads=(1, 3), instructions=(1, 3), locations=1, values=2), states=2
    )
)
def test_the_twin_finds_a_failing_set_exactly_where_trying_every_set_does(drawn):
    product = twin.automaton_product(*drawn)
    assume(len(product.successors) <= 10)
    assert (twin.fails_weakly(product), twin.fails_strongly(product)) == fails_by_trying_every_set(product)


@given(strategies.waiting_programs(threads=(1, 3), instructions=(1, 5)), strategies.model_expressions())
def test_a_models_automaton_gives_the_verdicts_of_its_expression(program, text):
    model = read_model(f"any = {text}", "drawn")
    assert twin.passes(program, model.automaton(len(program))) == twin_models.passes(program, model.fair)


# --- the core against the twin ---


def judged(programs, models=None):
    """What the core says of programs: small ones it judges by sets of states. The same must hold of their graphs."""
    ids = list(map(written_out, programs))
    masks = judge(ids, models)
    for id_, program, passes in zip(ids, programs, masks, strict=True):
        assert judge_for(models or library(), len(program)).passes(Lts.of_program(id_)) == passes
    return masks


def judged_under(program, automata):
    """The same under automata."""
    id_ = written_out(program)
    (mask,) = judge_automata([id_], automata)
    compiled = [compile_automaton(automaton) for automaton in automata]
    assert Judge(len(program), compiled, [(True, True)] * len(compiled)).passes(Lts.of_program(id_)) == mask
    return mask


@given(st.lists(some_programs, max_size=4))
def test_the_core_gives_the_eleven_verdicts_of_the_twin(batch):
    """For a batch of programs with different numbers of threads, as given and not in normal form."""
    assert judged(batch) == [brute.verdict_bits(program) for program in batch]


@given(strategies.with_automata(some_programs))
def test_the_core_gives_the_twins_verdicts_under_any_automaton(drawn):
    program, automaton = drawn
    assert judged_under(program, [automaton]) == _bits(*twin.passes(program, automaton))


@given(strategies.waiting_programs(**limits), st.data())
def test_verdicts_under_several_automata_stand_side_by_side(program, data):
    automata = data.draw(st.lists(strategies.automata(len(program)), min_size=1, max_size=5))
    expected = sum(_bits(*twin.passes(program, automaton)) << 2 * k for k, automaton in enumerate(automata))
    assert judged_under(program, automata) == expected


@given(strategies.waiting_programs(**limits), st.data())
def test_the_core_gives_the_twins_verdicts_under_automata_that_only_remember_history(program, data):
    """Several at once, which the core judges in one pass; among them what no model of the library does."""
    automata = strategies.automata(len(program), states=4, returning=False)
    drawn = data.draw(st.lists(automata, min_size=1, max_size=5))
    expected = sum(_bits(*twin.passes(program, automaton)) << 2 * k for k, automaton in enumerate(drawn))
    assert judged_under(program, drawn) == expected


def test_a_thread_whose_first_step_changes_who_is_fair_does_not_spin_before_it():
    """Threads 0 and 1 wait for 2; fair is whoever is the first that has not stepped. Once both have spun, that is 2."""
    program = program_of_id("00_0-00_0-0011")
    model = read_model("next = lowest(live - stepped)", "here")
    assert twin_models.passes(program, model.fair) == (True, True)
    assert judged([program], (model,)) == [0b11]


def test_threads_that_step_in_turn_are_no_set_in_which_all_of_them_step():
    """Thread 0 goes round only with thread 3's help: with 0, 1 and their fairness alone 1 spins and 0 goes on to end.

    Once 3 has stepped, LOBE is fair to 2, too, whose store lets everyone end; so the weak form is passed.
    """
    program = program_of_id("00101012-10_0-1011-000110_0")
    passed = brute.verdict_bits(program)
    assert "LOBE.weak" in {name for k, name in enumerate(verdict_names(library())) if passed >> k & 1}
    assert judged([program]) == [passed]


@given(strategies.waiting_programs(**limits), strategies.location_names(), strategies.value_names())
def test_what_locations_and_values_are_called_does_not_matter(program, locations, values):
    assert judge([written_out(twin_normal.renamed(program, locations, values))]) == [brute.verdict_bits(program)]


@pytest.mark.full
@settings(max_examples=examples(500))
@given(strategies.with_automata(some_programs, states=5))
def test_the_core_gives_the_twins_verdicts_for_many_programs(drawn):
    program, automaton = drawn
    identifier = written_out(program)
    assert judge([identifier]) == [brute.verdict_bits(program)]
    assert judge_automata([identifier], [automaton]) == [_bits(*twin.passes(program, automaton))]


def test_the_models_asked_for_are_the_verdicts_given():
    mutex, hsa, unfair = "01100002-01100002", library()[1], library()[0]
    everything = dict(zip(verdict_names(library()), f"{judge([mutex])[0]:011b}"[::-1], strict=True))
    verdicts = dict(zip(verdict_names((hsa, unfair)), f"{judge([mutex], (hsa, unfair))[0]:03b}"[::-1], strict=True))
    assert verdicts == {name: everything[name] for name in ("HSA.weak", "HSA.strong", "unfair")}


@pytest.mark.full
def test_more_than_32_threads_are_a_limit_error():
    assert [judge(["-".join(["00_0"] * threads)]) for threads in (8, 9)] == [[0], [0]]
    with pytest.raises(LimitError, match="found a program with 33 threads, expected at most 32"):
        judge(["-".join(["00_0"] * 33)])


def test_a_batch_with_something_that_is_no_id_is_refused():
    with pytest.raises(InputError, match="id 'x'"):
        judge(["0110", "x"])
    assert judge([]) == []


# --- what the definitions say about verdicts ---


def test_the_mutex_of_figure_2_needs_a_thread_that_has_started_to_go_on():
    """Whoever holds the lock has stepped, so OBE is enough; under HSA thread 0 may wait for ever for thread 1."""
    passed = brute.verdict_bits(program_of_id("01100002-01100002"))
    names = {name for k, name in enumerate(verdict_names(library())) if passed >> k & 1}
    assert names == {f"{model}.{form}" for model in ("OBE", "LOBE", "HSA+OBE", "fair") for form in ("weak", "strong")}


@given(strategies.with_automata(some_programs))
def test_no_program_passes_the_weak_form_and_fails_the_strong(drawn):
    weak, strong = twin.passes(*drawn)
    assert strong or not weak


@given(some_programs)
def test_under_unfair_the_two_forms_agree(program):
    weak, strong = twin.passes(program, library()[0].automaton(len(program)))
    assert weak == strong


def _bits(weak, strong):
    return weak | strong << 1
