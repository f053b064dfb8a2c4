"""The core's states and verdicts against their twins in Python, and the transducer against a run of compiled code."""

from functools import cache
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from quick import examples
from support.kernels_of_programs import as_kernel, as_kernel_with_barriers, with_masks
from support.launches import DIVIDED, GALLERY_NEEDS, HANDED, LARGE, machine_of, space_of
from support.strategies import programs
from synth_checker.certificates.certification import verdict_of
from synth_checker.errors import InputError, LimitError
from synth_checker.models import library
from synth_checker.models.model_text import read_model, read_word
from synth_checker.programs.normal import program_of_id
from synth_kernels.needs import judge
from synth_kernels.needs.query import NeedQuery
from synth_kernels.progress import decision
from synth_kernels.progress.arguments import read_arguments
from synth_kernels.progress.certificates import refusal, system_of
from synth_kernels.progress.core_space import explore_fast
from synth_kernels.progress.decision import ModelVerdicts
from synth_kernels.progress.partial_values import PartialValue
from synth_kernels.progress.python_launch import CompiledLaunch
from synth_kernels.progress.steps import Rules
from synth_kernels.progress.verdicts import certificate_of, hang, passes, product
from synth_kernels.terms import evaluate

GALLERY = Path(__file__).parents[3] / "docs" / "progress"
MODELS = (*library(), read_word("highest(live)"))


def check_equal(*launch, **how):
    """That the core and Python find the same states, steps and verdicts in a launch, as `machine_of` takes it."""
    machine = machine_of(*launch, **how)
    fast, slow = explore_fast(machine, 100_000), space_of(*launch, **how, case=machine.case)
    assert (fast.raced, fast.spun) == (slow.raced, slow.spun)
    assert list(fast.states) == slow.states
    assert list(fast.successors) == slow.successors
    assert list(fast.live) == slow.live
    assert fast.stuck() == slow.stuck()
    assert fast.ended() == slow.ended()
    for number in {len(slow.states) // 2, *slow.ended()[-1:]}:
        assert fast.way_to(number) == slow.way_to(number)
    decided = ModelVerdicts(fast, MODELS)
    assert decided.passes() == {name: ok for model in MODELS for name, ok in passes(slow, model).items()}
    for model in MODELS:
        for form in model.forms:
            with pytest.MonkeyPatch.context() as few:
                few.setattr(decision, "MAX_STATES", 0)
                execution = decided.hang(model, form)
            check_hang(slow, model, form, execution)


def check_hang(space, model, form, execution):
    """That an execution of a large launch is one, keeps the promise, and does not end."""
    shortest = hang(space, model, form)
    assert (execution is None) == (shortest is None)
    if execution is None:
        return
    joint = product(space, model)
    numbers = [0]
    for thread in (*execution.before, *execution.cycle):
        numbers.append(joint.successors[numbers[-1]][thread])
    if not execution.cycle:
        assert joint.states[numbers[-1]].system in space.stuck()
        assert len(execution.before) == len(shortest.before)
        return
    first = len(execution.before)
    assert numbers[first] == numbers[-1]
    taken = set(zip(numbers[first:], execution.cycle, strict=False))
    owed = {number: set(joint.owed(number)) for number in numbers[first:]}
    if form == "strong":
        assert all((number, thread) in taken for number in owed for thread in owed[number])
    else:
        assert set.intersection(*owed.values()) <= set(execution.cycle)


def check_run(machine, choices):
    """That the transducer's steps and those of compiled code give the same memory, in one order of steps."""
    space = explore_fast(machine, 100_000)
    run = CompiledLaunch(machine)
    state = 0
    for choice in choices:
        row = space.successors[state]
        assert [with_zeros(value) for value in space.states[state][0]] == run.memory
        assert sorted(row) == run.able()
        if not row:
            return
        thread = sorted(row)[choice % len(row)]
        run.step(thread)
        state = row[thread]


def with_zeros(value):
    """Return a value where all that is not set is 0."""
    return evaluate([value.term], {})[value.term] if isinstance(value, PartialValue) else value


ORDERS = st.lists(st.integers(0, 1 << 10), min_size=30, max_size=60)


@settings(deadline=None, max_examples=examples(60))
@given(programs(threads=(1, 3), instructions=(1, 5)), st.booleans(), ORDERS)
@example(program=program_of_id("00_0-0011"), is_plain=False, choices=[0, 1, 0])  # constant until thread 1 writes
def test_the_core_finds_the_states_and_verdicts_of_programs(program, is_plain, choices):
    text = as_kernel(program, is_plain=is_plain)
    check_equal(text, len(program), arguments=["M=0"])
    check_run(machine_of(text, len(program), arguments=["M=0"]), choices)


@pytest.mark.full
@settings(deadline=None, max_examples=examples(40))
@given(
    st.lists(programs(threads=(4, 4), instructions=(1, 2)), min_size=1, max_size=2),
    st.sampled_from([2, 4]),
    st.sampled_from([Rules(2), Rules(2, lockstep=True), Rules(2, leave=True), Rules(2, merges=False)]),
    ORDERS,
)
def test_the_core_finds_the_states_behind_barriers_of_groups(phases, local, rules, choices):
    text = as_kernel_with_barriers(phases, local)
    check_equal(text, 4 // local, local, ["M=0"], rules=rules)
    check_run(machine_of(text, 4 // local, local, ["M=0"], rules=Rules(merges=False)), choices)


@pytest.mark.full
@settings(deadline=None, max_examples=examples(15))
@given(
    st.lists(programs(threads=(4, 4), instructions=(1, 2)), min_size=1, max_size=2),
    st.sampled_from([Rules(2), Rules(3, lockstep=True), Rules(2, leave=True), Rules(4), Rules(2, merges=False)]),
    ORDERS,
)
def test_the_core_finds_the_states_behind_barriers_of_subgroups(phases, rules, choices):
    text = as_kernel_with_barriers(phases, 4).replace("barrier group", "barrier subgroup", 1)
    check_equal(text, 1, 4, ["M=0"], rules=rules)
    check_run(machine_of(text, 1, 4, ["M=0"], rules=Rules(rules.subgroup, merges=False)), choices)


@settings(deadline=None, max_examples=examples(15))
@given(
    st.lists(programs(threads=(4, 4), instructions=(1, 2)), min_size=1, max_size=2),
    st.sampled_from([Rules(4), Rules(4, lockstep=True), Rules(4, leave=True), Rules(32), Rules(4, merges=False)]),
    ORDERS,
)
def test_the_core_finds_the_states_behind_barriers_of_masks(phases, rules, choices):
    text = with_masks(as_kernel_with_barriers(phases, 4))
    check_equal(text, 1, 4, ["M=0"], rules=rules)
    check_run(machine_of(text, 1, 4, ["M=0"], rules=Rules(rules.subgroup, merges=False)), choices)


@pytest.mark.full
@pytest.mark.parametrize("reduces", [True, False])
@pytest.mark.parametrize("rules", [Rules(2), Rules(2, lockstep=True), Rules(2, leave=True)])
def test_the_core_finds_the_states_of_kernels_with_local_memory(rules, reduces):
    check_equal(HANDED, 2, 2, ["flags=0"], rules=rules, reduces=reduces)
    check_equal(HANDED.replace("  barrier group local\n", ""), 2, 2, ["flags=0", "T=0"], rules=rules)
    check_equal(DIVIDED, 1, 2, rules=rules)
    check_equal(DIVIDED.replace("b:\n", "b:\n  barrier grid local\n"), 2, 2, rules=rules)


#: Threads count, meet in the whole launch, and then only some of them meet again.
GRID = """
kernel k
global A: i32[1]
entry:
  x = atomic i32 A[0:i32] add 1:i32
  barrier grid global
  y = atomic i32 A[0:i32] add x
  odd = and y, 1:i32
  c = eq odd, 0:i32
  branch c ? again : end
again:
  barrier grid global
  jump end
end:
  return
"""


@pytest.mark.parametrize("leave", [True, False])
def test_the_core_finds_the_states_behind_barriers_of_the_grid(leave):
    """Who comes last, and who has ended, depends on the other groups."""
    check_equal(GRID, 3, 1, ["A=0"], rules=Rules(leave=leave))
    check_equal(GRID, 2, 2, ["A=0"], rules=Rules(leave=leave))


#: Two workgroups end when a barrier of the grid releases them, whoever came last. The third waits for the fourth.
RELEASED = """
kernel k
global F: i32[1]
entry:
  barrier grid global
  early = ult gid.0, 2:i32
  branch early ? end : late
late:
  tells = eq gid.0, 3:i32
  branch tells ? tell : spin
tell:
  x = atomic i32 F[0:i32] store 1:i32
  jump end
spin:
  y = atomic i32 F[0:i32] load
  go = eq y, 0:i32
  branch go ? spin : end
end:
  return
"""
#: A model that counts ends: before two of them, it promises this, and later that.
COUNTING = """
counting = automaton
state first
fair {before}
step of all: go first
end of all: go second
state second
fair {before}
step of all: go second
end of all: go third
state third
fair {after}
step of all: go third
end of all: go third
"""


@pytest.mark.parametrize("rules", [Rules(), Rules(merges=False)])
@pytest.mark.parametrize(("before", "after", "ok"), [("none", "live", True), ("live", "none", False)])
def test_models_are_told_of_all_groups_that_a_barrier_of_the_grid_lets_end(before, after, ok, rules):
    model = read_model(COUNTING.format(before=before, after=after), "counting")
    machine = machine_of(RELEASED, 4, 1, ["F=0"], rules=rules)
    fast, slow = explore_fast(machine, 1000), space_of(RELEASED, 4, 1, ["F=0"], rules=rules)
    assert list(passes(slow, model).values()) == [ok, ok]
    assert list(ModelVerdicts(fast, [model]).passes().values()) == [ok, ok]
    system = system_of(machine)
    for form in model.forms:
        proof = certificate_of(slow, model, form)
        assert (verdict_of(proof) == "pass") == ok
        assert refusal(proof, slow, system, model, form) is None
        with pytest.MonkeyPatch.context() as few:
            few.setattr(decision, "MAX_STATES", 0)
            check_hang(slow, model, form, ModelVerdicts(fast, [model]).hang(model, form))


@settings(deadline=None, max_examples=5)
@given(ORDERS)
def test_the_core_finds_the_states_of_partly_unset_values(choices):
    text = """
kernel k
global A: i32[1]
entry:
  u = any unset i32
  high = and u, 4294901760:i32
  a = or high, 5:i32
  x = atomic i32 A[0:i32] add 1:i32
  low = and a, 65535:i32
  y = atomic i32 A[0:i32] add low
  return
"""
    check_equal(text, 2, 1, ["A=0"])
    check_run(machine_of(text, 2, 1, ["A=0"]), choices)


@pytest.mark.parametrize(("groups", "local"), [(1, 3), (3, 1)])
def test_the_core_finds_races_behind_an_atomic_access(groups, local):
    """Each thread writes what the thread reads that counted before it."""
    text = """
kernel k
global A: i32[1]
global B: i32[4]
entry:
  x = atomic i32 A[0:i32] add 1:i32
  y = read i32 B[x]
  z = add x, 1:i32
  write i32 B[z] = y
  return
"""
    check_equal(text, groups, local, ["A=0", "B=0"])
    assert explore_fast(machine_of(text, groups, local, ["A=0", "B=0"]), 1000).raced


#: All operators and atomic operations, on values of 8 bits, and a private array.
OPERATORS = """
kernel k
global A: i8[4]
global B: i32[8]
private P: i8[4]
scalar n: i8
entry:
  m = trunc lid.0 to i8
  x1 = add m, n
  x2 = sub x1, 7:i8
  x3 = mul x2, n
  x4 = sdiv x3, n
  x5 = srem x3, 5:i8
  x6 = udiv x3, n
  x7 = urem x3, 5:i8
  x8 = ashr x3, 2:i8
  x9 = lshr x3, 2:i8
  y1 = shl x3, 2:i8
  y2 = slt x3, x5
  y3 = sle x5, x3
  y4 = ult x3, x5
  y5 = ule x5, x3
  y6 = select y2, x8, x9
  y7 = not y6
  y8 = sext y7 to i32
  y9 = zext y7 to i32
  wide = zext x4 to i32
  high = shl wide, 8:i32
  both = or high, y9
  write i32 P[0:i32] = both
  back = read i16 P[1:i32]
  z = zext back to i32
  jump loop(0:i32)
loop(i: i32):
  a1 = atomic i32 B[0:i32] add y8
  a2 = atomic i32 B[1:i32] umax z
  a3 = atomic i32 B[2:i32] min y8
  a4 = atomic i32 B[3:i32] inc 1:i32
  a5 = atomic i32 B[4:i32] dec 2:i32
  a6 = atomic i32 B[5:i32] compare-exchange 0:i32, z
  a7 = atomic i32 B[6:i32] nand y9
  a8 = atomic i32 B[7:i32] max y8
  volatile write i16 A[lid.0] = back
  f = opaque i32 sitofp.32(y8)
  g = opaque i32 fadd(f, f)
  w = atomic i32 B[6:i32] xor g
  j = add i, 1:i32
  more = ult j, 2:i32
  branch more ? loop(j) : end
end:
  return
"""


@settings(deadline=None, max_examples=examples(20))
@given(st.integers(1, 255), ORDERS)
def test_compiled_threads_compute_every_operator_as_the_interpreter_does(number, choices):
    check_run(machine_of(OPERATORS, 1, 2, [f"n={number}", "A=0:4", "B=0:8"]), choices)


@cache
def needs_of(name):
    local, arguments, _ = GALLERY_NEEDS[name]
    return judge(NeedQuery(GALLERY / f"{name}.cl", range(2, 4), (local,), read_arguments(arguments.split())))


@pytest.mark.full
@pytest.mark.parametrize("name", GALLERY_NEEDS)
@settings(deadline=None, max_examples=5)
@given(choices=ORDERS)
def test_compiled_threads_run_the_gallery_as_the_interpreter_does(name, choices):
    local, arguments, _ = GALLERY_NEEDS[name]
    kernel = needs_of(name).kernel
    check_run(machine_of(kernel, 2, local, arguments.split(), rules=Rules(merges=False)), choices)


@pytest.mark.full
@pytest.mark.parametrize("name", GALLERY_NEEDS)
def test_the_core_finds_the_states_of_the_gallery(name):
    local, arguments, _ = GALLERY_NEEDS[name]
    for launch in needs_of(name).launches[: 1 if name in LARGE else 2]:
        check_equal(launch.space.machine.kernel, launch.workgroups, local, arguments.split())


def test_limits_and_faults_come_through_the_core():
    endless = (
        "jump loop(0:i32)\nloop(i: i32):\n  x = atomic i32 A[0:i32] add 1:i32\n  j = add i, 1:i32\n  jump loop(j)\n"
    )
    start = "kernel k\nglobal A: i32\nentry:\n"
    with pytest.raises(LimitError, match="more than 100"):
        explore_fast(machine_of(start + endless, 1, 1, ["A=0:1"]), 100)
    with pytest.raises(InputError, match="line 6: not supported: a value that is not known"):
        explore_fast(
            machine_of(start + "  x = atomic i32 A[0:i32] load\n\n  y = any i32\n  return\n", 1, 1, ["A=0:1"]), 100
        )

    def stop(_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        explore_fast(machine_of(start + endless, 2, 1, ["A=0:1"]), 1 << 30, stop)
