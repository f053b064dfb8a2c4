"""Options that look at less: a proof that needs what they leave out is none, and what no run reaches is named."""

import json

import pytest

from support.launches import machine_of
from synth_kernels.kernel_file import SourceOptions, read
from synth_kernels.printer import kernel_text
from synth_kernels.progress.core_space import explore_fast
from synth_kernels.progress.steps import Rules
from synth_kernels.text import parse

#: A kernel, and its verdicts with `--only divergence` and with `--only intra-group`.
ONLY = {
    "__kernel void k(__global int *a, int n) { a[0] = get_local_id(0); if (n) barrier(1); }": ("verified", "race"),
    "__kernel void k(__global int *a) { a[0] = get_local_id(0); if (a[0]) barrier(1); }": ("divergence", "race"),
    "__kernel void k(__global int *a) { __local int t; if (get_local_id(0) == 0) t = a[0]; barrier(1); "
    "if (t) barrier(1); }": ("unknown", "verified"),
    "__kernel void k(__global int *a) { a[get_local_id(0)] = get_group_id(0); }": ("verified", "verified"),
    "__kernel void k(__global int *a) { a[get_local_id(0)] = get_group_id(0); barrier(2); int x = a[0]; barrier(2); "
    "if (x) barrier(2); }": ("unknown", "unknown"),
}  # fmt: skip


@pytest.mark.full
@pytest.mark.parametrize(("text", "verdicts"), ONLY.items(), ids=range(len(ONLY)))
def test_a_proof_that_needs_checks_left_out_by_only_is_unknown(synth, kernels, text, verdicts):
    path = kernels(text, name="k.cl")
    words = ("--local-size", "4", "--num-groups", "2", "--json")
    answers = [
        json.loads(synth("verify", path, *words, "--only", check).out) for check in ("divergence", "intra-group")
    ]
    assert tuple(answer["verdict"] for answer in answers) == verdicts
    assert [
        answer["reason"].endswith("and one may change what decides the verdict; leave out --only") for answer in answers
    ] == [verdict == "unknown" for verdict in verdicts]


UNROLLED = """
__kernel void cut(__global int *a) {
    for (int i = 0; i < 64; i++)
        a[get_global_id(0)] += i;
    a[0] = get_global_id(0);
}
__kernel void inside(__global int *a) {
    for (int i = 0; i < 64; i++) {
        a[get_global_id(0)] += i;
        if (i == 40)
            a[1] = get_global_id(0);
    }
}
__kernel void one_line(__global int *a, int n) {
    int i = 0;
    for (; i < n; i++) a[get_global_id(0)] += i;
    if (i > 4) a[0] = i;
}
__kernel void open_end(__global int *a, int n) {
    for (int i = 0; i < n; i++)
        a[get_global_id(0)] += i;
    a[get_global_id(0)] = 2;
}
"""


@pytest.mark.full
def test_lines_that_no_run_reaches_in_the_rounds_are_named(synth, kernels):
    path = kernels(UNROLLED, name="k.cl")
    words = ("verify", path, "--unroll", "2", "--local-size", "4", "--num-groups", "1")
    said = synth(*words)
    parts = said.out.split("  Rests on: ")
    assert said.out.count("no bug found") == 4
    assert f"Not reached in these rounds: {path}:5-6." in parts[0]
    assert f"Not reached in these rounds: {path}:11" in parts[1]
    assert f"Not reached in these rounds: {path}:17:16." in parts[2]
    assert "Not reached" not in parts[3]


#: Bodies, and whether threads diverge where barriers have places, and where a group has one barrier.
BARRIERS = {
    "if (threadIdx.x == 0) __syncthreads(); else __syncthreads();": (True, False),
    "if (threadIdx.x == 0) __syncthreads();": (True, True),
    "if (threadIdx.x) return; __syncthreads();": (True, True),
    "if (threadIdx.x == 0) { __syncthreads(); __syncthreads(); } else __syncthreads();": (True, True),
    "if (threadIdx.x & 1) __syncthreads(); if (!(threadIdx.x & 1)) __syncthreads();": (True, False),
    "if (a[0]) __syncthreads(); else __syncthreads();": (False, False),
    "for (int i = 0; i < 2; i++) __syncthreads(); if (threadIdx.x) __syncthreads(); else __syncthreads();": (
        *(True, False),
    ),
}


@pytest.mark.full
@pytest.mark.parametrize(("body", "diverges"), BARRIERS.items(), ids=BARRIERS)
def test_one_barrier_and_barriers_by_place_agree_with_executions(synth, kernels, body, diverges):
    path = kernels(f"__global__ void k(int *a) {{ {body} }}", name="k.cu")
    (kernel,) = read(path, SourceOptions())
    for sites, expected in zip(("same", "any"), diverges, strict=True):
        words = ("verify", path, "--local-size", "4", "--num-groups", "1", "--barrier-sites", sites, "--json")
        answer = json.loads(synth(*words).out)
        rules = Rules(one_barrier=sites == "any")
        space = explore_fast(machine_of(kernel, 1, 4, ["a=0:4"], rules=rules), 100_000)
        assert (answer["verdict"] == "divergence", bool(space.stuck())) == (expected, expected), sites


@pytest.mark.full
def test_a_barrier_that_gives_a_value_meets_no_other_one(synth, kernels):
    bodies = (
        "if (threadIdx.x) __syncthreads(); else a[0] = __syncthreads_count(1);",
        "a[threadIdx.x] = __syncthreads_count(1); __syncthreads();",
    )
    path = kernels(*(f"__global__ void k{n}(int *a) {{ {body} }}" for n, body in enumerate(bodies)), name="k.cu")
    words = ("verify", path, "--local-size", "4", "--num-groups", "1", "--json", "--barrier-sites")
    verdicts = [
        [json.loads(line)["verdict"] for line in synth(*words, sites).out.splitlines()] for sites in ("same", "any")
    ]
    assert verdicts == [["divergence", "verified"]] * 2
    first, _ = read(path, SourceOptions())
    printed_barriers = [line.split() for line in kernel_text(first).splitlines() if line.strip().startswith("barrier")]
    assert sorted("gives" in line for line in printed_barriers) == [False, True]
    assert kernel_text(parse(kernel_text(first))) == kernel_text(first)
