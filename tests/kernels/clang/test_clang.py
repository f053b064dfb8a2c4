"""Kernels in OpenCL C: what they become as typed programs, their verdicts, and what is refused."""

import pytest

from synth_checker.errors import InputError, ResourceError
from synth_kernels import kernel_file
from synth_kernels.kernel_file import SourceOptions, read
from synth_kernels.kernel_verdict import verify
from synth_kernels.launch import Launch
from synth_kernels.printer import kernel_text
from synth_kernels.program import Access, Kernel, UnreadKernel
from synth_kernels.text import parse
from synth_solvers.client import Solver

needs_clang = pytest.mark.full
HEAD = """
typedef struct { int x; char c; int y[3]; } S;
__constant int table[4] = {1, 2, 3, 4};
int taken(__global int *p, int i) { return p[i]; }
const sampler_t at_edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
inline int n(int x) { return x + 1; }
#define I get_global_id(0)
#define L get_local_id(0)
"""
#: Parameters, body, and the verdict for launches of all sizes in one dimension.
KERNELS = {
    "each its own place": ("__global int *a", "a[I] = a[I] + 1;", "verified"),
    "a place that another one writes": ("__global int *a, int n", "a[I] = a[I] + a[I + n];", "race"),
    "neighbours and a barrier": ("__local int *t", "t[L] = 1; barrier(CLK_LOCAL_MEM_FENCE); t[L + 1] = 2;", "verified"),
    "neighbours and no barrier": ("__local int *t", "t[L] = 1; t[L + 1] = 2;", "race"),
    "a fence of the wrong memory": ("__global int *a", "a[L] = 1; barrier(CLK_LOCAL_MEM_FENCE); a[L ^ 1] = 2;", "race"),
    "a barrier is not for other groups": (
        "__global int *a",
        "a[L] = 1; barrier(CLK_GLOBAL_MEM_FENCE); a[L ^ 1] = 2;",
        "race",
    ),
    "atomics do not race": ("volatile __global int *a", "atomic_add(a, 1); atomic_inc(a);", "verified"),
    "an atomic and a plain write": ("volatile __global int *a", "atomic_add(a, 1); a[0] = 3;", "race"),
    "a compare-and-swap in a loop": ("volatile __global int *a", "while (atomic_cmpxchg(a, 0, 1)) ;", "verified"),
    "a barrier for some": ("int n", "if (L < n) barrier(CLK_LOCAL_MEM_FENCE);", "divergence"),
    "a barrier for all or none": ("int n", "if (n > 3) barrier(CLK_LOCAL_MEM_FENCE);", "verified"),
    "flags that are computed": (
        "__local int *t, int n",
        "t[L] = 1; barrier(n ? CLK_LOCAL_MEM_FENCE : CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); t[L ^ 1] = 2;",
        "verified",
    ),
    "flags that are computed, some of them wrong": (
        "__local int *t, int n",
        "t[L] = 1; barrier(n ? CLK_LOCAL_MEM_FENCE : CLK_GLOBAL_MEM_FENCE); t[L ^ 1] = 2;",
        "race",
    ),
    "flags that differ": ("", "barrier(L ? CLK_LOCAL_MEM_FENCE : CLK_GLOBAL_MEM_FENCE);", "divergence"),
    "the channels of an image": (
        "read_only image2d_t a, __global int *b",
        "b[I] = get_image_channel_order(a) == CLK_RGBA && get_image_channel_data_type(a) == CLK_FLOAT;",
        "verified",
    ),
    "sub-groups": ("__global int *b", "b[I] = sub_group_reduce_add(get_sub_group_local_id());", "verified"),
    "a place by a sub-group": ("__global int *b", "b[get_sub_group_local_id()] = I;", "race"),
    "a barrier behind a return": ("int n", "if (L >= n) return; barrier(CLK_LOCAL_MEM_FENCE);", "divergence"),
    "a call": ("__global int *a, __global int *b", "a[I] = taken(b, I + 1);", "verified"),
    "a call reads what others write": ("__global int *a", "a[I] = taken(a, I + 1);", "race"),
    "wide and narrow": ("__global uchar *a", "((__global uint *)a)[I] = 7; a[I] = 1;", "race"),
    "a structure": ("__global S *a", "a[I].x = 1; a[I].y[2] = 2;", "verified"),
    "a structure, one further": ("__global S *a", "a[I].x = 1; a[I + 1].x = 2;", "race"),
    "a switch": (
        "__global int *a, int n",
        "switch (n) { case 1: a[I] = table[0]; break; case 7: a[0] = I; break; default: return; }",
        "race",
    ),
    "one of two arrays": (
        "__global int *a, __global int *b, int n",
        "__global int *p = n ? a : b; p[I] = 1; a[I + 1] = 2;",
        "race",
    ),
    "a private array": (
        "__global int *a, __global int *b",
        "int v[4]; for (int j = 0; j < 4; j++) v[j] = a[4 * I + j]; b[I] = v[I & 3];",
        "verified",
    ),
    "a function of numbers with a point": ("__global float *a", "a[I] = sqrt(a[I]) + 1.0f;", "verified"),
    "a pixel each": (
        "read_only image2d_t a, write_only image2d_t b, int w",
        "if (I < w) write_imagef(b, (int2)(I, 1), read_imagef(a, at_edge, (int2)(I, n(w))));",
        "verified",
    ),
    "a pixel that another one writes": (
        "write_only image2d_t a",
        "const sampler_t s = 0; write_imagei(a, (int2)(I / 2, 1), (int4)(I));",
        "race",
    ),
    "a pixel of another row": (
        "write_only image2d_t a",
        "write_imageui(a, (int2)(I & 1, I / 2), (uint4)(I));",
        "verified",
    ),
    "a pixel of an image with one coordinate": (
        "write_only image1d_t a",
        "write_imagef(a, I, (float4)(1));",
        "verified",
    ),
    "a pixel of a depth": ("write_only image2d_depth_t a", "write_imagef(a, (int2)(0, 0), 1.0f * I);", "race"),
    "a component of a vector": ("__global float4 *a", "a[I].x = 1.0f;", "verified"),
}
C11 = """
__kernel void k(__global atomic_int *a, __global int *b) {
    atomic_fetch_add_explicit(a, 1, memory_order_relaxed);
    if (atomic_load(a) == 3) b[get_global_id(0)] = 1;
    work_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
}
"""


#: Faults that no execution confirms: volatile accesses do not race with atomic ones there, and the ids of sub-groups
#: are arbitrary.
NOT_RUN = {KERNELS[name][1] for name in ("an atomic and a plain write", "a place by a sub-group")}


@pytest.fixture(scope="module")
def solver():
    with Solver(seconds=120.0) as solver:
        yield solver


def kernels_of(tmp_path, source, how=SourceOptions()):  # noqa: B008  (it is frozen)
    path = tmp_path / "k.cl"
    path.write_text(source, "utf-8")
    return read(path, how)


@needs_clang
@pytest.mark.parametrize(("parameters", "body", "verdict"), KERNELS.values(), ids=KERNELS)
def test_a_kernel_has_a_verdict_for_launches_of_all_sizes(solver, tmp_path, parameters, body, verdict):
    (kernel,) = kernels_of(tmp_path, f"{HEAD}__kernel void k({parameters}) {{ {body} }}")
    text = kernel_text(kernel)
    assert kernel_text(parse(text)) == text
    report = verify(kernel, Launch((None,), (None,)), solver)
    assert report.verdict == verdict
    assert all(counterexample.is_confirmed == (body not in NOT_RUN) for counterexample in report.counterexamples)


@needs_clang
def test_atomics_of_newer_versions_are_read(solver, tmp_path):
    (kernel,) = kernels_of(tmp_path, C11)
    assert verify(kernel, Launch(), solver).verdict == "verified"


@needs_clang
def test_accesses_stay_and_know_where_they_stand(tmp_path):
    """Two equal reads stay two, although a compiler may read once."""
    source = "__kernel void k(__global int *a, int n) {\n  int x = a[n];\n  int y = a[n];\n  a[n + 1] = x + y;\n}"
    (kernel,) = kernels_of(tmp_path, source)
    accesses = [
        instruction for block in kernel.blocks for instruction in block.instructions if isinstance(instruction, Access)
    ]
    places = [kernel.places[access.line] for access in accesses]
    assert [(access.kind, place.line, place.expression) for access, place in zip(accesses, places, strict=True)] == [
        ("read", 2, "a[n]"),
        ("read", 3, "a[n]"),
        ("write", 4, "a[n + 1]"),
    ]


@needs_clang
def test_a_place_knows_the_calls_that_lead_to_it(tmp_path):
    source = "int f(__global int *p) {\n  return *p;\n}\n__kernel void k(__global int *a) {\n  a[1] = f(a);\n}"
    (kernel,) = kernels_of(tmp_path, source)
    (place,) = (place for place in kernel.places.values() if place.line == 2 and place.calls)
    assert [call.line for call in place.calls] == [5]


@needs_clang
def test_a_required_local_size_and_definitions_are_read(tmp_path):
    source = "__kernel __attribute__((reqd_work_group_size(N, 2, 1))) void k(__local int *t) { t[0] = 1; }"
    (kernel,) = kernels_of(tmp_path, source, SourceOptions(defines=("N=16",)))
    assert kernel.local_size == (16, 2, 1)


@needs_clang
def test_what_is_not_supported_is_said_with_its_place(tmp_path):
    source = "__kernel void k(__local int *l, __global int *g) {\n  sub_group_barrier(CLK_LOCAL_MEM_FENCE);\n}"
    (unread,) = kernels_of(tmp_path, source)
    assert isinstance(unread, UnreadKernel)
    assert (unread.name, unread.place.line, unread.reason) == ("k", 2, "a barrier of a sub-group")


@needs_clang
@pytest.mark.parametrize(
    ("image", "place", "reason"),
    [
        ("read_write image2d_t", "(int2)(1, 1)", "writes to images that the kernel may read, too"),
        ("write_only image3d_t", "(int4)(1, 1, 1, 0)", "writes to images with three coordinates"),
        ("write_only image2d_array_t", "(int4)(1, 1, 1, 0)", "writes to images with three coordinates"),
    ],
)
def test_images_that_have_no_model_are_refused(tmp_path, image, place, reason):
    (unread,) = kernels_of(tmp_path, f"__kernel void k({image} a) {{ write_imagef(a, {place}, (float4)(1)); }}")
    assert isinstance(unread, UnreadKernel)
    assert unread.reason == reason


@needs_clang
def test_what_writes_to_images_take_for_granted_is_noted(tmp_path):
    (kernel,) = kernels_of(tmp_path, "__kernel void k(write_only image2d_t a) { write_imagef(a, (int2)(1), 1.0f); }")
    assert "writes inside images of at most 65,536 pixels in each direction" in [
        premise.text for premise in kernel.premises
    ]


@needs_clang
def test_a_pointer_of_another_type_is_no_error(tmp_path):
    (kernel,) = kernels_of(tmp_path, "__kernel void k(__global char *a) { __global int *p = a; p[0] = 1; }")
    assert isinstance(kernel, Kernel)


@needs_clang
@pytest.mark.parametrize(
    ("source", "message"),
    [
        (
            "__kernel void k(__global int *a) { a[0] = b; c = 2; }",
            r":1:43: use of undeclared identifier 'b' \(and 1 more\)",
        ),
        ("", "found no kernel, expected a function that is marked __kernel"),
        ("int f(int x) { return x; }", "found no kernel"),
        ("\x1b[31m", r":1:1: .*"),
    ],
    ids=["errors", "empty", "no kernel", "control characters"],
)
def test_a_source_that_is_no_kernel_is_refused_in_one_line(tmp_path, source, message):
    with pytest.raises(InputError, match=message) as refused:
        kernels_of(tmp_path, source)
    assert str(refused.value).isprintable()


def test_a_file_that_cannot_be_read_is_refused_in_one_line(tmp_path):
    with pytest.raises(InputError, match="found no file, expected a file with kernels"):
        read(tmp_path / "k.cl", SourceOptions())
    with pytest.raises(InputError, match="found a folder"):
        read(tmp_path, SourceOptions())
    (tmp_path / "k.cls").write_text("")
    with pytest.raises(
        InputError, match=r"found the suffix '.cls' \(did you mean .cl\?\), expected one of .kernel, .cl"
    ):
        read(tmp_path / "k.cls", SourceOptions())


def test_without_the_extra_one_line_says_what_to_install(tmp_path, monkeypatch):
    (tmp_path / "k.cl").write_text("__kernel void k() {}")
    monkeypatch.setitem(kernel_file.READERS, ".cl", "synth_kernels.nowhere")
    with pytest.raises(ResourceError, match=r"is not installed, which reads kernels in C; run: .*ziglang"):
        read(tmp_path / "k.cl", SourceOptions())
