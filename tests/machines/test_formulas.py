"""Test formulas: reading and printing, types, well-definedness, substitution and comparison."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from event_b import KINDS, TYPES, expressions, predicates
from synth_checker.errors import InputError, LimitError
from synth_machines.formulas.definedness import well_definedness
from synth_machines.formulas.equality import canonical, same
from synth_machines.formulas.formula import (
    Binding,
    FormulaConstant,
    FormulaName,
    FormulaNumber,
    FormulaOperation,
    binary,
)
from synth_machines.formulas.inference import Scope, type_of
from synth_machines.formulas.names import free_names, substitute
from synth_machines.formulas.operators import PRIVATE, SPELLINGS
from synth_machines.formulas.parser import read_expression, read_predicate, read_type
from synth_machines.formulas.printer import shown
from synth_machines.formulas.types import INTEGER, PowerType, shown_type


def typed(text, types=TYPES):
    scope = Scope(types)
    return scope.typed(scope.predicate(read_predicate(text)))


@given(predicates(depth=3))
def test_what_is_printed_is_read_again(formula):
    assert canonical(read_predicate(shown(formula))) == canonical(formula)
    assert shown(read_predicate(shown(formula))) == shown(formula)


@given(predicates(depth=3))
def test_types_that_are_printed_are_read_again(formula):
    assert read_predicate(shown(formula, with_types=True)) == formula


@given(predicates(depth=2))
def test_types_are_found_again(formula):
    """The strategy knows the types; some formulas leave them open, and are refused."""
    try:
        assert typed(shown(formula)) == formula
    except InputError as error:
        assert "found nothing that says" in str(error)  # noqa: PT017


@given(st.sampled_from(KINDS).flatmap(lambda kind: st.tuples(st.just(kind), expressions(kind, 3))))
def test_an_expression_has_the_type_it_was_made_for(kind_and_formula):
    kind, formula = kind_and_formula
    assert type_of(formula, TYPES) == kind


@given(st.text("(){}[]∣·∀λ,x y=∈∪∩↦+−1∼⦂ℤℙ⇒∧¬'@`", max_size=40))
def test_any_text_is_read_or_refused_in_one_line(text):
    for read in (read_predicate, read_expression, read_type):
        try:
            read(text)
        except InputError as error:
            assert "\n" not in str(error)  # noqa: PT017


@pytest.mark.parametrize(
    ("ascii_text", "text"),
    [
        ("x : NAT & y /: POW1(INT)", "x ∈ ℕ ∧ y ∉ ℙ1(ℤ)"),
        ("!x . x : a => (#y . y = x - 1 * 2)", "∀x·x ∈ a ⇒ (∃y·y = x − 1 ∗ 2)"),
        ("f <+ {x |-> 1} = (% x |-> y . x : NAT | x + y)", "f <+ {x ↦ 1} = (λx ↦ y·x ∈ ℕ ∣ x + y)"),
        ("f : S +-> T or not g : S >->> T", "f ∈ S ⇸ T ∨ ¬g ∈ S ⤖ T"),
        ("a \\/ b = a /\\ b", "a ∪ b = a ∩ b"),
        ("s <<| f = f~[{}] ** {0..3}", "s ⩤ f = f∼[∅] × {0 ‥ 3}"),
        ("finite({x | x > 0 & x < 9})", "finite({x ∣ x > 0 ∧ x < 9})"),
        ("x' = x^2 / 3 mod 2", "x' = x^2 ÷ 3 mod 2"),
        ("partition(S, {a}, {b})", "partition(S, {a}, {b})"),
        ("f;g = f circ g", "f ; g = f ∘ g"),
        ("-(1) = -1 & -x = 0 - (-1)", "−(1) = −1 ∧ −x = 0 − (−1)"),
    ],
)
def test_both_spellings_are_read_alike(ascii_text, text):
    assert read_predicate(ascii_text) == read_predicate(text)
    assert shown(read_predicate(ascii_text)) == text


def test_operators_without_a_place_in_unicode_have_rodins_spelling():
    formula = read_predicate("f <+ g ∈ a <<->> b")
    assert shown(formula, rodin=True) == "f \ue103 g ∈ a \ue102 b"
    assert read_predicate(shown(formula, rodin=True)) == formula
    assert {SPELLINGS[letter] for letter in PRIVATE.values()} == set(PRIVATE)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a = b ∧ c = d ∨ e = f", "line 1, column 15: found '∨', expected parentheses, because ∨ stands beside ∧"),
        ("a = b ⇒ c = d ⇒ e = f", "line 1, column 15: found '⇒', expected parentheses, because ⇒ stands beside ⇒"),
        ("a ∩ b ∪ c = d", "line 1, column 7: found '∪', expected parentheses, because ∪ stands beside ∩"),
        ("a + 1", "line 1, column 1: found an expression that begins with 'a', expected a predicate"),
        ("(a = b) + 1 = 2", "line 1, column 1: found a predicate that begins with '(', expected an expression"),
        ("a = ", "line 1, column 5: found the end, expected a formula"),
        ("dom x = y", "line 1, column 5: found 'x', expected ("),
        ("{1 ∣ x = 1} = y", "line 1, column 4: found '∣', expected an expression with names before ∣"),
        ("λx ↦ x·x = 1 ∣ x", "line 1, column 2: found 'x', expected different names between λ and ·"),
        ("∀x,x·x = 1", "line 1, column 5: found '·', expected different names before ·"),
        ("x⦂ℤ = 1", "line 1, column 3: found 'ℤ', expected a type only after a bound name or after ∅, id, prj1, prj2"),
        ("x = $", "line 1, column 5: found '$', expected a formula"),
        ("x = @lab", "line 1, column 5: found 'lab', expected a formula"),
    ],
)
def test_what_is_no_predicate_is_refused(text, message):
    with pytest.raises(InputError) as refused:
        read_predicate(text)
    assert str(refused.value) == message


DEEP = [
    *("(" * 5000, "¬" * 5000, "{" * 5000, "x = " + "−" * 5000, "x = 1" + " − 1" * 5000, "x = f" + "(1)" * 5000),
    *("∀x⦂" + "ℙ(" * 5000, "x = " + "{" * 50 + "x" + "∣⊤}" * 50 + "∪(" * 5000, "x = " + "1" * 5000),
]


@pytest.mark.parametrize("text", DEEP, ids=range(len(DEEP)))
def test_what_is_too_deep_or_long_is_refused(text):
    with pytest.raises(InputError) as refused:
        read_predicate(text)
    assert len(str(refused.value)) < 200


@pytest.mark.full
def test_long_chains_are_not_deep():
    text = "x = 1" + " + 1" * 5000
    assert shown(read_predicate(text)) == text
    with pytest.raises(LimitError):
        read_predicate("x = 1" + " − 1" * 5000)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("i = e", "i = e: found the types S and ℤ, expected equal types"),
        ("f(e) = e", "f(e): found the types S and ℤ, expected equal types"),
        ("unknown = 1", "found unknown, which is not declared"),
        ("∃x·⊤", "∃x·⊤: found nothing that says the type of x, expected a predicate about it"),
        ("∅ = ∅", "∅: found nothing that says the type of ∅, expected a predicate about it"),
        ("∃x·x ∈ x", "x ∈ x: found the types a type and ℙ(?), which contains it, expected equal types"),
    ],
)
def test_what_is_not_well_typed_is_refused(text, message):
    with pytest.raises(InputError) as refused:
        typed(text)
    assert str(refused.value) == message


def test_types_follow_from_later_formulas():
    scope = Scope({})
    scope.add(["x", "y"])
    first = scope.predicate(read_predicate("x = y ∪ ∅"))
    scope.predicate(read_predicate("0 ∈ y"))
    scope.finish(["x", "y"])
    assert shown_type(scope.types["x"]) == "ℙ(ℤ)"
    assert scope.typed(first) == binary(
        "=", FormulaName("x"), binary("∪", FormulaName("y"), FormulaConstant("∅", PowerType(INTEGER)))
    )


@pytest.mark.parametrize(
    ("text", "wd"),
    [
        ("i + n = 3", "⊤"),
        ("i ÷ n = 3", "n ≠ 0"),
        ("i mod n = 3", "0 ≤ i ∧ 0 < n"),
        ("i ^ n = 3", "0 ≤ i ∧ 0 ≤ n"),
        ("f(i) = e", "i ∈ dom(f) ∧ f ∈ ℤ ⇸ S"),
        ("f(g(i)) = e", "i ∈ dom(g) ∧ g ∈ ℤ ⇸ ℤ ∧ g(i) ∈ dom(f) ∧ f ∈ ℤ ⇸ S"),
        ("max(a) = i", "a ≠ ∅ ∧ (∃b·∀x·x ∈ a ⇒ b ≥ x)"),
        ("min(b) = i", "b ≠ ∅ ∧ (∃b0·∀x·x ∈ b ⇒ b0 ≤ x)"),
        ("card(s) = i", "finite(s)"),
        ("inter({a}) = b", "{a} ≠ ∅"),
        ("i = 1 ∧ n ÷ i = 1", "i = 1 ⇒ i ≠ 0"),
        ("i = 1 ⇒ n ÷ i = 1", "i = 1 ⇒ i ≠ 0"),
        ("i = 1 ∨ n ÷ i = 1", "i = 1 ∨ i ≠ 0"),
        ("n ÷ i = 1 ⇔ i = 1", "i ≠ 0"),
        ("n ÷ i = 1 ∧ n ÷ i = 2 ∧ i = n ÷ i", "i ≠ 0 ∧ (n ÷ i = 1 ⇒ i ≠ 0 ∧ (n ÷ i = 2 ⇒ i ≠ 0))"),
        ("∀x·x ∈ a ⇒ n ÷ x = 1", "∀x·x ∈ a ⇒ x ≠ 0"),
        ("∃x·x ∈ a ∧ n ÷ x = 1", "∀x·x ∈ a ⇒ x ≠ 0"),
        ("{x·x ∈ a ∣ n ÷ x} = b", "∀x·x ∈ a ⇒ x ≠ 0"),
        ("(⋂x·x ∈ a ∣ {n ÷ x}) = b", "(∀x·x ∈ a ⇒ x ≠ 0) ∧ (∃x·x ∈ a)"),
        ("p = bool(n ÷ i = 1)", "i ≠ 0"),
    ],
)
def test_well_definedness_is_that_of_the_table(text, wd):
    assert same(well_definedness(typed(text), TYPES), read_predicate(wd))


def test_substitution_binds_nothing_by_accident():
    formula = read_predicate("∀x·x ∈ a ⇒ x < n")
    changed = substitute(formula, {"n": read_expression("x + 1"), "a": FormulaName("b")})
    assert shown(changed) == "∀x0·x0 ∈ b ⇒ x0 < x + 1"
    assert substitute(formula, {"x": FormulaNumber(1)}) == formula
    swapped = substitute(read_predicate("a = b"), {"a": FormulaName("b"), "b": FormulaName("a")})
    assert shown(swapped) == "b = a"


@given(predicates(depth=3), expressions(INTEGER, 2))
def test_after_a_substitution_the_name_is_gone(formula, value):
    """Free names are those of the formula without the name, and of the value if the name was there."""
    names = set(free_names(formula))
    wanted = (names - {"n"}) | (set(free_names(value)) if "n" in names else set())
    assert set(free_names(substitute(formula, {"n": value}))) == wanted


def test_formulas_are_compared_up_to_bound_names_and_associativity():
    left = read_predicate("(i = 1 ∧ n = 2) ∧ (∀x·x ∈ a)")
    right = read_predicate("i = 1 ∧ (n = 2 ∧ (∀y⦂ℤ·y ∈ a))")
    assert left != right
    assert same(left, right)
    assert not same(left, read_predicate("n = 2 ∧ i = 1 ∧ (∀x·x ∈ a)"))
    assert not same(read_predicate("∀x·∃y·x < y"), read_predicate("∀x·∃y·y < x"))


def test_an_implicit_set_binds_the_names_of_its_expression():
    formula = read_expression("{x ↦ y ∣ x ∈ a ∧ y = n}")
    assert isinstance(formula, Binding)
    assert formula.names == ("x", "y")
    assert same(formula, read_expression("{x,y·x ∈ a ∧ y = n ∣ x ↦ y}"))
    # After a substitution the expression has names that are not bound.
    value = substitute(FormulaOperation("{,}", (read_expression("{x ∣ x ∈ a}"),)), {"a": FormulaName("x")})
    assert shown(value) == "{{x0 ∣ x0 ∈ x}}"
