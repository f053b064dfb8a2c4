"""Of what typed programs can say beyond ids, scalars and accesses: a kernel each that passes, and one that fails."""

import pytest

from synth_kernels.kernel_verdict import verify
from synth_kernels.launch import Launch
from synth_kernels.pair.options import Options
from synth_kernels.printer import kernel_text
from synth_kernels.text import parse
from synth_solvers.client import Solver

GLOBAL_ID = "  s = mul gid.0, lsize.0\n  p = add s, lid.0\n  g = add p, offset.0\n"
#: Declarations, the lines of the only block, and the verdict for launches of all sizes.
KERNELS = {
    "constant arrays are read": ("constant C: i32", "x = read i32 C[0:i32]", "verified"),
    "constant arrays are not written": ("constant C: i32", "write i32 C[lid.0] = 1:i32", "constant-write"),
    "private arrays do not race": ("private P: i32", "write i32 P[0:i32] = lid.0", "verified"),
    "global arrays do": ("global P: i32", "write i32 P[0:i32] = lid.0", "race"),
    "an access is inside its array": ("local T: i32[4]", "i = and lid.0, 3:i32\nx = read i32 T[i]", "verified"),
    "an access is behind its array": ("local T: i32[4]", "i = and lid.0, 7:i32\nx = read i32 T[i]", "bounds"),
    "a wide access ends behind its array": (
        "local T: i32[4]",
        "i = and lid.0, 3:i32\nx = read i64 T[i]",
        "bounds",
    ),
    "an access is before its array": ("global T: i32", "i = sub lid.0, 1:i32\nx = read i32 T[i]", "bounds"),
    "copies of neighbours do not overlap": (
        "global A: i8",
        "i = and lid.0, 15:i32\nd = eq i, lid.0\nassume d\nj = shl i, 2:i32\nwrite i8 A[j] = 0:i8 for 4:i32",
        "verified",
    ),
    "longer copies overlap": (
        "global A: i8",
        "i = and lid.0, 15:i32\nd = eq i, lid.0\nassume d\nj = shl i, 2:i32\nwrite i8 A[j] = i8.0 for 5:i32",
        "race",
    ),
    "copies of no length touch nothing": ("global A: i32", "write i32 A[0:i32] = lid.0 for 0:i32", "verified"),
    "a copy of a negative length is behind its array": (
        "global A: i32[8]",
        "x = read i32 A[0:i32] for -1:i32",
        "bounds",
    ),
    "equal operands give equal results": (
        "scalar n: i32",
        "x = opaque i32 sin(n)\ny = opaque i32 sin(n)\nc = eq x, y\nassert c",
        "verified",
    ),
    "different functions give different results": (
        "scalar n: i32",
        "x = opaque i32 sin(n)\ny = opaque i32 cos(n)\nc = eq x, y\nassert c",
        "assertion",
    ),
    "a barrier depends on a function of a scalar": (
        "global A: i32\nscalar n: i32",
        "x = opaque i1 fcmp.olt(n, n)\nassume x\nbarrier group local",
        "verified",
    ),
    "an offset is the same function of different operands": (
        "global A: i32",
        "x = opaque i32 sin(lid.0)\nwrite i32 A[x] = lid.0",
        "race",
    ),
    "each thread has its own arbitrary value": ("global A: i32", "x = any i32\nwrite i32 A[x] = lid.0", "race"),
    "the offset of global ids is the same for all": (
        "global A: i32",
        GLOBAL_ID + "write i32 A[g] = lid.0",
        "verified",
    ),
    "an offset that is added once is seen": (
        "global A: i32",
        GLOBAL_ID + "write i32 A[g] = lid.0\nx = read i32 A[p]",
        "race",
    ),
}
BRANCH = """kernel k
entry:
  x = any{} i1
  branch x ? wait : done
wait:
  barrier group local
  jump done
done:
  return
"""


@pytest.fixture(scope="module")
def solver():
    with Solver(seconds=120.0) as solver:
        yield solver


@pytest.mark.parametrize(("declared", "body", "verdict"), KERNELS.values(), ids=KERNELS)
def test_a_feature_has_a_verdict(solver, declared, body, verdict):
    if "i8.0" in body:
        body = body.replace("write i8", "v = trunc lid.0 to i8\nwrite i8").replace("i8.0", "v")
    text = f"kernel k\n{declared}\nentry:\n{body}\n  return\n"
    kernel = parse(text)
    launch = Launch((8,), (None,), (None,))
    report = verify(kernel, launch, solver, Options(check_bounds=True))
    assert report.verdict == verdict
    assert kernel_text(parse(kernel_text(kernel))) == kernel_text(kernel)


@pytest.mark.parametrize(("more", "verdict"), [("0", "verified"), ("1", "race")])
def test_global_ids_of_64_bits_are_products_too(solver, more, verdict):
    """In launches of all sizes, the first id of a group is no product of two unknown numbers, however wide it is."""
    body = f"""
  g = zext gid.0 to i64
  s = zext lsize.0 to i64
  f = mul g, s
  l = zext lid.0 to i64
  i = add f, l
  o = trunc i to i32
  p = add o, {more}:i32
  write i32 A[o] = lid.0
  write i32 A[p] = lid.0
  return
"""
    report = verify(parse(f"kernel k\nglobal A: i32\nentry:{body}"), Launch((None,), (None,)), solver)
    assert report.verdict == verdict
    assert all(counterexample.is_confirmed for counterexample in report.counterexamples)


@pytest.mark.parametrize(("uniform", "verdict"), [(" uniform", "verified"), ("", "divergence")])
def test_a_uniform_value_is_the_same_in_a_group(solver, uniform, verdict):
    report = verify(parse(BRANCH.format(uniform)), Launch(), solver)
    assert report.verdict == verdict


@pytest.mark.parametrize(
    ("body", "verdict"),
    [
        ("write i32 A[0:i32] = lid.0", "verified"),
        ("c = eq lid.0, 0:i32\n  assert c", "verified"),
        ("c = eq lid.0, 1:i32\n  assert c", "assertion"),
        ("x = read i32 A[9:i32]", "bounds"),
    ],
)
def test_a_launch_of_one_thread_has_no_race_but_other_faults(solver, body, verdict):
    kernel = parse(f"kernel k\nglobal A: i32[4]\nentry:\n  {body}\n  return\n")
    report = verify(kernel, Launch((1,), (1,)), solver, Options(check_bounds=True))
    assert report.verdict == verdict
    assert all(counterexample.is_confirmed for counterexample in report.counterexamples)
