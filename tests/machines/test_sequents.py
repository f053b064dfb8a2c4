"""Test queries: they agree with the evaluator, and a solver proves what holds and nothing else."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from event_b import TYPES, predicates
from quick import examples, mostly_full
from synth_machines.evaluation.evaluator import Evaluator
from synth_machines.evaluation.values import Element, IllDefinedError, UnboundedError
from synth_machines.formulas.definedness import well_definedness
from synth_machines.formulas.formula import Binding, BoundName, FormulaOperation
from synth_machines.formulas.inference import Scope
from synth_machines.formulas.parser import read_predicate
from synth_machines.formulas.printer import shown
from synth_machines.formulas.types import BOOLEAN, PowerType, relation
from synth_machines.refutations import SequentRefutation, is_confirmed
from synth_machines.sequents.scripts import Sequent, finite_script_of, parts_of_goal, script_of
from synth_machines.sequents.settings import FiniteSetting, settings_for
from synth_machines.sequents.values import UnsupportedError
from synth_solvers.peers import answer

ELEMENTS = frozenset(Element("S", place) for place in range(2))
NUMBERS = st.integers(-1, 2)
ELEMENT = st.sampled_from(sorted(ELEMENTS, key=lambda element: element.number))
#: Values of all names of the strategy.
STATES = st.fixed_dictionaries(
    {
        **dict.fromkeys(("i", "n"), NUMBERS),
        "p": st.booleans(),
        "e": ELEMENT,
        **{name: st.frozensets(NUMBERS, max_size=3) for name in ("a", "b")},
        "s": st.frozensets(ELEMENT),
        "f": st.frozensets(st.tuples(NUMBERS, ELEMENT), max_size=3),
        "g": st.frozensets(st.tuples(NUMBERS, NUMBERS), max_size=3),
    }
)


def sequent(text, *hypotheses, types=TYPES):
    scope = Scope(types)
    read = [scope.predicate(read_predicate(hypothesis)) for hypothesis in (*hypotheses, text)]
    *known, goal = map(scope.typed, read)
    return Sequent(tuple(known), goal, types)


def is_proved(sequent_, seconds=10.0):
    return answer("z3", script_of(sequent_), seconds).verdict == "unsat"


def refutation_of(sequent_):
    for setting in settings_for([*sequent_.hypotheses, sequent_.goal]):
        script, symbols = finite_script_of(sequent_, setting)
        solver_answer = answer("z3", script, 10.0)
        if solver_answer.verdict == "sat":
            return SequentRefutation(
                symbols.carriers, {name: read(solver_answer.values) for name, read in symbols.readings.items()}
            )
    return None


@settings(max_examples=examples(40))
@given(predicates(depth=2))
def test_the_evaluator_agrees_with_values_that_a_solver_finds(goal):
    """A solver finds values for which a predicate does not hold; the evaluator sees the same."""
    known = Sequent((well_definedness(goal, TYPES),), goal, TYPES)
    script, symbols = finite_script_of(known, FiniteSetting(2, (-1, 0, 1, 2)))
    solver_answer = answer("z3", script, 5.0)
    if solver_answer.verdict != "sat" or "card" in shown(goal):
        return
    values = {name: read(solver_answer.values) for name, read in symbols.readings.items()}
    evaluator = Evaluator(symbols.carriers)
    try:
        assert evaluator.holds(known.hypotheses[0], values)
        assert not evaluator.holds(goal, values)
    except UnboundedError:
        return


@settings(max_examples=examples(40))
@given(predicates(depth=2), st.lists(STATES, min_size=5, max_size=5))
def test_what_a_solver_proves_holds_in_every_state(goal, states):
    known = Sequent((well_definedness(goal, TYPES),), goal, TYPES)
    if answer("z3", script_of(known), 1.0).verdict != "unsat":
        return
    for state in states:
        try:
            if Evaluator({"S": ELEMENTS}).holds(known.hypotheses[0], state):
                assert Evaluator({"S": ELEMENTS}).holds(goal, state)
        except (UnboundedError, IllDefinedError):
            continue


#: Goals that say several things.
CONJUNCTIONS = st.recursive(
    predicates(depth=1),
    lambda goals: st.one_of(
        st.tuples(goals, goals).map(lambda both: FormulaOperation("∧", both)),
        st.tuples(predicates(depth=1), goals).map(lambda both: FormulaOperation("⇒", both)),
        goals.map(lambda goal: Binding("∀", (BoundName("z", BOOLEAN),), goal)),
    ),
    max_leaves=4,
)


@settings(max_examples=examples(200))
@given(CONJUNCTIONS, st.lists(STATES, min_size=3, max_size=3))
def test_the_parts_of_a_goal_say_together_what_it_says(goal, states):
    parts = parts_of_goal(goal)
    evaluator = Evaluator({"S": ELEMENTS})
    for state in states:
        try:
            if evaluator.holds(well_definedness(goal, TYPES), state):
                assert evaluator.holds(goal, state) == all(evaluator.holds(part, state) for part in parts)
        except UnboundedError:
            continue
        except IllDefinedError:  # a part is well defined where those before it hold
            assert not evaluator.holds(goal, state)


#: A goal, and the hypotheses that it follows from. Without the last of them it does not.
THEOREMS = [
    ("i ÷ n ∗ n ≤ i", "n > 0", "i ≥ 0"),
    ("i ÷ n = −1", "n = 2", "i = −3"),
    ("i mod n < n", "i ≥ 0", "n > 0"),
    ("a ∪ b = b ∪ a ∧ a ⊆ b", "a = a ∩ b"),
    ("a ∖ b = ∅", "a ⊂ b"),
    ("f(i) = e", "f ∈ a → S", "i ∈ a", "f = a × {e}"),
    ("(f <+ {i ↦ e})(n) = f(n)", "f ∈ ℤ ⇸ S", "i ≠ n"),
    ("g <+ {i ↦ n} ∈ a → b", "g ∈ a → b", "i ∈ a", "n ∈ b"),
    ("{i} ⩤ g ∈ a ∖ {i} ↣ b", "g ∈ a ↣ b"),
    ("g ; f ∈ a → S", "g ∈ a → b", "f ∈ b → S"),
    ("ran(g) = b", "g ∈ a ↠ b"),
    ("g∼ ∈ b → a", "g ∈ a ⤖ b"),
    ("g[{i}] = {g(i)}", "g ∈ a → b", "i ∈ a"),
    ("dom({x·x ∈ a ∣ x ↦ e}) = b", "a = b"),
    ("(λx·x ∈ a ∣ x + 1)(i) = n", "i ∈ a", "n = i + 1"),
    ("max(a) ≥ i", "finite(a)", "i ∈ a"),
    ("max({i, n}) = n", "i ≤ n"),
    ("min(a) ∈ b", "a ⊆ b", "a ≠ ∅ ∧ (∃x·∀y·y ∈ a ⇒ x ≤ y)"),
    ("finite(g)", "g ∈ a ⇸ b", "finite(a)"),
    ("finite({x·x ∈ ℕ ∧ x ∈ a ∣ x + 1})", "finite(a)"),
    ("card(a) ≥ 0 ∧ a ≠ ∅", "card(a) > 0"),
    ("card(a ∪ b) = card(a) + card(b)", "a ∩ b = ∅"),
    ("card(a ∪ {i}) = card(a) + 1", "i ∉ a"),
    ("card(a ∖ b) = card(a) − card(b)", "b ⊆ a"),
    ("card(a) < card(b)", "a ⊂ b"),
    ("a = b", "card(a) = card(b)", "a ⊆ b"),
    ("card(i ‥ n) = n − i + 1", "i ≤ n"),
    ("card({i, n, 3}) = 2", "n ≠ 3", "i = n"),
    ("∃x·a = {x}", "card(a) = 1"),
    ("i ^ n ≥ i", "i > 1", "n ≥ 1"),
    ("i ^ n = 8", "i = 2", "n = 3"),
    ("∀x·x ∈ a ⇒ x < n", "∀y·y ∈ a ⇒ y < i", "i ≤ n"),
    ("∃x·x ∈ s", "s ≠ ∅"),
    ("partition(a, b, a ∖ b)", "b ⊆ a"),
    ("p = bool(i < n)", "i < n", "p = TRUE"),
    ("id[a] = b", "a = b"),
    ("(g ⊗ f)(i) = g(i) ↦ f(i)", "g ∈ a → b", "f ∈ a → S", "i ∈ a"),
    ("a ∈ ℙ(b)", "a ⊆ b"),
    ("union({a, b}) = a", "b ⊆ a"),
    ("inter({a, b}) = a", "a ⊆ b"),
    ("(⋃x·x ∈ a ∣ {x}) = b", "a = b"),
    ("{a} ≠ {b}", "a ≠ b"),
    ("i ^ 2 ≥ n", "n ≤ 0"),
]


@mostly_full("theorem", THEOREMS, ids=lambda theorem: theorem[0], quick=12)
def test_theorems_are_proved_and_not_without_a_hypothesis(theorem):
    goal, *hypotheses = theorem
    assert is_proved(sequent(goal, *hypotheses))
    assert not is_proved(sequent(goal, *hypotheses[:-1]), 0.3)


@pytest.mark.parametrize(
    ("goal", "hypotheses"),
    [
        ("i < n", ["i ≤ n"]),
        ("f(i) = f(n)", ["f ∈ ℤ ⇸ S", "i ∈ dom(f)", "n ∈ dom(f)"]),
        ("g ∈ a ↣ b", ["g ∈ a → b"]),
        ("g <+ {i ↦ n} ∈ a ↣ b", ["g ∈ a ↣ b", "i ∈ a", "n ∈ b"]),
        ("a ⊂ b", ["a ⊆ b"]),
        ("dom(g) = a", ["g ∈ a ⇸ b"]),
        ("max(a) > i", ["a ≠ ∅", "a ⊆ i ‥ n"]),
        ("card(a ∪ b) = card(a) + card(b)", ["finite(a)", "finite(b)"]),
        ("card({i, n}) = 2", []),
        ("card(i ‥ n) = n − i + 1", []),
        ("i ^ n > i", ["i > 1", "n ≥ 1"]),
        ("∀x⦂ℙ(S)·x ⊆ s ⇒ x = s", []),
        ("ℙ(s ∪ {e}) = ℙ(s) ∪ {{e}}", []),
        ("(⋃x·x ∈ a ∣ {x + i}) = a", []),
    ],
)
def test_what_does_not_follow_is_refuted_with_values(goal, hypotheses):
    sequent_ = sequent(goal, *hypotheses)
    refutation = refutation_of(sequent_)
    assert refutation is not None
    assert is_confirmed(sequent_, refutation)


def test_only_values_that_refute_are_confirmed():
    sequent_ = sequent("i < n", "i ≤ n", "n = 1")
    assert is_confirmed(sequent_, SequentRefutation({}, {"i": 1, "n": 1}))
    for values in ({"i": 0, "n": 1}, {"i": 2, "n": 2}, {"i": 2, "n": 1}, {"i": 1}, {}):
        assert not is_confirmed(sequent_, SequentRefutation({}, values))


@mostly_full(
    ("goal", "hypotheses"),
    [
        ("finite({x·x ∈ ℕ ∣ x})", ["finite(a)"]),
        ("finite({x,y·x = y ∧ y = x ∧ x > i ∣ x})", ["finite(a)"]),
        ("finite({x,y·x ∈ 0 ‥ y ∧ y ∈ 0 ‥ x ∣ x})", ["finite(a)"]),
        ("finite({a,x·x ∈ a ∧ a ⊆ ℕ ∣ x})", ["finite(a)"]),
        ("(∀a⦂ℙ(ℤ)·finite(a)) ∧ i = 1", ["finite(a)", "i = 1"]),
        ("(∀a⦂ℙ(ℤ)·∃b⦂ℤ·∀x·x ∈ a ⇒ b ≥ x) ∧ i = 1", ["finite(a)", "i = 1"]),
        ("finite(g)", ["g ∈ a ↔ b", "finite(a)"]),
        ("finite(a ∪ b)", ["finite(a)"]),
    ],
    quick=3,
)
def test_sets_that_need_not_be_finite_are_not_said_to_be(goal, hypotheses):
    assert not is_proved(sequent(goal, *hypotheses), 0.3)


def test_elements_that_a_partition_lists_are_all():
    types = {**TYPES, "low": TYPES["e"], "high": TYPES["e"]}
    known = "partition(S, {low}, {high})"
    assert is_proved(sequent("e = low ∨ e = high", known, types=types))
    assert is_proved(sequent("low ≠ high", known, types=types))
    assert not is_proved(sequent("e = low", known, types=types))


#: A set of sets, and a function with sets as values.
FAMILIES = {**TYPES, "u": PowerType(TYPES["s"]), "v": PowerType(TYPES["a"]), "h": relation(TYPES["e"], TYPES["s"])}


@pytest.mark.parametrize(
    ("goal", "hypotheses"),
    [
        ("union(u) = S", []),
        ("s ∈ u", []),
        ("inter(u) ∈ u", ["u ≠ ∅"]),
        ("{s, ∅} = u", ["s ∈ u", "∅ ∈ u"]),
        ("card(u) ≤ 1", ["finite(u)"]),
        ("h(e) ⊆ s", ["h ∈ S → ℙ(S)"]),
        ("v ⊆ {a}", ["a ∈ v"]),
    ],
)
def test_what_does_not_follow_of_sets_of_sets_is_refuted_with_values(goal, hypotheses):
    sequent_ = sequent(goal, *hypotheses, types=FAMILIES)
    refutation = refutation_of(sequent_)
    assert refutation is not None
    assert is_confirmed(sequent_, refutation)


def test_numbers_of_elements_contradict_nothing_if_sets_are_infinite():
    """What is ill-defined must not prove everything, since an ill-defined hypothesis has an obligation of its own."""
    counts = "card(a ∪ b) + card(a ∩ b) + card(a ∖ b) + card(ℤ) + card(b) ≥ 0"
    assert not is_proved(sequent("i = n", "a = ℕ", "b = {x·x ∈ ℤ ∧ x > 5 ∣ x}", counts), 0.3)


def test_what_queries_can_not_say_is_said():
    with pytest.raises(UnsupportedError, match="a table with too many rows"):
        finite_script_of(sequent("g = ∅"), FiniteSetting(1, tuple(range(40))))
