"""Each way to prove loops proves a kernel that the ways before it don't; none proves a kernel with a fault."""

import collections
import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from quick import examples, mostly_full
from random_kernels import CONTENTS, GROUPS, LOCAL, faults, kernels
from synth_kernels.concrete_run import Runner
from synth_kernels.flow import Flow
from synth_kernels.kernel_file import SourceOptions, read
from synth_kernels.kernel_verdict import verify
from synth_kernels.launch import Launch, threads
from synth_kernels.loop_proofs.attempts import WAYS, prove
from synth_kernels.loop_proofs.closed_forms import rewrite_loops
from synth_kernels.loop_proofs.uniformity import varying_values
from synth_kernels.pair.options import Options
from synth_kernels.program import Arbitrary, KernelClaim
from synth_kernels.text import parse
from synth_solvers.client import Solver

FIXTURES = Path(__file__).parents[2] / "fixtures"
LAUNCH = Launch((LOCAL,), (GROUPS,))
ONE_GROUP = Launch((8,), (1,))
SLOW = settings(deadline=None, suppress_health_check=list(HealthCheck), database=None, phases=[Phase.generate])
#: No group writes to the place of another one, whatever the counter is.
OVER = """
kernel over
global A: i32
scalar n: i32
entry:
  jump head(0:i32)
head(i: i32):
  c = slt i, n
  branch c ? body : after
body:
  x = read i32 A[lid.0]
  y = add x, i
  write i32 A[lid.0] = y
  j = add i, 1:i32
  jump head(j)
after:
  return
"""
#: Two threads are apart because i is a multiple of 12.
NORMAL = """
kernel normal
global A: i32
entry:
  jump head(0:i32)
head(i: i32):
  c = ult i, 1200:i32
  branch c ? body : after
body:
  o = add i, lid.0
  write i32 A[o] = lid.0
  j = add i, 12:i32
  jump head(j)
after:
  return
"""
#: A counter that is doubled, and so never 3, 5, 6 or 7.
DOUBLED = """
kernel doubled
global A: i32
scalar n: i32
entry:
  z = eq lid.0, 0:i32
  branch z ? before : other
other:
  o = add lid.0, 8:i32
  b = xor o, 8:i32
  d = mul b, 3:i32
  write i32 A[d] = lid.0
  return
before:
  jump head(1:i32)
head(i: i32):
  c = slt i, n
  branch c ? body : after
body:
  write i32 A[i] = lid.0
  j = mul i, 4:i32
  jump head(j)
after:
  return
"""
#: A counter that is tripled: a multiple of 3, which Houdini's rules do not know.
TRIPLED = """
kernel tripled
global A: i32
entry:
  z = eq lid.0, 0:i32
  branch z ? before : other
other:
  m = mul lid.0, 3:i32
  o = add m, 1:i32
  write i32 A[o] = lid.0
  return
before:
  jump head(3:i32)
head(i: i32):
  c = slt i, 3000:i32
  branch c ? body : after
body:
  write i32 A[i] = lid.0
  j = mul i, 3:i32
  jump head(j)
after:
  return
"""
#: A tree in which one value is doubled while another one is halved, with a barrier in each round.
TREE = """
kernel tree
local T: i32
entry:
  jump head(8:i32, 1:i32)
head(s: i32, d: i32):
  c = slt 0:i32, s
  branch c ? body : after
body:
  in = ult lid.0, s
  branch in ? adds : waits
adds:
  two = mul d, 2:i32
  start = mul two, lid.0
  first = add start, d
  x = read i32 T[start]
  y = read i32 T[first]
  z = add x, y
  write i32 T[start] = z
  jump waits
waits:
  barrier group local
  d2 = mul d, 2:i32
  s2 = sdiv s, 2:i32
  jump head(s2, d2)
after:
  return
"""
#: Each round stores, waits, and reads what the neighbour has stored. The next round may be too early.
SCAN = """
kernel scan
local T: i32
entry:
  n = add lid.0, 1:i32
  jump head(0:i32)
head(k: i32):
  c = ult k, 3:i32
  branch c ? body : after
body:
  write i32 T[lid.0] = k
  barrier group local
  x = read i32 T[n]
  barrier group local
  l = add k, 1:i32
  jump head(l)
after:
  return
"""
#: As above, but nobody reads in the first round, so only later rounds may meet the next one.
SKIPPING = SCAN.replace(
    "  x = read i32 T[n]\n",
    """  first = eq k, 0:i32
  branch first ? waits : reads
reads:
  x = read i32 T[n]
  jump waits
waits:
""",
)
#: Thread 0 leaves in the second round, behind its barrier. The others leave in the third one, before its barrier.
PARTING = """
kernel parting
local T: i32
entry:
  z = eq lid.0, 0:i32
  jump head(0:i32)
head(k: i32):
  c = ult k, 2:i32
  branch c ? body : late
body:
  barrier group local
  second = eq k, 1:i32
  b = and second, z
  branch b ? early : again
again:
  l = add k, 1:i32
  jump head(l)
early:
  write i32 T[0:i32] = k
  return
late:
  write i32 T[lid.0] = k
  return
"""
#: The barrier fences another memory, and only rounds that are two apart meet at one place.
LATE = """
kernel late
local T: i32
entry:
  m = mul lid.0, 2:i32
  jump head(0:i32)
head(k: i32):
  c = ult k, 2:i32
  branch c ? body : after
body:
  o = add m, k
  write i32 T[o] = lid.0
  barrier group global
  l = add k, 1:i32
  jump head(l)
after:
  return
"""
#: All threads make the same rounds, each with a barrier.
AGREED = """
kernel agreed
local T: i32
entry:
  jump head(0:i32)
head(i: i32):
  barrier group global local
  j = add i, 1:i32
  c = ult j, 3:i32
  branch c ? head(j) : after
after:
  write i32 T[0:i32] = 1:i32
  return
"""
#: What is written before a loop meets what is read behind it, unless barriers of the loop fence it.
EARLIER = """
kernel earlier
global A: i32
local T: i32
entry:
  write i32 A[lid.0] = lid.0
  jump head(0:i32)
head(i: i32):
  write i32 T[lid.0] = i
  barrier group global local
  j = add i, 1:i32
  c = ult j, 8:i32
  branch c ? head(j) : after
after:
  k = xor lid.0, 1:i32
  x = read i32 A[k]
  return
"""
#: All threads leave the first loop with one value of i.
LEFT = """
kernel left
local T: i32
global X: i32
scalar n: i32
entry:
  jump head(0:i32)
head(i: i32):
  c = slt i, n
  branch c ? body : after
body:
  barrier group local
  o = eq n, 1:i32
  branch o ? last : again
last:
  m = sub n, 1:i32
  e = eq i, m
  branch e ? after : again
again:
  j = add i, 1:i32
  jump head(j)
after:
  jump second(0:i32, i)
second(k: i32, p: i32):
  barrier group local
  s = ult k, 3:i32
  branch s ? next : work
work:
  q = add p, lid.0
  write i32 T[q] = lid.0
  jump next
next:
  x = read i32 X[k]
  r = add p, x
  l = add k, 1:i32
  d = ult l, 8:i32
  branch d ? second(l, r) : out
out:
  return
"""
PROVED_BY = {
    "over-approximation": [OVER],
    "normalisation": [NORMAL],
    "compensation": [DOUBLED, TRIPLED, TREE],
}


@pytest.fixture(scope="module")
def solver():
    with Solver(seconds=60.0) as solver:
        yield solver


@mostly_full(("way", "text"), [(way, text) for way, texts in PROVED_BY.items() for text in texts], quick=3)
def test_each_way_proves_a_kernel_that_those_before_it_do_not(solver, way, text):
    kernel = parse(text)
    before = WAYS[: WAYS.index(way)]
    assert prove(kernel, ONE_GROUP, solver, Options(ways=before)) is None
    assert prove(kernel, ONE_GROUP, solver, Options(ways=WAYS)).ways == {"head": way}
    assert not faults_of(kernel)


def faults_of(kernel, scalars=(0, 1, 5, 90)):
    sizes = dict.fromkeys([f"{word}.{n}" for word in ("lsize", "groups") for n in range(3)], 1) | {"lsize.0": 8}
    return [
        fault.kind
        for n in scalars
        for fault in Runner(kernel, sizes, {"n": n} if kernel.scalars else {}).run(list(threads(sizes))).faults
    ]


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        (OVER, "A[lid.0] = y", "A[i] = y"),
        (NORMAL, "add i, 12:i32", "add i, 4:i32"),
        (DOUBLED, "mul i, 4:i32", "mul i, 3:i32"),
        (TRIPLED, "mul lid.0, 3:i32\n  o = add m, 1", "mul lid.0, 3:i32\n  o = add m, 0"),
        (TREE, "mul two, lid.0", "mul d, lid.0"),
        (TREE, "barrier group local", "barrier group global"),
        (SCAN, "barrier group local\n  l", "l"),
        (SKIPPING, "barrier group local\n  l", "l"),
        (PARTING, "T[0:i32]", "T[1:i32]"),
        (LATE, "ult k, 2:i32", "ult k, 3:i32"),
        (AGREED, "ult j, 3:i32", "ult j, lid.0"),
        (EARLIER, "global local", "local"),
        (LEFT, "eq n, 1:i32", "eq lid.0, 1:i32"),
    ],
)
def test_no_way_proves_the_same_kernel_with_a_fault(solver, text, old, new):
    assert old in text
    wrong = parse(text.replace(old, new))
    assert faults_of(wrong)
    assert prove(wrong, ONE_GROUP, solver, Options(ways=WAYS)) is None


def test_warps_in_lockstep_are_left_to_invariants(solver):
    """Two threads of a warp may be in different rounds of an over-approximated loop, so nothing orders them."""
    assert prove(parse(OVER), ONE_GROUP, solver, Options(ways=WAYS))
    assert prove(parse(OVER), replace(ONE_GROUP, warp=8), solver, Options(ways=WAYS)) is None


@pytest.mark.parametrize("text", [SCAN, SKIPPING, PARTING, LATE, AGREED, EARLIER, LEFT])
def test_rounds_that_no_barrier_orders_are_looked_at(solver, text):
    assert prove(parse(text), ONE_GROUP, solver, Options(ways=WAYS)) is not None


def test_values_differ_that_come_from_ids_from_others_and_from_ways_that_part():
    kernel = parse("""
kernel values
global A: i32
global C: i32
scalar n: i32
entry:
  a = add n, 1:i32
  b = read i32 C[n]
  c = read i32 A[n]
  d = read i32 C[lid.0]
  write i32 A[lid.0] = a
  p = ult lid.0, n
  branch p ? one : other
one:
  jump both(n, n)
other:
  jump both(a, n)
both(e: i32, f: i32):
  jump loop(0:i32)
loop(g: i32):
  h = add g, 1:i32
  q = ult h, d
  branch q ? loop(h) : after
after:
  return
""")
    assert varying_values(kernel, Flow(kernel)) == {"lid.0", "lid.1", "lid.2", *"cdpeghq"}


def test_verify_tries_the_ways_where_invariants_prove_nothing_and_says_which_did(solver):
    kernel = parse(TRIPLED)
    assert verify(kernel, ONE_GROUP, solver).verdict == "race"
    report = verify(kernel, ONE_GROUP, solver, Options(ways=WAYS))
    assert (report.verdict, report.loops, report.counterexamples) == ("verified", (("head", "compensation"),), ())


def judged(solver, count, start):
    """Judge random kernels with loops by each way and by runs, and count them by what both say."""
    seen = collections.Counter()

    @seed(start)
    @settings(SLOW, max_examples=count)
    @given((kernels() | kernels(reads=True)).filter(lambda kernel: Flow(kernel).loops))
    def compare(kernel):
        has_fault = bool(faults(kernel, contents=CONTENTS))
        for way in WAYS[:1] + WAYS[-1:]:
            proven = prove(kernel, LAUNCH, solver, Options(ways=(way,))) is not None
            seen["with a fault" if has_fault else "verified" if proven else "neither"] += 1
            assert not (has_fault and proven)

    compare()
    print(dict(seen))  # noqa: T201  (pytest -s shows it)
    return seen


@pytest.mark.full
def test_no_way_proves_a_random_kernel_with_a_fault(solver):
    judged(solver, 6, 4)


@pytest.mark.full
def test_no_way_proves_a_random_kernel_with_a_fault_of_more(solver):
    seen = judged(solver, 60, 5)
    assert seen["verified"] > seen["neither"]


@pytest.mark.exhaustive
def test_no_way_proves_a_random_kernel_with_a_fault_of_many(solver):
    seen = judged(solver, 2000, 6)
    assert seen["verified"] > seen["neither"]


def launch_of(path):
    """Return the launch that the first line of a file names."""
    words = re.findall(r"[= ]([\d*,]+)", path.read_text("utf-8").splitlines()[0])
    return Launch(*(tuple(None if size == "*" else int(size) for size in word.split(",")) for word in words))


def proved_in(folder, solver):
    """Return the kernels of a folder of fixtures that have a loop, and those of them that the ways prove."""
    pairs = [
        (launch_of(path), kernel)
        for path in sorted((FIXTURES / folder).glob("*.c[lu]"))
        for kernel in read(path, SourceOptions())
    ]
    return pairs, [
        kernel.name for launch, kernel in pairs if prove(kernel, launch, solver, Options(ways=WAYS)) is not None
    ]


@pytest.mark.exhaustive
def test_most_everyday_loops_need_no_invariants(solver):
    tried, proved = proved_in("loops", solver)
    print(f"{len(proved)} of {len(tried)}")  # noqa: T201  (pytest -s shows it)
    assert len(proved) >= 0.8 * len(tried) > 50


@pytest.mark.full
def test_no_way_proves_an_everyday_loop_with_a_fault(solver):
    tried, proved = proved_in("faulty_loops", solver)
    assert len(tried) >= 11
    assert proved == []


# --- closed forms ---

STEPS = [
    *(f"add i, {number}:i8" for number in (1, 2, 3, 5, 12, 100, 200, 253, 255)),
    *(f"sub i, {number}:i8" for number in (1, 7)),
    *(f"mul i, {number}:i8" for number in (2, 4, 8)),
    *(f"shl i, {number}:i8" for number in (1, 3)),
    *(f"{operator} i, {number}:i8" for operator in ("lshr", "ashr") for number in (1, 2)),
    *(f"{operator} i, {number}:i8" for operator in ("udiv", "sdiv") for number in (2, 16)),
    "add i, s",
    "add i, i",
]
BACK = ["mul i, 3:i8", "mul i, 6:i8", "sdiv i, 3:i8", "udiv i, 5:i8"]
TESTS = [
    *(f"{operator} {pair}" for operator in ("slt", "sle", "ult", "ule") for pair in ("i, e", "e, i")),
    "eq i, e",
]


def loop(step, test, *, stays, first, end, by):
    """Return a kernel with one loop of at most 12 rounds, which stores what the counter is."""
    ways = "body : after" if stays else "after : body"
    return parse(f"""
kernel one
global A: i8
entry:
  b = trunc gid.0 to i8
  s = add b, {by}:i8
  e = add b, {end}:i8
  f = add b, {first}:i8
  jump head(f, 0:i32)
head(i: i8, k: i32):
  write i8 A[k] = i
  t = {test}
  branch t ? {ways}
body:
  j = {step}
  l = add k, 1:i32
  more = ult l, 12:i32
  branch more ? head(j, l) : after
after:
  write i8 A[50:i32] = i
  return
""")


SIZES = dict.fromkeys([f"{word}.{number}" for word in ("lsize", "groups") for number in range(3)], 1)
NUMBERS = st.integers(0, 255)
LOOPS = {"stays": st.booleans(), "first": NUMBERS, "end": NUMBERS, "by": NUMBERS}


def run_of(kernel, inputs=None):
    """Run one thread, and return what it leaves and whether all assertions hold."""
    runner = Runner(kernel, SIZES, {}, inputs=inputs)
    run = runner.run(list(threads(SIZES)))
    assert run.ends
    return runner.memory.values(), [fault.kind for fault in run.faults]


def asserting(kernel):
    """Return a kernel that asserts what it assumes."""

    def of(instruction):
        return replace(instruction, kind="assert") if isinstance(instruction, KernelClaim) else instruction

    return replace(
        kernel, blocks=tuple(replace(block, instructions=tuple(map(of, block.instructions))) for block in kernel.blocks)
    )


@settings(SLOW, max_examples=examples(800))
@given(step=st.sampled_from(STEPS), test=st.sampled_from(TESTS), **LOOPS)
def test_a_rewritten_loop_does_the_same_and_what_it_assumes_is_true(step, test, **others):
    kernel = loop(step, test, **others)
    rewritten = rewrite_loops(kernel, Launch((1,), (1,)), ("linear", "geometric"))
    assert rewritten.rounds, step
    assert run_of(asserting(rewritten.kernel)) == (run_of(kernel)[0], [])
    plain = rewrite_loops(kernel, Launch((1,), (1,)), ())
    assert run_of(asserting(plain.kernel)) == (run_of(kernel)[0], [])


@settings(SLOW, max_examples=examples(60))
@given(step=st.sampled_from(BACK), test=st.sampled_from(TESTS), **LOOPS)
def test_what_is_assumed_of_one_step_back_is_true_of_the_earlier_value(step, test, **others):
    kernel = loop(step, test, **others)
    visits = []
    Runner(kernel, SIZES, {}, at_header=lambda *given: visits.append(given[3]["i"])).run(list(threads(SIZES)))
    rewritten = rewrite_loops(kernel, Launch((1,), (1,)), ("linear", "geometric"))
    [line] = [
        instruction.line
        for instruction in rewritten.kernel.block("head").instructions
        if isinstance(instruction, Arbitrary)
    ]
    thread = next(iter(threads(SIZES)))
    assert run_of(asserting(rewritten.kernel), {(thread, line): [0, *visits]}) == (run_of(kernel)[0], [])


@pytest.mark.parametrize(("step", "test"), [("add i, 100:i8", "slt i, e"), ("sub i, 100:i8", "sle e, i")])
def test_a_counter_that_wraps_around_has_no_range(step, test):
    kernel = loop(step, test, stays=True, first=0, end=127 if "add" in step else 128, by=0)
    rewritten = rewrite_loops(kernel, Launch((1,), (1,)), ("linear",))
    assert run_of(asserting(rewritten.kernel)) == (run_of(kernel)[0], [])


def test_a_range_that_is_too_narrow_fails_in_a_run():
    """The test above would see it: a range that is too narrow fails for some loop."""
    kernel = loop("add i, 3:i8", "slt i, e", stays=True, first=0, end=10, by=0)
    claiming = asserting(rewrite_loops(kernel, Launch((1,), (1,)), ("linear",)).kernel)
    wrong = parse_with(claiming, "known", 12, 11)
    assert run_of(claiming)[1] == []
    assert run_of(wrong)[1] == ["assertion"]


def parse_with(kernel, word, old, new):
    """Return a kernel in which one number of what it claims is another one."""

    def of(instruction):
        operands = getattr(instruction, "operands", ())
        if not getattr(instruction, "name", "").startswith(word):
            return instruction
        changed = tuple(replace(x, value=new) if getattr(x, "value", None) == old else x for x in operands)
        return replace(instruction, operands=changed)

    return replace(
        kernel, blocks=tuple(replace(block, instructions=tuple(map(of, block.instructions))) for block in kernel.blocks)
    )
