"""Atomic accesses that are atomic only among some threads: what the launch shares beyond them has no answer.

Each kernel says how far its scope reaches: `wide` is shared by more threads than that, and `own` is not.
"""

import json

import pytest

OPENCL = """
#define ADD(WHERE, SCOPE) atomic_fetch_add_explicit(WHERE, 1, memory_order_relaxed, SCOPE)
__kernel void group_wide(__global atomic_int *a) { ADD(a, memory_scope_work_group); }
__kernel void group_own(__global atomic_int *a) { ADD(a + get_group_id(0), memory_scope_work_group); }
__kernel void group_local_own(__global int *a) { __local atomic_int n; ADD(&n, memory_scope_work_group); }
__kernel void device_own(__global atomic_int *a) { ADD(a, memory_scope_device); }
__kernel void subgroup_wide(__global atomic_int *a) { ADD(a + get_group_id(0), memory_scope_sub_group); }
__kernel void subgroup_own(__global atomic_int *a) { ADD(a + get_global_id(0), memory_scope_sub_group); }
__kernel void item_wide(__global atomic_int *a) { ADD(a + get_group_id(0), memory_scope_work_item); }
__kernel void item_own(__global atomic_int *a) { ADD(a + get_global_id(0), memory_scope_work_item); }
"""
CUDA = """
#include <cuda/atomic>
template <cuda::thread_scope S> __device__ void add(int *a) { cuda::atomic_ref<int, S>(*a).fetch_add(1); }
__global__ void block_wide(int *a) { atomicAdd_block(a, 1); }
__global__ void block_own(int *a) { atomicAdd_block(a + blockIdx.x, 1); }
__global__ void block_local_own(int *a) { __shared__ int n; atomicAdd_block(&n, 1); }
__global__ void swap_wide(int *a) { atomicCAS_block(a, 0, 1); }
__global__ void device_own(int *a) { atomicAdd(a, 1); atomicAdd_system(a, 1); }
__global__ void ref_wide(int *a) { cuda::atomic_ref<int, cuda::thread_scope_block> r(*a); r.fetch_add(1); }
__global__ void ref_own(int *a) { add<cuda::thread_scope_block>(a + blockIdx.x); }
__global__ void ref_device_own(int *a) { add<cuda::thread_scope_device>(a); }
__global__ void ref_thread_wide(int *a) { cuda::atomic_ref<int, cuda::thread_scope_thread> r(a[blockIdx.x]); r = 1; }
__global__ void ptx_wide(int *a) { asm volatile("red.relaxed.cta.global.add.s32 [%0], 1;" :: "l"(a) : "memory"); }
"""
HIP = """
#define ADD(WHERE, SCOPE) __hip_atomic_fetch_add(WHERE, 1, __ATOMIC_RELAXED, SCOPE)
__global__ void group_wide(int *a) { ADD(a, __HIP_MEMORY_SCOPE_WORKGROUP); }
__global__ void group_own(int *a) { ADD(a + blockIdx.x, __HIP_MEMORY_SCOPE_WORKGROUP); }
__global__ void group_local_own(int *a) { __shared__ int n; ADD(&n, __HIP_MEMORY_SCOPE_WORKGROUP); }
__global__ void agent_own(int *a) { ADD(a, __HIP_MEMORY_SCOPE_AGENT); }
__global__ void wave_wide(int *a) { ADD(a + blockIdx.x, __HIP_MEMORY_SCOPE_WAVEFRONT); }
"""
SOURCES = {"k.cl": OPENCL, "k.cu": CUDA, "k.hip": HIP}
LINES = {
    (file, line.split("(", maxsplit=1)[0].split()[-1]): number
    for file, text in SOURCES.items()
    for number, line in enumerate(text.splitlines(), 1)
    if line.startswith(("__kernel", "__global__"))
}
#: Among whom the access of a kernel is atomic.
AMONG = {"subgroup": "of a subgroup", "wave": "of a subgroup", "item": "its own thread", "ref_thread": "its own thread"}


def reason_of(file, name):
    """Return what must be in the reason why nothing is said about a kernel, or nothing if all is well."""
    if not name.endswith("_wide"):
        return ()
    among = AMONG.get(name.removesuffix("_wide"), "of a workgroup")
    return f"{file}:{LINES[file, name]} (", f"atomic only among {among if 'its' in among else f'threads {among}'}, and"


@pytest.mark.full
@pytest.mark.parametrize(
    ("file", "words"), [*((file, "--num-groups=2") for file in SOURCES), ("k.cl", ""), ("k.cl", "--modular")]
)
def test_a_proof_of_a_kernel_whose_scope_is_too_narrow_is_unknown(synth, kernels, file, words):
    kernels(SOURCES[file], name=file)
    said = synth("verify", file, "--local-size", "4", *words.split(), "--json")
    answers = {answer["kernel"]: answer for answer in map(json.loads, said.out.splitlines())}
    assert list(answers) == [name for its_file, name in LINES if its_file == file]
    for name, answer in answers.items():
        expected = reason_of(file, name)
        assert answer["verdict"] == ("unknown" if expected else "verified"), name
        assert all(part in answer["reason"] for part in expected), name


@pytest.mark.full
@pytest.mark.parametrize("file", SOURCES)
def test_within_one_group_the_scope_of_a_group_is_enough(synth, kernels, file):
    kernels(SOURCES[file], name=file)
    narrower = ("item_", "subgroup_", "wave_", "ref_thread_")
    names = [name for its_file, name in LINES if its_file == file and not name.startswith(narrower)]
    said = synth("verify", file, "--kernel", ",".join(names), "--local-size", "4", "--num-groups", "1", "--json")
    assert {json.loads(line)["verdict"] for line in said.out.splitlines()} == {"verified"}


#: Some kernels of each language for the executions.
RUN = {
    "k.cl": ["group_wide", "group_local_own", "item_wide"],
    "k.cu": ["block_wide", "ref_own"],
    "k.hip": ["group_wide"],
}


@pytest.mark.full
@pytest.mark.parametrize(("file", "name"), [(file, name) for file, names in RUN.items() for name in names])
def test_what_launches_pass_is_not_known_where_a_scope_is_too_narrow(synth, kernels, file, name):
    kernels(SOURCES[file], name=file)
    words = (file, "--kernel", name, "--arg", "a=0:4", "--local-size", "2", "--workgroups", "2")
    checked = synth("kernel", "check", *words, "--model", "fair", "--final", "a[0] >= 0", "--json")
    answer, expected = json.loads(checked.out), reason_of(file, name)
    assert checked.code == (3 if expected else 0)
    assert set(answer["launches"][0]["passes"].values()) == ({None} if expected else {True})
    assert answer["final"]["holds"] is (None if expected else True)
    assert (answer["reason"] == "") == (not expected)
    assert all(part in answer["reason"] for part in expected)
    needed = synth("kernel", "need", *words).out
    assert needed.startswith(f"{name} has needs that are not known" if expected else f"{name} needs no guarantee")
    assert all(part in needed for part in expected)


@pytest.mark.full
def test_a_scope_of_a_subgroup_is_held_against_the_subgroups_of_the_launch(synth, kernels):
    kernels(OPENCL, name="k.cl")
    words = ("kernel", "check", "k.cl", "--kernel", "subgroup_wide", "--arg", "a=0:1", "--workgroups", "1")
    words += ("--local-size", "2", "--model", "unfair")
    assert [synth(*words, "--subgroup", size).code for size in (2, 1)] == [0, 3]


@pytest.mark.full
def test_a_barrier_of_a_group_that_fences_for_a_thread_only_is_refused(synth, kernels):
    path = kernels("__kernel void k(__global int *a) {", "work_group_barrier(SCOPED", "a[0] = 1; }", name="k.cl")
    scoped = "CLK_LOCAL_MEM_FENCE, memory_scope_{});"
    reason = "not supported: a barrier of a group that fences memory for a thread only"
    for scope, code in (("work_item", 3), ("work_group", 0)):
        said = synth("verify", path, "--local-size", "1", "--num-groups", "1", "-D", f"SCOPED={scoped.format(scope)}")
        assert (said.code, f"k.cl:2:1: {reason}" in said.out) == (code, scope == "work_item")
    path.write_text(path.read_text().replace("SCOPED", scoped.format("work_item")), "utf-8")
    said = synth("kernel", "need", path, "--arg", "a=0:1")
    assert (said.code, said.err) == (2, f"synth: {path}:2: {reason}\n")


WIDTHS = """
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
struct S { int n; int unused; long total; };
__kernel void same(__global int *a) { if (get_global_id(0)) atomic_add(a, 1); else atom_add((__global long *)a, 1L); }
__kernel void beside(__global int *a) { atomic_add(a + 1, 1); atom_add((__global long *)a, 1L); }
__kernel void apart(__global struct S *s) { atomic_add(&s->n, 1); atom_add(&s->total, 1L); }
__kernel void one(__global long *a) { atom_add(a, 1L); atom_max(a, 1L); }
"""
THREE = """
__device__ __noinline__ void wide(int *a) { atomicAdd((unsigned long long *)a, 1); }
__device__ __noinline__ void narrow(int *a) { atomicAdd(a, 1); }
__global__ void three(unsigned long long *a) {
    if (threadIdx.x == 0) atomicAdd(a, 1ull);
    else if (threadIdx.x == 1) atomicAdd((int *)a, 1);
    else atomicCAS((unsigned short *)(a + 1), 0, 1);
}
__global__ void calls(int *a) { if (threadIdx.x == 0) wide(a); else narrow(a); }
"""


@pytest.mark.full
@pytest.mark.parametrize("words", [(), ("--modular",), ("--assume-least",), ("--unroll", "2")])
def test_no_pair_of_widths_is_overlooked(synth, kernels, words):
    path = kernels(THREE, name="w.cu")
    sizes = ("--local-size", "3", "--num-groups", "1", "--json")
    answers = [json.loads(line) for line in synth("verify", path, *sizes, *words).out.splitlines()]
    assert {answer["verdict"] for answer in answers if answer["kernel"] in {"three", "calls"}} == {"unknown"}


@pytest.mark.full
def test_executions_with_atomic_accesses_of_two_widths_say_nothing(synth, kernels):
    words = (kernels(WIDTHS, name="w.cl"), "--local-size", "1", "--workgroups", "2")
    same = (*words, "--kernel", "same", "--arg", "a=0:4")
    assert "has needs that are not known" in synth("kernel", "need", *same).out
    checked = synth("kernel", "check", *same, "--final", "a[0] == 2", "--json")
    answer = json.loads(checked.out)
    assert (checked.code, answer["final"]["holds"], "another width" in answer["reason"]) == (3, None, True)
    assert "another width" in synth("kernel", "check", *same, "--certify").err
    apart = synth("kernel", "need", *words, "--kernel", "apart", "--arg", "s=0:1")
    assert apart.out.startswith("apart needs no guarantee")


@pytest.mark.full
@pytest.mark.parametrize("words", [(), ("--modular",)])
def test_atomic_accesses_of_two_widths_are_not_atomic_to_each_other(synth, kernels, words):
    said = synth("verify", kernels(WIDTHS, name="w.cl"), "--local-size", "2", "--json", *words)
    answers = {answer["kernel"]: answer for answer in map(json.loads, said.out.splitlines())}
    assert {name: answer["verdict"] for name, answer in answers.items()} == {
        "same": "unknown",
        "beside": "unknown",
        "apart": "verified",
        "one": "verified",
    }
    where = "w.cl:4 (atom_add((__global long *)a, 1L))"
    assert f"{where} may access the same bytes as an atomic operation of another width" in answers["same"]["reason"]
