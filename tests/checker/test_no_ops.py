"""Test which models can tell a program from its normal form: the theorem in section 9 of the definitions.

If a model meets the conditions, the core and the twin judge programs and their normal forms, random ones and all small
ones. If it does not, one program shows that the verdicts can differ.
"""

import functools
import itertools
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import brute
import strategies
from synth_checker.models import Model, further_model, library, read_model
from synth_checker.models.expression import FUNCTIONS, NAMES, OPERATORS, Function, Name, Operation, written
from synth_checker.programs.normal import normal_form, program_of_id, written_out
from synth_checker.programs.program import InstructionKind, Program
from synth_checker.relations.no_ops import can_lose, hides_no_ops, repeats_are_hidden
from synth_checker.twin import models as twin_models
from synth_checker.twin import no_ops as twin
from synth_checker.twin.verdicts import passes
from synth_checker.verdicts import judge

THREADS = 4


def expressions():
    """Set expressions of up to two names, and a sample of those of three."""
    names = [Name(name) for name in NAMES]
    terms = [*names, *(Function(function, name) for function in FUNCTIONS for name in names)]
    pairs = [Operation(operator, term, other) for operator in OPERATORS for term in terms for other in terms]
    larger = [*pairs, *(Function(function, pair) for function in FUNCTIONS for pair in pairs)]
    triples = [Operation(operator, operand, other) for operator in OPERATORS for operand in larger for other in terms]
    return [*terms, *larger, *random.Random(0).sample(triples, 200)]


@functools.cache
def hidden_from():
    """Models that meet the conditions, and differ from each other for three threads: the six are among them."""
    by_meaning = {}
    for expression in expressions():
        model = Model("m", written(expression), expression)
        by_meaning.setdefault(tuple(model.automaton(count) for count in range(1, THREADS + 1)), model)
    by_table = {}
    for model in by_meaning.values():
        if hides_no_ops(model, THREADS):
            table = model.automaton(3)
            by_table.setdefault(table.fair if table.states > 1 else table.fair * 8, model)
    return tuple(by_table.values())


def named(models):
    """The models under names of their own."""
    return tuple(Model(f"m{k}", model.definition, model.fair) for k, model in enumerate(models))


def has_no_ops(program):
    return any(program[tid].kind(pc) is InstructionKind.NO_OP for tid, pc, _ in program.instructions())


@pytest.mark.full
def test_the_six_models_hide_no_ops():
    assert all(hides_no_ops(model, 6) for model in library())


@pytest.mark.full
def test_the_models_on_which_the_theorem_is_tried_are_many_and_have_the_six():
    assert len(hidden_from()) >= 20
    tables = [model.automaton(3).fair for model in hidden_from()]
    assert all(model.automaton(3).fair in tables for model in library())


@pytest.mark.full
@given(strategies.programs_and_no_ops(strategies.waiting_programs(threads=(1, 3), instructions=(1, 5)), most=3))
def test_under_a_model_that_hides_no_ops_a_program_has_the_verdicts_of_its_normal_form(both):
    """By the core, all models at once."""
    program, with_more = both
    ids = [written_out(normal_form(program)), written_out(with_more)]
    few = [id_ for id_ in ids if id_]
    assert len(set(judge(few, named(hidden_from())))) == 1


@pytest.mark.full
@given(
    strategies.programs_and_no_ops(strategies.waiting_programs(threads=(1, 2), instructions=(1, 4)), most=2),
    st.deferred(lambda: st.sampled_from(hidden_from())),
)
def test_the_twin_gives_a_program_with_no_ops_the_verdicts_of_its_normal_form(both, model):
    _, with_more = both
    assert twin_models.passes(with_more, model.fair) == twin_models.passes(normal_form(with_more), model.fair)


@pytest.mark.full
@pytest.mark.parametrize("sizes", [(1, 1), (2,), (1, 2), (2, 1)], ids=str)
def test_all_small_programs_with_no_ops_have_the_verdicts_of_their_normal_forms(sizes):
    """One location and two values; threads of no-ops alone, which vanish, are among them."""
    programs = [
        program
        for threads in itertools.product(*(brute.every_thread(size, 1, 2) for size in sizes))
        if has_no_ops(program := Program(threads)) and normal_form(program).threads
    ]
    models = named(hidden_from())
    forms = [written_out(normal_form(program)) for program in programs]
    assert judge([written_out(program) for program in programs], models) == judge(forms, models)


@pytest.mark.full
def test_all_programs_of_three_threads_with_a_thread_of_no_ops_have_the_verdicts_of_those_without_it():
    threads = brute.every_thread(1, 1, 2)
    programs = [Program(chosen) for chosen in itertools.product(threads, repeat=3)]
    programs = [program for program in programs if has_no_ops(program) and normal_form(program).threads]
    models = named(hidden_from())
    forms = [written_out(normal_form(program)) for program in programs]
    assert judge([written_out(program) for program in programs], models) == judge(forms, models)


@pytest.mark.parametrize(
    ("model", "id_"),
    [
        (read_model("odd = live - lowest(stepped)", "here"), "00_10010-0000"),  # a step takes a promise away
        (read_model("waiting = lowest(live - stepped)", "here"), "00_0-00_10010"),
        (read_model("first = live & lowest(all)", "here"), "00_1-0010-00_0"),  # who has gone is the lowest all the same
        (further_model("resident-1"), "00100000-00_101_0"),  # a no-op is enough to get the place
        (further_model("round-robin"), "0010-00_10100"),  # and takes a turn
        # With a third thread, whatever it does, the second is promised more, also where all is as it was at the start.
        (read_model("middle = lowest(live) | live - lowest(all) - highest(all)", "here"), "0000-0010-00_1"),
    ],
    ids=lambda value: getattr(value, "name", value),
)
def test_a_model_that_sees_no_ops_may_tell_a_program_from_its_normal_form(model, id_):
    assert not hides_no_ops(model, 3)
    program = program_of_id(id_)
    form = normal_form(program)
    of_program, normal = (passes(form_, model.automaton(len(form_))) for form_ in (program, form))
    assert of_program != normal
    assert judge([id_], (model,)) != judge([written_out(form)], (model,))


def test_how_many_threads_are_resident_decides_whether_no_ops_are_hidden():
    """Where all threads have a place, nobody takes it away from another."""
    two = further_model("resident-2")
    assert hides_no_ops(two, 2)
    assert not hides_no_ops(two, 3)


@given(strategies.model_expressions())
def test_the_conditions_of_a_model_are_those_of_the_twin(text):
    model = read_model(f"m = {text}", "drawn")
    assert hides_no_ops(model, 3) == twin.hides_no_ops([model.automaton(count) for count in (1, 2, 3)])


@settings(max_examples=60)
@given(st.data())
def test_the_conditions_of_any_automata_are_those_of_the_twin(data):
    """Of automata that have nothing to do with each other, too: each of the two parts is asked alone."""
    smaller, larger = data.draw(strategies.automata(1)), data.draw(strategies.automata(2))
    thread = data.draw(st.integers(0, 1))
    assert repeats_are_hidden(larger) == twin.meets_1_to_4(larger)
    assert can_lose(larger, smaller, thread) == twin.meets_5_to_7(larger, smaller, thread)
