"""Assertions on the memory that a launch leaves behind: what they mean, and what is refused."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from support.launches import space_of
from synth_checker.errors import InputError
from synth_kernels.progress.final_assertions import Assertion

TEXT = """
kernel k
global A: i32[3]
global B: u
scalar n: i32
entry:
  return
""".replace("u\n", "i8[1]\n")


@pytest.fixture(scope="module")
def machine():
    return space_of(TEXT, 1, 1, ["A=0", "B=0", "n=-2"]).machine


#: The memory of most tests: A is 5, -1, 2, and B is -128.
MEMORY = (5, (1 << 32) - 1, 2, 128)


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("A[0] == 5", True),
        ("A[1] == -1 && !(A[2] != 2)", True),
        ("A[1] < 0 or A[1] > 5", True),
        ("A == [5, -1, 2]", True),
        ("A == [5, -1, 3]", False),
        ("A != [5, -1, 3]", True),
        ("A >= -1", True),
        ("A >= 0", False),
        ("A == 5", False),
        ("B[0] == -128", True),
        ("B == -128", True),
        ("n == -2", True),
        ("-1 <= A[2] <= 2 < A[0]", True),
        ("A[A[2] - 2] == 5", True),
        ("~A[1] == 0 and A[0] << 1 == 10 and A[0] / 2 == 2", True),
    ],
)
def test_an_assertion_holds_where_its_text_is_true_of_the_memory(machine, text, holds):
    assert Assertion(text).holds(machine, MEMORY) is holds


@st.composite
def expressions(draw, depth=3):
    """An expression on elements and numbers, and text with which Python computes the same."""
    if not depth or draw(st.booleans()):
        return (draw(st.sampled_from(["A[0]", "A[1]", "A[2]", "0", "1", "-3", "7"])),) * 2
    (left, of_left), (right, of_right) = draw(expressions(depth - 1)), draw(expressions(depth - 1))
    words = ["+", "-", "*", "//", "%", "&", "|", "^", "==", "!=", "<", "<=", ">", ">=", "and", "or"]
    word = draw(st.sampled_from(words))
    return f"({left} {word} {right})", f"{'bool' if word in {'and', 'or'} else ''}({of_left} {word} {of_right})"


@given(expressions(), st.lists(st.integers(-9, 9), min_size=3, max_size=3))
def test_an_assertion_means_what_python_says(machine, texts, numbers):
    text, of_python = texts
    memory = [*(number & ((1 << 32) - 1) for number in numbers), 0]
    try:
        expected = bool(eval(of_python, {"A": numbers}))  # noqa: S307  (the text is ours)
    except ZeroDivisionError:
        assume(False)  # noqa: FBT003
    assert Assertion(text).holds(machine, memory) is expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("A[0] ==", "expected a comparison of elements and numbers"),
        ("", "an empty word"),
        ("f(A)", "expected a comparison"),
        ("A[0] == 'x'", "expected a comparison"),
        ("A", "expected a comparison"),
        ("A[3] == 0", "found A\\[3\\], expected an element of A, which has 3"),
        ("A[-1] == 0", "found A\\[-1\\]"),
        ("AA[0] == 0", "found 'AA' .did you mean A"),
        ("A == [1, 2]", "found 3 and 2 elements"),
        ("A + 1 == 2", "expected one, such as out\\[0\\]"),
        ("1 // 0 == 1", "divides by zero"),
        ("1 << -1 == 1", "shifts by a negative number"),
        ("(" * 400 + "1" + ")" * 400, "expected a comparison"),
    ],
)
def test_a_text_that_is_no_assertion_is_refused(machine, text, message):
    with pytest.raises(InputError, match=message):
        Assertion(text).check(machine)


def test_named_elements_are_shown_with_their_values(machine):
    text = Assertion("A[1 - 1] == 5 and A != 0 and n > A[1]").named_in(machine, MEMORY)
    assert text == "A[1 - 1] is 5, A is [5, -1, 2], n is -2, A[1] is -1"
