"""Test what a solver is told of offsets `k * x + r`: it is true of all numbers, and it is enough for structures."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from synth_kernels.launch import Launch
from synth_kernels.pair.strides import Strides
from synth_kernels.terms import Terms, evaluated
from synth_kernels.text import parse
from synth_kernels.verifying import verify
from synth_solvers.asking import Solver

FACTORS = (3, 5, 6, 7, 12, 20, 100, (1 << 31) - 1)
#: Each thread writes two members of a structure of so many elements, of which there are not more than fit.
MEMBERS = """kernel k
global A: i32
entry:
  f = mul gid.0, lsize.0
  i = add f, lid.0
  few = ult i, {most}:i32
  assume few
  s = mul {operands}
  write i32 A[s] = i
  t = add s, {member}:i32
  write i32 A[t] = i
  return
"""


@given(
    factor=st.sampled_from(FACTORS),
    index=st.integers(0, (1 << 32) - 1),
    rest=st.integers(0, (1 << 32) - 1) | st.integers(0, 20),
    units=st.integers(1, 8),
    further=st.integers(0, 7),
    swap=st.booleans(),
)
@example(factor=3, index=(1 << 32) // 3 - 1, rest=2, units=1, further=0, swap=False)
@example(factor=3, index=(1 << 32) // 3, rest=2, units=1, further=0, swap=False)
@example(factor=5, index=(1 << 32) // 5 - 1, rest=1, units=4, further=3, swap=True)
def test_what_a_solver_is_told_is_true_of_the_quotient_and_the_remainder(factor, index, rest, units, further, swap):
    terms = Terms()
    x, r, place = (terms.variable(name, 32) for name in ("x", "r", "place"))
    scaled = terms.apply("mul", (terms.constant(factor, 32), x) if swap else (x, terms.constant(factor, 32)))
    told = Strides(terms).digits(terms.apply("add", (r, scaled) if swap else (scaled, r)), place, units)
    here = (factor * index + rest + further % units) % (1 << 32)
    names = (f"a place by {factor}", f"the rest of a place by {factor}")
    values = {"x": index, "r": rest, "place": here} | dict(zip(names, divmod(here, factor), strict=True))
    assert told is terms.true or evaluated([told], values)[told]


def test_a_solver_is_told_nothing_of_powers_of_two():
    terms = Terms()
    x, place = terms.variable("x", 32), terms.variable("place", 32)
    offsets = [x, *(terms.apply("mul", (x, factor)) for factor in (terms.constant(8, 32), x))]
    assert [Strides(terms).digits(offset, place, 1) for offset in offsets] == [terms.true] * 3


@pytest.mark.parametrize(("member", "verdict"), [(1, "verified"), (4, "verified"), (5, "race")])
@pytest.mark.parametrize("operands", ["i, 5:i32", "5:i32, i"])
def test_members_of_structures_are_told_apart(member, verdict, operands):
    text = MEMBERS.format(most=(1 << 31) // 20, member=member, operands=operands)
    with Solver(seconds=120.0) as solver:
        assert verify(parse(text), Launch(), solver).verdict == verdict
