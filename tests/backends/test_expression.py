"""Test expressions of mappings: Python and a C compiler agree on the values, and an overflow of 32 bits is noticed."""

import random
import subprocess

import pytest

from synth_backends.expression import C_LIKE, NameTerm, Number, Spelling, choice, evaluate, spell
from synth_checker.errors import InternalError

A, B = NameTerm("a"), NameTerm("b")


OPERATIONS = [
    lambda a, b: a + b,
    lambda a, b: a - b,
    lambda a, b: a * b,
    lambda a, b: a / b,
    lambda a, b: a % b,
    lambda a, b: choice(a.is_below(b), b, a),
    lambda a, b: choice(a.is_equal_to(b), a, choice(b.is_below(a), 1, b)),
]


def random_expression(rng, depth):
    if depth == 0:
        return rng.choice([A, B, Number(rng.randrange(100)), Number(rng.choice([0, 1, 2**32 - 1]))])
    return rng.choice(OPERATIONS)(random_expression(rng, depth - 1), random_expression(rng, rng.randrange(depth)))


def values_in_c(cases, folder):
    """What a C compiler makes of expressions under names."""
    lines = "".join(
        f'    {{ unsigned a = {names["a"]}u, b = {names["b"]}u; printf("%u\\n", {spell(e, C_LIKE)}); }}\n'
        for e, names in cases
    )
    (folder / "cases.c").write_text(f"#include <stdio.h>\nint main(void) {{\n{lines}}}\n")
    subprocess.run(["g++", "-x", "c", "-std=c11", "-O0", "-w", "-o", "cases", "cases.c"], cwd=folder, check=True)
    run = subprocess.run([folder / "cases"], capture_output=True, text=True, check=True)
    return [int(line) for line in run.stdout.split()]


def test_values_are_those_of_a_c_compiler(tmp_path):
    rng = random.Random("expressions")
    cases, values = [], []
    while len(cases) < 400:
        expression = random_expression(rng, rng.randint(1, 4))
        names = {"a": rng.randrange(1000), "b": rng.choice([0, 1, 7, 2**32 - 1])}
        try:
            values.append(evaluate(expression, names))
        except (InternalError, ZeroDivisionError):
            continue
        cases.append((expression, names))
    assert len(set(values)) > 50
    assert values_in_c(cases, tmp_path) == values


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        (A + B * 2, "a + b * 2u"),
        ((A + B) * 2, "(a + b) * 2u"),
        (A - (B - 1), "a - (b - 1u)"),
        (A - B - 1, "a - b - 1u"),
        (A / 2 * B % 3, "a / 2u * b % 3u"),
        (A / (B * 2), "a / (b * 2u)"),
        (choice(A.is_below(B + 1), 1, choice(A.is_equal_to(0), 2, 3)), "a < b + 1u ? 1u : a == 0u ? 2u : 3u"),
        (choice(A.is_below(1), 2, 3) + 1, "(a < 1u ? 2u : 3u) + 1u"),
    ],
)
def test_there_are_no_more_parentheses_than_needed(expression, text):
    assert spell(expression, C_LIKE) == text


def test_a_language_may_spell_a_choice_as_a_call():
    spelling = Spelling("let {name} = {value};", "{}u", "select({no}, {yes}, {condition})", choice_is_call=True)
    assert spell(choice(A.is_below(1), 2, 3) + 1, spelling) == "select(3u, 2u, a < 1u) + 1u"


@pytest.mark.parametrize("expression", [A - B, A * B, NameTerm("c"), A + B + 2**32 - B])
def test_what_leaves_32_bits_or_has_no_value_is_a_defect(expression):
    with pytest.raises(InternalError):
        evaluate(expression, {"a": 2**31, "b": 2**31 + 1})
