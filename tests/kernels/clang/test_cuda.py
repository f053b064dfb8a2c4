"""Kernels in CUDA and HIP: their verdicts and places, host code beside them, template kernels, and what is refused."""

import re
from pathlib import Path

import pytest

from synth_checker.errors import InputError
from synth_kernels.clang import cuda
from synth_kernels.clang.parser import parse_module
from synth_kernels.clang.source_expressions import expression_at
from synth_kernels.clang.toolchain import STUBS
from synth_kernels.kernel_file import SourceOptions, read
from synth_kernels.kernel_verdict import verify
from synth_kernels.launch import Launch
from synth_kernels.program import Access, UnreadKernel
from synth_solvers.client import Solver

needs_clang = pytest.mark.full
KERNELS = Path(__file__).parents[1] / "cuda" / "kernels.cu"
SOURCE = KERNELS.read_text("utf-8")
NAMES = re.findall(r"\b(\w+)_(verified|race|divergence|unknown)\(", SOURCE)
HIP = """
#include <hip/hip_runtime.h>
__global__ void neighbours(int *a) {
    HIP_DYNAMIC_SHARED(int, t)
    t[hipThreadIdx_x] = 1;
    a[hipBlockIdx_x * hipBlockDim_x + hipThreadIdx_x] = t[hipThreadIdx_x ^ 1];
}
__device__ unsigned add(unsigned *word) {
    return __hip_atomic_fetch_add(word, 1u, __ATOMIC_SEQ_CST, __HIP_MEMORY_SCOPE_AGENT);
}
__global__ void counted(unsigned *a) { add(a); }
int main() {
    int *a = nullptr;
    if (hipMalloc(&a, 512) != hipSuccess) { return 1; }
    hipLaunchKernelGGL(neighbours, dim3(2), dim3(64), 256, 0, a);
    return hipDeviceSynchronize();
}
"""


@pytest.fixture(scope="module")
def solver():
    with Solver(seconds=120.0) as solver:
        yield solver


@pytest.fixture(scope="module")
def kernels():
    """The kernels of the file, which has host code that does not compile, by their names without arguments."""
    kernels_of_file = read(KERNELS, SourceOptions(instances=("scaled_verified<float, 3>",)))
    return {kernel.name.split("<")[0]: kernel for kernel in kernels_of_file}


def line_of_fault(name):
    """The line of the comment `fault` of a kernel, or None if it has none."""
    body = SOURCE[SOURCE.index(f" {name}(") :]
    before_next = re.split(r"^}", body, maxsplit=1, flags=re.MULTILINE)[0]
    place = before_next.find("// fault")
    return None if place < 0 else SOURCE.count("\n", 0, SOURCE.index(body) + place) + 1


@needs_clang
def test_all_kernels_of_the_file_are_read(kernels):
    assert sorted(kernels) == sorted(f"{name}_{verdict}" for name, verdict in NAMES)
    assert len(kernels) >= 18


@needs_clang
@pytest.mark.parametrize(("name", "verdict"), NAMES, ids=[name for name, _ in NAMES])
def test_a_kernel_has_a_verdict_and_its_fault_has_a_line(solver, kernels, name, verdict):
    kernel = kernels[f"{name}_{verdict}"]
    if verdict == "unknown":
        assert isinstance(kernel, UnreadKernel)
        return
    report = verify(kernel, Launch((64,), (2,)), solver)
    assert report.verdict == verdict
    places = [kernel.places[line] for counterexample in report.counterexamples for line in counterexample.lines]
    assert all(place.file == str(KERNELS) for place in places)
    if verdict != "verified":
        assert line_of_fault(f"{name}_{verdict}") in {place.line for place in places}
        assert all(counterexample.is_confirmed for counterexample in report.counterexamples)


@needs_clang
def test_a_global_id_of_64_bits_is_no_harder_than_one_of_32(solver, kernels):
    assert verify(kernels["long_index_verified"], Launch(), solver).verdict == "verified"


@needs_clang
def test_what_is_not_supported_is_named_with_its_line(kernels):
    warp, tile = kernels["warp_unknown"], kernels["tile_unknown"]
    assert warp.reason == "a barrier of a warp (__syncwarp)"
    assert "__syncwarp" in SOURCE.splitlines()[warp.place.line - 1]
    assert tile.reason == "a barrier of a cooperative group that may be smaller than a block"
    assert "group.sync()" in SOURCE.splitlines()[tile.place.line - 1]
    launch, pointer = kernels["launches_unknown"], kernels["other_pointer_unknown"]
    assert launch.reason == "kernels that launch kernels"
    assert "<<<1, 64>>>" in SOURCE.splitlines()[launch.place.line - 1]
    assert pointer.reason == "an access through a pointer that comes from memory or from a number"


@needs_clang
def test_atomics_have_their_operations(kernels):
    accesses = [instruction for block in kernels["atomics_verified"].blocks for instruction in block.instructions]
    assert [access.operation for access in accesses if isinstance(access, Access) and access.kind == "atomic"] == [
        *("add", "load", "compare-exchange", "store", "add", "inc", "compare-exchange", "umax")
    ]


@needs_clang
def test_hip_is_read(solver, tmp_path):
    path = tmp_path / "k.hip"
    path.write_text(HIP, "utf-8")
    neighbours, counted = read(path, SourceOptions())
    report = verify(neighbours, Launch((64,), (2,)), solver)
    assert report.verdict == "race"
    assert {neighbours.places[line].line for line in report.counterexamples[0].lines} == {5, 6}
    assert verify(counted, Launch((64,), (2,)), solver).verdict == "verified"


@needs_clang
def test_a_template_kernel_without_arguments_is_named(tmp_path):
    path = tmp_path / "k.cu"
    path.write_text("template <class T>\n__global__ void __launch_bounds__(64) k(T *a) { a[0] = 1; }\n", "utf-8")
    (unread,) = read(path, SourceOptions())
    assert (unread.name, unread.place.line) == ("k", 2)
    assert "--instantiate 'k<...>'" in unread.reason
    (kernel,) = read(path, SourceOptions(instances=("k<double>",)))
    assert kernel.name == "k<double>"
    with pytest.raises(InputError, match=r"--instantiate:1:.*undeclared identifier 'q'"):
        read(path, SourceOptions(instances=("q<double>",)))


@needs_clang
@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("__global__ void k(int *a) {\n  a[0] = b;\n}\nint main() { c(); }", r"k.cu:2:10: use of undeclared.*'b'"),
        ('#include "nowhere.h"\n__global__ void k(int *a) {}', "k.cu:1:10: 'nowhere.h' file not found"),
        (
            "#define DEVICE __device__\nDEVICE void f(int *a) { a[0] = wrong(); }\n__global__ void k(int *a) { f(a); }",
            r"k.cu:2:32: use of undeclared identifier 'wrong'",
        ),
        (
            "#define BOTH __host__ __device__\nBOTH void f(int *a) { a[0] = wrong(); }\n__global__ void k() { f(0); }",
            r"k.cu:2:30: use of undeclared identifier 'wrong'",
        ),
        (
            "template <class T> void f(T *a) { a[0] = wrong(a); }\n__global__ void k(int *a) { f(a); }",
            r"k.cu:1:42: use of undeclared identifier 'wrong'",
        ),
        ("int main() {}", "found no kernel, expected a function that is marked __kernel or __global__"),
    ],
    ids=["error in a kernel", "no header", "hidden on the device", "hidden on both", "in a template", "no kernel"],
)
def test_a_source_that_is_no_kernel_is_refused_in_one_line(tmp_path, source, message):
    path = tmp_path / "k.cu"
    path.write_text(source, "utf-8")
    with pytest.raises(InputError, match=message):
        read(path, SourceOptions())


def test_instances_are_refused_for_other_languages(tmp_path):
    (tmp_path / "k.cl").write_text("__kernel void k() {}")
    with pytest.raises(InputError, match=r"k.cl: found instances of template kernels, expected a file in CUDA or HIP"):
        read(tmp_path / "k.cl", SourceOptions(instances=("k<3>",)))


UNSUPPORTED = {
    "__shared__ cuda::barrier<cuda::thread_scope_block> b; b.arrive_and_wait();": "a barrier that is an object",
    "__shared__ int s[64]; __pipeline_memcpy_async(s, a, 4);": "asynchronous copies",
    "cg::coalesced_threads().sync();": "a barrier of a tile of threads",
    "int *p = new int[3]; p[0] = 1;": "memory that a thread allocates",
    "int *p = (int *)malloc(4); p[0] = 1;": "memory that a thread allocates",
    'asm volatile("bar.sync 0;");': "inline assembly (bar.sync 0;)",
    "again(a);": "recursion (a call of again)",
}


@needs_clang
def test_each_construct_that_is_not_supported_has_one_clear_reason(tmp_path):
    path = tmp_path / "k.cu"
    head = ["#include <cuda/barrier>", "#include <cuda_pipeline.h>", "#include <cooperative_groups.h>"]
    head += ["namespace cg = cooperative_groups;", "__device__ int again(int *a) { return a ? again(a + 1) : 0; }"]
    bodies = [f"__global__ void k{number}(int *a) {{ {body} }}" for number, body in enumerate(UNSUPPORTED)]
    path.write_text("\n".join([*head, *bodies]), "utf-8")
    unread = [(kernel.name, kernel.reason, kernel.place.line) for kernel in read(path, SourceOptions())]
    assert unread == [
        (f"k{number}", reason, len(head) + 1 + number) for number, reason in enumerate(UNSUPPORTED.values())
    ]


@needs_clang
@pytest.mark.parametrize("comment", ["// first\\n\\t", "/* // first */", "// /* first\\n", "\\n// */ first\\n"])
def test_a_comment_in_inline_assembly_ends(tmp_path, comment):
    text = f'asm volatile("membar.gl; {comment} st.u32 [%0], %1; // last" :: "l"(a), "r"(threadIdx.x));'
    (tmp_path / "k.cu").write_text(f"__global__ void k(unsigned *a) {{ {text} }}", "utf-8")
    (kernel,) = read(tmp_path / "k.cu", SourceOptions())
    assert [
        instruction.kind
        for block in kernel.blocks
        for instruction in block.instructions
        if isinstance(instruction, Access)
    ] == ["write"]


def test_a_version_of_opencl_is_refused_for_cuda(tmp_path):
    with pytest.raises(InputError, match=r"standard: found 'CL2.0', expected a version of C"):
        cuda.words(tmp_path / "k.cu", SourceOptions(standard="CL2.0"))


HOSTS = """#include <x>
namespace n {
__global__ void k(int *a) { if (a) { wrong(); } }
struct S { void f() { wrong(); } };
static int g(const char *s = "{") { // }
  k<float><<<1, 64>>>(0);
  x = wrong(";", '{',
            1'000);
  if (s) { return wrong; }
}
}
extern "C" {
int h() { one(); for (wrong) { two(); } }
}
"""


@pytest.mark.parametrize(
    ("line", "column", "left"),
    [
        (3, 40, None),
        (4, 24, None),
        (1, 3, None),
        (99, 1, None),
        (7, 8, ['x = wrong(";"', "1'000"]),
        (9, 20, ["return wrong"]),
        (13, 24, ["one()", "wrong) { two()"]),
    ],
)
@pytest.mark.parametrize("whole", [cuda.HostOmission.STATEMENTS, cuda.HostOmission.BODIES])
def test_only_what_the_host_does_is_left_out(line, column, left, whole):
    less = cuda.without_hosts(HOSTS, [(line, column)], whole)
    if left is None:
        assert less is None
        return
    assert [text for text in left if text in less] == []
    assert cuda.HOST_ONLY in less
    assert less.count("\n") == HOSTS.count("\n")
    assert ("k<float><<<" in less) == (whole is cuda.HostOmission.STATEMENTS or line == 13)
    assert [text for text in ("wrong(); } }", "struct S", "static int g", "int h()") if text not in less] == []


@pytest.mark.parametrize(("line", "column", "gone"), [(3, 40, None), (4, 24, "struct S"), (9, 20, "static int g")])
def test_a_declaration_of_the_host_is_left_out_whole(line, column, gone):
    less = cuda.without_hosts(HOSTS, [(line, column)], cuda.HostOmission.DECLARATIONS)
    assert (less is None) == (gone is None)
    if less is not None:
        heads = ("__global__ void k", "struct S", "static int g", "int h()")
        assert [text for text in heads if text not in less] == [gone]
        assert less.count("\n") == HOSTS.count("\n")


def test_launches_of_instances_are_found():
    text = """n::k<float, 4><<<1, 64>>>(a); // q<int><<<1, 1>>>()
other<<<1, 1>>>(); x = a < b; hipLaunchKernelGGL((h<int>), 1, 64, 0, 0, a);
hipLaunchKernelGGL(HIP_KERNEL_NAME(g<int, 3>), 1, 64, 0, 0, a);"""
    assert cuda.launched_instances(text) == {"n::k<float, 4>", "h<int>", "g<int, 3>"}


def test_template_kernels_are_found():
    text = "// template <class T> __global__ void no(\ntemplate <class T>\n__global__ void yes(T *a) {}\nint f() {}"
    assert cuda.templates(text) == {"yes": 3}


@pytest.mark.parametrize(
    ("text", "column", "expression"),
    [
        ("  p[i].x = 1;", 8, "p[i].x"),
        ("  set(p[i + 1].y.z, i);", 18, "p[i + 1].y.z"),
        ("  x = a.b + c[i].d;", 18, "c[i].d"),
        ("  q->next[2] = 1", 6, "q->next[2]"),
        ("  (*p).x = 3", 8, "x"),
        ("  *p = 3", 3, "*p"),
        ("  if (c) total += a[i];", 16, "total"),
        ("  s.t[2].u = 3;", 12, "s.t[2].u"),
        ("  (*p) = 3", 8, ""),
        ("  +", 3, ""),
    ],
)
def test_the_expression_of_a_member_is_that_of_its_object(text, column, expression):
    assert expression_at(text, column) == expression


def test_types_may_come_before_those_of_their_members():
    module = parse_module(
        '%"a::b" = type { i8, %c }\n%c = type { i32, %d }\n%d = type { i16 }\n@x = global %"a::b" undef\n'
    )
    assert module.variables["x"].type.parts[1].parts[1].parts[0].bits == 16


@needs_clang
@pytest.mark.parametrize("suffix", [".cu", ".hip"])
@pytest.mark.parametrize("standard", ["c++14", "c++17", "c++20"])
def test_all_our_headers_compile_together(tmp_path, suffix, standard):
    folder = STUBS / "cuda"
    headers = sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())
    names = [name for name in headers if suffix == ".hip" or not name.startswith("hip/")]
    names = [name for name in names if suffix == ".cu" or name != "cuda_runtime.h"]
    assert len(names) > 30
    path = tmp_path / f"k{suffix}"
    path.write_text("".join(f"#include <{name}>\n" for name in names) + "__global__ void k() {}\n")
    (kernel,) = read(path, SourceOptions(standard=standard))
    assert kernel.name == "k"
