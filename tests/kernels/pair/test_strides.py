"""Test what a solver is told of offsets `k * x + r`: it is true of all numbers, and it is enough for structures."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from quick import mostly_full
from synth_kernels.kernel_verdict import verify
from synth_kernels.launch import Launch
from synth_kernels.pair.strides import Strides
from synth_kernels.terms import Terms, evaluate
from synth_kernels.text import parse
from synth_solvers.client import Solver

FACTORS = (2, 3, 5, 6, 7, 8, 12, 20, 64, 100, 1 << 30, (1 << 31) - 1)
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
    is_signed=st.booleans(),
)
@example(factor=3, index=(1 << 32) // 3 - 1, rest=2, units=1, further=0, swap=False, is_signed=False)
@example(factor=3, index=(1 << 32) // 3, rest=2, units=1, further=0, swap=False, is_signed=False)
@example(factor=5, index=(1 << 32) // 5 - 1, rest=1, units=4, further=3, swap=True, is_signed=False)
@example(factor=3, index=(1 << 31) // 3 - 1, rest=2, units=1, further=0, swap=False, is_signed=True)
@example(factor=3, index=(1 << 31) // 3, rest=2, units=1, further=0, swap=False, is_signed=True)
@example(factor=3, index=(1 << 32) - (1 << 31) // 3, rest=0, units=1, further=0, swap=False, is_signed=True)
@example(factor=3, index=(1 << 32) - (1 << 31) // 3 - 1, rest=0, units=1, further=0, swap=False, is_signed=True)
@example(factor=5, index=(1 << 31) // 5 - 1, rest=1, units=4, further=3, swap=True, is_signed=True)
@example(factor=8, index=(1 << 32) - (1 << 28), rest=0, units=1, further=0, swap=True, is_signed=True)
@example(factor=8, index=1 << 28, rest=0, units=1, further=0, swap=True, is_signed=True)
def test_what_a_solver_is_told_is_true_of_the_quotient_and_the_remainder(
    factor, index, rest, units, further, swap, is_signed
):
    """An index is signed if it subtracts something: here it is `n - 1 - i`, or i."""
    terms = Terms()
    n, i, r, place = (terms.variable(name, 32) for name in ("n", "i", "r", "place"))
    x = terms.apply("sub", (terms.apply("sub", (n, terms.constant(1, 32))), i)) if is_signed else i
    scaled = terms.apply("mul", (terms.constant(factor, 32), x) if swap else (x, terms.constant(factor, 32)))
    fact = Strides(terms).digits(terms.apply("add", (r, scaled) if swap else (scaled, r)), place, units)
    here = (factor * index + rest + further % units) % (1 << 32)
    what = "a signed place" if is_signed else "a place"
    quotient, remainder = divmod(here - (here >> 31 << 32 if is_signed else 0), factor)
    parts = {f"{what} by {factor}": quotient % (1 << 32), f"the rest of {what} by {factor}": remainder}
    values = {"n": 1000, "i": (999 - index if is_signed else index) % (1 << 32), "r": rest, "place": here} | parts
    assert evaluate([fact], values)[fact]
    is_told = units <= factor and (is_signed or factor & (factor - 1))
    assert (fact is not terms.true) == bool(is_told)


@given(st.lists(st.tuples(st.booleans(), st.integers(0, (1 << 32) - 1) | st.none()), min_size=1, max_size=6), st.data())
def test_what_an_index_subtracts_is_said_with_the_same_meaning(parts, data):
    """`index = value` and what is told of it hold for the same numbers: here the value is the index, or is not."""
    terms, word = Terms(), st.integers(0, (1 << 32) - 1)
    index = terms.variable("first", 32)
    for number, (is_taken, value) in enumerate(parts):
        operand = terms.variable(f"v{number}", 32) if value is None else terms.constant(value, 32)
        index = terms.apply("sub" if is_taken else "add", (index, operand))
    value = terms.variable("value", 32)
    fact = Strides(terms).solved(index, value)
    values = {name: data.draw(word) for name in ("first", *(f"v{number}" for number in range(len(parts))))}
    right = evaluate([index], values)[index]
    for guess in (right, data.draw(word)):
        is_so = guess == right or fact is terms.true
        assert evaluate([fact], values | {"value": guess})[fact] == is_so
    assert (fact is terms.true) == (not any(is_taken and number is None for is_taken, number in parts))


def test_a_solver_is_told_nothing_of_powers_of_two():
    terms = Terms()
    x, place = terms.variable("x", 32), terms.variable("place", 32)
    offsets = [x, *(terms.apply("mul", (x, factor)) for factor in (terms.constant(8, 32), x))]
    assert [Strides(terms).digits(offset, place, 1) for offset in offsets] == [terms.true] * 3


#: A thread writes the first and another member of a structure of eight elements, from the last structure on.
REVERSED = """kernel k
global A: i32
scalar n: i32
entry:
  f = mul gid.0, lsize.0
  i = add f, lid.0
  c = slt i, n
  branch c ? write : done
write:
  m = sub n, 1:i32
  x = sub m, i
  near = add x, 67108864:i32
  few = ult near, 134217728:i32
  assume few
  s = mul x, 8:i32
  write i32 A[s] = i
  t = add s, {member}:i32
  write i32 A[t] = i
  jump done
done:
  return
"""


@pytest.mark.full
@pytest.mark.parametrize(("member", "verdict"), [(7, "verified"), (8, "race")])
def test_an_array_of_structures_is_reversed(member, verdict):
    with Solver(seconds=120.0) as solver:
        assert verify(parse(REVERSED.format(member=member)), Launch(), solver).verdict == verdict


@pytest.mark.parametrize(("member", "verdict"), [(1, "verified"), (4, "verified"), (5, "race")])
@mostly_full("operands", ["i, 5:i32", "5:i32, i"])
def test_members_of_structures_are_told_apart(member, verdict, operands):
    text = MEMBERS.format(most=(1 << 31) // 20, member=member, operands=operands)
    with Solver(seconds=120.0) as solver:
        assert verify(parse(text), Launch(), solver).verdict == verdict
