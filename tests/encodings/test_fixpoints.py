"""Test reachability and possible termination: clauses and loop formulas leave exactly the least fixpoints."""

import functools
import itertools
from collections import Counter

import pytest
from hypothesis import given, settings
from pysat.solvers import Solver

import brute
import strategies
from clauses import Split, claimed_states, claims_of, fields_of, reached_states, sizes_of
from quick import examples, mostly_full
from synth_checker.errors import InternalError
from synth_checker.programs.normal import program_of_id
from synth_checker.programs.program import Program
from synth_checker.programs.rules import DROPPABLE
from synth_checker.twin.rules import possible_termination
from synth_checker.twin.semantics import lts
from synth_encodings import full as full_module
from synth_encodings.full import FullEncoding
from synth_encodings.states import closure_clauses, is_true, reached_by_solution, support_clauses, unfounded_clauses
from synth_encodings.termination import trap_clause

# --- all loop formulas of tiny splits, said outright ---


def add_all_loop_formulas(split):
    """Of a set of states without the start, one is reachable only if a step leads in from a reachable one outside."""
    cnf, states = split.cnf, split.states
    for size in range(1, len(states.all)):
        for members in map(set, itertools.combinations(range(1, len(states.all)), size)):
            into = [step for number in members for step in states.predecessors[number] if step.state not in members]
            ways = [cnf.all_of((states.reachable[before], edge)) for before, edge in into]
            for number in members:
                cnf.add((-states.reachable[number], *ways))


def every_claim(split, program):
    """Each set of states that the clauses let the program claim reachable."""
    claims = []
    with Solver("cadical195", bootstrap_with=split.cnf.clauses) as solver:
        fields = split.fields_of(program)
        while solver.solve(assumptions=fields):
            claimed = claimed_states(split.states, solver.get_model())
            claims.append(claimed)
            solver.add_clause([-literal for literal in claims_of(split.states, claimed)])
    return claims


def every_program(sizes, locations, values):
    return [Program(p) for p in itertools.product(*(brute.every_thread(size, locations, values) for size in sizes))]


tiny = pytest.mark.parametrize(("sizes", "locations", "values"), [((2,), 1, 2), ((1, 1), 1, 2)])


@tiny
@pytest.mark.parametrize("with_support", [True, False], ids=["support", "no support"])
def test_closure_and_all_loop_formulas_leave_exactly_the_reachable_states(sizes, locations, values, with_support):
    """Support adds nothing: it is the loop formulas of single states."""
    split = Split(sizes, locations, values)
    closure_clauses(split.cnf, split.states)
    if with_support:
        support_clauses(split.cnf, split.states)
    add_all_loop_formulas(split)
    for program in every_program(sizes, locations, values):
        assert every_claim(split, program) == [reached_states(program, locations)]


def test_without_loop_formulas_some_program_may_claim_more():
    """Though never less, and never a set with a state that no step leads to."""
    split = Split((2,), 1, 2)
    closure_clauses(split.cnf, split.states)
    support_clauses(split.cnf, split.states)
    claims = {program: every_claim(split, program) for program in every_program((2,), 1, 2)}
    assert all(reached_states(program, 1) in claims_of_program for program, claims_of_program in claims.items())
    assert all(
        set(lts(program)) <= claimed for program, claims_of_program in claims.items() for claimed in claims_of_program
    )
    assert max(map(len, claims.values())) > 1


# --- the loop formulas that models ask for ---


def claims_left(split, program):
    """Each claim that no loop formula refutes, when formulas are added as models break them."""
    claims = []
    with Solver("cadical195", bootstrap_with=split.cnf.clauses) as solver:
        fields = split.fields_of(program)
        while solver.solve(assumptions=fields):
            model = solver.get_model()
            clauses = unfounded_clauses(split.states, model)
            if not clauses:
                claims.append(claimed_states(split.states, model))
                clauses = [[-literal for literal in claims_of(split.states, claims[-1])]]
            for clause in clauses:
                assert not any(is_true(model, literal) for literal in clause)
                solver.add_clause(clause)
    return claims


@functools.cache
def split_with(sizes, *parts):
    """A split with some clauses; the same one every time."""
    split = Split(sizes)
    for part in parts:
        part(split.cnf, split.states)
    return split


programs = strategies.programs(threads=(1, 3), instructions=(1, 4))
waiting_programs = strategies.waiting_programs(threads=(1, 3), instructions=(1, 4))


@given(programs | waiting_programs)
def test_the_loop_formulas_that_models_break_leave_exactly_the_reachable_states(program):
    split = split_with(sizes_of(program), closure_clauses, support_clauses)
    assert claims_left(split, program) == [reached_states(program, 2)]


@settings(max_examples=examples(50))
@given(programs | waiting_programs)
def test_without_support_the_same_states_are_left(program):
    split = split_with(sizes_of(program), closure_clauses)
    assert claims_left(split, program) == [reached_states(program, 2)]


@given(programs | waiting_programs)
def test_a_models_program_reaches_what_the_definitions_say_whatever_the_model_claims(program):
    split = split_with(sizes_of(program))
    with Solver("cadical195", bootstrap_with=split.cnf.clauses) as solver:
        assert solver.solve(assumptions=split.fields_of(program))
        reached = reached_by_solution(split.states, solver.get_model())
    assert {split.states.all[number] for number in reached} == reached_states(program, 2)


@pytest.mark.full
@given(programs | waiting_programs)
def test_a_trap_is_found_exactly_where_a_program_cannot_always_end(program):
    """And its loop formula is broken by the program that has the trap."""
    split = split_with(sizes_of(program))
    assumed = [*split.fields_of(program), *split.claims_of(program)]
    with Solver("cadical195", bootstrap_with=split.cnf.clauses) as solver:
        assert solver.solve(assumptions=assumed)
        model = solver.get_model()
        _, trapped = full_module.reachable_states(brute.written_out(program), 2, 2)
        assert bool(trapped) == (not possible_termination(program, lts(program)))
        if trapped:
            clause = trap_clause(split.states, model, trapped)
            assert not any(is_true(model, literal) for literal in clause)
            solver.add_clause(clause)
            assert not solver.solve(assumptions=assumed)


# --- inside the engine's loop ---


class Search:
    """All that the loop of the SAT engine meets in a split: its tests, and each refuted model with its clauses.

    With `ignoring`, one of the two kinds of clauses is not used: what it would refute is taken for a test.
    """

    def __init__(self, sizes, without=(), ignoring=None):
        self.encoding = FullEncoding(sizes, 2, 2, without)
        self.tests = []
        self.refuted = []
        kinds = {"trap_clause": "trap", "unfounded_clauses": "unfounded"}
        with pytest.MonkeyPatch.context() as patch, Solver("cadical195", bootstrap_with=self._clauses()) as solver:
            for name, kind in kinds.items():
                patch.setattr(full_module, name, self._noting(kind, getattr(full_module, name)))
            while solver.solve():
                model = solver.get_model()
                id_, blocking = self.encoding.decode(model)
                clauses = self.encoding.refuted_by(model, id_)
                if clauses and self._kind != ignoring:
                    self.refuted.append((self._kind, model, clauses))
                else:
                    self.tests.append(id_)
                    clauses = [blocking]
                for clause in clauses:
                    solver.add_clause(clause)

    def _clauses(self):
        return self.encoding.cnf.clauses

    def _noting(self, kind, function):
        def noted(*arguments):
            self._kind = kind
            return function(*arguments)

        return noted

    def model_of(self, id_):
        """The model of a test."""
        states, program = self.encoding.states, program_of_id(id_)
        assumed = fields_of(self.encoding.program, program)
        assumed += claims_of(states, reached_states(program, self.encoding.locations))
        with Solver("cadical195", bootstrap_with=self._clauses()) as solver:
            assert solver.solve(assumptions=assumed)
            return solver.get_model()


@functools.cache
def search(sizes, without=()):
    return Search(sizes, without)


splits = mostly_full(
    ("sizes", "without"),
    [((2, 1), ()), ((2, 1), DROPPABLE), ((1, 1, 1), DROPPABLE), pytest.param((2, 2), (), marks=pytest.mark.exhaustive)],
    quick=2,
)


@splits
def test_what_refutes_a_model_is_false_in_it_and_true_of_every_test(sizes, without):
    result = search(sizes, without)
    assert result.refuted
    clauses = {tuple(clause) for _, _, refuting in result.refuted for clause in refuting}
    for _, model, refuting in result.refuted:
        assert not any(is_true(model, literal) for clause in refuting for literal in clause)
    for id_ in result.tests:
        true = {literal for literal in result.model_of(id_) if literal}
        assert [clause for clause in clauses if true.isdisjoint(clause)] == []


def test_both_kinds_of_loop_formulas_are_met():
    assert set(Counter(kind for kind, _, _ in search((2, 1)).refuted)) == {"trap", "unfounded"}


@pytest.mark.parametrize("kind", ["trap", "unfounded"])
def test_each_kind_of_loop_formula_is_needed(kind):
    """Without it programs pass for tests that are none; no test is lost, for all that a loop formula does is refute."""
    assert set(search((2, 1)).tests) < set(Search((2, 1), ignoring=kind).tests)


@splits
def test_dropping_support_changes_no_result(sizes, without, monkeypatch):
    tests = sorted(search(sizes, without).tests)
    monkeypatch.setattr(full_module, "support_clauses", lambda *_: None)
    assert sorted(Search(sizes, without).tests) == tests


def test_a_model_that_claims_too_little_is_an_internal_error():
    """The clauses rule it out; if they ever should not, it must not pass for a test."""
    result = search((2, 1))
    model = result.model_of(result.tests[0])
    reached = next(literal for literal in reversed(result.encoding.states.reachable) if model[literal - 1] > 0)
    model[reached - 1] = -reached
    with pytest.raises(InternalError, match="no clause refutes it"):
        result.encoding.refuted_by(model, result.tests[0])


def test_a_model_judged_as_another_program_is_an_internal_error():
    result = search((2, 1))
    model = result.model_of(result.tests[0])
    other = next(
        id_
        for id_ in result.tests
        if reached_states(program_of_id(id_), 1) != reached_states(program_of_id(result.tests[0]), 1)
    )
    with pytest.raises(InternalError, match=other):
        result.encoding.refuted_by(model, other)


# --- what is lost or gained is noticed ---


def engine_finds_what_brute_force_does():
    expected = [id_ for id_ in brute.ids(2, 3) if sizes_of(program_of_id(id_)) == (2, 1)]
    return sorted(Search((2, 1)).tests) == expected


def only(function, kept):
    return lambda *arguments: [clause[:kept] for clause in function(*arguments)]


def far_states_unreachable(cnf, states):
    """What a limit on ranks that is too small would say: here, the last state is never reached."""
    closure_clauses(cnf, states)
    cnf.add((-states.reachable[-1],))


FAULTS = {
    "a loop formula with a way in forgotten": ("unfounded_clauses", only(unfounded_clauses, 1)),
    "a trap's formula with an edge forgotten": ("trap_clause", lambda *a: trap_clause(*a)[:-1]),
    "states beyond a limit": ("closure_clauses", far_states_unreachable),
    "no cycle": ("non_termination_cycle", lambda *_: None),
}


def test_the_engine_without_a_fault_finds_what_brute_force_finds():
    assert engine_finds_what_brute_force_does()


@pytest.mark.parametrize("fault", FAULTS)
def test_brute_force_notices_each_planted_fault_of_the_encoding(fault, monkeypatch):
    name, faulty = FAULTS[fault]
    monkeypatch.setattr(full_module, name, faulty)
    assert not engine_finds_what_brute_force_does()
