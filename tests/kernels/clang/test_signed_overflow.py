"""Signed arithmetic wraps around however it is written, or each overflow is a fault where that is asked for."""

import json

import pytest

from synth_kernels.kernel_file import SourceOptions, read
from synth_kernels.kernel_verdict import verify
from synth_kernels.launch import Launch
from synth_solvers.client import Solver

#: Parameters and an expression, and whether it may overflow as a signed number. Shifts of OpenCL C never do.
EXPRESSIONS = {
    "int x, int y": {
        "x + y": True, "x - y": True, "x * y": True, "x / y": True, "-x": True, "x << 1": False, "x++": True,
        "x & y": False, "x >> 1": False, "(x & 7) + (y & 7)": False, "(uint)x + (uint)y": False, "x / 3": False,
    },
    "uint x, uint y": {"x + y": False, "x * y": False, "-x": False},
    "long x, long y": {"x + y": True, "-x": True, "x >> 3": False},
    "short x, short y": {"x + y": False, "(x & 15) * (y & 15)": False, "-x": False, "x + 2147483647": True},
}  # fmt: skip
CASES = [(given, text, may) for given, some in EXPRESSIONS.items() for text, may in some.items()]


@pytest.mark.full
def test_an_overflow_is_found_where_it_may_happen(tmp_path):
    path = tmp_path / "k.cl"
    lines = [
        f"__kernel void k{number}(__global long *a, {parameter}) {{ if (y != 0) a[get_global_id(0)] = {text}; }}"
        for number, (parameter, text, _) in enumerate(CASES)
    ]
    path.write_text("\n".join(lines))
    verdicts = {}
    with Solver(seconds=60.0) as solver:
        for kernel, (parameter, text, _) in zip(read(path, SourceOptions(overflow="fault")), CASES, strict=True):
            report = verify(kernel, Launch((2,), (1,)), solver)
            verdicts[parameter, text] = report.verdict
    assert verdicts == {(parameter, text): "overflow" if may else "verified" for parameter, text, may in CASES}


@pytest.mark.full
@pytest.mark.parametrize("overflow", ["wrap", "fault"])
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("k.cu", "__global__ void k(int *a, int x) { a[threadIdx.x] = x << 1; }"),
        ("k.cu", "__global__ void k(int *a) { a[threadIdx.x] = 2147483647 + 1; }"),
        ("k.cu", "__global__ void k(int *a, int x) { a[threadIdx.x] = __mul24(x, x) + 0 * __dp4a(x, x, x); }"),
        ("k.cl", "__kernel void k(__global int4 *a, int4 x) { a[get_local_id(0)] = x * x; }"),
    ],
)
def test_overflows_that_are_not_checked_are_named(synth, kernels, name, text, overflow):
    words = ("--overflow", overflow, "--local-size", "2", "--num-groups", "1", "--json")
    answer = json.loads(synth("verify", kernels(text, name=name), *words).out)
    assert answer["verdict"] == "verified"
    unchecked = "no overflow in constants, vectors, left shifts and functions of the language"
    assert (unchecked in answer["rests_on"]) == (overflow == "fault")
    assert "signed arithmetic wraps" in answer["rests_on"] or overflow == "fault" or "<<" in text or "+ 1" in text


#: Pairs of ways to write one number, which is or is not the same for two threads.
PAIRS = [
    ("(n * 2) / 2 == n", "n * 2 == (int)((uint)n * 2u) && (n + n) / 2 == n"),
    ("n + 1 > n", "(int)((uint)n + 1u) > n"),
    ("n - 1 < n", "(int)((uint)n - 1u) < n"),
    ("-(-n) == n && -n != n", "0 - (0 - n) == n && 0 - n != n"),
    ("n * n >= 0", "(int)((uint)n * (uint)n) >= 0"),
    ("(n << 1) / 2 == n", "(n + n) / 2 == n"),
]


@pytest.mark.full
@pytest.mark.parametrize(("first", "second"), PAIRS, ids=[first for first, _ in PAIRS])
def test_two_spellings_have_one_verdict(synth, kernels, first, second):
    """Each test is false for some number, so both kernels have a race."""
    body = "__kernel void k%d(__global int *a, int n) { if (!(%s)) a[0] = get_local_id(0); }"
    path = kernels(body % (1, first), body % (2, second), name="k.cl")
    said = synth("verify", path, "--local-size", "2", "--num-groups", "1", "--json").out
    assert [json.loads(line)["verdict"] for line in said.splitlines()] == ["race", "race"]
