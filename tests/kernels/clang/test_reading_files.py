"""Files that are read whatever begins them and whatever else has the names of our headers, and calls that vanish."""

import json

import pytest

from synth_kernels.kernel_file import SourceOptions, read
from synth_kernels.program import Kernel, UnreadKernel

CUDA = "__global__ void k(int *a) { a[blockIdx.x * blockDim.x + threadIdx.x] = 1; }\n"
TEXTS = {
    "cl": "__kernel void k(__global int *a) { a[get_global_id(0)] = 1; }\n",
    "cu": CUDA,
    "hip": CUDA,
    "kernel": "kernel k\nglobal A: i32[8]\nentry:\n  write i32 A[gid.0] = 1:i32\n  return\n",
}


@pytest.mark.full
@pytest.mark.parametrize("ending", TEXTS)
def test_a_byte_order_mark_is_no_part_of_a_file(synth, tmp_path, ending):
    path = tmp_path / f"k.{ending}"
    path.write_text(TEXTS[ending], "utf-8-sig")
    assert path.read_bytes()[:3] == b"\xef\xbb\xbf"
    verified = synth("verify", path, "--local-size", "1", "--num-groups", "2")
    assert (verified.code, verified.out.splitlines()[0]) == (0, "k: verified")
    needed = synth("kernel", "need", path, "--arg", "A=0" if ending == "kernel" else "a=0:8")
    assert (needed.code, needed.out.splitlines()[0]) == (0, "k needs no guarantee: it ends under all models")


@pytest.mark.full
@pytest.mark.parametrize("ending", ["cl", "cu"])
def test_a_byte_order_mark_moves_no_line_and_no_column(synth, tmp_path, ending):
    path = tmp_path / f"k.{ending}"
    faults = []
    for code in ("utf-8", "utf-8-sig"):
        path.write_text(TEXTS[ending].replace("a[", "a[0*"), code)
        said = json.loads(synth("verify", path, "--no-benign", "--local-size", "2", "--num-groups", "2", "--json").out)
        faults.append(said["counterexamples"])
    assert faults[0] == faults[1]
    assert faults[0]


@pytest.mark.full
@pytest.mark.parametrize("ending", ["cl", "cu"])
def test_a_byte_order_mark_moves_no_column_of_an_error(synth, tmp_path, ending):
    path = tmp_path / f"k.{ending}"
    said = []
    for code in ("utf-8", "utf-8-sig"):
        path.write_text(TEXTS[ending].replace("= 1;", "= 1"), code)
        said.append(synth("verify", path).err)
    assert said[0] == said[1]
    assert f"{path}:1:" in said[0]


@pytest.mark.full
def test_a_header_may_begin_with_a_byte_order_mark(synth, tmp_path):
    (tmp_path / "own.h").write_text("#define N 1\n", "utf-8-sig")
    (tmp_path / "k.cl").write_text('#include "own.h"\n' + TEXTS["cl"].replace("= 1", "= N"))
    assert synth("verify", tmp_path / "k.cl").out.startswith("k: verified")


#: Headers of somebody else with the names of ours, and of the C library.
THEIRS = ("cuda.h", "cuda_runtime.h", "cuda_fp16.h", "math.h", "assert.h", "hip/hip_runtime.h", "cuda/own.h")


@pytest.fixture
def theirs(tmp_path):
    folder = tmp_path / "include"
    for name in THEIRS:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(f"#define HAS_{name.upper().translate(str.maketrans('./', '__'))} 1\n")
    return folder


OURS = """#include <cuda_runtime.h>
#include <cuda/atomic>
#include <cuda/own.h>
#include <math.h>
__global__ void k(int *a, float *b) {
    cudaStream_t none = 0;
    cuda::atomic_ref<int> counter(*a);
    counter.fetch_add(HAS_CUDA_OWN_H);
    b[blockIdx.x * blockDim.x + threadIdx.x] = sqrtf(2.0f) + (none == 0);
}
"""
QUOTED = """#include "cuda.h"
#include "math.h"
__global__ void k(int *a, float *b) { b[blockIdx.x * blockDim.x + threadIdx.x] = HAS_CUDA_H + HAS_MATH_H + sqrtf(2); }
"""


@pytest.mark.full
@pytest.mark.parametrize("text", [OURS, QUOTED], ids=["in angles", "in quotes"])
def test_a_folder_of_headers_may_have_names_of_ours(synth, kernels, theirs, text):
    """With angles, our headers come first. A header in quotes is first looked for in the folders of the user."""
    path = kernels(text, name="k.cu")
    for words in (("-I", theirs), ("--compiled-by", f"nvcc -isystem {theirs}")):
        assert synth("verify", path, *words).out.startswith("k: verified")
        needed = synth("kernel", "need", path, "--arg", "a=0:1", "--arg", "b=0:4", *words)
        assert (needed.code, needed.out.splitlines()[0]) == (0, "k needs no guarantee: it ends under all models")


POINTERS = """
typedef int (*F)(int);
__device__ int one(int x) { return x + 1; }
__device__ int two(int x) { return x + 2; }
__device__ int apply(F f, int x) { return f(x); }
template <class G> __device__ int with(G g, int x) { return g(x); }
template <int N> __device__ int factorial() { return N * factorial<N - 1>(); }
template <> __device__ int factorial<0>() { return 1; }
__device__ int again(int x) { return x ? again(x - 1) : 0; }
__device__ int odd(int x);
__device__ int even(int x) { return x ? odd(x - 1) : 1; }
__device__ int odd(int x) { return x ? even(x - 1) : 0; }
__global__ void inlined(int *a) { a[threadIdx.x] = apply(one, 1) + apply(two, 2); }
__global__ void nested(int *a) { F f = one; a[threadIdx.x] = with(f, with(two, 2)); }
__global__ void lambda(int *a) { auto f = [=](int x) { return x + a[0]; }; a[threadIdx.x] = with(f, 2); }
__global__ void templates(int *a) { a[threadIdx.x] = factorial<5>(); }
__global__ void chosen(int *a) { F f = a[0] ? one : two; a[threadIdx.x] = f(1); }
__global__ void given(int *a, F f) { a[threadIdx.x] = f(1); }
__global__ void recursive(int *a) { a[threadIdx.x] = again(3); }
__global__ void mutual(int *a) { a[threadIdx.x] = even(4); }
__global__ void through_a_pointer(int *a) { a[threadIdx.x] = apply(again, 3); }
"""
REASONS = {
    **dict.fromkeys(["inlined", "nested", "lambda", "templates"], ""),
    **dict.fromkeys(["chosen", "given"], "a call through a pointer"),
    **dict.fromkeys(["recursive", "through_a_pointer"], "recursion (a call of again)"),
    "mutual": "recursion (a call of odd)",
}


@pytest.mark.full
def test_a_function_pointer_that_inlining_removes_is_no_recursion(synth, kernels):
    path = kernels(POINTERS, name="k.cu")
    reasons = {
        kernel.name: kernel.reason if isinstance(kernel, UnreadKernel) else "" for kernel in read(path, SourceOptions())
    }
    assert reasons == REASONS
    assert isinstance(read(path, SourceOptions())[0], Kernel)
    needed = synth("kernel", "need", path, "--kernel", "inlined", "--arg", "a=0:4")
    assert needed.out.startswith("inlined needs no guarantee")
    refused = synth("kernel", "need", path, "--kernel", "mutual", "--arg", "a=0:4")
    assert (refused.code, "not supported: recursion (a call of odd)" in refused.err) == (2, True)
