"""Test minimal clauses: they agree with the truth table, and no shorter clauses do."""

import itertools

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pysat.examples.rc2 import RC2
from pysat.formula import WCNF

from synth_encodings.truth_table import minimal_clauses


@st.composite
def truth_tables(draw, entries=(True, False, None), most=5):
    """A number of inputs, and what a relation says of each of their assignments; None where it says nothing."""
    inputs = draw(st.integers(1, most))
    rows = draw(st.lists(st.sampled_from(entries), min_size=2**inputs, max_size=2**inputs))
    return inputs, dict(zip(assignments(inputs), rows, strict=True))


def assignments(inputs):
    return list(itertools.product((False, True), repeat=inputs))


def satisfied(clauses, bits):
    return all(any(bits[abs(k) - 1] == (k > 0) for k in clause) for clause in clauses)


def wrongly_decided(clauses, table):
    """The assignments of which the clauses say something else than the table."""
    return [bits for bits, holds in table.items() if holds is not None and satisfied(clauses, bits) != holds]


@given(truth_tables())
def test_the_clauses_hold_exactly_where_the_relation_does(drawn):
    inputs, table = drawn
    assert wrongly_decided(minimal_clauses(inputs, table.get), table) == []


def cost(clauses):
    return len(clauses), sum(map(len, clauses))


def false_of(clause, bits):
    return not satisfied([clause], bits)


def useful_clauses(inputs, table):
    """All clauses that are true of what the relation allows and false of something that it forbids."""
    for signs in itertools.product((-1, 0, 1), repeat=inputs):
        clause = tuple(sign * k for k, sign in enumerate(signs, 1) if sign)
        if {False} <= {table[bits] for bits in assignments(inputs) if false_of(clause, bits)} <= {False, None}:
            yield clause


def least_cost_by_trying_all(inputs, table):
    useful = list(useful_clauses(inputs, table))
    choices = (itertools.combinations(useful, number) for number in range(len(table) + 1))
    fitting = ([cost(those) for those in clause_sets if not wrongly_decided(those, table)] for clause_sets in choices)
    return min(next(filter(None, fitting)))


def least_cost_by_a_solver(inputs, table):
    """Which useful clauses are there: each row that is forbidden needs one, and each one costs, by MaxSAT."""
    useful = list(useful_clauses(inputs, table))
    formula = WCNF()
    dearest = 1 + inputs * len(table)
    for chosen, clause in enumerate(useful, 1):
        formula.append([-chosen], weight=dearest + len(clause))
    for bits, holds in table.items():
        if holds is False:
            formula.append([chosen for chosen, clause in enumerate(useful, 1) if false_of(clause, bits)])
    if not formula.hard:
        return 0, 0
    with RC2(formula) as solver:
        solver.compute()
        return divmod(solver.cost, dearest)


@given(truth_tables(most=3))
def test_no_fewer_clauses_and_literals_would_do(drawn):
    inputs, table = drawn
    assert cost(minimal_clauses(inputs, table.get)) == least_cost_by_trying_all(inputs, table)


#: Of five inputs: T what the relation allows, F what it forbids. The first cover that is found has a clause too many.
FIRST_COVER_IS_NOT_BEST = "NNFFFTNFNNNTNNTNFTFFNFTFNTFFFTTN"


@given(truth_tables())
@example((5, dict(zip(assignments(5), map({"T": True, "F": False}.get, FIRST_COVER_IS_NOT_BEST), strict=True))))
def test_no_fewer_clauses_would_do_for_more_inputs(drawn):
    inputs, table = drawn
    assert cost(minimal_clauses(inputs, table.get)) == least_cost_by_a_solver(inputs, table)


@given(truth_tables())
def test_each_clause_is_needed(drawn):
    inputs, table = drawn
    clauses = minimal_clauses(inputs, table.get)
    for left_out in range(len(clauses)):
        assert wrongly_decided(clauses[:left_out] + clauses[left_out + 1 :], table)


@pytest.mark.full
@given(truth_tables())
def test_each_literal_is_needed(drawn):
    inputs, table = drawn
    clauses = minimal_clauses(inputs, table.get)
    for changed, clause in enumerate(clauses):
        for literal in clause:
            shorter = tuple(k for k in clause if k != literal)
            assert wrongly_decided((*clauses[:changed], shorter, *clauses[changed + 1 :]), table)


@given(truth_tables(entries=(True, False)), st.data())
def test_the_same_clauses_are_wrong_for_every_other_relation(drawn, data):
    """Whatever single row is changed, the comparison that these tests rest on notices it."""
    inputs, table = drawn
    changed = data.draw(st.sampled_from(assignments(inputs)))
    other = table | {changed: not table[changed]}
    assert wrongly_decided(minimal_clauses(inputs, table.get), other) == [changed]


def test_constant_relations_have_no_clause_or_the_empty_one():
    """Nothing need be said of what always holds; what never holds is the empty clause."""
    assert minimal_clauses(3, lambda _: True) == ()
    assert minimal_clauses(3, lambda _: None) == ()
    assert minimal_clauses(3, lambda _: False) == ((),)


def test_what_cannot_occur_makes_clauses_shorter():
    """Of two variables exactly one is true; that the second is not is then one literal."""

    def second_is_false(bits):
        return not bits[1] if sum(bits) == 1 else None

    assert minimal_clauses(2, second_is_false) in {((1,),), ((-2,),)}
    assert minimal_clauses(2, lambda bits: bits == (True, False)) == ((-2,), (1,))


@given(truth_tables())
def test_the_same_table_gives_the_same_sorted_clauses(drawn):
    inputs, table = drawn
    clauses = minimal_clauses(inputs, table.get)
    minimal_clauses(2, lambda bits: bits[0] != bits[1])
    assert minimal_clauses(inputs, table.get) == clauses == tuple(sorted(clauses))


def test_nothing_is_remembered_from_other_tables():
    """Espresso kept state: after the table of an XOR it gave other clauses for this one."""
    letters = {"T": True, "F": False, "N": None}
    rows = [letters[letter] for letter in "NTNNTTTTFTFNFFTTTTFNTFTFTNTFTNFF"]
    table = dict(zip(assignments(5), rows, strict=True))
    clauses = ((-1, -4, -5), (-1, -3, -5), (-1, -2, -3, -4), (1, -2, -3, 4), (1, 3, 5), (2, 3, -4))
    assert minimal_clauses(5, table.get) == clauses
    minimal_clauses(2, lambda bits: bits[0] != bits[1])
    assert minimal_clauses(5, table.get) == clauses
