"""Test the rules as clauses: for a program with known reachable states, each rule says what its sentence says."""

import functools
from collections import Counter

import pytest
from hypothesis import given, settings
from pysat.solvers import Solver

import strategies
from clauses import Split, claims_of, fields_of, reached_states, sizes_of
from quick import examples, mostly_full
from synth_checker._native import reachable_states
from synth_checker.programs.normal import normal_form, written_out
from synth_checker.programs.rules import DROPPABLE, RULES
from synth_checker.programs.text import read_program
from synth_checker.twin.rules import HOLDS, broken_rules
from synth_checker.twin.semantics import lts
from synth_encodings import rules
from synth_encodings.cycle import non_termination_cycle
from synth_encodings.full import FullEncoding
from synth_encodings.termination import possible_termination, trap_clause


def with_executions(rule):
    return lambda split: rule(rules.ExecutionLiterals(split.cnf, split.states, split.steps))


CLAUSES = {
    "possible-termination": lambda split: possible_termination(split.cnf, split.states),
    "non-termination-cycle": lambda split: non_termination_cycle(split.cnf, split.states),
    "executed": lambda split: rules.executed(split.cnf, rules.ExecutionLiterals(split.cnf, split.states, split.steps)),
    "inter-thread-influence": lambda split: rules.inter_thread_influence(split.cnf, split.program),
    "all-branches": with_executions(rules.all_branches),
    "effective-stores": with_executions(rules.effective_stores),
    "meaningful-comparisons": lambda split: rules.meaningful_comparisons(split.cnf, split.program),
}
#: Which rules its clauses alone decide; a trap needs loop formulas, too.
DECIDED = [rule for rule in RULES if rule != "possible-termination"]

all_rules = pytest.mark.parametrize("rule", RULES)
decided_rules = pytest.mark.parametrize("rule", DECIDED)
limits = {"threads": (1, 3), "instructions": (1, 4)}
programs = strategies.programs(**limits, locations=2, values=3) | strategies.waiting_programs(**limits)


@functools.cache
def split_under(rule, sizes):
    """A split with the clauses of one rule and no others."""
    split = Split(sizes, locations=2, values=3)
    CLAUSES[rule](split)
    return split


def model_under(rule, program, more=()):
    """A model of the rule's clauses with this program and its reachable states; None if there is none."""
    split = split_under(rule, sizes_of(program))
    with Solver("cadical195", bootstrap_with=[*split.cnf.clauses, *more]) as solver:
        is_satisfiable = solver.solve(assumptions=[*split.fields_of(program), *split.claims_of(program)])
        return solver.get_model() if is_satisfiable else None


def allowed(rule, program):
    return model_under(rule, program) is not None


@decided_rules
@settings(max_examples=examples(100))
@given(program=programs)
def test_the_clauses_of_a_rule_allow_a_program_exactly_if_it_keeps_the_rule(rule, program):
    assert allowed(rule, program) == HOLDS[rule](program, lts(program))


@pytest.mark.full
@settings(max_examples=examples(40))
@given(programs)
def test_the_clauses_of_possible_termination_and_one_trap_decide_it(program):
    """Alone they rule out only programs that break it; the loop formula of the smallest trap rules out all others."""
    model = model_under("possible-termination", program)
    if model is not None:
        _, trapped = reachable_states(written_out(program), 2, 3)
        if trapped:
            split = split_under("possible-termination", sizes_of(program))
            model = model_under("possible-termination", program, [trap_clause(split.states, model, trapped)])
    assert (model is not None) == HOLDS["possible-termination"](program, lts(program))


BREAKING = {
    # Both wait for what nobody writes.
    "possible-termination": "THREAD 0 0: if (Mem[0] == 0) goto 0; THREAD 1 0: if (Mem[0] == 0) goto 0;",
    # Each looks once.
    "non-termination-cycle": "THREAD 0 0: if (Mem[0] == 0) goto END; THREAD 1 0: if (Mem[0] == 0) goto END;",
    # Instruction 1 is jumped over.
    "executed": "THREAD 0 0: if (Mem[0] == 0) goto END; 1: Mem[0] = 1; THREAD 1 0: if (Mem[0] == 0) goto 0;",
    # Nobody else uses location 1.
    "inter-thread-influence": "THREAD 0 0: if (Mem[0] == 0) goto 0; THREAD 1 0: Mem[0] = 1; 1: Mem[1] = 1;",
    # 1 is never read.
    "all-branches": "THREAD 0 0: if (Mem[0] == 1) goto 0; THREAD 1 0: if (Mem[0] == 1) goto 0;",
    # 0 is there already.
    "effective-stores": "THREAD 0 0: if (Mem[0] == 0) goto 0; THREAD 1 0: Mem[0] = 0;",
    "meaningful-comparisons": "THREAD 0 0: if (Mem[0] == 0) goto 0; THREAD 1 0: if (Exch(Mem[0],1) == 1) goto END;",
}
KEEPING_ALL = "THREAD 0 0: if (Mem[0] == 0) goto 0; THREAD 1 0: Mem[0] = 1;"


@all_rules
def test_a_program_that_breaks_a_rule_is_refused_and_one_that_keeps_all_is_not(rule):
    assert not allowed(rule, read_program(BREAKING[rule]))
    assert allowed(rule, read_program(KEEPING_ALL))


@pytest.mark.full
def test_random_programs_break_and_keep_each_rule():
    """Or the comparison with the twin would say nothing of it."""
    seen = Counter()

    @settings(max_examples=examples(300))
    @given(programs)
    def look(program):
        graph = lts(program)
        seen.update((rule, holds(program, graph)) for rule, holds in HOLDS.items())

    look()
    assert set(seen) == {(rule, held) for rule in RULES for held in (True, False)}


# --- all together, some dropped ---


@functools.cache
def encoding_of(sizes, without):
    return FullEncoding(sizes, 2, 2, without)


@mostly_full("without", [(), *((rule,) for rule in DROPPABLE), DROPPABLE], ids=" ".join, quick=3)
@settings(max_examples=examples(40))
@given(program=strategies.waiting_programs(threads=(2, 3), instructions=(2, 4)))
def test_a_splits_clauses_allow_a_normal_program_exactly_if_it_keeps_the_rules_in_force(without, program):
    """A program that can always end, which the clauses alone don't decide."""
    program = normal_form(program, keep_store_checks="meaningful-comparisons" in without)
    encoding = encoding_of(sizes_of(program), without)
    is_test = not broken_rules(program) - set(without)
    if program.locations() > encoding.locations:
        assert not is_test  # so many locations are never of use
        return
    assumed = fields_of(encoding.program, program)
    assumed += claims_of(encoding.states, reached_states(program, encoding.locations))
    with Solver("cadical195", bootstrap_with=encoding.cnf.clauses) as solver:
        assert solver.solve(assumptions=assumed) == is_test
