"""Test the lazy encoding: a refutation refutes no test, and the completions of a skeleton are all its tests."""

import functools
import itertools
import random

import pytest
from hypothesis import given, settings
from pysat.solvers import Solver

import brute
import strategies
from clauses import fields_of, sizes_of
from quick import examples, mostly_full
from synth_checker.errors import InternalError
from synth_checker.programs.normal import normal_form, program_of_id, written_out
from synth_checker.programs.program import Instruction, Program, Thread
from synth_checker.programs.rules import DROPPABLE
from synth_checker.twin.rules import broken_rules
from synth_encodings.lazy import LazyEncoding, open_places
from synth_encodings.states import is_true

RULES_DROPPED = [(), *((rule,) for rule in DROPPABLE), DROPPABLE]
rules_dropped = pytest.mark.parametrize("without", RULES_DROPPED, ids=" ".join)


@functools.cache
def encoding_of(sizes, without=(), locations=2, values=2):
    return LazyEncoding(sizes, locations, values, without)


def model_of(encoding, program):
    """The model of the clauses that is this program, None where they have none."""
    with Solver("cadical195", bootstrap_with=encoding.cnf.clauses) as solver:
        return solver.get_model() if solver.solve(assumptions=fields_of(encoding.program, program)) else None


def answer_to(encoding, program):
    model = model_of(encoding, program)
    return None if model is None else encoding.answer(model)


# --- programs that are refuted ---


@pytest.mark.full
@rules_dropped
@settings(max_examples=examples(40))
@given(program=strategies.programs(threads=(2, 3), instructions=(2, 4)) | strategies.waiting_programs(threads=(2, 3)))
def test_a_program_is_refuted_exactly_if_it_breaks_a_rule_in_force(without, program):
    program = normal_form(program, keep_store_checks="meaningful-comparisons" in without)
    encoding = encoding_of(sizes_of(program), without)
    is_test = not broken_rules(program) - set(without)
    if not len(program) or program.locations() > encoding.locations:
        assert not is_test
        return
    answer = answer_to(encoding, program)
    assert (answer is not None and written_out(program) in answer.tests) == is_test
    assert answer is None or (answer.clauses and bool(answer.tests) == is_test)


@functools.cache
def all_tests(sizes, without, values=2):
    """All tests of a split, by brute force."""
    ids = brute.ids(len(sizes), sum(sizes), values=values, without=without)
    return [p for p in map(program_of_id, ids) if sizes_of(p) == sizes]


@functools.cache
def models_of_all_tests(sizes, without=(), values=2):
    """The model of each test of a split; the fields decide all that a clause can say."""
    encoding = encoding_of(sizes, without, values=values)
    return {written_out(test): model_of(encoding, test) for test in all_tests(sizes, without, values)}


def lost_tests(clause, models):
    """The tests that a clause refutes."""
    return [id_ for id_, model in models.items() if not any(is_true(model, literal) for literal in clause)]


def refuted_programs(encoding, number, seed):
    """Proposals of the clauses that are no tests, each with what refutes it."""
    chosen = random.Random(seed)
    programs = []
    with Solver("cadical195", bootstrap_with=encoding.cnf.clauses) as solver:
        while len(programs) < number:
            fields = [chosen.choice(f.literals) for i in encoding.program.instructions for f in i.fields]
            if solver.solve(assumptions=fields):
                model = solver.get_model()
                answer = encoding.answer(model)
                if not answer.tests:
                    programs.append((model, answer.clauses))
    return programs


@pytest.mark.parametrize(
    ("sizes", "without", "values"),
    [
        ((2, 1), (), 2),
        ((1, 1), DROPPABLE, 2),
        ((1, 1, 1), (), 2),
        pytest.param((2, 1), DROPPABLE, 2, marks=pytest.mark.full),
        ((1, 1), (), 3),
    ],
    ids=str,
)
def test_no_test_is_refuted_with_a_program_that_is_none(sizes, without, values):
    encoding = encoding_of(sizes, without, values=values)
    models = models_of_all_tests(sizes, without, values)
    assert models
    clauses = {tuple(clause) for _, clauses in refuted_programs(encoding, 60, 1) for clause in clauses}
    assert len(clauses) > 10
    for clause in clauses:
        assert lost_tests(clause, models) == []


def test_a_clause_that_says_too_much_would_be_seen():
    """Of what refutes a program no literal can be left out without losing a test, for some of them."""
    encoding, models = encoding_of((2, 1)), models_of_all_tests((2, 1))
    clauses = [clause for _, clauses in refuted_programs(encoding, 40, 2) for clause in clauses]
    shorter = [clause[:k] + clause[k + 1 :] for clause in clauses for k in range(len(clause))]
    assert any(lost_tests(clause, models) for clause in shorter)


def test_a_reason_that_does_not_hold_of_the_program_is_a_defect(monkeypatch):
    encoding = LazyEncoding((1, 1), 2, 2)
    (model, clauses), *_ = refuted_programs(encoding, 1, 3)

    class Deluded:
        def refuted_by(self, id_):  # noqa: ARG002
            return [[-literal for literal in clauses[0]]]

    monkeypatch.setattr(encoding, "_checker", Deluded())
    with pytest.raises(InternalError, match="do not apply to it"):
        encoding.answer(model)


# --- skeletons that are completed ---


@pytest.mark.parametrize(
    ("sizes", "places"),
    [
        ((1,), []),
        ((1, 1), [0]),
        ((2, 1), [0, 1]),
        ((1, 1, 1), [0, 1]),
        ((3, 2), [1, 2]),
        ((2, 2), [1, 3]),
        ((2, 2, 1), [1, 3]),
        ((4, 1), [2, 3]),
    ],
)
def test_the_open_places_are_the_last_of_the_longest_threads(sizes, places):
    assert open_places(sizes) == places
    assert sorted(places + LazyEncoding.leading_places(sizes)) == list(range(sum(sizes)))


@rules_dropped
@mostly_full(("sizes", "values"), [((2, 1), 2), ((2, 2), 2), ((1, 1, 1), 3)], quick=2)
def test_a_skeleton_is_completed_by_all_its_tests(sizes, values, without):
    """Against the twin, over everything that can stand in the open places."""
    encoding = encoding_of(sizes, without, values=values)
    chosen = random.Random(4)
    with Solver("cadical195", bootstrap_with=encoding.cnf.clauses) as solver:
        while solver.solve():
            model = solver.get_model()
            tests, clauses = encoding.answer(model)
            if tests:
                break
            for clause in clauses:
                solver.add_clause(clause)
    skeleton = program_of_id(chosen.choice(tests))
    assert sorted(tests) == sorted(completions(skeleton, encoding.open, values, without))
    assert len(tests) > 1


def completions(skeleton, places, values, without):
    keep = "meaningful-comparisons" in without
    written = [instruction for _, _, instruction in skeleton.instructions()]
    sizes = sizes_of(skeleton)
    targets = [range(size + 1) for size in sizes for _ in range(size)]
    exchanges = [None, *range(values)]
    for chosen in itertools.product(
        *(itertools.product(range(2), range(values), exchanges, targets[place]) for place in places)
    ):
        for place, (loc, check, exch, target) in zip(places, chosen, strict=True):
            written[place] = Instruction(loc=loc, check=check, exch=exch, target=target)
        parts = iter(written)
        program = Program(tuple(Thread(tuple(itertools.islice(parts, size))) for size in sizes))
        if normal_form(program, keep_store_checks=keep) == program and not broken_rules(program) - set(without):
            yield written_out(program)


@pytest.mark.parametrize("sizes", [(1, 1), (2, 1), (1, 1, 1)])
def test_what_is_blocked_is_the_skeleton(sizes):
    """All that was found is blocked, and a test with another skeleton is not."""
    encoding, models = encoding_of(sizes), models_of_all_tests(sizes)
    for model in (min(models.items())[1], max(models.items())[1]):
        tests, (clause,) = encoding.answer(model)
        assert set(lost_tests(clause, models)) == set(tests)
