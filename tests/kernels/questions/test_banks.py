"""Bank conflicts: degrees against a brute-force count, and the claim about two threads against runs of all."""

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from quick import examples
from synth_kernels.analyses.banks import OLDEST, TODAY, Banks
from synth_kernels.analyses.conflicts import bank_conflicts
from synth_kernels.analyses.degrees import degrees, touches
from synth_kernels.launch import Launch, threads
from synth_kernels.text import parse
from synth_solvers.client import Solver

SLOW = settings(deadline=None, suppress_health_check=list(HealthCheck), database=None, phases=[Phase.generate])
SIZES = {"lsize.0": 64, "lsize.1": 2} | dict.fromkeys(("lsize.2", "groups.0", "groups.1", "groups.2"), 1)
#: A tile that is written by rows and read by columns.
TILE = """kernel tile
local T: i32
entry:
  r = mul lid.1, {pitch}:i32
  i = add r, lid.0
  write i32 T[i] = lid.0
  barrier group local
  c = mul lid.0, {pitch}:i32
  j = add c, lid.1
  x = read i32 T[j]
  return
"""


@pytest.fixture(scope="module")
def solver():
    with Solver(seconds=60.0) as solver:
        yield solver


@st.composite
def patterns(draw):
    """An access at `((a * x + b * y) ^ c) & mask`: its kernel, bytes, bytes of an element, and the elements by ids."""
    length = draw(st.sampled_from([4, 8, 16]))
    unit = draw(st.sampled_from([length, length, 4, 1]))
    a, b, c = (draw(st.integers(0, 40)) for _ in range(3))
    mask = draw(st.sampled_from([0xFFFF, 0x3F, 0x5A]))
    text = f"""kernel pattern
local T: i{8 * unit}
entry:
  p = mul lid.0, {a}:i32
  q = mul lid.1, {b}:i32
  s = add p, q
  t = xor s, {c}:i32
  i = and t, {mask}:i32
  x = read i{8 * length} T[i]
  return
"""
    return parse(text), length, unit, lambda x, y: (a * x + b * y ^ c) & mask


def counted(length, unit, element, banks):
    """Count by hand: for each batch, the words of each bank as a set."""
    together = banks.lanes // {4: 1, 8: 2, 16: 4}[length]
    most = {}
    for y in range(2):
        for x in range(64):
            start = element(x, y) * unit
            for byte in range(start, start + length):
                word = byte // banks.bytes
                most.setdefault(((x + 64 * y) // together, word % banks.banks), set()).add(word)
    worst = {}
    for (batch, _), words in most.items():
        worst[batch] = max(worst.get(batch, 0), len(words))
    return max(worst.values()), sum(worst.values())


def run(kernel, banks, sizes=SIZES):
    touched, _ = touches(kernel, sizes, {}, list(threads(sizes)))
    return degrees(touched, sizes, banks)


@pytest.mark.parametrize("many", [20, pytest.param(200, marks=pytest.mark.exhaustive)])
def test_degrees_are_those_counted_by_hand(many):
    @seed(1)
    @settings(SLOW, max_examples=many)
    @given(patterns(), st.sampled_from([TODAY, OLDEST, Banks(32, 8, 32), Banks(8, 4, 32)]))
    def compare(pattern, banks):
        kernel, *shape = pattern
        (degree,) = run(kernel, banks)
        assert (degree.most, degree.turns) == counted(*shape, banks)

    compare()


@seed(2)
@settings(SLOW, max_examples=examples(10))
@given(patterns(), st.sampled_from([TODAY, OLDEST]))
def test_two_threads_conflict_if_and_only_if_a_batch_takes_several_turns(solver, pattern, banks):
    """Lanes that share a word are one word, and a lane of 16 bytes may touch several: only lanes conflict."""
    kernel, *_ = pattern
    (degree,) = run(kernel, banks)
    report = bank_conflicts(kernel, Launch((64, 2), (1,)), banks, solver)
    assert report.verdict == ("conflict" if degree.most > 1 else "free")
    for conflict in report.conflicts:
        words = [set(banks.words(address, conflict.access.width // 8)) for address in conflict.addresses]
        assert any(a != b and (a - b) % banks.banks == 0 for a in words[0] for b in words[1])


@pytest.mark.parametrize(("pitch", "most", "verdict"), [(33, [1, 1], "free"), (32, [1, 32], "conflict")])
def test_a_tile_without_padding_takes_32_turns(solver, pitch, most, verdict):
    kernel = parse(TILE.format(pitch=pitch))
    sizes = SIZES | {"lsize.0": 32, "lsize.1": 32}
    assert [degree.most for degree in run(kernel, TODAY, sizes)] == most
    report = bank_conflicts(kernel, Launch((32, 32), (1,)), TODAY, solver)
    assert report.verdict == verdict
    assert [conflict.access.line for conflict in report.conflicts] == [10] * (verdict == "conflict")
    assert all(conflict.is_confirmed for conflict in report.conflicts)


def test_an_access_that_fails_does_not_hide_the_next_one(solver):
    text = TILE.format(pitch=32).replace("  return", "  y = read i32 T[j]\n  return")
    report = bank_conflicts(parse(text), Launch((32, 32), (1,)), TODAY, solver)
    assert [conflict.access.line for conflict in report.conflicts] == [10, 11]


def test_threads_of_two_batches_and_of_two_groups_do_not_conflict(solver):
    body = "b = lshr lid.0, 5:i32\n  i = shl b, 5:i32\n  write i32 T[i] = lid.0\n  return\n"
    text = f"kernel far\nlocal T: i32\nentry:\n  {body}"
    assert bank_conflicts(parse(text), Launch((None,), (None,)), TODAY, solver).verdict == "free"
    assert bank_conflicts(parse(text), Launch((None,), (None,)), Banks(32, 4, 64), solver).verdict == "conflict"


def test_wide_accesses_and_copies_are_left_out(solver):
    body = "x = read i256 T[lid.0]\n  write i32 T[lid.0] = 1:i32 for 2:i32\n  return\n"
    text = f"kernel wide\nlocal T: i32\nentry:\n  {body}"
    report = bank_conflicts(parse(text), Launch(), TODAY, solver)
    assert (report.verdict, report.judged, len(report.left_out)) == ("free", (), 2)


#: All threads of a batch write to one bank.
COLUMN = """kernel column
local T: i32
scalar n: i32
entry:
  {before}
  i = mul lid.0, 32:i32
  write i32 T[i] = n
  {after}
"""
#: A loop with a wrong invariant.
LOOP = """jump loop(0:i32)
loop(r: i32):
  v = ult r, 0:i32
  invariant v
  c = ult r, n
  branch c ? body : done
done:
  return
body:"""
AGAIN = "j = add r, 1:i32\n  jump loop(j)"


@pytest.mark.parametrize(
    ("before", "after", "verdict", "reason"),
    [
        ("c = ult n, 0:i32\n  assume c", "return", "contradiction", "no launch satisfies what the kernel assumes"),
        ("c = ult n, 0:i32\n  assert c", "return", "unknown", "line 6: the proof takes this assertion"),
        (LOOP, AGAIN, "unknown", "line 8: the proof takes this assertion or invariant"),
    ],
)
def test_what_a_kernel_claims_has_to_hold(solver, before, after, verdict, reason):
    report = bank_conflicts(parse(COLUMN.format(before=before, after=after)), Launch((32,), (1,)), TODAY, solver)
    assert report.verdict == verdict
    assert reason in report.reason


def test_a_run_that_the_kernel_does_not_assume_shows_no_conflict(solver):
    text = COLUMN.format(before="x = read i32 A[0:i32]\n  c = eq x, 7:i32\n  assume c", after="return")
    kernel = parse(text.replace("scalar n", "global A: i32\nscalar n"))
    report = bank_conflicts(kernel, Launch((32,), (1,)), TODAY, solver)
    assert report.verdict == "conflict"
    assert [conflict.is_confirmed for conflict in report.conflicts] == [True]
