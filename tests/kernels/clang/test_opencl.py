"""Features of OpenCL C: atomics of all versions, vectors and structures in memory, and what is refused by name."""

import pytest

from synth_checker.errors import ResourceError
from synth_kernels.clang.toolchain import check_versions
from synth_kernels.kernel_file import SourceOptions, read
from synth_kernels.kernel_verdict import verify
from synth_kernels.launch import Launch
from synth_kernels.pair.options import Options
from synth_kernels.program import UnreadKernel
from synth_solvers.client import Solver

needs_clang = pytest.mark.full
HEAD = """
#define I get_global_id(0)
#define L get_local_id(0)
typedef struct { char c; short s; int x; } Mixed;
typedef struct __attribute__((packed)) { char c; int x; } Packed;
"""
#: Parameters, body, and the verdict for groups of 16 threads.
KERNELS = {
    "relaxed atomics do not race": (
        "__global atomic_int *a",
        (
            "atomic_fetch_add_explicit(a, 1, memory_order_relaxed, memory_scope_device);"
            "atomic_store_explicit(a, 2, memory_order_release, memory_scope_device);"
        ),
        "verified",
    ),
    "an atomic load and a plain write": (
        "__global atomic_int *a",
        "if (atomic_load_explicit(a, memory_order_acquire) == 3) *(__global int *)a = 1;",
        "race",
    ),
    "a fence of atomics is no barrier": (
        "__local int *t",
        (
            "t[L] = L; atomic_work_item_fence(CLK_LOCAL_MEM_FENCE, memory_order_seq_cst, memory_scope_work_group);"
            "t[L ^ 1] = 5;"
        ),
        "race",
    ),
    "a compare-and-exchange": (
        "__global atomic_uint *a, __global int *b",
        (
            "uint e = 0; if (atomic_compare_exchange_strong_explicit(a, &e, 1u, memory_order_acq_rel,"
            " memory_order_relaxed,"
            " memory_scope_device)) b[I] = e;"
        ),
        "verified",
    ),
    "a flag": ("__global atomic_flag *f", "while (atomic_flag_test_and_set(f)) ; atomic_flag_clear(f);", "verified"),
    "an exchange and its result as an index": (
        "__global atomic_int *a, __global int *b",
        "b[atomic_exchange(a, 1)] = L;",
        "race",
    ),
    "to initialise an atomic is a plain write": ("__global atomic_int *a", "atomic_init(a, L);", "race"),
    "atomics of version 1": (
        "volatile __local uint *a",
        "atomic_max(a, L); atom_or(a, 2u); atomic_xchg(a, 3u);",
        "verified",
    ),
    "a work-group barrier with a scope": (
        "__global int *a",
        "a[L] = L; work_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_work_group); a[L ^ 1] = 2;",
        "race",
    ),
    "a broadcast to all must be reached by all": ("int n", "if (L < n) work_group_broadcast(n, 0);", "divergence"),
    "a vector loaded from memory": (
        "__global float *a",
        "float4 v = vload4(I, a); vstore4(v * 2.0f, I, a);",
        "verified",
    ),
    "vectors overlap": ("__global float *a", "vstore4((float4)(I), I, a); a[4 * I + 4] = 1.0f;", "race"),
    "three components": ("__global float *a", "vstore3((float3)(I), I, a);", "verified"),
    "three components further": ("__global float *a", "vstore3((float3)(I), I, a); a[3 * I + 3] = 2.0f;", "race"),
    "half in memory": ("__global half *a", "vstore_half(vload_half(I, a) + 1.0f, I, a);", "verified"),
    "half in memory, one further": ("__global half *a", "vstore_half(1.0f * I, I, a); vload_half(I + 1, a);", "race"),
    "halves of a word": (
        "__global int *a",
        "((__global short *)a)[2 * I] = 1; ((__global short *)a)[2 * I + 1] = 2;",
        "verified",
    ),
    "bytes of words": ("__global int *a", "((__global char *)a)[I] = L; a[I] = 2;", "race"),
    "members of a structure": ("__global Mixed *a", "a[I].c = 1; a[I].x = 2; a[I].s = 3;", "verified"),
    "members of packed structures": ("__global Packed *a", "a[I].x = 2; a[I].c = 1;", "verified"),
    "a packed structure and its words": ("__global Packed *a", "a[I].x = I; ((__global int *)a)[I] = 1;", "race"),
    "a structure as a whole": ("__global Mixed *a, __global Mixed *b", "a[I] = b[I];", "verified"),
    "a structure as a whole, one further": ("__global Mixed *a", "a[I] = a[I + 1];", "race"),
    "components of one vector": (
        "__global int4 *a",
        "if (L & 1) a[I / 2].x = I; else a[I / 2].yz = (int2)(I);",
        "verified",
    ),
    "the same component": (
        "__global int4 *a",
        "if (L & 1) a[I / 2].xy = (int2)(I); else a[I / 2].yz = (int2)(I);",
        "race",
    ),
    "a component that is computed": ("__global int4 *a, int n", "((__global int *)&a[I])[n & 3] = 1;", "verified"),
    "a private copy": ("__global Mixed *a", "Mixed m = a[I]; m.x++; a[I] = m;", "verified"),
    "a three-component vector": ("__global int3 *a", "a[I] = (int3)(I);", "verified"),
    "a wide vector": ("__global uchar16 *a", "a[I] = (uchar16)(L); a[I].s3 = 4;", "verified"),
    "a copy to local memory": (
        "__local int *l, __global int *g",
        "event_t e = async_work_group_copy(l, g, 16, 0); wait_group_events(1, &e); prefetch(g, 16);",
        "verified",
    ),
    "a copy that nobody waits for": (
        "__local int *l, __global int *g",
        "async_work_group_copy(l, g, 16, 0); barrier(CLK_LOCAL_MEM_FENCE); g[I + 16] = l[0];",
        "race",
    ),
    "copies with one event": (
        "__local float4 *l, __global float4 *g",
        (
            "event_t e = async_work_group_copy(l, g, 8, 0); async_work_group_copy(l + 8, g + 8, 8, e);"
            "wait_group_events(1, &e); barrier(CLK_LOCAL_MEM_FENCE); g[I + 16] = l[15];"
        ),
        "verified",
    ),
    "a copy in steps to local memory": (
        "__local int *l, __global int *g",
        "event_t e = async_work_group_strided_copy(l, g, 16, 2, 0); g[2 * I + 1] = 1; wait_group_events(1, &e);",
        "verified",
    ),
    "a copy in steps to global memory": (
        "__local int *l, __global int *g",
        "event_t e = async_work_group_strided_copy(g, l, 16, 2, 0); g[2 * L + 1] = 1; wait_group_events(1, &e);",
        "race",
    ),
    "a double": ("__global double *a", "a[I] = a[I] * 2.0;", "verified"),
    "a 64-bit atomic and a word of it": (
        "volatile __global long *a",
        "atom_add(a, 1L); ((volatile __global int *)a)[1] = 2;",
        "race",
    ),
}
REFUSED = {
    "a wait for a number of events that is not constant, or above 64": (
        "int n",
        "event_t e[4]; wait_group_events(n, e);",
    ),
    "a barrier of a sub-group": ("int n", "sub_group_barrier(CLK_LOCAL_MEM_FENCE);"),
    "pipes and kernels that launch kernels": ("read_only pipe int p", "int x; read_pipe(p, &x);"),
    "recursion (a call of again)": ("int n", "again(n);"),
    "inline assembly (nop)": ("int n", '__asm__("nop");'),
}


@pytest.fixture(scope="module")
def solver():
    with Solver(seconds=120.0) as solver:
        yield solver


def kernel_of(tmp_path, parameters, body):
    path = tmp_path / "k.cl"
    again = "int again(int n) { return n ? again(n - 1) : 0; }\n" if "again" in body else ""
    path.write_text(f"{HEAD}{again}__kernel void k({parameters}) {{\n{body}\n}}\n", "utf-8")
    (kernel,) = read(path, SourceOptions())
    return kernel


@needs_clang
@pytest.mark.parametrize(("parameters", "body", "verdict"), KERNELS.values(), ids=KERNELS)
def test_a_feature_of_opencl_c_has_a_verdict(solver, tmp_path, parameters, body, verdict):
    kernel = kernel_of(tmp_path, parameters, body)
    assert not isinstance(kernel, UnreadKernel), kernel
    assert verify(kernel, Launch((16,), (None,)), solver).verdict == verdict


@needs_clang
@pytest.mark.parametrize(
    ("body", "verdicts"),
    [
        ("int x = a[I + 1]; a[I] = 1;", ("race", "verified")),
        ("a[I] = 1; a[I + 1] = 2;", ("race", "race")),
        ("for (int i = 0; i < 4; i++) a[4 * I + i] = I;", ("verified", "verified")),
        ("a[I] = 1; if (L < 3) barrier(CLK_LOCAL_MEM_FENCE);", ("divergence", "divergence")),
    ],
)
def test_only_an_optimised_kernel_loses_accesses_that_nobody_needs(solver, tmp_path, body, verdicts):
    (tmp_path / "k.cl").write_text(f"{HEAD}__kernel void k(__global int *a) {{ {body} }}", "utf-8")
    verdicts_by_level = []
    for optimise in (False, True):
        (kernel,) = read(tmp_path / "k.cl", SourceOptions(optimise=optimise))
        verdicts_by_level.append(verify(kernel, Launch((16,), (1,)), solver, Options(unroll=4)).verdict)
    assert tuple(verdicts_by_level) == verdicts


@needs_clang
@pytest.mark.parametrize(("reason", "source"), REFUSED.items(), ids=REFUSED)
def test_what_is_not_supported_is_refused_by_name(tmp_path, reason, source):
    parameters, body = source
    unread = kernel_of(tmp_path, parameters.removeprefix("event_t_ "), body)
    assert isinstance(unread, UnreadKernel), unread
    assert unread.reason == reason.strip()
    assert unread.place.line > 5


def test_clang_and_llvmlite_must_have_the_same_version():
    ir = '!0 = !{!"clang version 22.1.8 (somewhere)"}'
    check_versions(ir, (22, 1, 0))
    with pytest.raises(ResourceError, match=r"ziglang has clang 22 and llvmlite has LLVM 21, .* run: .*install"):
        check_versions(ir, (21, 0, 0))
    with pytest.raises(ResourceError, match="clang of an unknown version"):
        check_versions("", (22, 1, 0))
