"""Votes, shuffles and `__activemask`: where an answer depends on which lanes run together, it says so."""

import json

import pytest

SAID = "where lanes meet again is up to the compiler"
#: Kernels by what they ask. Those with `old` and `active` depend on which lanes run together.
SOURCE = """
__global__ void ballot(int *a) { if (__ballot_sync(~0u, threadIdx.x < 2) == 3) a[0] = threadIdx.x; }
__global__ void any_of(int *a) { if (__any_sync(~0u, threadIdx.x > 2)) a[0] = threadIdx.x; }
__global__ void all_of(int *a) { if (__all_sync(~0u, threadIdx.x > 2)) __syncthreads(); }
__global__ void old_vote(int *a) { if (__ballot(threadIdx.x < 2) == 3) a[0] = threadIdx.x; }
__global__ void shuffle(int *a) { a[__shfl_sync(~0u, threadIdx.x, 0)] = threadIdx.x; }
__global__ void shuffle_xor(int *a) { a[__shfl_xor_sync(~0u, threadIdx.x, 1)] = threadIdx.x; }
__global__ void shuffle_down(int *a) { a[__shfl_down_sync(~0u, threadIdx.x, 1)] = threadIdx.x; }
__global__ void old_shuffle(int *a) { a[__shfl(threadIdx.x, 0)] = threadIdx.x; }
__global__ void active_branch(int *a) { if (__activemask() == 1) a[0] = threadIdx.x; }
__global__ void active_barrier(int *a) { if (__activemask() == 15) __syncthreads(); }
__global__ void active_index(int *a) { a[__popc(__activemask())] = threadIdx.x; }
"""
NAMES = [line.split("void ")[1].split("(")[0] for line in SOURCE.strip().splitlines()]
#: What no answer about races depends on: the values are only stored.
STORED = """
__global__ void vote(int *a) { a[threadIdx.x] = __ballot_sync(~0u, threadIdx.x < 2); }
__global__ void shuffle(int *a) { a[threadIdx.x] = __shfl_sync(~0u, threadIdx.x, 0); }
__global__ void active(int *a) { a[threadIdx.x] = __activemask(); }
__global__ void real(int *a) { a[threadIdx.x] = __activemask(); a[0] = threadIdx.x; }
"""


@pytest.mark.full
def test_a_fault_that_depends_on_lanes_that_run_together_says_so(synth, kernels):
    path = kernels(SOURCE, name="k.cu")
    said = synth("verify", path, "--local-size", "4", "--num-groups", "1").out
    parts = dict(zip(NAMES, said.split("  Rests on: "), strict=False))
    for name, part in parts.items():
        assert "possible, but no run was found that shows it" in part, name
        assert (SAID in part) == name.startswith(("old", "active")), name


@pytest.mark.full
def test_an_answer_that_does_not_depend_on_lanes_says_nothing_of_them(synth, kernels):
    said = synth("verify", kernels(STORED, name="k.cu"), "--local-size", "4", "--num-groups", "1")
    assert SAID not in said.out
    assert said.out.count(": verified\n") == 3
    assert "data race, element 0 of a; confirmed by a run" in said.out


@pytest.mark.full
def test_a_shuffle_among_the_active_lanes_depends_on_them(synth, kernels):
    text = "__global__ void k(int *a) { a[__shfl_sync(__activemask(), threadIdx.x, 0)] = threadIdx.x; }"
    assert SAID in synth("verify", kernels(text, name="k.cu"), "--local-size", "4", "--num-groups", "1").out


@pytest.mark.full
@pytest.mark.parametrize("name", ["any_of", "shuffle", "old_vote", "old_shuffle", "active_branch"])
def test_an_execution_needs_lanes_that_are_named(synth, kernels, name):
    path = kernels(SOURCE, name="k.cu")
    words = ("--kernel", name, "--arg", "a=0:4", "--local-size", "4", "--workgroups", "1", "--json")
    said = synth("kernel", "need", path, *words)
    if name.startswith(("old", "active")):
        line = NAMES.index(name) + 2
        assert said.code == 2
        assert said.err.startswith(f"synth: {path}:{line}: not supported: the value of __")
        assert "which depends on the lanes that run together: where they meet again is up to the compiler" in said.err
    else:
        assert (said.code, json.loads(said.out)["needs"]) == (0, ["unfair"])
