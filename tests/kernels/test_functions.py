"""Functions that a run computes: those on whole words by brute force, and those on floats."""

import math
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth_kernels.atomics import updated_value
from synth_kernels.floats import apply_function, can_run, is_exact
from synth_kernels.program import Opaque

WIDTHS = st.sampled_from([8, 16, 32, 64])


def of_words(function, *operands, width, result=None):
    return apply_function(Opaque("", function, (), result or width), operands, width)


def bits_of(value, form="f"):
    return int.from_bytes(struct.pack(f"<{form}", value), "little")


@given(st.data(), WIDTHS)
def test_functions_on_words_look_at_each_bit(data, width):
    value, other = (data.draw(st.integers(0, (1 << width) - 1)) for _ in range(2))
    by = data.draw(st.integers(0, 2 * width))
    bits = [value >> place & 1 for place in range(width)]
    assert of_words("ctpop", value, width=width) == of_words("popcount.j", value, width=width) == sum(bits)
    assert of_words("cttz", value, 0, width=width) == (bits.index(1) if value else width)
    assert of_words("clz.j", value, width=width) == (bits[::-1].index(1) if value else width)
    assert of_words("bitreverse", value, width=width) == sum(bit << width - 1 - place for place, bit in enumerate(bits))
    swapped = of_words("bswap", value, width=width)
    assert [swapped >> 8 * place & 255 for place in range(width // 8)] == [
        value >> width - 8 - 8 * place & 255 for place in range(width // 8)
    ]
    both = [other >> place & 1 for place in range(width)] + bits
    left = [both[(place - by % width) % (2 * width)] for place in range(width, 2 * width)]
    assert of_words("fshl", value, other, by, width=width) == sum(bit << place for place, bit in enumerate(left))
    right = [both[place + by % width] for place in range(width)]
    assert of_words("fshr", value, other, by, width=width) == sum(bit << place for place, bit in enumerate(right))


@given(st.integers(-128, 127), st.integers(-128, 127))
def test_functions_of_two_numbers_have_a_sign_or_none(first, second):
    assert of_words("mul_hi.cc", first & 255, second & 255, width=8) == first * second // 256 & 255
    assert of_words("mul_hi.hh", first & 255, second & 255, width=8) == (first & 255) * (second & 255) // 256
    assert of_words("hadd.cc", first & 255, second & 255, width=8) == (first + second) // 2 & 255
    assert of_words("rhadd.hh", first & 255, second & 255, width=8) == ((first & 255) + (second & 255) + 1) // 2


@pytest.mark.parametrize(
    ("function", "operands", "expected"),
    [
        ("sqrtf", (4.0,), 2.0),
        ("native_sqrt.f", (2.25,), 1.5),
        ("fmax.ff", (1.0, math.nan), 1.0),
        ("minnum", (1.0, -2.0), -2.0),
        ("floorf", (-1.5,), -2.0),
        ("round", (-0.5,), -1.0),
        ("rint.f", (2.5,), 2.0),
        ("__powf", (2.0, 10.0), 1024.0),
        ("log", (0.0,), -math.inf),
        ("exp", (1e9,), math.inf),
        ("native_recip.f", (-0.0,), -math.inf),
        ("mad.fff", (2.0, 3.0, 4.0), 10.0),
    ],
)
def test_a_function_of_mathematics_has_its_value_in_a_run(function, operands, expected):
    assert can_run(function)
    assert not is_exact(function)  # languages leave the last bits of some of them open
    assert of_words(function, *map(bits_of, operands), width=32) == bits_of(expected)


def test_what_is_not_known_is_not_run():
    assert not any(map(can_run, ("erff", "sin.Dv4_f", "sqrt.Dh", "address.a", "mul_hi", "half")))
    assert math.isnan(struct.unpack("<f", of_words("sqrtf", bits_of(-1.0), width=32).to_bytes(4, "little"))[0])


def test_atomic_operations_on_floats_leave_their_results():
    assert updated_value("fadd", bits_of(0.5), [bits_of(0.25)], 32) == bits_of(0.75)
    assert updated_value("fmin", bits_of(0.5, "d"), [bits_of(-1.0, "d")], 64) == bits_of(-1.0, "d")
