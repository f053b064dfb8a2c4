"""Test claims about what arrays hold: what a thread may take for sure, and that other threads may change the rest."""

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from quick import examples, mostly_full
from random_kernels import CONTENTS, GROUPS, LOCAL, faults, kernels
from synth_checker.errors import InputError
from synth_kernels.kernel_verdict import verify
from synth_kernels.launch import Launch
from synth_kernels.pair.options import ABSTRACTIONS, DEFAULT
from synth_kernels.printer import kernel_text
from synth_kernels.text import parse
from synth_solvers.client import Solver

EACH = ABSTRACTIONS
FOLLOWED = ("equality", "auto")
DECLARED = (
    "kernel k\nglobal A: i32\nglobal B: i32\nlocal T: i32\nglobal C: i32\nprivate P: i32\nglobal D: i32\n"
    "scalar n: i32\n"
)
#: Lines of a kernel from its first block on, and the abstractions that prove it.
CLAIMS = {
    "equal peeks find the same": ("x = peek i32 A[n]\ny = peek i32 A[n]\nc = eq x, y\nassert c", EACH),
    "at different places, they may not": ("x = peek i32 A[n]\ny = peek i32 A[0:i32]\nc = eq x, y\nassert c", ()),
    "equal places are enough": (
        "x = peek i32 T[n]\ny = peek i32 T[3:i32]\nc = eq x, y\nd = eq n, 3:i32\ne = not d\nf = or c, e\nassert f",
        EACH,
    ),
    "a wide peek has its parts": (
        (
            "x = peek i64 A[n]\nm = add n, 1:i32\ny = peek i32 A[m]\nh = lshr x, 32:i64\nz = trunc h to i32\n"
            "c = eq y, z\nassert c"
        ),
        EACH,
    ),
    "claims one behind the other look at one moment": (
        "x = peek i32 A[n]\nc = eq x, 3:i32\nassume c\ny = peek i32 A[n]\nd = eq y, 3:i32\nassert d",
        EACH,
    ),
    "later, another thread may have stored": (
        (
            "x = peek i32 A[n]\nc = eq x, 3:i32\nassume c\nwrite i32 B[lid.0] = n\n"
            "y = peek i32 A[n]\nd = eq y, 3:i32\nassert d\nwrite i32 A[lid.0] = n"
        ),
        (),
    ),
    "nobody stores to this array": (
        (
            "x = peek i32 C[n]\nc = eq x, 3:i32\nassume c\nwrite i32 B[lid.0] = n\n"
            "y = peek i32 C[n]\nd = eq y, 3:i32\nassert d"
        ),
        FOLLOWED,
    ),
    "what the thread has stored": ("write i32 A[lid.0] = n\nx = peek i32 A[lid.0]\nc = eq x, n\nassert c", FOLLOWED),
    "what the thread has stored in its own array": (
        "write i32 P[n] = 7:i32\nbarrier group local global\nx = peek i32 P[n]\nc = eq x, 7:i32\nassert c",
        FOLLOWED,
    ),
    "what the thread has read": (
        "x = read i32 A[lid.0]\ny = peek i32 A[lid.0]\nc = eq x, y\nassert c\nwrite i32 A[lid.0] = 1:i32",
        FOLLOWED,
    ),
    "half of what the thread has stored": (
        "i = shl lid.0, 1:i32\nwrite i64 T[i] = 0:i64\nj = add i, 1:i32\nx = peek i32 T[j]\nc = eq x, 0:i32\nassert c",
        FOLLOWED,
    ),
    "what the neighbour has stored is not sure yet": (
        (
            "write i32 T[lid.0] = 1:i32\nz = eq lid.0, 0:i32\nj = select z, lid.0, 0:i32\nx = peek i32 T[j]\n"
            "c = eq x, 1:i32\nassert c"
        ),
        (),
    ),
    "behind a barrier, others may have stored": (
        "write i32 T[lid.0] = n\nbarrier group local\nx = peek i32 T[lid.0]\nc = eq x, n\nassert c",
        (),
    ),
    "a barrier that fences another memory changes nothing": (
        "write i32 T[lid.0] = n\nbarrier group global\nx = peek i32 T[lid.0]\nc = eq x, n\nassert c",
        FOLLOWED,
    ),
    "an assumption says what a thread then reads": (
        (
            "write i32 T[lid.0] = lid.0\nbarrier group local\nx = peek i32 T[lid.0]\nc = eq x, lid.0\nassume c\n"
            "y = read i32 T[lid.0]\nwrite i32 A[y] = lid.0"
        ),
        FOLLOWED,
    ),
    "a precondition about a table": (
        "x = peek i32 C[lid.0]\nc = eq x, lid.0\nassume c\ny = read i32 C[lid.0]\nwrite i32 A[y] = lid.0",
        FOLLOWED,
    ),
    "both threads see one table": ("x = peek i32 C[0:i32]\nc = uniform x\nassert c", FOLLOWED),
    "both threads may see another moment": (
        "x = peek i32 A[0:i32]\nc = uniform x\nassert c\nwrite i32 A[1:i32] = 1:i32",
        (),
    ),
    "a place that an access of the other kind names": (
        "write i32 A[lid.0] = n\nx = peek i32 A[watched]\nw = not write.A\nc = eq x, n\nd = or w, c\nassert d",
        FOLLOWED,
    ),
    "an unknown function of equal values": (
        "x = peek i32 A[n]\ny = peek i32 A[n]\nf = opaque i32 g(x)\nh = opaque i32 g(y)\nc = eq f, h\nassert c",
        EACH,
    ),
    "an atomic operation of another thread": (
        "a = atomic i32 D[n] add 1:i32\nx = peek i32 D[n]\ny = peek i32 D[n]\nc = eq x, y\nassert c",
        EACH,
    ),
}
LOOP = """entry:
  write i32 {array}[lid.0] = 0:i32
  jump loop(0:i32)
loop(i: i32):
  x = peek i32 {array}[lid.0]
  c = eq x, i
  invariant c
  o = eq watched, lid.0
  w = or write.{array}, read.{array}
  v = not w
  s = or o, v
  invariant s
{together}
  d = ult i, {end}
  branch d ? body : done
body:
  y = read i32 {array}[lid.0]
  z = add y, {step}
  write i32 {array}[lid.0] = z
  j = add i, 1:i32
  jump loop(j)
done:
{after}  return
"""
TOGETHER = "  p = uniform i\n  invariant p\n  q = uniform enabled\n  invariant q\n"
AFTER = "  u = peek i32 {array}[lid.0]\n  e = eq u, i\n  assert e\n"
#: An assertion that a run shows if it peeks at real memory, for 4 threads of one group: thread 3 stores last.
REAL = (
    "write i32 A[lid.0] = 5:i32\nx = peek i32 A[3:i32]\nc = eq x, 5:i32\nassert c",
    "x = peek i32 C[lid.0]\nc = ult x, 9:i32\nassert c",
    "write i32 P[n] = 4:i32\nx = peek i32 P[n]\nc = eq x, 3:i32\nassert c",
)


@pytest.fixture(scope="module")
def solver():
    with Solver(seconds=120.0) as solver:
        yield solver


def reported(text, solver, abstraction="auto"):
    kernel = parse(text)
    assert kernel_text(parse(kernel_text(kernel))) == kernel_text(kernel)
    return verify(kernel, Launch((4,), (1,)), solver, replace(DEFAULT, abstraction=abstraction))


@mostly_full(("body", "proving"), CLAIMS.values(), ids=CLAIMS, quick=8)
def test_a_claim_about_an_array_holds_if_no_other_thread_can_change_that(solver, body, proving):
    stores = "" if "A[" in body and "write i32 A" in body else "write i32 A[lid.0] = n\n"
    text = f"{DECLARED}entry:\n{body}\n{stores}return\n"
    verdicts = {abstraction: reported(text, solver, abstraction).verdict for abstraction in ABSTRACTIONS}
    assert {abstraction for abstraction in ABSTRACTIONS if verdicts[abstraction] == "verified"} == set(proving)
    assert set(verdicts.values()) <= {"verified", "assertion"} or "T[lid.0]" in body or "C[lid.0]" in body


@pytest.mark.full
@pytest.mark.parametrize("array", ["A", "T", "P"])
@pytest.mark.parametrize("end", ["n", "lid.0"])
def test_an_invariant_may_speak_of_what_a_thread_has_stored(solver, array, end):
    """What a thread that left a loop finds behind it is not known if other threads go on."""
    together, after = (TOGETHER, AFTER.format(array=array)) if end == "n" else ("", "")
    text = DECLARED + LOOP.format(array=array, end=end, step="1:i32", together=together, after=after)
    assert [reported(text, solver, abstraction).verdict == "verified" for abstraction in ABSTRACTIONS] == [
        False,
        True,
        True,
    ]


@pytest.mark.parametrize("step", ["2:i32", "i"])
def test_an_invariant_about_contents_may_fail(solver, step):
    text = DECLARED + LOOP.format(array="T", end="lid.0", step=step, together="", after="")
    assert reported(text, solver).verdict == "invariant"


@pytest.mark.parametrize("body", REAL)
def test_a_run_that_confirms_peeks_at_its_own_memory(solver, body):
    counterexamples = reported(f"{DECLARED}entry:\n{body}\nreturn\n", solver).counterexamples
    assert [(counterexample.kind, counterexample.is_confirmed) for counterexample in counterexamples][:1] == [
        ("assertion", True)
    ]


def test_only_claims_use_what_a_peek_finds(solver):
    with pytest.raises(
        InputError, match="line 12: found a value that speaks of x, expected such values in claims only"
    ):
        reported(f"{DECLARED}entry:\nx = peek i32 A[0:i32]\ny = add x, 1:i32\nwrite i32 A[y] = n\nreturn\n", solver)


@pytest.mark.full
@settings(deadline=None, max_examples=examples(25), suppress_health_check=list(HealthCheck))
@given(kernels(reads=True, peeks=True), st.sampled_from(ABSTRACTIONS))
def test_no_kernel_is_verified_whose_claim_fails_in_some_order_of_its_threads(solver, kernel, abstraction):
    if any(faults(kernel, contents=CONTENTS, backwards=backwards) for backwards in (False, True)):
        options = replace(DEFAULT, abstraction=abstraction)
        assert verify(kernel, Launch((LOCAL,), (GROUPS,)), solver, options).verdict != "verified"
