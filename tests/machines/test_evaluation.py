"""Test the evaluator: values by hand, what has no value, and what can't be listed."""

import pytest
from hypothesis import given

from event_b import TYPES, predicates
from synth_machines.evaluation.evaluator import Evaluator
from synth_machines.evaluation.values import Element, IllDefinedError, UnboundedError, written_value
from synth_machines.formulas.definedness import well_definedness
from synth_machines.formulas.inference import Scope
from synth_machines.formulas.parser import read_expression, read_predicate

ELEMENTS = frozenset(Element("S", place) for place in range(2))
FIRST, SECOND = sorted(ELEMENTS, key=lambda element: element.number)
VALUES = {
    "i": 1,
    "n": 2,
    "p": True,
    "e": FIRST,
    "a": frozenset({1, 2}),
    "b": frozenset({2, 5}),
    "s": frozenset({FIRST}),
    "f": frozenset({(1, FIRST), (2, SECOND)}),
    "g": frozenset({(1, 2), (2, 2)}),
}


def evaluate(text):
    scope = Scope(TYPES)
    return Evaluator({"S": ELEMENTS}).value(scope.typed(scope.expression(read_expression(text))), VALUES)


def holds(text):
    scope = Scope(TYPES)
    return Evaluator({"S": ELEMENTS}).holds(scope.typed(scope.predicate(read_predicate(text))), VALUES)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("i + n ∗ 3 − 1", "6"),
        ("−7 ÷ 2", "−3"),
        ("7 ÷ −2", "−3"),
        ("7 mod 4", "3"),
        ("2 ^ 10", "1024"),
        ("a ∪ b", "{1, 2, 5}"),
        ("a ∩ b", "{2}"),
        ("a ∖ b", "{1}"),
        ("b ∩ ℕ1", "{2, 5}"),
        ("2 ‥ 4", "{2, 3, 4}"),
        ("4 ‥ 2", "∅"),
        ("g(i)", "2"),
        ("f(n)", "S2"),
        ("dom(f)", "{1, 2}"),
        ("ran(g)", "{2}"),
        ("f∼", "{S1 ↦ 1, S2 ↦ 2}"),
        ("g[{1}]", "{2}"),
        ("{1} ◁ g", "{1 ↦ 2}"),
        ("{1} ⩤ g", "{2 ↦ 2}"),
        ("f ▷ s", "{1 ↦ S1}"),
        ("f ⩥ s", "{2 ↦ S2}"),
        ("g <+ {1 ↦ 7}", "{1 ↦ 7, 2 ↦ 2}"),
        ("g ; f", "{1 ↦ S2, 2 ↦ S2}"),
        ("f ∘ g", "{1 ↦ S2, 2 ↦ S2}"),
        ("{1 ↦ 2} ⊗ {1 ↦ 3}", "{1 ↦ (2 ↦ 3)}"),
        ("{1 ↦ 2} ∥ {3 ↦ 4}", "{1 ↦ 3 ↦ (2 ↦ 4)}"),
        ("{1} × s", "{1 ↦ S1}"),
        ("ℙ({1})", "{∅, {1}}"),
        ("ℙ1({1})", "{{1}}"),
        ("union({a, b})", "{1, 2, 5}"),
        ("inter({a, b})", "{2}"),
        ("{x·x ∈ a ∣ x + 1}", "{2, 3}"),
        ("{x ↦ y ∣ x ↦ y ∈ g ∧ x = y}", "{2 ↦ 2}"),
        ("(λx·x ∈ a ∣ x ∗ x)", "{1 ↦ 1, 2 ↦ 4}"),
        ("(⋃x·x ∈ a ∣ {x, x + 3})", "{1, 2, 4, 5}"),
        ("(⋂x·x ∈ a ∣ x ‥ 3)", "{2, 3}"),
        ("max(b)", "5"),
        ("min(b)", "2"),
        ("card(a ∪ b)", "3"),
        ("bool(i < n)", "TRUE"),
    ],
)
def test_expressions_have_these_values(text, value):
    assert written_value(evaluate(text)) == value


@pytest.mark.parametrize(
    ("text", "truth"),
    [
        ("g ∈ a → a", True),
        ("g ∈ a ↣ a", False),
        ("f ∈ a ⤖ S", True),
        ("f ∈ ℤ ⇸ S", True),
        ("f ∈ ℤ → S", False),
        ("g ∈ a <<-> a", True),
        ("g ∈ a <->> a", False),
        ("f ∈ a ⤔ S ∧ f ∈ a ⤀ S ∧ f ∈ a ↠ S", True),
        ("a ⊂ a ∪ b", True),
        ("a ⊆ ℕ ∧ a ⊄ a", True),
        ("finite(a) ∧ ¬finite(ℕ)", True),
        ("partition(a, {1}, {2})", True),
        ("partition(a, {1}, {1, 2})", False),
        ("∀x·x ∈ a ⇒ x < 3", True),
        ("∀x·x ≥ 0 ∧ x < 3 ⇒ x ∗ x < 4", False),
        ("∃x·x ∈ a ∧ x > i", True),
        ("∀x,y·x ↦ y ∈ g ⇒ y = 2", True),
        ("∃x·x = i + 1 ∧ x = n", True),
        ("∀q·q ∈ BOOL ⇒ (q = TRUE ∨ q = FALSE)", True),
        ("∃x·x ∈ S ∧ x ≠ e", True),
        ("i = 2 ⇒ 1 ÷ 0 = 1", True),
        ("a ∈ ℙ(ℕ)", True),
        ("1 ↦ 1 ∈ id", True),
        ("(1 ↦ 2) ↦ 2 ∈ prj2", True),
        ("3 ↦ 4 ∈ succ", True),
    ],
)
def test_predicates_have_these_truth_values(text, truth):
    assert holds(text) == truth


@pytest.mark.parametrize(
    "text", ["1 ÷ 0", "−1 mod 2", "g(3)", "max(∅)", "inter({a} ∖ {a})", "(g ∪ {1 ↦ 9})(1)", "card(ℕ)"]
)
def test_what_has_no_value_is_said(text):
    with pytest.raises(IllDefinedError):
        evaluate(text)


@pytest.mark.parametrize("text", ["∀x·x > 0 ⇒ x > 1", "∃x·x ∉ a", "ℕ = ℕ1", "{x·x > 0 ∣ x} = a", "0 ‥ 10^9 = a"])
def test_what_can_not_be_listed_is_said(text):
    with pytest.raises(UnboundedError):
        holds(text)


@given(predicates(depth=3))
def test_a_well_defined_predicate_has_a_truth_value(formula):
    """Well-definedness is stricter than the evaluator, which stops when it knows the answer."""
    evaluator = Evaluator({"S": ELEMENTS})
    try:
        is_defined = evaluator.holds(well_definedness(formula, TYPES), VALUES)
    except UnboundedError:
        return
    if is_defined:
        assert evaluator.holds(formula, VALUES) in {False, True}
