"""`--arg` of kernels in C: elements of structures and vectors, null, wrong counts, and all that is missing at once."""

import json
import struct

import pytest

SOURCE = """
typedef struct { char kind; int value; float2 at; } S;
__kernel void k(__global S *s, __global float4 *v, __global int *p, short n, float f, __global float *out) {
    if (p) out[0] = p[0];
    out[1] = s[1].value + s[0].kind;
    out[2] = v[1].z;
    out[3] = s[1].at.y;
    out[4] = f;
    out[5] = n;
}
"""
GIVEN = {"s": "1,2,.5,1.5,-3,4,-2.5,7.", "v": "1.,2.,3.,4.:2", "p": "9:1", "n": "-3", "f": "0.5", "out": "0:6"}


def call(changed=(), without=()):
    """Return the arguments of the kernel, with some changed and without others."""
    arguments = {**GIVEN, **dict(changed)}
    return [f"--arg={name}={value}" for name, value in arguments.items() if name not in without]


def as_bits(value):
    return struct.unpack("<i", struct.pack("<f", value))[0]


#: What is changed, and what the kernel then stores.
STORED = {
    "": [9, 5, 3, 7, 0.5, -3],
    "p=null": [0, 5, 3, 7, 0.5, -3],
    "s=2,3,0.,1.:2": [9, 5, 3, 1, 0.5, -3],  # both elements hold these four numbers
    "s=1:2": [9, 2, 3, 1.0, 0.5, -3],  # each number is 1
    "s=-1,7,0.,1.,-2,-8,3.,4.25": [9, -9, 3, 4.25, 0.5, -3],
    "v=1.,2.,3.,4.,5.,6.,-7.25,8.": [9, 5, -7.25, 7, 0.5, -3],
    "v=0x1:2": [9, 5, None, 7, 0.5, -3],  # the bits of a float
    "n=0xffff": [9, 5, 3, 7, 0.5, -1],
    "f=-1.5e2": [9, 5, 3, 7, -150, -3],
}


@pytest.mark.full
@pytest.mark.parametrize(("changed", "stored"), STORED.items(), ids=STORED)
def test_an_argument_is_given_in_numbers_of_the_source(synth, kernels, changed, stored):
    """Elements of `out` are floats. `--final` reads elements as signed numbers of their width, thus their bits."""
    path = kernels(SOURCE, name="k.cl")
    numbers = [as_bits(number) if number is not None else 1 for number in stored]
    if changed == "s=1:2":
        numbers[3] = 1  # a whole number for a float is its bits, too
    arguments = call([changed.split("=")] if changed else [])
    said = synth("kernel", "check", path, *arguments, "--workgroups", "1", "--final", f"out == {numbers}")
    assert (said.code, said.err) == (0, ""), said.out


@pytest.mark.full
def test_an_assertion_names_numbers_of_elements(synth, kernels):
    """The numbers of a structure follow each other, and have their own widths and signs."""
    path = kernels(SOURCE.replace("out[1] =", "s[1].kind = -1; s[0].value -= 9; n = s[1].value; out[1] ="), name="k.cl")
    words = ("kernel", "check", path, *call(), "--workgroups", "1", "--json", "--final")
    for text, holds in {
        "s[1] == -7 && s[5] == 4": True,
        "s[5] == -7": False,
        "s[4] == -1 and s[0] == 1": True,
        "s[4] == 255": False,
        "n == -3 and n < 0": True,
        "v[7] == v[3] and v[0] != v[1]": True,
    }.items():
        assert synth(*words, text).code == (0 if holds else 1), text
    assert "expected an element of s, which has 8" in synth(*words, "s[8] == 0").err


WRONG = {
    "s=1,2,3": "argument s: found 3 values, expected 4 for each element",
    "v=1.,2.,3.,4.,5.": "argument v: found 5 values, expected 4 for each element",
    "s=1": "argument s: found no number of elements, expected --arg s=1:COUNT, or s=1,... for each",
    "v=null": "argument v: found null, expected VALUE:COUNT, because the kernel does not ask whether it is null",
    "n=null": "argument n: found null, expected VALUE, because it is a scalar",
    "n=1:2": "argument n: found an array, expected a number, because n is a scalar",
    "p=null:2": "argument: found 'p=null:2', expected NAME=VALUE or",
    "p=": "argument: found 'p=', expected NAME=VALUE or",
    "q=1": "argument: found 'q'",
}


@pytest.mark.full
@pytest.mark.parametrize(("changed", "message"), WRONG.items(), ids=WRONG)
def test_an_argument_that_does_not_fit_is_refused(synth, kernels, changed, message):
    path = kernels(SOURCE, name="k.cl")
    said = synth("kernel", "need", path, *call([changed.split("=", 1)]))
    assert (said.code, said.out, said.err.count("\n")) == (2, "", 1)
    assert message in said.err


@pytest.mark.full
@pytest.mark.parametrize("command", ["need", "check"])
def test_all_missing_arguments_are_named_at_once_with_what_to_write(synth, kernels, command):
    path = kernels(SOURCE, name="k.cl")
    forms = {"n": "VALUE", "f": "VALUE"}
    every = {name: f"--arg {name}={forms.get(name, 'VALUE:COUNT')}" for name in ("n", "f", "s", "v", "p", "out")}
    for without in ({"n", "f", "s", "v", "p", "out"}, {"f", "p"}, {"v"}):
        names = ", ".join(name for name in every if name in without)
        wanted = " ".join(text for name, text in every.items() if name in without) + ", or p=null" * ("p" in without)
        said = synth("kernel", command, path, *call(without=without))
        plural = "s" if len(without) > 1 else ""
        assert said.err == f"synth: argument{plural} {names}: found none, expected {wanted}\n"
        assert said.code == 2


@pytest.mark.full
def test_arguments_of_an_answer_are_written_as_they_were_given(synth, kernels):
    path = kernels(SOURCE, name="k.cl")
    answer = json.loads(synth("kernel", "need", path, *call([("p", "null")]), "--json").out)
    assert answer["arguments"]["p"] == "null"
    assert {"p=null", "n=-3", "v=1.0,2.0,3.0,4.0:2"} <= set(answer["rests_on"])
