"""Verification by contracts: kernels with functions, wrong contracts, and random ones against runs and inlining."""

import collections

import pytest

from boogie import NotPrintedError, Printer
from judged_kernels import LAUNCH
from random_calls import judged
from synth_kernels.candidates.rules import ALL
from synth_kernels.kernel_file import SourceOptions
from synth_kernels.kernel_verdict import verify
from synth_kernels.launch_sizes import Sizing
from synth_kernels.pair.options import Options
from synth_kernels.program import Kernel
from synth_kernels.verification import verify_file
from synth_kernels.verification.answer import answer_of
from synth_solvers.client import Solver

pytestmark = pytest.mark.full
WITH_RULES = Options(rules=ALL)
PUT = "void put(__global int *p, int x, int v) { p[x] = v; }\n"
SYNC = "void sync(__local int *t) { t[get_local_id(0)] = 1; barrier(CLK_LOCAL_MEM_FENCE); }\n"
KERNELS = {
    "a call": (PUT + "__kernel void k(__global int *a) { put(a, get_global_id(0), 1); }", "verified"),
    "a call for all at one place": (
        PUT + "__kernel void k(__global int *a) { put(a, 0, get_global_id(0)); }",
        "unknown",
    ),
    "a call in a loop": (
        PUT + "__kernel void k(__global int *a) { for (int j = 0; j < 9; j++) put(a, get_global_id(0), j); }",
        "verified",
    ),
    "calls in a loop that move on": (
        PUT + "__kernel void k(__global int *a) { int i = get_global_id(0); for (int j = 0; j < 9; j++) "
        "put(a, i + j, i); }",
        "unknown",
    ),
    "what a call wrote is read": (
        PUT + "__kernel void k(__global int *a, __global int *b) { int i = get_global_id(0); put(a, i, 1); "
        "b[i] = a[i + 1]; }",
        "race",
    ),
    "what a call writes was read": (
        PUT + "__kernel void k(__global int *a, __global int *b) { int i = get_global_id(0); b[i] = a[i + 1]; "
        "put(a, i, 1); }",
        "unknown",
    ),
    "a barrier in a function": (
        SYNC + "__kernel void k(__global int *a, __local int *t) { sync(t); a[get_global_id(0)] = t[0]; }",
        "verified",
    ),
    "a barrier in a function for some": (
        SYNC + "__kernel void k(__local int *t) { if (get_local_id(0) < 3) sync(t); }",
        "unknown",
    ),
    "a barrier that fences other memory": (
        SYNC.replace("LOCAL_MEM", "GLOBAL_MEM")
        + "__kernel void k(__global int *a, __local int *t) { sync(t); a[get_global_id(0)] = t[0]; }",
        "race",
    ),
    "one pointer twice": (
        (
            "void shift(__global int *p, __global int *q) { p[get_global_id(0)] = q[get_global_id(0) + 1]; }\n"
            "__kernel void k(__global int *a) { shift(a, a); }"
        ),
        "unknown",
    ),
    "two pointers into two arrays": (
        (
            "void shift(__global int *p, __global int *q) { p[get_global_id(0)] = q[get_global_id(0) + 1]; }\n"
            "__kernel void k(__global int *a, __global int *b) { shift(a, b); }"
        ),
        "verified",
    ),
    "recursion": (
        (
            "void fill(__global int *p, int n) { if (n > 0) { p[get_global_id(0)] = n; fill(p, n - 1); } }\n"
            "__kernel void k(__global int *a, int n) { fill(a, n); }"
        ),
        "verified",
    ),
    "recursion to a neighbour": (
        (
            "void fill(__global int *p, int n) { if (n > 0) { p[get_global_id(0)] = n; fill(p + 1, n - 1); } }\n"
            "__kernel void k(__global int *a, int n) { fill(a, n); }"
        ),
        "unknown",
    ),
    "a function without a body": (
        "int hash(int x);\n__kernel void k(__global int *a) { a[get_global_id(0)] = hash(3); }",
        "verified",
    ),
    "where a function without a body points": (
        "int hash(int x);\n__kernel void k(__global int *a) { a[hash(3)] = get_global_id(0); }",
        "race",
    ),
    "a write of a function without a body": (
        (
            "void touch(__global int *p) { __writes_to(p); }\n"
            "__kernel void k(__global int *a) { touch(a); a[get_global_id(0)] = 3; }"
        ),
        "race",
    ),
    "a write of a function without a body, later": (
        (
            "void touch(__global int *p) { __writes_to(p); }\n"
            "__kernel void k(__global int *a) { a[get_global_id(0)] = 3; touch(a); }"
        ),
        "race",
    ),
    "a write of a function without a body behind a barrier": (
        (
            "void touch(__local int *p) { __writes_to(p); }\n__kernel void k(__local int *t) { t[get_local_id(0)] = 3; "
            "barrier(CLK_LOCAL_MEM_FENCE); touch(t); barrier(CLK_LOCAL_MEM_FENCE); t[get_local_id(0)] = 3; }"
        ),
        "verified",
    ),
    "a read of a function without a body": (
        (
            "void look(__global int *p) { __reads_from(p); }\n"
            "__kernel void k(__global int *a, __global int *b) { look(a); b[get_global_id(0)] = 3; look(a); }"
        ),
        "verified",
    ),
    "a precondition that is kept": (
        "int get(int i) { __requires(i > 0); return i; }\n__kernel void k(__global int *a) { get(3); }",
        "verified",
    ),
    "a precondition that is broken": (
        "int get(int i) { __requires(i > 0); return i; }\n__kernel void k(__global int *a) { get(0); }",
        "assertion",
    ),
    "a postcondition that is used": (
        (
            "int next(int i) { __ensures(__return_val_int() == i + 1); return i + 1; }\n"
            "__kernel void k(__global int *a) { int i = next(3); __assert(i == 4); }"
        ),
        "verified",
    ),
    "a postcondition that is wrong": (
        (
            "int next(int i) { __ensures(__return_val_int() == i + 1); return i + 2; }\n"
            "__kernel void k(__global int *a) { int i = next(3); __assert(i == 4); }"
        ),
        "unknown",
    ),
    "a postcondition that says too little": (
        (
            "int next(int i) { __ensures(__return_val_int() != i); return i + 1; }\n"
            "__kernel void k(__global int *a) { int i = next(3); __assert(i == 4); }"
        ),
        "assertion",
    ),
    "a postcondition about what was before": (
        (
            "void put(__global int *p) { __global_ensures(__implies(__read(p), __old_bool(__read(p)))); "
            "p[get_global_id(0)] = 3; }\n__kernel void k(__global int *a) { put(a); }"
        ),
        "verified",
    ),
    "a wrong postcondition about what was before": (
        (
            "void put(__global int *p) { __global_ensures(__implies(__write(p), __old_bool(__write(p)))); "
            "p[get_global_id(0)] = get_global_id(0); }\n__kernel void k(__global int *a) { put(a); }"
        ),
        "unknown",
    ),
    "a function that writes to variables of its caller": (
        (
            "void two(int *x) { *x = 1; }\n__kernel void k(__global int *a) { int x = get_global_id(0); two(&x); "
            "a[x] = get_global_id(0); }"
        ),
        "race",
    ),
    "a function that only reads variables of its caller": (
        (
            "int two(const int *x) { return *x; }\n"
            "__kernel void k(__global int *a) { int x = get_global_id(0); two(&x); "
            "a[x] = get_global_id(0); }"
        ),
        "verified",
    ),
    "bytes of what its caller accesses as numbers": (
        (
            "void put(__global char *c) { c[get_global_id(0)] = get_global_id(0); }\n"
            "__kernel void k(__global int *a) { a[get_global_id(0)] = 3; put((__global char *)a); }"
        ),
        "unknown",
    ),
    "bytes of its own": (
        (
            "void put(__global char *c) { c[get_global_id(0)] = get_global_id(0); }\n"
            "__kernel void k(__global char *a) { put(a); }"
        ),
        "verified",
    ),
    "an array of bytes": (
        (
            "void put(__global char *p, int i) { p[i] = i; }\n"
            "__kernel void k(__global char *a) { put(a, get_global_id(0)); }"
        ),
        "verified",
    ),
    "an array of bytes that is one of integers": (
        (
            "void put(__global char *p, int i) { p[i] = get_global_id(0); }\n__kernel void k(__global int *a) "
            "{ int i = get_global_id(0); put((__global char *)a, 4 * i + 4); a[i] = 3; }"
        ),
        "race",
    ),
    "an array of bytes at two places": (
        (
            "void put(__global char *p) { p[get_global_id(0)] = 1; }\n"
            "__kernel void k(__global char *a) { put(a + 1); put(a + 2); }"
        ),
        "unknown",
    ),
    "several arrays": (
        PUT + "__kernel void k(__global int *a, __global int *b, int n) { __global int *p = n ? a : b; "
        "put(p, get_global_id(0), 1); }",
        "unknown",
    ),
}
#: Lines of contracts behind something that the function does: there, they would say something else than in front of it.
LATE = {
    "pending": "void f(__global int *p, __global int *q) { int i = get_global_id(0); p[i] = i; "
    "__global_ensures(__implies(__write(p), __old_bool(__write(p)))); q[i] = p[i]; }\n",
    "an old value": "void f(__global int *p, __global int *q) { int i = get_global_id(0); p[i] = 1; "
    "__ensures(__old_int(p[i]) == 1); q[i] = p[i]; }\n",
    "a call": PUT + "void f(__global int *p, __global int *q) { int i = get_global_id(0); put(p, i, i); "
    "__global_requires(__no_write(p)); q[i] = p[i + 1]; }\n",
    "a barrier": "void f(__global int *p, __global int *q) { barrier(CLK_GLOBAL_MEM_FENCE); "
    "__global_requires(__no_write(p)); q[get_global_id(0)] = p[0]; }\n",
}


@pytest.fixture(scope="module")
def solver():
    with Solver(seconds=60.0) as solver:
        yield solver


def verdicts(path, text, options=WITH_RULES, *, suffix="cl", sizing=None):
    """Return the reports on a text, by the names of kernels and functions."""
    file = path / f"k.{suffix}"
    file.write_text(text)
    results = verify_file(file, sizing or Sizing(), how=SourceOptions(modular=True), options=options)
    return {result.name: result for result in results}


@pytest.mark.parametrize(("text", "verdict"), KERNELS.values(), ids=KERNELS)
def test_a_kernel_with_functions_has_its_verdict(tmp_path, text, verdict):
    results = verdicts(tmp_path, text)
    assert results["k"].verdict == verdict
    if verdict == "unknown" and isinstance(results["k"].kernel, Kernel):
        assert "is not verified" in results["k"].report.reason
        assert any(result.counterexamples for name, result in results.items() if name != "k")


@pytest.mark.parametrize("function", LATE.values(), ids=LATE)
def test_a_line_behind_what_the_function_does_is_no_contract(tmp_path, function):
    results = verdicts(tmp_path, function + "__kernel void k(__global int *a, __global int *b) { f(a, b); }")
    assert results["k"].verdict == "unknown"
    assert "put the line first" in results["f"].report.reason


def test_a_line_may_stand_behind_values_that_are_computed(tmp_path):
    text = "void f(__global int *p) { int i = get_global_id(0) * 2; __requires(i < 1000); p[i] = 1; }\n"
    results = verdicts(tmp_path, text + "__kernel void k(__global int *a) { if (get_global_id(0) < 500) f(a); }")
    assert {result.verdict for result in results.values()} == {"verified"}


def test_a_contract_is_also_checked_if_only_divergence_is_asked_for(tmp_path):
    text = (
        "int g(void) { __ensures(__return_val_int() < 2); return get_local_id(0); }\n"
        "__kernel void k(__global int *a) { if (g() > 2) barrier(CLK_LOCAL_MEM_FENCE); }"
    )
    results = verdicts(tmp_path, text, Options(rules=ALL, only="divergence"))
    assert {name: result.verdict for name, result in results.items()} == {"k": "unknown", "g": "assertion"}


def test_functions_without_a_kernel_are_verified_in_elements(tmp_path):
    text = "void f(__global int *p) { p[2 + get_global_id(0) / 2] = get_global_id(0); }\n"
    for more in ("", "__kernel void k(__global int *a) { a[get_global_id(0)] = 1; }"):
        (array,) = (array for array in verdicts(tmp_path, text + more)["f"].kernel.arrays)
        assert array.width == 32


def test_a_function_is_verified_for_each_memory_that_it_gets(tmp_path):
    results = verdicts(
        tmp_path,
        "__device__ void put(int *p, int x) { p[x] = x; }\n"
        "__global__ void k(int *a) { __shared__ int t[64]; put(t, threadIdx.x);\n"
        " put(a, threadIdx.x + blockIdx.x * blockDim.x); }",
        suffix="cu",
    )
    assert {name: result.verdict for name, result in results.items()} == dict.fromkeys(
        ("k", "put(p local)", "put(p global)"), "verified"
    )


@pytest.mark.parametrize(
    "text",
    [
        "__global__ void k() { float s, c; sincosf(threadIdx.x, &s, &c); if (s > 0.5f) __syncthreads(); }",
        "__global__ void k() { int e = 0; frexpf(threadIdx.x, &e); if (e > 1) __syncthreads(); }",
        "__global__ void k(char *a, char *b) { strcpy(a, b); }",
        'extern "C" __device__ void f(int *p);\n__global__ void k() { int x = 0; f(&x); if (x) __syncthreads(); }',
        (
            'struct P { int *p; };\nextern "C" __device__ void f(P p);\n'
            "__global__ void k(int *a) { P p; p.p = a; f(p); a[threadIdx.x] = threadIdx.x; }"
        ),
    ],
    ids=["sincosf", "frexpf", "strcpy", "own", "in a structure"],
)
def test_a_function_with_a_pointer_and_no_body_is_no_proof(tmp_path, text):
    result = verdicts(tmp_path, text, suffix="cu")["k"]
    assert result.verdict == "unknown"
    assert "takes a pointer and has no body; write a body with __reads_from or __writes_to" in result.report.reason


def test_a_contract_that_no_call_satisfies_is_said(tmp_path):
    text = "void f(int w) { __requires(w > 0 && w < 0); }\n__kernel void k() { f(3); }"
    result = verdicts(tmp_path, text)["f"]
    assert result.verdict == "contradiction"
    assert result.report.reason == "no call satisfies its contract and the lines found for it"


def test_one_kernel_does_not_spoil_the_contract_for_another(tmp_path):
    text = PUT + "__kernel void good(__global int *a) { put(a, get_global_id(0), 1); }\n"
    results = verdicts(tmp_path, text + "__kernel void bad(__global int *a) { put(a, 0, get_global_id(0)); }")
    assert {name: result.verdict for name, result in results.items()} == {
        "good": "verified",
        "bad": "unknown",
        "put as called by good": "verified",
        "put as called by bad": "race",
    }


@pytest.mark.parametrize(
    "text",
    [
        PUT,
        "void put(__global int *p, int x) { p[x] = x; if (x) put(p, x); }",
        (
            "void on(__global int *p, int x);\nvoid put(__global int *p, int x) { p[x] = x; on(p, x); }\n"
            "void on(__global int *p, int x) { put(p, x); }"
        ),
    ],
    ids=["alone", "recursive", "in a circle"],
)
def test_a_function_that_no_kernel_calls_has_only_its_own_preconditions(tmp_path, text):
    results = verdicts(tmp_path, text + "\n__kernel void k(__global int *a) { }")
    assert (results["k"].verdict, results["put"].verdict) == ("verified", "race")


def test_kept_lines_can_be_pasted_and_are_enough(tmp_path):
    before = "__kernel void k(__global int *a) { for (int j = 0; j < 9; j++) put(a, get_global_id(0), j); }"
    loop = "__kernel void k(__global int *a) { put(a, get_global_id(0), 1); put(a, get_global_id(0), 2); }"
    assert verdicts(tmp_path, PUT + before, Options())["put"].verdict == "race"
    sizing = Sizing((64,), (4,))
    results = verdicts(tmp_path, PUT + loop, sizing=sizing)
    lines = " ".join(f"{line.text};" for line in answer_of(results["put"]).contract if line.outcome == "kept")
    pasted = verdicts(tmp_path, PUT.replace("{ p[", "{ " + lines + " p[") + loop, Options(), sizing=sizing)
    assert {name: result.verdict for name, result in pasted.items()} == {"k": "verified", "put": "verified"}


def test_no_random_kernel_with_a_fault_is_verified_by_contracts(solver, tmp_path):
    seen = collections.Counter()
    for seed in range(4):
        for _, verdict, faults, run in judged(tmp_path, solver, seed, 10, LAUNCH, WITH_RULES):
            assert not (verdict == "verified" and faults)
            seen[verdict] += 1
            if verdict == "verified":
                inlined = verify(run, LAUNCH, solver, WITH_RULES)
                assert not any(counterexample.is_confirmed for counterexample in inlined.counterexamples)
    assert 3 < seen["verified"] < seen.total()


def test_a_kernel_with_calls_is_not_printed_for_boogie(tmp_path):
    with pytest.raises(NotPrintedError, match="a call of a function that is not inlined"):
        Printer(verdicts(tmp_path, PUT + "__kernel void k(__global int *a) { put(a, 0, 1); }")["k"].kernel, LAUNCH)


@pytest.mark.exhaustive
def test_no_random_kernel_with_a_fault_is_verified_by_contracts_of_many(solver, tmp_path):
    seen = collections.Counter()
    for seed in range(100, 140):
        for _, verdict, faults, _ in judged(tmp_path, solver, seed, 25, LAUNCH, WITH_RULES):
            assert not (verdict == "verified" and faults)
            seen["verified" if verdict == "verified" else "with a fault" if faults else "neither"] += 1
    print(dict(seen))  # noqa: T201  (pytest -s shows it)
    assert seen["verified"] > 100
