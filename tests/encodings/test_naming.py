"""Test the clauses of the normal form: they leave one of several programs that differ only in no-ops and names."""

import itertools

import pytest
from pysat.solvers import Solver

import brute
from quick import mostly_full
from synth_checker.programs.normal import id_of, normal_form, written_out
from synth_checker.programs.program import Program
from synth_encodings import normal_form as naming
from synth_encodings import rules
from synth_encodings.cnf import Cnf
from synth_encodings.variables import ProgramVariables

SMALL = [
    ((1,), 2, 3),
    ((3,), 1, 2),
    ((2,), 3, 3),
    ((1, 1), 1, 4),
    ((1, 1), 3, 3),
    ((2, 1), 2, 2),
    ((1, 1, 1), 3, 1),
    ((1, 1, 1), 2, 2),
]


def programs_of_the_clauses(sizes, locations, values, *, keep_store_checks):
    """The ids of all models, in the order in which the solver finds them."""
    cnf = Cnf()
    variables = ProgramVariables(cnf, sizes, locations, values)
    naming.normal_form(cnf, variables)
    if not keep_store_checks:
        rules.meaningful_comparisons(cnf, variables)
    ids = []
    with Solver("cadical195", bootstrap_with=cnf.clauses) as solver:
        while solver.solve():
            id_, fields = variables.decode(solver.get_model())
            ids.append(id_)
            solver.add_clause([-literal for literal in fields])
    return ids


def every_program(sizes, locations, values):
    """No-ops, any names: all that the fields can say."""
    return map(Program, itertools.product(*(brute.every_thread(size, locations, values) for size in sizes)))


@pytest.mark.parametrize("keep_store_checks", [False, True])
@mostly_full(("sizes", "locations", "values"), SMALL, quick=2)
def test_the_models_are_the_programs_in_normal_form_each_once(sizes, locations, values, keep_store_checks):
    normal = [
        written_out(program)
        for program in every_program(sizes, locations, values)
        if normal_form(program, keep_store_checks=keep_store_checks) == program
    ]
    ids = programs_of_the_clauses(sizes, locations, values, keep_store_checks=keep_store_checks)
    assert sorted(ids) == sorted(normal)


@pytest.mark.full
@mostly_full("keep_store_checks", [False, True])
def test_no_program_is_lost(keep_store_checks):
    """Every program of a split without no-ops, whatever its names, has its normal form among the models."""
    ids = {
        id_of(program, keep_store_checks=keep_store_checks)
        for program in every_program((2, 1), 2, 2)
        if not any(i.exch is None and i.target == pc + 1 for _, pc, i in program.instructions())
    }
    assert ids == set(programs_of_the_clauses((2, 1), 2, 2, keep_store_checks=keep_store_checks))
