"""What the host does beside kernels is left out, and nothing of the device is: lines stay what they are."""

import json

import pytest

#: Two threads race in lines that end with `// race`. All else is of the host, and much of it does not compile.
LIBRARY = """#include <algorithm>
#include <vector>
__global__ void k(int *a) {
    a[threadIdx.x] = 1;  // race
    a[threadIdx.x + 1] = 2;  // race
}
int main(int argc, char **argv) {
    std::vector<int> v(64, 3);
    cudaStream_t s;
    cudaStreamCreate(&s);
    int *p; cudaMallocAsync(&p, v.size() * sizeof(int), s);
    auto largest = [&](int x) { return std::max(v[x], argc); };
    k<<<2, 4, 0, s>>>(p);
    return largest(3);
}
"""
OWN = """#define CHECK(call) do { auto e = (call); if (e != hipSuccess) { std::cerr << "{" << e; exit(1); } } while (0)
#define BOTH __host__ __device__
#define LAUNCH(kernel, ...) kernel<<<1, 4>>>(__VA_ARGS__)
template <class T> struct Matrix : public linalg::Base<T> {
    std::vector<T> data;
    Matrix(int n) : linalg::Base<T>(n), data(n) {}
    T *get() { return this->ptr(); }
};
class Timer : public Stopwatch { public: double stop() override { return elapsed() * unit; } };
__host__ __device__ inline int both(int x) { return x + 1; }
__host__ __device__ int clamped(int x, int n) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
    return x < n ? x : n;
#else
    return host_clamp(x, n);
#endif
}
BOTH static int twice(int x) { return 2 * x; }
__global__ void k(int *a) {
    a[twice(threadIdx.x) + both(0)] = clamped(3, 4);  // race
    a[2 * threadIdx.x + 3] = 2;  // race
}
void run(int *p) {
    std::vector<int> v(64, 3);
    auto go = [=](Unknown u) { return u.nowhere(p); };
    CHECK(hipMalloc(&p, 512));
    LAUNCH(k, p);
    std::cout << go(3) << std::endl;
}
int helper(Unknown u) { return u.x; }
static Config config = {1, 2, {3}};
const std::map<std::string, Kernel> table = {{"k", k}};
using Callback = std::function<void(Unknown &)>;
int main() { Timer t; run(nullptr); return t.stop() > 1'000; }
"""


@pytest.mark.full
@pytest.mark.parametrize(("text", "name"), [(LIBRARY, "k.cu"), (OWN, "k.cu"), (OWN, "k.hip")])
def test_host_code_is_left_out_and_lines_stay(synth, kernels, text, name):
    path = kernels(text, name=name)
    (answer,) = map(
        json.loads, synth("verify", path, "--local-size", "4", "--num-groups", "1", "--json").out.split("\n")[:-1]
    )
    lines = {step["line"] for fault in answer["counterexamples"] for step in fault["steps"]}
    assert answer["verdict"] == "race"
    assert lines == {number for number, line in enumerate(text.splitlines(), 1) if line.endswith("// race")}


DEVICE = {
    "a function": "__device__ int f(int x) { return WRONG; }",
    "a function that the host has, too": "__host__ __device__ int f(int x) { return WRONG; }",
    "a function behind a macro": "#define HERE __device__ __forceinline__\nHERE int f(int x) { return WRONG; }",
    "a template": "template <class T> __device__ T f(T x) { return WRONG; }",
    "a variable": "__device__ int f[4] = {1, WRONG};",
    "a constant": "__constant__ int f = WRONG;",
    "a member": "struct S { int x; __device__ int f() { return WRONG; } };",
    "a member of a class of the host": "class S : public Unknown { __device__ int f() { return 1; } };",
    "a lambda": "__device__ int f() { auto g = [](int x) { return WRONG; }; return g(1); }",
    "a declaration": "__device__ WRONG f(int x);",
}


@pytest.mark.full
@pytest.mark.parametrize("text", DEVICE.values(), ids=DEVICE)
@pytest.mark.parametrize("ending", ["cu"])
def test_what_is_wrong_on_the_device_is_an_error(synth, kernels, text, ending):
    kernel = "__global__ void k(int *a) { a[threadIdx.x] = 1; }"
    path = kernels(text, kernel, "int main() { return unknown(); }", name=f"k.{ending}")
    said = synth("verify", path)
    line = text.count("\n") + 1
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith(f"synth: {path}:{line}:")


#: Each thread writes to a place that is 0 times its number, if the declaration with THERE counts, or else 1 times.
#: Without the header of a library, this declaration does not compile.
SHADOWED = {
    "a specialisation": """template <class T> struct Step { static constexpr int N = 1; };
template <> struct Step<int> : thrust::base { static constexpr int N = 0; };
__global__ void k(int *a) { a[Step<int>::N * threadIdx.x] = threadIdx.x; }
""",
    "a constant": """const int N = 1;
namespace app {
const int N = thrust::zero();
__global__ void k(int *a) { a[N * threadIdx.x] = threadIdx.x; }
}
""",
    "a constant function": """constexpr int pick(long x) { return 1; }
constexpr int pick(int x) { return thrust::zero(x); }
__global__ void k(int *a) { a[pick(0) * threadIdx.x] = threadIdx.x; }
""",
    "a class with a member of the device": """#define HERE __device__
struct B { HERE static int f() { return 1; } };
namespace app {
struct B : thrust::base { HERE static int f() { return 0; } };
__global__ void k(int *a) { a[B::f() * threadIdx.x] = threadIdx.x; }
}
""",
}


@pytest.mark.full
@pytest.mark.parametrize("text", SHADOWED.values(), ids=SHADOWED)
def test_no_other_declaration_takes_the_place_of_one_that_is_left_out(synth, kernels, text):
    path = kernels("#include <thrust/device_vector.h>", text, name="k.cu")
    assert "verified" not in synth("verify", path, "--local-size", "4", "--num-groups", "1").out
