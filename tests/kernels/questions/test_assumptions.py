"""Preconditions that were removed from kernels, and what is found in their place."""

import pytest

from synth_checker.errors import InputError
from synth_kernels.analyses.assumptions import (
    comparison_test,
    implication_test,
    verification_test,
    weakest_conjunctions,
)
from synth_kernels.analyses.vocabulary import LaunchCondition, Vocabulary, with_assumptions
from synth_kernels.candidates.rules import ALL
from synth_kernels.kernel_verdict import verify
from synth_kernels.launch import Launch
from synth_kernels.pair.options import Options
from synth_kernels.terms import Terms
from synth_kernels.text import parse
from synth_solvers.client import Solver

#: Kernels without their preconditions: the names of their scalars, the body, the launch, and values that the removed
#: precondition allows. A condition that is implied by it, or weaker, must allow these, too.
REMOVED = {
    "shifted": ("d", "i = add lid.0, d\n  x = read i32 A[i]\n  write i32 A[lid.0] = x", 8, [{"d": 8}, {"d": 9}]),
    "one place": ("k", "i = mul lid.0, k\n  write i32 A[i] = lid.0", 4, [{"k": 1}, {"k": 2}, {"k": 5}]),
    "two places": (
        "p q",
        "i = add lid.0, p\n  x = read i32 A[i]\n  j = add lid.0, q\n  write i32 A[j] = x",
        4,
        [{"p": 7, "q": 7}],
    ),
    "only one waits": (
        "n",
        "c = ult lid.0, n\n  branch c ? wait : done\nwait:\n  barrier group local\n  jump done\ndone:",
        8,
        [{"n": 8}, {"n": 20}],
    ),
    "guarded": (
        "n",
        "c = sle n, lid.0\n  branch c ? bad : done\nbad:\n  write i32 A[0:i32] = lid.0\n  jump done\ndone:",
        8,
        [{"n": 8}, {"n": 100}],
    ),
    "masked": ("m", "i = urem lid.0, m\n  write i32 A[i] = lid.0", 8, [{"m": 8}, {"m": 31}]),
    "divided": ("m", "i = mul lid.0, m\n  j = udiv i, 4:i32\n  write i32 A[j] = lid.0", 4, [{"m": 4}, {"m": 16}]),
    "halves": (
        "n m",
        "i = add lid.0, n\n  write i32 A[i] = lid.0\n  j = add lid.0, m\n  x = read i32 A[j]",
        4,
        [{"n": 4, "m": 4}],
    ),
    "odd": ("k", "i = and lid.0, k\n  j = xor i, lid.0\n  write i32 A[j] = lid.0", 8, [{"k": 16}, {"k": 32}]),
    "positive": (
        "n",
        "c = slt n, 0:i32\n  branch c ? bad : done\nbad:\n  write i32 A[1:i32] = lid.0\n  jump done\ndone:",
        4,
        [{"n": 0}, {"n": 3}],
    ),
}


@pytest.fixture(scope="module")
def solver():
    with Solver(seconds=20.0) as solver:
        yield solver


def kernel_of(name):
    scalars, body, size, allowed = REMOVED[name]
    declared = "".join(f"scalar {scalar}: i32\n" for scalar in scalars.split())
    return parse(f"kernel k\nglobal A: i32\n{declared}entry:\n  {body}\n  return\n"), Launch((size,), (1,)), allowed


def found_for(name, solver):
    """What is found for a kernel, and whether some answer allows what the removed precondition allows."""
    kernel, launch, allowed = kernel_of(name)
    vocabulary, options = Vocabulary(kernel, launch), Options(rules=ALL)
    implies = implication_test(vocabulary.facts, solver)
    result = weakest_conjunctions(
        vocabulary.conditions, verification_test(kernel, launch, solver, options), implies, lambda: True
    )
    sizes = dict(launch.sizes())
    fits = any(
        all(each.condition.holds(sizes | values) for each in answer for values in allowed) for answer in result.answers
    )
    return kernel, launch, result, fits


@pytest.mark.parametrize(
    "names", [["shifted", "only one waits"], pytest.param(list(REMOVED), marks=pytest.mark.exhaustive)]
)
def test_removed_preconditions_are_found_and_each_condition_is_needed(solver, names):
    fitting = []
    for name in names:
        kernel, launch, result, fits = found_for(name, solver)
        fitting += [name] * fits
        for answer in result.answers:
            chosen = [each.condition for each in answer]
            assert verify(with_assumptions(kernel, chosen), launch, solver, Options(rules=ALL)).verdict == "verified"
            for each in answer:
                assert each.without
                assert not each.condition.holds(each.without)
                others = [condition for condition in chosen if condition is not each.condition]
                assert all(other.holds(each.without) for other in others)
                report = verify(with_assumptions(kernel, others), launch, solver, Options(rules=ALL))
                assert report.verdict != "verified"
    print(f"{len(fitting)} of {len(names)}: {', '.join(fitting)}")  # noqa: T201  (pytest -s shows it)
    assert len(fitting) >= 0.7 * len(names)


def test_what_cannot_be_verified_has_no_precondition_either(solver):
    kernel = parse("kernel k\nentry:\n  barrier subgroup local\n  return\n")
    with pytest.raises(InputError, match="line 3: not supported: a barrier of a subgroup"):
        verification_test(kernel, Launch((4,), (1,)), solver, Options())


def test_the_weakest_conjunction_comes_first_and_nothing_stronger_after_it():
    """A test that needs 4 <= a and 4 <= b, over conditions of which some are too strong."""
    terms = Terms()
    names = {"a": terms.variable("a", 32), "b": terms.variable("b", 32)}

    def condition(operator, name, value, cost):
        meaning = terms.apply(operator, (terms.constant(value, 32), names[name]))
        return LaunchCondition(meaning, terms.no(meaning), cost)

    vocabulary = [condition("ule", name, value, value) for name in "ab" for value in (2, 4, 6)]

    def test(chosen):
        points = [{"a": a, "b": b} for a in range(8) for b in range(8)]
        allowed = [point for point in points if all(member.holds(point) for member in chosen)]
        return next((point for point in allowed if point["a"] < 4 or point["b"] < 4), None)

    result = weakest_conjunctions(vocabulary, test)
    assert [each.condition for each in result.answers[0]] == [vocabulary[1], vocabulary[4]]
    assert all(not each.condition.holds(each.without) for each in result.answers[0])
    assert result.tests < 20
    assert weakest_conjunctions(vocabulary, lambda _: None).passes


def test_what_is_not_known_is_no_counterexample():
    terms = Terms()
    meaning = terms.apply("ult", (terms.variable("n", 32), terms.constant(3, 32)))
    vocabulary = [LaunchCondition(meaning, terms.no(meaning), 1)]
    points = [{"n": n} for n in range(6)]
    result = weakest_conjunctions(vocabulary, comparison_test(points, lambda point: point["n"] < 3 or "too hard"))
    assert [[each.condition for each in answer] for answer in result.answers] == [vocabulary]
    assert not result.answers[0][0].without
    assert result.doubt == "too hard"
    assert weakest_conjunctions(vocabulary, comparison_test(points, lambda _: "too hard")).doubt == "too hard"
    assert not weakest_conjunctions(vocabulary, comparison_test(points, lambda _: False)).doubt
