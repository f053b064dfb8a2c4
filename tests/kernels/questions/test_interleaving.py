"""All orders of few threads against the canonical schedule."""

import collections

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from all_interleavings import some_order_differs
from random_kernels import kernels
from synth_kernels.analyses.intervals import barriers_of, leave_out_barriers
from synth_kernels.analyses.symbolic_thread import TooHardError
from synth_kernels.candidates.rules import ALL
from synth_kernels.kernel_verdict import verify
from synth_kernels.launch import Launch
from synth_kernels.pair.options import Options
from synth_kernels.program import Access
from synth_kernels.text import parse
from synth_solvers.client import Solver

SLOW = settings(deadline=None, suppress_health_check=list(HealthCheck), database=None, phases=[Phase.generate])
SIZES = dict.fromkeys(("lsize.1", "lsize.2", "groups.0", "groups.1", "groups.2"), 1)
#: Neighbours exchange what they have read.
EXCHANGE = """kernel exchange
local T: i32
global A: i32
entry:
  x = read i32 A[lid.0]
  write i32 T[lid.0] = x
  barrier group local
  i = xor lid.0, 1:i32
  y = read i32 T[i]
  write i32 A[lid.0] = y
  return
"""


@pytest.fixture(scope="module")
def solver():
    with Solver(seconds=60.0) as solver:
        yield solver


def plain(kernel):
    """Whether a kernel has no atomic access."""
    return all(
        not (isinstance(s, Access) and s.kind == "atomic") for block in kernel.blocks for s in block.instructions
    )


def judged(solver, many):
    seen = collections.Counter()

    @seed(1)
    @settings(SLOW, max_examples=many)
    @given((kernels(loops=1) | kernels(loops=1, reads=True)).filter(plain), st.integers(2, 4), st.integers(0, 2))
    def compare(kernel, size, n):
        launch = Launch((size,), (1,), scalars=(("n", n),))
        verdict = verify(kernel, launch, solver, Options(rules=ALL, tolerate_benign=False)).verdict
        try:
            differs = some_order_differs(kernel, SIZES | {"lsize.0": size}, {"n": n}, solver)
        except TooHardError:
            seen["too hard"] += 1
            return
        assert not (verdict == "verified" and differs)
        seen[verdict, differs] += 1

    compare()
    print(dict(seen))  # noqa: T201  (pytest -s shows it)
    return seen


@pytest.mark.full
@pytest.mark.parametrize("many", [15, pytest.param(300, marks=pytest.mark.exhaustive)])
def test_no_order_differs_where_a_kernel_is_verified(solver, many):
    seen = judged(solver, many)
    assert seen["verified", False]


def test_a_race_shows_by_its_effect(solver):
    kernel = parse(EXCHANGE)
    sizes = SIZES | {"lsize.0": 4}
    assert some_order_differs(kernel, sizes, {}, solver) is False
    assert some_order_differs(leave_out_barriers(kernel, barriers_of(kernel)), sizes, {}, solver) is True
