"""Test what is known of the contents of arrays: kernels that need it, and random kernels against runs."""

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from quick import examples
from random_kernels import CONTENTS, GROUPS, LOCAL, faults, kernels
from synth_kernels.kernel_verdict import verify
from synth_kernels.launch import Launch
from synth_kernels.pair.contents import followed_arrays
from synth_kernels.pair.options import DEFAULT
from synth_kernels.text import parse
from synth_solvers.client import Solver

ABSTRACTIONS = ("adversarial", "equality", "auto")
#: Lines of the only block of a kernel, and the abstractions that prove it.
STRAIGHT = {
    "a table says where each thread writes": (
        "p = read i32 C[gid.0]\nq = add p, lid.0\nwrite i32 A[q] = lid.0",
        ("equality", "auto"),
    ),
    "a thread reads what it has stored": (
        "write i32 A[lid.0] = lid.0\nx = read i32 A[lid.0]\nwrite i32 B[x] = lid.0",
        ("equality", "auto"),
    ),
    "a thread reads half of what it has stored": (
        "i = shl lid.0, 1:i32\nv = zext lid.0 to i64\nwrite i64 A[i] = v\nx = read i32 A[i]\nwrite i32 B[x] = lid.0",
        ("equality", "auto"),
    ),
    "a value comes through a second array": (
        (
            "x = read i32 C[0:i32]\nwrite i32 P[0:i32] = x\ny = read i32 P[0:i32]\n"
            "z = add y, lid.0\nwrite i32 A[z] = lid.0"
        ),
        ("equality", "auto"),
    ),
    "all threads write what they have read": (
        "x = read i32 C[5:i32]\nwrite i32 A[0:i32] = x",
        ("equality", "auto"),
    ),
    "what is written has come from an array that changes": (
        "x = read i32 D[5:i32]\nwrite i32 A[0:i32] = x\nbarrier group global\nwrite i32 D[lid.0] = lid.0",
        ("equality",),
    ),
    "private arrays are not shared": (
        "write i32 P[0:i32] = lid.0\nbarrier group local global\nx = read i32 P[0:i32]\nwrite i32 A[x] = lid.0",
        ("equality", "auto"),
    ),
    "an atomic operation may change anything": (
        (
            "a = atomic i32 A[7:i32]\nbarrier group global\nx = read i32 A[lid.0]\ny = read i32 A[lid.0]\n"
            "c = eq x, y\nassert c"
        ),
        (),
    ),
    "a copy stores anything": (
        "write i32 A[lid.0] = lid.0 for 1:i32\nx = read i32 A[lid.0]\nwrite i32 B[x] = lid.0",
        (),
    ),
    "a barrier that fences the array lets others store to it": (
        "write i32 A[lid.0] = lid.0\nbarrier group global\nx = read i32 A[lid.0]\nwrite i32 B[x] = lid.0",
        (),
    ),
    "a barrier that fences another memory does not": (
        "write i32 A[lid.0] = lid.0\nbarrier group local\nx = read i32 A[lid.0]\nwrite i32 B[x] = lid.0",
        ("equality", "auto"),
    ),
}
BRANCH = """kernel k
{space} A: i32
local T: i32
entry:
  write i32 T[lid.0] = lid.0
  {write}
  barrier group local global
  x = read i32 A[3:i32]
  c = eq x, 0:i32
  branch c ? wait : done
wait:
  barrier group local
  jump done
done:
  return
"""
#: Both threads get to the last write, in different rounds. Thread t leaves the loop in round t, when it reads what it
#: has stored. If it repeats this read without its store, it never leaves.
LEAVES = """kernel k
private T: i32
local U: i32
entry:
  jump loop(0:i32)
loop(i: i32):
  u = uniform i
  o = other enabled
  both = and o, enabled
  alone = not both
  alike = or alone, u
  candidate alike
  x = read i32 T[lid.0]
  z = add x, 1:i32
  write i32 T[lid.0] = z
  y = read i32 T[lid.0]
  c = eq y, z
  d = eq i, lid.0
  e = and c, d
  j = add i, 1:i32
  branch e ? done : loop(j)
done:
  write i32 U[0:i32] = lid.0
  return
"""


@pytest.fixture(scope="module")
def solver():
    with Solver(seconds=120.0) as solver:
        yield solver


def verdict(text, solver, abstraction, launch):
    return verify(parse(text), launch, solver, replace(DEFAULT, abstraction=abstraction)).verdict


@pytest.mark.parametrize(("body", "proving"), STRAIGHT.values(), ids=STRAIGHT)
def test_a_kernel_that_needs_contents_is_verified_with_the_abstractions_that_follow_them(solver, body, proving):
    declared = "global A: i32\nlocal B: i32\nglobal C: i32\nglobal D: i32\nprivate P: i32\n"
    text = f"kernel k\n{declared}entry:\n{body}\n  return\n"
    proven_with = {
        abstraction
        for abstraction in ABSTRACTIONS
        if verdict(text, solver, abstraction, Launch((8,), (1,))) == "verified"
    }
    assert proven_with == set(proving)


@pytest.mark.parametrize("write", ["", "write i32 A[lid.0] = 1:i32"])
@pytest.mark.parametrize("space", ["local", "global"])
def test_threads_of_a_group_read_the_same(solver, space, write):
    text = BRANCH.format(space=space, write=write)
    verdicts = [verdict(text, solver, abstraction, Launch((8,), (1,))) for abstraction in ABSTRACTIONS]
    assert verdicts == ["divergence", "verified", "verified"]


def test_groups_have_local_arrays_of_their_own(solver):
    text = "kernel k\nlocal T: i32\nglobal A: i32\nentry:\n  z = eq lid.0, 0:i32\n  branch z ? write : done\nwrite:\n"
    text += "  x = read i32 T[0:i32]\n  write i32 A[0:i32] = x\n  jump done\ndone:\n  return\n"
    for groups, expected in ((1, "verified"), (2, "race")):
        assert verdict(text, solver, "equality", Launch((8,), (groups,))) == expected


def test_a_thread_that_left_a_loop_does_not_read_again_what_it_has_changed(solver):
    kernel = parse(LEAVES)
    assert faults(kernel, [0], CONTENTS) == {"race"}
    assert verdict(LEAVES, solver, "equality", Launch((LOCAL,), (1,))) == "race"


def test_arrays_are_chosen_by_where_their_values_go():
    text = "kernel k\nglobal A: i32\nglobal B: i32\nglobal C: i32\nglobal D: i32\nglobal E: i32\nglobal F: i32\n"
    text += "entry:\n  a = read i32 A[0:i32]\n  write i32 B[lid.0] = a\n  b = read i32 B[lid.0]\n"
    text += "  write i32 A[b] = 1:i32\n  c = read i32 C[lid.0]\n  d = atomic i32 D[c]\n  write i32 E[lid.0] = d\n"
    text += "  e = read i32 E[lid.0]\n  write i32 F[lid.0] = e\n  return\n"
    followed = {abstraction: followed_arrays(parse(text), abstraction) for abstraction in ABSTRACTIONS}
    assert followed == {"adversarial": set(), "equality": {*"ABCEF"}, "auto": {*"ABC"}}


SLOW = settings(deadline=None, suppress_health_check=list(HealthCheck))


@settings(SLOW, max_examples=examples(12))
@given(kernels(reads=True), st.sampled_from(["equality", "auto"]))
def test_no_kernel_with_a_fault_is_verified(solver, kernel, abstraction):
    if faults(kernel, contents=CONTENTS):
        options = replace(DEFAULT, abstraction=abstraction)
        assert verify(kernel, Launch((LOCAL,), (GROUPS,)), solver, options).verdict != "verified"
