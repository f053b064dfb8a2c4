"""Test one step: the clauses of an instruction leave exactly the steps that the definitions describe."""

import itertools

import pytest
from pysat.solvers import Solver

from clauses import fields_of_one
from synth_checker.programs.program import Instruction, Program, Thread
from synth_checker.twin import semantics
from synth_encodings import step as step_module
from synth_encodings.cnf import Cnf
from synth_encodings.step import local_edges
from synth_encodings.variables import ProgramVariables

SIZE = 2  # so that a target can be an instruction's own location, an earlier one, the next, or the end behind it
UP_TO_THREE = pytest.mark.parametrize(("locations", "values"), list(itertools.product((1, 2, 3), repeat=2)))


def encoded(locations, values):
    """The clauses of one thread, and its instructions with their steps."""
    cnf = Cnf()
    steps = local_edges(cnf, ProgramVariables(cnf, (SIZE,), locations, values))
    return cnf, steps


def every_instruction(locations, values):
    for loc, check, exch, target in itertools.product(
        range(locations), range(values), (None, *range(values)), range(SIZE + 1)
    ):
        yield Instruction(loc, check, target, exch)


def outcomes(instruction, pc, memory):
    """What the definitions say of the instruction in a memory: its comparison, the memory and the pc after it."""
    filler = Instruction(0, 0, 0)
    program = Program((Thread(tuple(instruction if k == pc else filler for k in range(SIZE))),))
    state = semantics.State(memory, (pc,))
    after = semantics.step(program, state, 0)
    return semantics.is_taken(program, state, 0), after.memory, after.pcs[0]


def demanded(steps, instruction):
    """Each literal of the instruction's steps as it has to be: true or negated."""
    literals = []
    for memory, edges in steps.edges.items():
        taken, memory_after, pc_after = outcomes(instruction, steps.instruction.pc, memory)
        literals.append(steps.taken[memory] * (1 if taken else -1))
        literals.append(steps.unchanged[memory] * (1 if memory_after == memory else -1))
        literals += [e.literal * (1 if (e.memory, e.pc) == (memory_after, pc_after) else -1) for e in edges]
        assert [(e.memory, e.pc) for e in edges].count((memory_after, pc_after)) == 1
    return literals


def wrong_instructions(locations, values):
    """The (pc, instruction) for which some model of the clauses has other edges, or none has these."""
    cnf, all_steps = encoded(locations, values)
    wrong = []
    with Solver("cadical195", bootstrap_with=cnf.clauses) as solver:
        for steps in all_steps:
            for instruction in every_instruction(locations, values):
                fields = fields_of_one(steps.instruction, instruction)
                literals = demanded(steps, instruction)
                switch = cnf.new()
                solver.add_clause([-switch, *(-literal for literal in literals)])
                as_demanded = solver.solve(assumptions=fields + literals)
                otherwise = solver.solve(assumptions=[*fields, switch])
                if not as_demanded or otherwise:
                    wrong.append((steps.instruction.pc, instruction))
                solver.add_clause([-switch])
    return wrong


@UP_TO_THREE
def test_an_instruction_has_exactly_the_edge_of_the_definitions_in_every_memory(locations, values):
    assert wrong_instructions(locations, values) == []


@UP_TO_THREE
def test_every_memory_has_edges_for_every_outcome_once(locations, values):
    """To the same memory or one with another value at one location, and to every pc."""
    _, all_steps = encoded(locations, values)
    memories = set(itertools.product(range(values), repeat=locations))
    for steps in all_steps:
        assert set(steps.edges) == memories
        for memory, edges in steps.edges.items():
            near = {m for m in memories if sum(a != b for a, b in zip(memory, m, strict=True)) <= 1}
            assert sorted((e.memory, e.pc) for e in edges) == sorted(itertools.product(near, range(SIZE + 1)))


@UP_TO_THREE
def test_every_model_is_an_instruction_and_every_instruction_a_model(locations, values):
    """The clauses say nothing of the fields but that each has one value, so models differ in their instructions."""
    cnf, all_steps = encoded(locations, values)
    fields = all_steps[0].instruction.fields
    variables = [v for field in fields for v in field.variables]
    rows = []
    with Solver("cadical195", bootstrap_with=cnf.clauses) as solver:
        while solver.solve():
            true = {literal for literal in solver.get_model() if abs(literal) in variables} | {1}
            rows.append(tuple(tuple(k for k, literal in enumerate(f.literals) if literal in true) for f in fields))
            solver.add_clause([-literal for literal in true if literal != 1])
    per_field = [[(value,) for value in range(len(field))] for field in fields]
    assert sorted(rows) == sorted(itertools.product(*per_field))


@pytest.mark.parametrize("relation", ["_compares", "_leaves", "_writes"])
def test_a_missing_clause_would_be_noticed(relation, monkeypatch):
    """For each of the three relations behind the edges, whichever of its clauses is left out."""
    whole = getattr(step_module, relation)
    most = max(len(whole(2, 2, 1, 1)) if relation == "_writes" else len(whole(2, (0, 1))), 1)
    for left_out in range(most):

        def lacking(*arguments, left_out=left_out):
            clauses = whole(*arguments)
            return clauses[:left_out] + clauses[left_out + 1 :]

        monkeypatch.setattr(step_module, relation, lacking)
        assert wrong_instructions(2, 2)
