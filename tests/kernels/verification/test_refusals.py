"""Test that texts which are no kernels are refused with their line."""

import pytest

from synth_checker.errors import InputError
from synth_kernels.concrete_run import Runner
from synth_kernels.flow import Flow
from synth_kernels.kernel_verdict import verify
from synth_kernels.launch import Launch, threads
from synth_kernels.pair.options import Options
from synth_kernels.pair.walk import Walk
from synth_kernels.text import parse
from synth_solvers.client import Solver

START = "kernel k\nglobal A: i32\nscalar n: i32\nentry:\n"
LOOP = START + "  jump loop(0:i32)\nloop(i: i32):\n{}  c = ult i, n\n  branch c ? loop(i) : done\ndone:\n  return\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1"),
        (START, "ends with jump"),
        (START + "  x = read i32 B[n]\n  return\n", "line 5: array"),
        (START + "  x = ad n, n\n  return\n", "did you mean"),
        (START + "  x = add n, 1:i8\n  return\n", "line 5.*32 bits.*8"),
        (START + "  x = zext n to i16\n  return\n", "more than 32 bits"),
        (START + "  n = add n, n\n  return\n", "not defined twice"),
        (START + "  x = read i24 A[n]\n  return\n", "multiple of 32"),
        (START + "  write i32 A[n] = 1:i8\n  return\n", "value of 32"),
        (START + "  jump nowhere\n", "line 5: block"),
        (START + "  jump entry(n)\n", "1 values for entry"),
        (START + "  branch n ? entry : entry\n", "truth value of 1"),
        (START + "  c = eq n, n\n  d = ult c, c\n  return\n", "and, or, xor or eq"),
        ("kernel k\nglobal A: i32[x]\nentry:\n  return\n", "line 2: found"),
        ("kernel k\nsize 4, 0\nentry:\n  return\n", "line 2.*positive"),
        (START + "  x = any i0\n  return\n", "a width of 1"),
        (START + "  x = read i32 A[n] for 1:i8\n  return\n", "a count of 32"),
        (START + "  x = opaque i32 f(m)\n  return\n", "line 5: value"),
        (START + "  return\nkernel k\n" + START[9:] + "  return\n", "found 2 kernels"),
        (START + "  hello world\n  return\n", "an instruction"),
        (START + "  barrier group of 1:i64\n  return\n", "a mask of a barrier of a group.*one of a subgroup"),
    ],
)
def test_a_text_that_is_no_kernel_is_refused(text, message):
    with pytest.raises(InputError, match=message):
        parse(text)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (
            "  c = eq n, n\n  branch c ? a : d\na:\n  y = add n, n\n  jump d\nd:\n  x = add y, y\n  return\n",
            "line 11.*every way",
        ),
        (
            "  c = eq n, lid.0\n  branch c ? a : b\na:\n  branch c ? b : d\nb:\n  branch c ? a : d\nd:\n  return\n",
            "two entries",
        ),
    ],
)
def test_control_flow_that_is_not_understood_is_refused(body, message):
    with pytest.raises(InputError, match=message):
        Flow(parse(START + body))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (START + "  x = uniform n\n  y = select x, n, n\n  write i32 A[y] = n\n  return\n", "speaks of uniform"),
        (START + "  branch write.A ? entry : entry\n", "speaks of write.A"),
        (START + "  x = eq n, n\n  invariant x\n  return\n", "line 6: found an invariant"),
        (LOOP.format("  x = read i32 A[i]\n  t = eq x, n\n  invariant t\n"), "line 9: found an invariant"),
    ],
)
def test_invariants_in_the_wrong_place_are_refused(text, message):
    with pytest.raises(InputError, match=message):
        Walk(parse(text), Launch())


def test_invariants_that_do_not_hold_are_reported():
    text = LOOP.format("  t = eq i, {}:i32\n  invariant t\n")
    with Solver(seconds=120.0) as solver:
        assert verify(parse(text.format(0)), Launch((4,), (1,)), solver).verdict == "verified"
        assert verify(parse(text.format(1)), Launch((4,), (1,)), solver).verdict == "invariant"


def test_assumptions_that_nothing_satisfies_prove_nothing():
    text = START + "  c = ult n, {}:i32\n  assume c\n  assert c\n  return\n"
    with Solver(seconds=120.0) as solver:
        assert verify(parse(text.format(5)), Launch((4,), (1,)), solver).verdict == "verified"
        assert verify(parse(text.format(0)), Launch((4,), (1,)), solver).verdict == "contradiction"


def test_a_loop_that_nobody_enters_hides_nothing_behind_it():
    """With the planted fault that somebody enters each loop, the race behind it goes unseen."""
    text = LOOP.replace("  return\n", "  write i32 A[0:i32] = lid.0\n  return\n").replace(
        "  jump loop(0:i32)\n", "  never = ult n, 0:i32\n  branch never ? go : done\ngo:\n  jump loop(0:i32)\n"
    )
    with Solver(seconds=120.0) as solver:
        kernel = parse(text.format(""))
        assert verify(kernel, Launch((4,), (1,)), solver).verdict == "race"
        assert verify(kernel, Launch((4,), (1,)), solver, Options(enters_always=True)).verdict == "verified"


def test_a_solver_without_time_leaves_the_verdict_unknown():
    text = (
        "kernel k\nscalar a: i64\nscalar b: i64\nentry:\n  x = mul a, b\n  c = eq x, 8687298342800752309:i64\n"
        "  d = ult 1:i64, a\n  e = ult a, 4294967296:i64\n  f = ult b, 4294967296:i64\n  g = and c, d\n  h = and g, e\n"
        "  i = and h, f\n  j = not i\n  assert j\n  return\n"
    )
    with Solver(seconds=0.5) as solver:
        report = verify(parse(text), Launch((4,), (1,)), solver)
    assert report.verdict == "unknown"
    assert report.reason


def test_a_run_in_which_an_assumption_fails_has_no_faults():
    text = START + "  write i32 A[0:i32] = lid.0\n  c = ult lid.0, {}:i32\n  assume c\n  return\n"
    sizes = {f"{word}.{number}": 1 for word in ("lsize", "groups") for number in range(3)} | {"lsize.0": 3}
    for bound, kinds in ((3, {"race"}), (2, set())):
        run = Runner(parse(text.format(bound)), sizes, {"n": 0}).run(list(threads(sizes)))
        assert {fault.kind for fault in run.faults} == kinds
