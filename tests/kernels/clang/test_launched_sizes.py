"""The sizes of a launch that the file itself has: they count where `synth kernel` is told no others."""

import json

import pytest

from synth_kernels.clang.launches import Sizes, launched_sizes

LAUNCHES = {
    "k<<<2, 64>>>(a);": ((2,), (64,)),
    "k <<< 2 , 64, 0, stream >>> (a);": ((2,), (64,)),
    "ns::k<int, 4><<<2, 64>>>(a);": ((2,), (64,)),
    "k<<<dim3(2, 3), dim3{8, 4, 1}>>>(a);": ((2, 3), (8, 4)),
    "dim3 grid(2), block = dim3(8, 8); k<<<grid, block>>>(a);": ((2,), (8, 8)),
    "const dim3 grid(2, 2, 2); k<<<grid, (64)>>>(a);": ((2, 2, 2), (64,)),
    "hipLaunchKernelGGL(k, dim3(2), dim3(64, 2), 0, 0, a);": ((2,), (64, 2)),
    "hipLaunchKernelGGL((k<int>), 2, 64, 0, 0, a);": ((2,), (64,)),
    "hipLaunchKernelGGL(HIP_KERNEL_NAME(k<int, 3>), 2, 64, 0, 0, a);": ((2,), (64,)),
    # expressions of numbers and of names of numbers
    "#define N 128u\n#define G (N / 64)\nk<<<G, N - 2 * 3>>>(a);": ((2,), (122,)),
    "static constexpr unsigned B = 1u << 5; k<<<(100 + B - 1) / B, 0x10>>>(a);": ((4,), (16,)),
    "dim3 grid(N, N + 1); k<<<grid, 1 << N>>>(a);\n#define N 2": ((2, 3), (4,)),
    # several launches
    "k<<<2, 64>>>(a); k<<<2, 64>>>(b);": ((2,), (64,)),
    "k<<<2, 64>>>(a); k<<<2, 32>>>(a);": ((2,), None),
    "k<<<2, 64>>>(a); k<<<n, 64>>>(a);": (None, (64,)),
    # what only a run knows, what is no number, and what is no launch
    "k<<<n, blockDim.x>>>(a);": (None, None),
    "k<<<f(2), sizeof(int)>>>(a);": (None, None),
    "k<<<0, -1>>>(a);": (None, None),
    "k<<<2.5, 1 / 0>>>(a);": (None, None),
    "int n = 2; k<<<n, 64>>>(a);": (None, (64,)),
    "template <int B> void go() { k<<<2, B>>>(0); }": ((2,), None),
    "dim3 grid; grid.x = n; k<<<grid, 64>>>(a);": (None, (64,)),
    "const int a = b; const int b = a; k<<<a, b>>>(a);": (None, None),
    '// k<<<9, 9>>>(a);\nkk<<<8, 8>>>(a); k<<<2, 64>>>(a); print("k<<<7, 7>>>");': ((2,), (64,)),
    "void k(int *a);": (None, None),
    "k<<<2, 64": ((2,), None),
}


@pytest.mark.parametrize(("text", "expected"), LAUNCHES.items(), ids=LAUNCHES)
def test_sizes_of_launches_are_read(text, expected):
    assert launched_sizes(text, "k") == Sizes(*expected)
    assert launched_sizes(text, "k<int, 4>") == Sizes(*expected)


def test_sizes_may_be_declared_with_braces():
    assert launched_sizes("const dim3 grid{2, 2}; k<<<grid, 64>>>(a);", "k").groups == (2, 2)


@pytest.mark.parametrize(
    "text",
    [
        "void f() { const int n = 2; k<<<n, 1>>>(a); }\nvoid g() { const int n = 3; }",
        "#ifdef SMALL\n#define n 2\n#else\n#define n 3\n#endif\nvoid f() { k<<<n, 1>>>(a); }",
    ],
    ids=["of two functions", "of two cases"],
)
def test_a_name_of_two_numbers_has_no_value(text):
    assert launched_sizes(text, "k").groups is None


SOURCE = """
__global__ void small(int *a) { a[blockIdx.x * blockDim.x + threadIdx.x] = 1; }
__global__ void large(int *a) { a[blockIdx.x * blockDim.x + threadIdx.x] = 1; }
__global__ void flat(int *a) { a[threadIdx.x] = blockIdx.x; }
__global__ void __launch_bounds__(2) none(int *a) { a[blockIdx.x * blockDim.x + threadIdx.x] = 1; }
int main() {
    dim3 block(2, 2);
    small<<<3, 2>>>(0);
    large<<<5, 2>>>(0);
    flat<<<1, block>>>(0);
}
"""
#: What an answer rests on, by the kernel and further words.
RESTS_ON = {
    "small": "3 workgroups of local size 2",
    "large": "2 to 4 workgroups of local size 2",
    "flat": "1 workgroup of local size 2 x 2",
    "none": "2 to 4 workgroups of local size 1",
    "small --workgroups 2": "2 workgroups of local size 2",
    "small --local-size 1": "3 workgroups of local size 1",
    "small --workgroups 2..3 --local-size 1": "2 to 3 workgroups of local size 1",
}


@pytest.mark.full
@pytest.mark.parametrize(("words", "expected"), RESTS_ON.items(), ids=RESTS_ON)
def test_a_launch_of_the_file_counts_where_no_other_is_given(synth, kernels, words, expected):
    path = kernels(SOURCE, name="k.cu")
    name, *more = words.split()
    said = synth("kernel", "need", path, "--kernel", name, *more, "--arg", "a=0:8", "--json")
    assert json.loads(said.out)["rests_on"][0] == expected


@pytest.mark.full
def test_a_proof_is_about_all_launches_and_not_about_those_of_the_file(synth, kernels):
    path = kernels(SOURCE, name="k.cu")
    answers = [json.loads(line) for line in synth("verify", path, "--json").out.splitlines()]
    assert {answer["kernel"]: answer["verdict"] for answer in answers} == {
        **dict.fromkeys(["small", "large", "none"], "verified"),
        "flat": "race",
    }
    rests_on = {answer["rests_on"][0] for answer in answers if answer["verdict"] == "verified"}
    assert rests_on == {"local size any, groups any"}


@pytest.mark.full
def test_an_array_of_which_offsets_have_no_number_is_refused(synth, kernels):
    path = kernels("__kernel void k(__global int *a) { a[get_global_id(0)] = 1; }", name="k.cl")
    said = synth("verify", path, "--arrays", "k,4294967296")
    assert (said.code, said.err) == (2, "synth: bytes of a: found 4294967296, expected 0 to 2147483647\n")
