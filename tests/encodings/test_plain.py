"""Test the plain encoding: its models are exactly the tests of each split, and it needs each family of its clauses."""

import ast
import itertools
from pathlib import Path

import pytest
from hypothesis import given, settings
from pysat.formula import CNF
from pysat.solvers import Solver

import brute
import strategies
from clauses import reached_states, sizes_of
from quick import examples, mostly_full
from synth_checker.errors import InputError, LimitError
from synth_checker.programs.normal import program_of_id, written_out
from synth_checker.programs.rules import DROPPABLE
from synth_checker.twin.normal import is_normal
from synth_checker.twin.rules import broken_rules
from synth_encodings import plain
from synth_encodings.plain import MAX_STATES, plain_formula
from synth_encodings.plain.fields import Fields
from synth_encodings.plain.formula import Formula
from synth_encodings.plain.states import PlainState

SOLVER = "glucose4"


def true_in(solver):
    return {literal for literal in solver.get_model() if literal > 0}


def models_of(sizes, locations, values, without):
    """The ids that the models of the formula write out, each model blocked by its program."""
    formula, fields = plain_formula(sizes, locations, values, without)
    with Solver(SOLVER, bootstrap_with=formula.clauses) as solver:
        while solver.solve():
            program = fields.program_of(true_in(solver))
            yield written_out(program)
            solver.add_clause(fields.blocking(program))


# --- exact ---

NO_RULE = ()
RULES_DROPPED = [NO_RULE, *((rule,) for rule in DROPPABLE), DROPPABLE]
dropped = mostly_full("without", RULES_DROPPED, ids=lambda without: ",".join(without) or "none", quick=2)


def check_against_brute_force(threads, instructions, locations, values, without):
    ids = [id_ for sizes in brute.splits(threads, instructions) for id_ in models_of(sizes, locations, values, without)]
    assert sorted(ids) == brute.ids(threads, instructions, locations=locations, values=values, without=without)


@dropped
@mostly_full(("locations", "values"), [(1, 1), (1, 2), (2, 2), (1, 3), (2, 3), (3, 2)], quick=6)
def test_the_models_of_2x2_are_what_brute_force_finds(locations, values, without):
    check_against_brute_force(2, 2, locations, values, without)


@dropped
def test_the_models_of_2x3_with_one_location_are_what_brute_force_finds(without):
    check_against_brute_force(2, 3, 1, 2, without)


@pytest.mark.full
@dropped
def test_the_models_of_2x3_are_what_brute_force_finds(without):
    check_against_brute_force(2, 3, 2, 2, without)


def test_the_models_of_2x3_without_effective_stores_are_as_published(published):
    ids = [id_ for sizes in [(2, 1), (1, 2)] for id_ in models_of(sizes, 2, 2, ("effective-stores",))]
    assert sorted(ids) == sorted(written_out(test.program) for test in published("2x3"))


@pytest.mark.parametrize("bound", [(1, 1), (1, 2), (1, 3)])
def test_one_thread_has_no_tests(bound):
    assert list(models_of((bound[1],), 2, 2, ())) == []


# --- reachability ---

UP_TO_FOUNDATION = ("fields", "comparison", "write", "jump", "edge", "start", "closure", "foundation")


@settings(max_examples=examples(25))
@given(strategies.programs(threads=(1, 3), instructions=(1, 4)))
def test_the_reached_states_are_exactly_those_that_the_twin_reaches(program):
    """Whatever ranks a model chooses: each state is in it if and only if it is reachable."""
    sizes = sizes_of(program)
    formula, fields = plain_formula(sizes, 2, 2)
    numbers = {name: number for number, name in enumerate(formula.names, 1)}
    reached = {PlainState(*state) for state in reached_states(program, 2)}
    pcs = itertools.product(*(range(size + 1) for size in sizes))
    every = [PlainState(memory, pc) for pc in pcs for memory in itertools.product(range(2), repeat=2)]
    clauses = [clause for family in UP_TO_FOUNDATION for clause in formula.families[family]]
    with Solver(SOLVER, bootstrap_with=[*clauses, *([-literal] for literal in fields.blocking(program))]) as solver:
        for state in every:
            claim = numbers[f"reached {state}"]
            assert solver.solve(assumptions=[claim]) == (state in reached)
            assert solver.solve(assumptions=[-claim]) == (state not in reached)


# --- each family is needed ---

DEFAULT = ((2, 1), 2, 2, ())
#: Where the default question does not show it: with two values no name is above 1; and a branch or a store that has
#: any effect is executed.
ELSEWHERE = {
    "values by first use": ((1, 1), 1, 3, ()),
    "executed": ((2, 1), 2, 2, ("all-branches", "effective-stores")),
}
FAMILIES = list(plain_formula(*DEFAULT)[0].families)
#: Said for the reader: reached states have causes of ever lower ranks, which only the start does without.
IMPLIED = {"start"}


def blocked(sizes, locations, values, without):
    """The formula of a question without what brute force finds, and its fields."""
    formula, fields = plain_formula(sizes, locations, values, without)
    ids = brute.ids(len(sizes), sum(sizes), locations=locations, values=values, without=without)
    tests = [program for program in map(program_of_id, ids) if sizes_of(program) == sizes]
    return formula, fields, [fields.blocking(test) for test in tests]


@mostly_full("family", FAMILIES, quick=4)
def test_without_a_family_something_that_is_no_test_gets_through(family):
    sizes, locations, values, without = ELSEWHERE.get(family, DEFAULT)
    formula, fields, blocking = blocked(sizes, locations, values, without)
    others = [clause for name, clauses in formula.families.items() if name != family for clause in clauses]
    assert others != formula.clauses
    with Solver(SOLVER, bootstrap_with=[*others, *blocking]) as solver:
        assert solver.solve() == (family not in IMPLIED)
        if family not in IMPLIED:
            let_through = fields.program_of(true_in(solver))
    with Solver(SOLVER, bootstrap_with=[*formula.clauses, *blocking]) as solver:
        assert not solver.solve()
    if family in IMPLIED | {"fields"}:  # without these no program, or more than one, is let through
        return
    keep = "meaningful-comparisons" in without
    assert broken_rules(let_through) - set(without) or not is_normal(let_through, keep_store_checks=keep)


# --- reading and writing ---


@pytest.mark.full
def test_the_dimacs_text_is_the_formula_with_the_blocking_clauses_last():
    formula, fields, blocking = blocked(*DEFAULT)
    text = "\n".join(formula.dimacs(blocking))
    read = CNF(from_string=text)
    assert [tuple(clause) for clause in read.clauses] == [*formula.clauses, *blocking]
    assert read.nv == len(formula.names)
    comments, _, clauses = text.partition("\np cnf ")
    assert all(line.startswith("c ") for line in comments.splitlines())
    assert "c variable 1: loc 0:0 = 0" in comments
    assert f"c clauses {len(formula.clauses) + 1} to {len(read.clauses)}: blocked" in comments
    assert "cnf" not in comments  # drat-trim looks for this word, comment or not
    assert "c" not in clauses
    assert fields.program_of({-literal for literal in blocking[0]}) is not None


def test_each_variable_has_a_name_of_its_own():
    formula, _ = plain_formula((2, 1, 1), 2, 3)
    assert len(set(formula.names)) == len(formula.names)
    assert {abs(literal) for clause in formula.clauses for literal in clause} == set(range(1, len(formula.names) + 1))


@given(strategies.programs(threads=(2, 2), instructions=(2, 4), values=3))
def test_a_blocking_clause_is_read_back_as_its_program(program):
    fields = Fields(Formula(), sizes_of(program), 2, 3)
    clause = fields.blocking(program)
    assert len(clause) == fields.count
    literals = {-literal for literal in clause}
    assert fields.program_of(literals) == program
    assert fields.program_of(literals - {-clause[0]}) is None


@pytest.mark.parametrize("other", ["0000-0010-0000", "00100002-0010", "2000-0010", "0200-0010", "0020-0010"])
def test_a_program_of_another_split_or_with_more_names_can_not_be_blocked(other):
    fields = Fields(Formula(), (1, 1), 2, 2)
    with pytest.raises(InputError, match=r"expected one of split 1\+1, with at most 2 locations and 2 values"):
        fields.blocking(program_of_id(other))


@pytest.mark.parametrize(
    ("sizes", "locations", "values", "shown"),
    [((1, 1), 9, 2, "2,048"), ((1, 1), 36, 36, "more than a thousand million"), ((3,) * 5, 1, 2, "2,048")],
)
def test_a_split_with_too_many_states_is_refused(sizes, locations, values, shown):
    with pytest.raises(LimitError, match=f"has {shown} possible states, expected at most {MAX_STATES:,}"):
        plain_formula(sizes, locations, values)


def test_the_plain_encoding_shares_no_code_with_the_engines():
    """Of ours it imports itself, the type of a program, and the exceptions."""
    imported = {
        node.module
        for path in Path(plain.__file__).parent.glob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ImportFrom) and node.module.startswith("synth")
    }
    assert {name for name in imported if not name.startswith("synth_encodings.plain")} == {
        "synth_checker.errors",
        "synth_checker.programs.program",
    }
