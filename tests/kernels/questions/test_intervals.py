"""Barrier intervals against all ways through a kernel, and barriers that are not needed against runs."""

import collections

import pytest
from hypothesis import HealthCheck, Phase, assume, given, seed, settings

from quick import examples
from random_kernels import CONTENTS, GROUPS, LOCAL, SCALARS, faults, kernels
from synth_kernels.analyses.barrier_intervals import interval_proofs
from synth_kernels.analyses.intervals import barrier_needs, barriers_of, early_arrays, intervals, leave_out_barriers
from synth_kernels.candidates.rules import ALL
from synth_kernels.concrete_run import Runner
from synth_kernels.launch import Launch, threads
from synth_kernels.pair.options import Options
from synth_kernels.program import Access, Barrier
from synth_kernels.text import parse
from synth_solvers.client import Solver

SLOW = settings(deadline=None, suppress_health_check=list(HealthCheck), database=None, phases=[Phase.generate])
LAUNCH = Launch((LOCAL,), (GROUPS,))
ONE_GROUP = Launch((LOCAL,), (1,))
#: A tree sum, with a barrier that it needs in its loop, and barriers before and after that it does not need.
TREE = """kernel tree
local T: i32
global A: i32
entry:
  write i32 T[lid.0] = lid.0
  {before}
  jump loop(4:i32)
loop(d: i32):
  c = ult 0:i32, d
  branch c ? body : done
body:
  {inside}
  near = ult lid.0, d
  branch near ? add : next
add:
  j = add lid.0, d
  x = read i32 T[j]
  y = read i32 T[lid.0]
  s = add x, y
  write i32 T[lid.0] = s
  jump next
next:
  e = lshr d, 1:i32
  jump loop(e)
done:
  {after}
  first = eq lid.0, 0:i32
  branch first ? out : end
out:
  z = read i32 T[0:i32]
  write i32 A[0:i32] = z
  jump end
end:
  return
"""
BARRIER, NOTHING = "barrier group local", ""


@pytest.fixture(scope="module")
def solver():
    with Solver(seconds=60.0) as solver:
        yield solver


def walked(kernel, most):
    """Go all ways on which no place between two barriers is passed more than twice, and note what lies between them.

    A way through a place is made of two ways without a circle, so these ways show all there is to see.
    """
    between, seen, spent = {}, set(), 0
    todo = [(None, (kernel.blocks[0].name, 0))]
    while todo:
        start, place = todo.pop()
        if (start, place) in seen:
            continue
        seen.add((start, place))
        ways = [(place, (), frozenset())]
        while ways:
            spent += 1
            if spent > most:
                return None
            (name, number), before, accesses = ways.pop()
            here = kernel.block(name).instructions[number:]
            barrier = next((instruction for instruction in here if isinstance(instruction, Barrier)), None)
            until = here if barrier is None else here[: here.index(barrier)]
            accesses |= {instruction for instruction in until if isinstance(instruction, Access)}
            if barrier is not None:
                between.setdefault((start, barrier.line), set()).update(accesses)
                todo.append((barrier.line, (name, number + here.index(barrier) + 1)))
            elif not kernel.block(name).end.targets:
                between.setdefault((start, None), set()).update(accesses)
            elif before.count((name, number)) < 2:
                ways += [
                    ((target.block, 0), (*before, (name, number)), accesses)
                    for target in kernel.block(name).end.targets
                ]
    return between


@seed(1)
@settings(SLOW, max_examples=examples(60))
@given(kernels(loops=1))
def test_intervals_are_those_of_all_ways(kernel):
    expected = walked(kernel, 20_000)
    assume(expected is not None)
    arrays = {
        places: tuple(tuple(sorted({a.array for a in accesses if a.kind != other})) for other in ("write", "read"))
        for places, accesses in expected.items()
    }
    assert {
        (interval.start, interval.end): (interval.reads, interval.writes) for interval in intervals(kernel)
    } == arrays


@seed(1)
@settings(SLOW, max_examples=examples(15))
@given(kernels(loops=1))
def test_no_run_misses_a_barrier_that_is_not_needed(solver, kernel):
    report = barrier_needs(kernel, LAUNCH, solver)
    for variant in report.variants:
        if variant.verdict == "not needed":
            assert not faults(variant.kernel, contents=CONTENTS)
        elif variant.verdict == "needed":
            assert any(counterexample.is_confirmed for counterexample in variant.report.counterexamples)
    assert not report.together or not faults(leave_out_barriers(kernel, report.together), contents=CONTENTS)


@seed(2)
@settings(SLOW, max_examples=examples(12))
@given(kernels() | kernels(reads=True))
def test_a_group_has_no_fault_if_each_interval_is_proved_alone(solver, kernel):
    judge_alone(solver, kernel)


@pytest.mark.exhaustive
def test_a_group_has_no_fault_if_each_interval_is_proved_alone_of_many(solver):
    seen = collections.Counter()

    @seed(3)
    @settings(SLOW, max_examples=examples(300))
    @given(kernels() | kernels(reads=True))
    def judge(kernel):
        seen[judge_alone(solver, kernel)] += 1

    judge()
    print(dict(seen))  # noqa: T201  (pytest -s shows it)
    assert seen["proved"] > seen["not proved"]


def alone(kernel, launch, solver):
    """Return whether the intervals of a kernel are proved: all, none or some."""
    return set(interval_proofs(kernel, early_arrays(intervals(kernel)), launch, solver, Options()).values())


def judge_alone(solver, kernel):
    """Compare proofs of intervals with runs of one group, and say what came of it."""
    alone = interval_proofs(kernel, early_arrays(intervals(kernel)), ONE_GROUP, solver, Options())
    sizes = {name: size or 1 for name, size in ONE_GROUP.sizes().items() if not name.startswith("offset")}
    group = list(threads(sizes))
    runs = [Runner(kernel, sizes, {"n": n}, contents=held).run(group) for n in SCALARS for held in CONTENTS]
    has_fault = any(fault.kind in {"race", "divergence"} for run in runs for fault in run.faults)
    proved = bool(alone) and all(alone.values())
    assert not (proved and has_fault)
    return "with a fault" if has_fault else "proved" if proved else "not proved" if alone else "not judged"


@pytest.mark.parametrize("size", [4, 8, None])
def test_a_tree_is_proved_interval_by_interval(solver, size):
    kernel = parse(TREE.format(before=BARRIER, inside=BARRIER, after=BARRIER))
    launch = Launch((size,), (1,))
    assert alone(kernel, launch, solver) == {True}
    less = parse(TREE.format(before=BARRIER, inside=NOTHING, after=BARRIER))
    assert False in alone(less, launch, solver)


def test_values_of_threads_differ_behind_a_barrier(solver):
    """What a thread has read before the barrier decides where it goes."""
    text = """kernel parting
global A: i32
entry:
  x = read i32 A[lid.0]
  barrier group
  c = eq x, 0:i32
  branch c ? one : other
one:
  barrier group
  jump other
other:
  return
"""
    kernel = parse(text)
    assert set(interval_proofs(kernel, early_arrays(intervals(kernel)), ONE_GROUP, solver, Options()).values()) == {
        True,
        False,
    }
    common = parse(text.replace("A[lid.0]", "A[0:i32]"))
    assert alone(common, ONE_GROUP, solver) == {True}


def test_a_tree_needs_the_barrier_of_its_loop_only(solver):
    kernel = parse(TREE.format(before=BARRIER, inside=BARRIER, after=BARRIER))
    report = barrier_needs(kernel, Launch((8,), (1,)), solver, Options(rules=ALL))
    assert report.whole.verdict == "verified"
    assert {variant.line: variant.verdict for variant in report.variants} == dict(
        zip(barriers_of(kernel), ("not needed", "needed", "not needed"), strict=True)
    )
    assert len(report.together) == 2
    first = report.intervals[0]
    assert (first.start, first.reads, first.writes) == (None, (), ("T",))


def test_a_barrier_is_needed_for_any_fault_whatever_else_is_asked(solver):
    kernel = parse(TREE.format(before=NOTHING, inside=BARRIER, after=NOTHING))
    report = barrier_needs(kernel, Launch((8,), (1,)), solver, Options(rules=ALL, only="divergence"))
    assert [variant.verdict for variant in report.variants] == ["needed"]


@pytest.mark.full
def test_a_kernel_with_a_fault_has_no_variants(solver):
    report = barrier_needs(parse(TREE.format(before=BARRIER, inside=NOTHING, after=BARRIER)), LAUNCH, solver)
    assert report.whole.verdict == "race"
    assert not report.variants
    assert report.intervals
