"""Test operators by powers of two against the operators themselves, for all numbers of 4 bits."""

import pytest

from synth_kernels.operators import compute
from synth_kernels.pair.powers import BY_POWERS, choice_by_power, guessed_powers
from synth_kernels.terms import Terms, evaluate
from synth_kernels.text import parse

WIDTH = 4


@pytest.mark.parametrize("operator", sorted(BY_POWERS))
def test_an_operation_by_a_power_of_two_equals_the_general_one(operator):
    terms = Terms()
    operand, power = (terms.variable(name, WIDTH) for name in ("operand", "power"))
    result = choice_by_power(terms, operator, operand, power, terms.variable("otherwise", WIDTH))
    for first in range(1 << WIDTH):
        for second in range(operator != "mul", 1 << WIDTH):
            expected = compute(operator, [first, second], WIDTH, WIDTH)
            values = {"operand": first, "power": second, "otherwise": expected}
            assert evaluate([result], values)[result] == expected, (first, second)
            is_power = second.bit_count() == (1 if second else 0)
            is_small = first < 1 << WIDTH - 1 > second or operator in {"mul", "udiv", "urem"}
            if is_power and is_small:
                values["otherwise"] = expected ^ 1
                assert evaluate([result], values)[result] == expected, (first, second)


KERNEL = """kernel guesses
scalar n: i32
entry:
  jump outer(1:i32, 64:i32, 1:i32, n)
outer(doubled: i32, halved: i32, counted: i32, given: i32):
  twice = add doubled, doubled
  wide = zext doubled to i64
  half = sdiv halved, 2:i32
  next = add counted, 1:i32
  more = mul given, 2:i32
  c = ult counted, n
  branch c ? outer(twice, half, next, more) : out
out:
  return
"""


def test_guesses_are_values_that_begin_with_a_power_and_are_doubled_or_halved():
    assert guessed_powers(parse(KERNEL)) == {"doubled", "twice", "wide", "halved", "half"}
