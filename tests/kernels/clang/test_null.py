"""A pointer that a kernel compares with null may be null, however it does so, and another one is not."""

import json

import pytest

#: Kernels in which threads write to one place where `p` is null, and nowhere else.
RACES = {
    "if": "if (p) a[get_local_id(0)] = p[0]; else a[0] = get_local_id(0);",
    "equal": "if (p == 0) a[0] = get_local_id(0);",
    "and": "if (n > 2 && !p) a[0] = get_local_id(0);",
    "or": "if (p != 0 || n < 3) return; a[0] = get_local_id(0);",
    "choice": "a[p ? get_local_id(0) : 0] = get_local_id(0);",
    "function": "if (is_null(p)) a[0] = get_local_id(0);",
}
SIZES = ("--local-size", "2", "--num-groups", "1", "--json")


def source(parameter):
    head = "int is_null(__global const int *q) { return q == 0; }"
    return "\n".join(
        [head]
        + [f"__kernel void {name}_(__global int *a, {parameter}, int n) {{ {body} }}" for name, body in RACES.items()]
    )


@pytest.mark.full
@pytest.mark.parametrize("bits", ["32", "64"])
@pytest.mark.parametrize("parameter", ["__global const int *p", "__global const int *restrict p"])
def test_a_pointer_that_is_compared_with_null_may_be_null(synth, kernels, bits, parameter):
    path = kernels(source(parameter), name="k.cl")
    answers = [json.loads(line) for line in synth("verify", path, *SIZES, "--pointer-bits", bits).out.splitlines()]
    assert {answer["kernel"]: answer["verdict"] for answer in answers} == {f"{name}_": "race" for name in RACES}
    assert all(fault["scalars"]["p.null"] == 1 for answer in answers for fault in answer["counterexamples"])


@pytest.mark.full
def test_a_pointer_that_is_never_compared_is_not_null(synth, kernels):
    text = "__kernel void k(__global int *a, __global int *p) { a[get_global_id(0)] = p[0]; }"
    answer = json.loads(synth("verify", kernels(text, name="k.cl"), *SIZES).out)
    assert answer["verdict"] == "verified"
    refused = synth("kernel", "need", "k.cl", "--arg", "a=0:4", "--arg", "p=null")
    assert (refused.code, "the kernel does not ask whether it is null" in refused.err) == (2, True)


SEVERAL = """
struct S { int *p; int *q; };
__global__ void a(S s, int *o) { if (!s.p && s.p == s.q) o[0] = threadIdx.x; }
__global__ void b(int *p, int *q, int *o) { if (!p && p == q) o[0] = threadIdx.x; }
__global__ void c(int *p, int *q, int *o, int n) { int *r = n ? q : nullptr; if (p == r) o[0] = threadIdx.x; }
"""


@pytest.mark.full
def test_a_pointer_that_is_compared_with_one_that_may_be_null_may_be_null(synth, kernels):
    path = kernels(SEVERAL, name="k.cu")
    answers = [json.loads(line) for line in synth("verify", path, *SIZES).out.splitlines()]
    assert [(answer["verdict"], answer["counterexamples"][0]["confirmed"]) for answer in answers] == [
        ("race", True)
    ] * 3
    words = ("--kernel", "b", "--arg", "p=null", "--arg", "q=null", "--arg", "o=0:1", "--local-size", "2")
    assert synth("kernel", "need", path, *words).out.startswith("b needs no guarantee")


MEMBER = """
struct S { int *q; int *p; };
__global__ void k(S s) { if (s.p) s.q[threadIdx.x] = 1; else s.q[0] = threadIdx.x; }
__global__ void never(S s) { s.q[threadIdx.x] = s.p[0]; }
"""


@pytest.mark.full
def test_a_pointer_in_a_structure_may_be_null(synth, kernels):
    path = kernels(MEMBER, name="k.cu")
    compared, never_compared = map(json.loads, synth("verify", path, *SIZES).out.splitlines())
    assert [fault["scalars"] for fault in compared["counterexamples"]] == [{"s.8.null": 1}]
    assert (compared["verdict"], never_compared["verdict"]) == ("race", "verified")


@pytest.mark.full
@pytest.mark.parametrize("body", ["if (p) a[t] = 1; else a[0] = t;", "a[p != 0 ? t : 0] = t;"])
def test_a_function_that_asks_for_null_is_inlined_or_refused(synth, kernels, body):
    head = "__attribute__((noinline)) void f(__global int *a, __global int *p, int t)"
    path = kernels(
        f"{head} {{ {body} }} __kernel void k(__global int *a, __global int *p) {{ f(a, p, get_global_id(0)); }}",
        name="k.cl",
    )
    assert json.loads(synth("verify", path, *SIZES).out)["verdict"] == "race"
    kernel, function = map(json.loads, synth("verify", path, *SIZES, "--modular").out.splitlines())
    assert (kernel["verdict"], function["verdict"]) == ("unknown", "unknown")
    assert "compared with null" in function["reason"]


@pytest.mark.full
def test_an_access_through_null_is_called_so(synth, kernels):
    path = kernels("__kernel void k(__global int *p) { if (!p) p[0] = 1; }", name="k.cl")
    words = "accesses p[0] through a pointer that is null or not set"
    assert words in synth("verify", path, *SIZES[:-1]).out
    refused = synth("kernel", "need", path, "--arg", "p=null")
    assert (refused.code, refused.err) == (2, f"synth: {path}:1: thread 0 {words}\n")
