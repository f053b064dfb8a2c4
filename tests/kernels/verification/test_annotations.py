"""Claims about one thread or about both, in typed programs and as annotations in C."""

import pytest

from synth_checker.errors import InputError
from synth_kernels.claim_selection import Claims
from synth_kernels.kernel_file import SourceOptions, read
from synth_kernels.kernel_verdict import verify
from synth_kernels.launch import Launch
from synth_kernels.printer import kernel_text
from synth_kernels.program import UnreadKernel
from synth_kernels.text import parse
from synth_solvers.client import Solver

needs_clang = pytest.mark.full
#: The lines of the only block of a typed program, and its verdict for one group of 4 threads.
TYPED = {
    "ids of two threads of a group differ": ("u = uniform lid.0\nd = not u\nassert d", "verified"),
    "a scalar is the same": ("u = uniform n\nassert u", "verified"),
    "an arbitrary value is not": ("x = any i32\nu = uniform x\nassert u", "assertion"),
    "the value of the other thread": ("o = other lid.0\nd = eq o, lid.0\ne = not d\nassert e", "verified"),
    "both threads are here": ("o = other enabled\nassert o", "verified"),
    "one group": ("assert same_group", "verified"),
    "nothing is pending at first": ("w = not write.A\nassert w\nwrite i32 A[lid.0] = n", "verified"),
    "a write is pending behind it": ("write i32 A[lid.0] = n\nw = not write.A\nassert w", "assertion"),
    "an assumption about both": ("x = any i32\nu = uniform x\nassume u\nv = uniform x\nassert v", "verified"),
}
ONCE = """kernel k
entry:
  c = eq lid.0, 0:i32
  branch c ? here : done
here:
  assert{} {}
  jump done
done:
  return
"""
#: Parameters, body, and the verdict for one group of 64 threads.
IN_C = {
    "an assertion that holds": ("int n", "__requires(n > 3 && n < 9); __assert(n == 4 || n > 4);", "verified"),
    "an assertion that fails": ("int n", "__requires(n > 3); __assert(n == 4 || n > 5);", "assertion"),
    "a premise that does not hold": ("int n", "__requires(n == 4); __assert(__implies(n == 5, n == 6));", "verified"),
    "an assumption": ("__global int *a, int n", "__assume(n != 0 && n >= 64 || n < -64); a[L] = a[L + n];", "verified"),
    "words about both threads": (
        "int n",
        (
            "__assert(__uniform_int(n) && __distinct_int(L) && __same_group() && __enabled());"
            "__assert(__other_int(n) == n && !__exclusive(n == n) && __all(n == n));"
        ),
        "verified",
    ),
    "one of both": ("int n", "__assert(__exclusive(L == 0));", "verified"),
    "not one of both": ("int n", "__assert(__all(L == 0));", "assertion"),
    "a sum that may overflow": ("int n", "__assert(__add_noovfl_int(n, 1));", "assertion"),
    "a sum that does not": ("int n", "__requires(n < 9); __assert(__add_noovfl_int(n, 1));", "verified"),
    "without sign, it may": ("int n", "__requires(n < 9); __assert(__add_noovfl_uint(n, 1));", "assertion"),
    "powers of two": ("int n", "__requires(__is_pow2(n)); __assert(n != 6 && __mod_pow2(13, 8) == 5);", "verified"),
    "where a pointer points": (
        "__global int *a, __global int *b",
        (
            "__global int *p = a + 3; __assert(__ptr_base(p) == __ptr_base(a) && __ptr_base(p) != __ptr_base(b));"
            "__assert(__ptr_offset_bytes(p) == 12);"
        ),
        "verified",
    ),
    "what an annotation reads is no access": (
        "__global int *a",
        "a[L] = 1; __assert(L > 63 && a[0] > 3 || L < 64);",
        "verified",
    ),
    "what an annotation reads is arbitrary": ("__global int *a", "__assert(a[0] == 1);", "assertion"),
    "equal reads give equal values": (
        "__global int *a, int n",
        "__assert(a[n] == a[n] && !(a[0] < a[0])); __assert(__implies(n == 3, a[n] == a[3])); a[L] = n;",
        "verified",
    ),
    "equal reads of numbers with a point": (
        "__global float *a, int n",
        "__assert(a[n] < 1.0f || !(a[n] < 1.0f)); a[L] = n;",
        "verified",
    ),
    "what the thread has stored": ("__local int *t", "t[L] = 5; __assert(t[L] == 5);", "verified"),
    "what it has stored in an array of its own": (
        "int n",
        "int p[4]; p[n & 3] = n; __assert(p[n & 3] == n); p[0] = 1; __assert(p[0] == 1);",
        "verified",
    ),
    "half of what it has stored": (
        "__local int *t",
        "((__local short *)t)[2 * L] = 5; __assert((short)t[L] == 5);",
        "verified",
    ),
    "another value than it has stored": ("__local int *t", "t[L] = 5; __assert(t[L] == 6);", "assertion"),
    "what others have stored": (
        "__local int *t",
        "t[L] = 5; barrier(CLK_LOCAL_MEM_FENCE); __assert(t[L ^ 1] == 5);",
        "assertion",
    ),
    "what it has read": (
        "__global int *a",
        "int old = a[L]; __assert(a[L] == old); a[L] = old + 1; __assert(a[L] == old + 1);",
        "verified",
    ),
    "a precondition about a table": (
        "__global const int *c, __global int *a",
        "__requires(c[L] == L); a[c[L]] = 1 + L;",
        "verified",
    ),
    "one of two arrays": (
        "__global int *a, __global int *b, int n",
        "__global int *p = n ? a : b; __assert(p[1] == (n ? a[1] : b[1])); a[L] = n; b[L] = n;",
        "verified",
    ),
    "an invariant about what the thread has stored": (
        "__local int *t, int n",
        (
            "t[L] = 0; int i = 0; for (; __invariant(__uniform_int(i)), __invariant(__uniform_bool(__enabled())),"
            " __invariant(t[L] == i), __invariant(__write_implies(t, __write_offset(t) == L)),"
            " __invariant(__read_implies(t, __read_offset(t) == L)), i < n; i++) t[L] += 1; __assert(t[L] == i);"
        ),
        "verified",
    ),
    "an invariant about a place that does not change": (
        "__global int *a, int n",
        "for (int i = L; __invariant(a[i] == a[i]), i < n; i += 64) ;",
        "verified",
    ),
    "what a pending write has stored": (
        "__global int *a",
        "a[L] = 7; __assert(__write_implies(a, a[__write_offset(a)] == 7));",
        "verified",
    ),
    "a pending write": ("__global int *a", "a[L] = 1; __assert(__no_write(a));", "assertion"),
    "a place that is written": (
        "__global int *a",
        "a[L + 1] = 1; __assert(__write_implies(a, __write_offset(a) == L + 1 && __write_offset_bytes(a) > 3));",
        "verified",
    ),
    "a place that is read": ("__global int *a", "a[L] = a[L]; __assert(__read(a) || !__write(a));", "verified"),
    "an invariant": (
        "__global int *a, int n",
        (
            "for (int i = L; __invariant((i & 63) == L && (n > 0 || i == L)),"
            " __invariant(__write_implies(a, (__write_offset(a) & 63) == L)), i < n; i += 64) a[i] = i;"
        ),
        "verified",
    ),
    "the same without it": ("__global int *a, int n", "for (int i = L; i < n; i += 64) a[i] = i;", "race"),
    "an invariant of all loops": (
        "__global int *a, int n",
        (
            "__function_wide_invariant(__write_implies(a, __mod_pow2(__write_offset(a), 64) == L));"
            "for (int i = L; __invariant((i & 63) == L), i < n; i += 64) a[i] = i;"
        ),
        "verified",
    ),
    "candidates": (
        "__global int *a, int n",
        (
            "for (int i = L; __candidate_invariant(i == 7), __candidate_invariant((i & 63) == L),"
            " __global_candidate_invariant(__write_implies(a, __mod_pow2(__write_offset(a), 64) == L)),"
            " i < n; i += 64) a[i] = i;"
        ),
        "verified",
    ),
    "an invariant that does not hold": ("int n", "for (int i = 0; __invariant(i == 0), i < n; i++) ;", "invariant"),
    "an invariant that does not hold at first": (
        "int n",
        "for (int i = 0; __invariant(i > 0), i < n; i++) ;",
        "invariant",
    ),
    "an invariant about both": (
        "__local int *t, int n",
        (
            "for (int i = 0; __invariant(__uniform_int(i)), __invariant(__no_read(t) && __no_write(t)), i < n; i++) {"
            " t[L] = i; barrier(CLK_LOCAL_MEM_FENCE); t[L] += t[L + i]; barrier(CLK_LOCAL_MEM_FENCE); }"
        ),
        "race",
    ),
    "an invariant of an endless loop": (
        "__local int *t, int n",
        (
            "int i = 0; for (;;) { __global_invariant(__no_read(t)); __invariant(__uniform_int(i)); if (i >= n) break;"
            " barrier(CLK_LOCAL_MEM_FENCE); t[L] = i; i++; }"
        ),
        "verified",
    ),
    "an invariant of a loop with its test at the end": (
        "int n",
        "int i = 0; do { __invariant(i >= 0 && i < 10); i++; } while (i < 10); __assert(i == 10);",
        "verified",
    ),
    "an assertion in the condition of a loop is an invariant": (
        "int n",
        "int i = 0; for (; __assert(i <= 10), i < 10; i++) ; __assert(i == 10);",
        "verified",
    ),
    "what a function requires": ("int n", "__requires(n > 0); needs(n + 1);", "assertion"),
    "what a function requires and gets": ("int n", "__requires(n > 0 && n < 99); needs(n + 1);", "verified"),
}
HEAD = "#define L ((int)get_local_id(0))\nvoid needs(int n) { __requires(n > 1 && n != 0); }\n"


@pytest.fixture(scope="module")
def solver():
    with Solver(seconds=120.0) as solver:
        yield solver


@pytest.mark.parametrize(("body", "verdict"), TYPED.values(), ids=TYPED)
def test_a_claim_may_speak_of_both_threads(solver, body, verdict):
    kernel = parse(f"kernel k\nglobal A: i32\nscalar n: i32\nentry:\n{body}\n  return\n")
    assert verify(kernel, Launch((4,), (1,)), solver).verdict == verdict
    assert kernel_text(parse(kernel_text(kernel))) == kernel_text(kernel)


@pytest.mark.parametrize(
    ("once", "claim", "verdict"), [("", "c", "verified"), (" once", "c", "assertion"), ("", "enabled", "verified")]
)
def test_a_claim_that_holds_once_holds_wherever_the_threads_are(solver, once, claim, verdict):
    kernel = parse(ONCE.format(once, claim))
    assert verify(kernel, Launch((4,), (1,)), solver).verdict == verdict
    assert f"assert{once} {claim}" in kernel_text(kernel)


def test_a_value_about_both_threads_is_used_where_it_is_computed(solver):
    text = "kernel k\nentry:\n  u = uniform lid.0\n  jump next\nnext:\n  assert u\n  return\n"
    with pytest.raises(
        InputError, match="line 6: found a value that speaks of uniform, expected a value that this block computes"
    ):
        verify(parse(text), Launch((4,), (1,)), solver)


def test_an_assumption_about_both_threads_confirms_nothing(solver):
    body = "x = any i32\n  u = uniform x\n  assume u\n  write i32 A[x] = lid.0\n"
    report = verify(parse(f"kernel k\nglobal A: i32\nentry:\n{body}\n  return\n"), Launch((4,), (1,)), solver)
    assert (report.verdict, [counterexample.is_confirmed for counterexample in report.counterexamples]) == (
        "race",
        [False],
    )


def read_c(tmp_path, source, how=None):
    path = tmp_path / "k.cl"
    path.write_text(source, "utf-8")
    return read(path, how or SourceOptions())


@needs_clang
@pytest.mark.parametrize(("parameters", "body", "verdict"), IN_C.values(), ids=IN_C)
def test_an_annotation_has_a_verdict(solver, tmp_path, parameters, body, verdict):
    (kernel,) = read_c(tmp_path, f"{HEAD}__kernel void k({parameters}) {{\n{body}\n}}\n")
    assert not isinstance(kernel, UnreadKernel), kernel
    assert verify(kernel, Launch((64,), (1,)), solver).verdict == verdict
    assert kernel_text(parse(kernel_text(kernel))) == kernel_text(kernel)


@needs_clang
def test_annotations_may_be_left_out(solver, tmp_path):
    source = "__kernel void k(int n) { __requires(n > 3); __assert(n > 4); }"
    expected = {"all": "assertion", "requires": "verified", "none": "verified"}
    for which, verdict in expected.items():
        (kernel,) = read_c(tmp_path, source, SourceOptions(claims=Claims(which)))
        assert verify(kernel, Launch((4,), (1,)), solver).verdict == verdict
        assert ("assume" in kernel_text(kernel)) == (which != "none")


@needs_clang
@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("__assert(a[0]++ > 3);", "an annotation that changes memory"),
        ("__assert(sum(n) > 3);", "a loop in an annotation"),
        ("__assert(__no_write(n ? a : b));", "an annotation about a pointer that may point to several arrays"),
    ],
)
def test_an_annotation_that_is_not_supported_is_said(tmp_path, body, reason):
    head = "int sum(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }\n"
    (unread,) = read_c(tmp_path, f"{head}__kernel void k(__global int *a, __global int *b, int n) {{ {body} }}")
    assert isinstance(unread, UnreadKernel)
    assert unread.reason.startswith(reason)


@needs_clang
def test_an_invariant_that_stands_nowhere_in_a_loop_is_refused(tmp_path):
    source = "__kernel void k(int n) {\n  for (int i = 0; i < n; i++) {\n    __invariant(i >= 0);\n  }\n}"
    with pytest.raises(InputError, match=r"k.cl:3:5: found an invariant, expected it before everything else in"):
        read_c(tmp_path, source)
