"""Test that formulas mean what the numbers say: folding, evaluation, and the solver agree."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from quick import examples
from synth_kernels.operators import BINARY, CASTS, is_undefined
from synth_kernels.terms import Terms, evaluate, script
from synth_solvers.client import Solver


@pytest.fixture(scope="module")
def solver():
    with Solver(seconds=120.0) as solver:
        yield solver


def applied(operator, values, width):
    """The operator on variables, the operator on numbers, and the terms of the variables."""
    terms = Terms()
    result = {"trunc": max(1, width - 3)}.get(operator, width + 5) if operator in CASTS else None
    variables = tuple(terms.variable(f"x{number}", width) for number in range(len(values)))
    numbers = tuple(terms.constant(value, width) for value in values)
    return terms, terms.apply(operator, variables, result), terms.apply(operator, numbers, result), variables


@settings(max_examples=examples(60), deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data(), st.sampled_from(sorted(BINARY) + list(CASTS) + ["not"]), st.sampled_from([1, 4, 8]))
def test_operators_compute_what_the_solver_computes(solver, data, operator, width):
    if width == 1 and operator in BINARY and BINARY[operator].of_truths is None:
        width = 4
    if operator == "trunc" and width == 1:
        width = 8
    count = 2 if operator in BINARY else 1
    values = [data.draw(st.integers(0, (1 << width) - 1)) for _ in range(count)]
    if operator in BINARY and is_undefined(operator, values[1], width):
        return
    terms, general, number, variables = applied(operator, values, width)
    assert number.value is not None
    names = {variable.name: value for variable, value in zip(variables, values, strict=True)}
    assert evaluate([general], names)[general] == number.value
    given_ = [terms.equal(x, terms.constant(value, width)) for x, value in zip(variables, values, strict=True)]
    assert solver.ask(script([*given_, terms.equal(general, number)])).verdict == "sat"
    assert solver.ask(script([*given_, terms.no(terms.equal(general, number))])).verdict == "unsat"


def test_equal_terms_are_one():
    terms = Terms()
    x = terms.variable("x", 8)
    y = terms.variable("x", 8)
    assert x is not y
    assert terms.apply("add", (x, y)) is terms.apply("add", (x, y))


def test_a_division_by_zero_is_not_folded():
    terms = Terms()
    assert terms.apply("udiv", (terms.constant(3, 8), terms.constant(0, 8))).value is None
