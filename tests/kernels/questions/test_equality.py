"""Functional equivalence: random pairs, tree sums, readings of floats, and assertions of all threads."""

import pytest

from counted import calls_of
from equal_pairs import FOLD, TREE, combine, pair
from quick import mostly_full
from synth_kernels.analyses.assertions import check_assertions, order_report
from synth_kernels.analyses.equality import compare_programs
from synth_kernels.analyses.symbolic_thread import simplify_ways
from synth_kernels.concrete_run import Runner
from synth_kernels.launch import Launch, threads
from synth_kernels.pair.options import Options
from synth_kernels.terms import Terms
from synth_kernels.text import parse
from synth_solvers.client import Solver

ONE = dict.fromkeys(("lsize.0", "lsize.1", "lsize.2", "groups.0", "groups.1", "groups.2"), 1)


@pytest.fixture(scope="module")
def solver():
    with Solver(seconds=60.0) as solver:
        yield solver


def left_by(kernel, sizes, inputs):
    """What a run leaves in the array B."""
    runner = Runner(kernel, ONE | sizes, {}, contents=lambda place: inputs.get(place, 0))
    runner.run(list(threads(ONE | sizes)))
    return {place[2]: value for place, value in runner.memory.values().items() if place[0] == "B"}


@pytest.mark.parametrize("many", [10, pytest.param(50, marks=pytest.mark.exhaustive)])
def test_random_pairs_are_decided_right_and_differences_replay(solver, many):
    for seed in range(many):
        kernel, sequential, size, is_equal = pair(seed)
        kernel, sequential = parse(kernel), parse(sequential)
        report = compare_programs(kernel, sequential, {"lsize.0": size}, {}, solver)
        assert report.verdict == ("equal" if is_equal else "different"), (seed, report)
        if (difference := report.difference) is not None:
            ours, others = (
                left_by(kernel, {"lsize.0": size}, difference.inputs),
                left_by(sequential, {}, difference.inputs),
            )
            initial = difference.inputs.get((difference.array, None, difference.element), 0)
            assert (ours.get(difference.element, initial), others.get(difference.element, initial)) == (
                difference.ours,
                difference.others,
            )
            assert difference.ours != difference.others


@pytest.mark.full
@mostly_full("operator", ["fadd", "add"])
def test_tree_sums_of_more_terms_take_no_more_steps_for_each(solver, operator):
    """They grow by little more than the number of terms does, and by far less than its square."""
    kernel = parse(TREE.format(index="lid.0", combine=combine(operator)))

    def calls(terms):
        sequential = parse(FOLD.format(count=terms, combine=combine(operator)))
        count, report = calls_of(lambda: compare_programs(kernel, sequential, {"lsize.0": terms}, {}, solver))
        assert report.verdict == "equal"
        return count

    assert calls(256) < 8 * calls(64)


def test_sums_in_another_order_are_equal_as_reals_only(solver):
    kernel = parse(TREE.format(index="lid.0", combine=combine("fadd")))
    sequential = parse(FOLD.format(count=4, combine=combine("fadd")))
    reports = {
        floats: compare_programs(kernel, sequential, {"lsize.0": 4}, {}, solver, floats=floats)
        for floats in ("reals", "bits", "uninterpreted")
    }
    assert {floats: report.verdict for floats, report in reports.items()} == {
        "reals": "equal",
        "bits": "different",
        "uninterpreted": "different",
    }
    same = compare_programs(
        kernel,
        parse(TREE.format(index="lid.0", combine=combine("fadd")).replace("made", "f")),
        {"lsize.0": 1},
        {},
        solver,
        floats="bits",
    )
    assert same.verdict == "equal"


def test_a_wrong_number_of_accumulators_is_found(solver):
    """The tree of six accumulators forgets some of them."""
    kernel = parse(TREE.format(index="lid.0", combine=combine("fadd")))
    for size in range(2, 9):
        report = compare_programs(
            kernel, parse(FOLD.format(count=size, combine=combine("fadd"))), {"lsize.0": size}, {}, solver
        )
        assert (report.verdict == "equal") == (size in {2, 4, 8})


def test_what_depends_on_contents_too_much_is_unknown(solver):
    kernel = parse("kernel k\nglobal A: i32\nentry:\n  i = read i32 A[0:i32]\n  write i32 A[i] = 1:i32\n  return\n")
    report = compare_programs(kernel, kernel, {}, {}, solver)
    assert report.verdict == "unknown"
    assert "a place in A depends on open values" in report.reason
    assert report.line == 5


def test_a_place_in_a_small_array_may_depend_on_contents(solver):
    head = "kernel k\nglobal A: i32[4]\nglobal B: i32[4]\nentry:\n"
    text = head + "  i = read i32 A[0:i32]\n  j = and i, 3:i32\n{}  return\n"
    ours = parse(text.format("  write i32 B[j] = 1:i32\n"))
    other = parse(text.format("  k = urem i, 4:i32\n  write i32 B[k] = 1:i32\n"))
    wrong = parse(text.format("  k = urem i, 3:i32\n  write i32 B[k] = 1:i32\n"))
    assert compare_programs(ours, other, {}, {}, solver).verdict == "equal"
    assert compare_programs(ours, wrong, {}, {}, solver).verdict == "different"


def test_ways_that_meet_again_are_one():
    terms = Terms()
    a, b = (terms.variable(name, 1) for name in "ab")
    inner = [frozenset({a, b}), frozenset({a, terms.no(b)}), frozenset({terms.no(a)})]
    assert simplify_ways(inner) == [frozenset()]
    assert simplify_ways(inner[:2]) == [frozenset({a})]
    assert len(simplify_ways([frozenset({a}), frozenset({b})])) == 2


ASSERTED = """kernel all
local T: i32
global A: i32
entry:
  x = read i32 A[lid.0]
  y = and x, 7:i32
  write i32 T[lid.0] = y
  barrier group local
  i = xor lid.0, 1:i32
  z = peek i32 T[i]
  c = ult z, {most}:i32
  assert c
  return
"""


def test_assertions_of_all_threads_know_what_others_have_stored(solver):
    """Two arbitrary threads know nothing of what a third one has stored, but a run of all does."""
    sizes = ONE | {"lsize.0": 4}
    report = check_assertions(parse(ASSERTED.format(most=8)), sizes, {}, solver, ieee=True)
    assert (report.verdict, report.count) == ("holds", 4)
    report = check_assertions(parse(ASSERTED.format(most=7)), sizes, {}, solver, ieee=True)
    assert (report.verdict, report.line) == ("failing", 12)
    neighbour = report.thread[1][0] ^ 1
    assert dict(report.inputs)[f"A[{neighbour}]"] & 7 == 7


def test_a_race_between_groups_counts_whatever_else_is_asked(solver):
    kernel = parse("kernel k\nglobal A: i32\nentry:\n  write i32 A[0:i32] = gid.0\n  return\n")
    for only in ("divergence", "intra-group"):
        assert order_report(kernel, Launch((1,), (2,)), solver, Options(only=only)).verdict == "race"


@pytest.mark.parametrize(
    ("operator", "other_operator", "verdict"),
    [("and", "or", "unknown"), ("add", "xor", "unknown"), ("add", "sub", "equal"), ("or", "or", "equal")],
)
def test_atomic_operations_of_one_place_are_of_one_kind(solver, operator, other_operator, verdict):
    head = "kernel k\nglobal A: i32\nentry:\n"
    first, second = f"x = atomic i32 A[0:i32] {operator} 6:i32", f"y = atomic i32 A[0:i32] {other_operator} 3:i32"
    ends = f"a:\n  {first}\n  jump end\nb:\n  {second}\n  jump end\nend:\n  return\n"
    body = (
        f"  x = read i32 A[0:i32]\n  y = {operator} x, 6:i32\n  z = {other_operator} y, 3:i32\n"
        "  write i32 A[0:i32] = z\n  return\n"
    )
    kernel = parse(f"{head}  c = eq lid.0, 0:i32\n  branch c ? a : b\n{ends}")
    report = compare_programs(kernel, parse(head + body), {"lsize.0": 2}, {}, solver)
    assert report.verdict == verdict
    assert ("the order of two kinds of atomic operations in A matters" in report.reason) == (verdict == "unknown")
