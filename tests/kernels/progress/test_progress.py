"""Which progress model a kernel needs: against the core, with and without the reduction, and for known algorithms."""

from dataclasses import replace
from functools import cache, partial
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quick import examples
from support.kernels_in_languages import of_the_core
from support.kernels_of_programs import as_kernel, as_kernel_with_barriers, with_masks
from support.launches import DIVIDED, GALLERY_NEEDS, HANDED, LARGE, machine_of, sizes_of, space_of
from support.strategies import programs
from synth_checker.errors import InputError, LimitError
from synth_checker.models import library
from synth_checker.models.model_text import read_word
from synth_checker.relations.antichains import least_fair
from synth_kernels.clang import compilation
from synth_kernels.kernel_file import SourceOptions, read
from synth_kernels.needs import judge
from synth_kernels.needs.answer import hang_of
from synth_kernels.needs.certificates import certify
from synth_kernels.needs.query import NeedQuery
from synth_kernels.needs.steps import folded_rows
from synth_kernels.operators import compute
from synth_kernels.progress.arguments import ArgumentValues, contents_of, read_arguments
from synth_kernels.progress.core_space import explore_fast
from synth_kernels.progress.decision import ModelVerdicts
from synth_kernels.progress.machine import Machine
from synth_kernels.progress.open_values import Case, in_each_case
from synth_kernels.progress.partial_values import PartialValue, compute_partly
from synth_kernels.progress.space import explore
from synth_kernels.progress.steps import Rules
from synth_kernels.progress.verdicts import hang, passes
from synth_kernels.text import parse

GALLERY = Path(__file__).parents[3] / "docs" / "progress"


def verdicts_of(space, models=None):
    return {name: ok for model in models or library() for name, ok in passes(space, model).items()}


@settings(deadline=None, max_examples=examples(60))
@given(programs(threads=(1, 3), instructions=(1, 5)), st.booleans())
def test_a_program_as_a_kernel_has_the_verdicts_of_the_core(program, is_plain):
    """Also if stores and loads are plain: those that race count as sync, and the others change no verdict."""
    text = as_kernel(program, is_plain=is_plain)
    assert verdicts_of(space_of(text, len(program), arguments=["M=0"])) == of_the_core(program)


def test_plain_accesses_that_do_not_race_need_no_steps_of_their_own():
    arguments = ["flags=0"]
    reduced = space_of(HANDED, 2, 2, arguments)
    whole = space_of(HANDED, 2, 2, arguments, reduces=False)
    assert not reduced.raced
    assert len(reduced.states) * 5 < len(whole.states)
    assert verdicts_of(reduced) == verdicts_of(whole)
    assert verdicts_of(reduced)["fair.weak"]
    assert not verdicts_of(reduced)["LOBE.strong"]


def test_without_the_barrier_the_same_accesses_race():
    text = HANDED.replace("  barrier group local\n", "")
    arguments = ["flags=0", "T=0"]
    space = space_of(text, 2, 2, arguments)
    assert {space.machine.layout.names[element][0] for element in space.raced} == {"T"}
    assert verdicts_of(space) == verdicts_of(space_of(text, 2, 2, arguments, reduces=False))


def test_a_race_that_only_a_late_step_shows_is_found():
    """Thread 1 writes behind the flag that thread 0 has raised before its own write."""
    text = """
kernel k
global A: i32[2]
global flag: i32[1]
entry:
  first = eq gid.0, 0:i32
  branch first ? one : two
one:
  old = atomic i32 flag[0:i32] store 1:i32
  write i32 A[0:i32] = 1:i32
  return
two:
  x = atomic i32 flag[0:i32] load
  is0 = eq x, 0:i32
  branch is0 ? end : late
late:
  write i32 A[0:i32] = 2:i32
  return
end:
  return
"""
    space = space_of(text, 2, 1, ["A=0", "flag=0"])
    assert {space.machine.layout.names[element] for element in space.raced} == {("A", None, 0)}
    before = text.replace(
        "  old = atomic i32 flag[0:i32] store 1:i32\n  write i32 A[0:i32] = 1:i32\n",
        "  write i32 A[0:i32] = 1:i32\n  old = atomic i32 flag[0:i32] store 1:i32\n",
    )
    assert not space_of(before, 2, 1, ["A=0", "flag=0"]).raced


def test_a_barrier_that_a_thread_never_reaches_fails_every_model():
    space = space_of(DIVIDED, 1, 2)
    assert not any(verdicts_of(space).values())
    assert hang(space, library()[-1], "strong").cycle == ()
    assert all(verdicts_of(space_of(DIVIDED, 1, 1)).values())


def test_two_barriers_do_not_meet():
    text = DIVIDED.replace("b:\n", "b:\n  barrier group local\n")
    assert not any(verdicts_of(space_of(text, 1, 2)).values())


def test_a_barrier_of_the_grid_blocks_until_all_workgroups_have_come():
    """A thread that waits there takes no steps, so even an unfair scheduler must run the others."""
    text = "kernel k\nglobal A: i32[1]\nentry:\n  barrier grid global\n  x = atomic i32 A[0:i32] add 1:i32\n  return\n"
    space = space_of(text, 2, 1, ["A=0"])
    assert all(verdicts_of(space).values())


def test_a_plain_spin_counts_as_sync_and_is_named():
    text = as_kernel_of_plain_spin()
    space = space_of(text, 2, 1, ["A=0"])
    assert space.spun
    assert verdicts_of(space)["fair.weak"]
    assert not verdicts_of(space)["LOBE.weak"]


def as_kernel_of_plain_spin():
    return """
kernel k
global A: i32[1]
entry:
  c = eq gid.0, 0:i32
  branch c ? spin : tell
spin:
  x = read i32 A[0:i32]
  go = eq x, 0:i32
  branch go ? spin : end
tell:
  write i32 A[0:i32] = 1:i32
  return
end:
  return
"""


@pytest.mark.parametrize("lockstep", [False, True])
@settings(deadline=None, max_examples=examples(25))
@given(st.lists(programs(threads=(4, 4), instructions=(1, 2)), min_size=1, max_size=2))
def test_merged_arrivals_change_no_verdict(lockstep, phases):
    """In 100 launches of 2 workgroups of 2 threads, and of 1 workgroup of 4, with a barrier behind each program."""
    for local in (2, 4):
        text = as_kernel_with_barriers(phases, local)
        merged, whole = (
            space_of(text, 4 // local, local, ["M=0"], rules=Rules(2, lockstep=lockstep, merges=merges))
            for merges in (True, False)
        )
        assert len(merged.states) <= len(whole.states)
        assert verdicts_of(merged) == verdicts_of(whole)


@settings(deadline=None, max_examples=examples(15))
@given(st.lists(programs(threads=(4, 4), instructions=(1, 2)), min_size=1, max_size=2))
def test_merged_arrivals_at_barriers_of_subgroups_change_no_verdict(phases):
    text = as_kernel_with_barriers(phases, 4).replace("barrier group", "barrier subgroup", 1)
    merged, whole = (space_of(text, 1, 4, ["M=0"], rules=Rules(2, merges=merges)) for merges in (True, False))
    assert len(merged.states) <= len(whole.states)
    assert verdicts_of(merged) == verdicts_of(whole)


@settings(deadline=None, max_examples=examples(15))
@given(st.lists(programs(threads=(4, 4), instructions=(1, 2)), min_size=1, max_size=2))
def test_merged_arrivals_at_barriers_of_masks_change_no_verdict(phases):
    text = with_masks(as_kernel_with_barriers(phases, 4))
    merged, whole = (space_of(text, 1, 4, ["M=0"], rules=Rules(4, merges=merges)) for merges in (True, False))
    assert len(merged.states) <= len(whole.states)
    assert verdicts_of(merged) == verdicts_of(whole)


#: Lane 0 ends; the others meet in pairs, of which one has only one lane left.
MASKED = """
kernel k
entry:
  pair = and lid.0, 2:i32
  wide = zext pair to i64
  mask = shl 3:i64, wide
  first = eq lid.0, 0:i32
  branch first ? end : meet
meet:
  barrier subgroup local of mask
  jump end
end:
  return
"""


def test_a_barrier_with_a_mask_waits_for_no_lane_that_has_ended():
    assert all(verdicts_of(space_of(MASKED, 1, 4)).values())
    without = MASKED.replace(" of mask", "")
    assert not any(verdicts_of(space_of(without, 1, 4)).values())


def test_a_lane_must_be_in_its_mask_and_all_must_give_the_same():
    with pytest.raises(InputError, match="line 10: thread 1 is lane 1, and gives the mask 0x4; a lane must be in"):
        space_of(MASKED.replace("of mask", "of 4:i64"), 1, 4)
    other = MASKED.replace("mask = shl 3:i64, wide", "bit = shl 1:i64, wide\n  mask = or 10:i64, bit")
    assert not any(verdicts_of(space_of(other, 1, 4)).values())  # masks 11, 14 and 14 of lanes 1, 2 and 3


@pytest.mark.full
def test_a_mask_that_depends_on_an_unset_variable_is_refused():
    with pytest.raises(
        InputError, match=r"line 10: what thread 1 does here depends on a variable \(line 6\), which is not"
    ):
        space_of(MASKED.replace("mask = shl 3:i64, wide", "mask = any unset i64"), 1, 4)


#: Both lanes store a flag, and then each looks once for that of the other. A lane that has not seen it waits for ever.
LOOKS = """
kernel k
global F: i32[3]
entry:
  other = sub 1:i32, lid.0
  volatile write i32 F[lid.0] = 1:i32
  x = atomic i32 F[other] load
  seen = eq x, 1:i32
  jump wait
wait:
  y = atomic i32 F[2:i32] load
  branch seen ? end : wait
end:
  return
"""


def test_no_lane_in_lockstep_is_ahead_of_the_others():
    free, together = (
        verdicts_of(space_of(LOOKS, 1, 2, ["F=0"], rules=Rules(2, lockstep=lockstep))) for lockstep in (False, True)
    )
    assert not any(free.values())
    assert all(together.values())


@pytest.mark.parametrize("last", range(3))
def test_lanes_in_lockstep_access_memory_in_any_order(last):
    """Each lane stores its number, and all wait until that of one lane is there: each lane may be the last one."""
    text = f"""
kernel k
global F: i32[1]
entry:
  volatile write i32 F[0:i32] = lid.0
  jump wait
wait:
  x = atomic i32 F[0:i32] load
  found = eq x, {last}:i32
  branch found ? end : wait
end:
  return
"""
    space = space_of(text, 1, 3, ["F=9"], rules=Rules(4, lockstep=True))
    assert not any(verdicts_of(space).values())
    assert space.ended()


def test_a_thread_that_ends_may_leave_a_barrier():
    assert all(verdicts_of(space_of(DIVIDED, 1, 2, rules=Rules(leave=True))).values())
    text = DIVIDED.replace("b:\n", "b:\n  barrier group local\n")
    assert not any(verdicts_of(space_of(text, 1, 2, rules=Rules(leave=True))).values())


#: A thread puts two halves into a value that was not defined, and keeps a value that is used only if it is.
HALVES = """
kernel k
global A: i32[1]
entry:
  u = any unset i32
  high = and u, 4294901760:i32
  a = or high, 5:i32
  low = and a, 65535:i32
  b = or low, 131072:i32
  x = atomic i32 A[0:i32] add b
  is0 = eq x, 0:i32
  y = select is0, b, u
  w = atomic i32 A[0:i32] load
  branch is0 ? use : end
use:
  z = atomic i32 A[0:i32] store y
  return
end:
  return
"""


def test_unset_values_may_be_copied():
    space = space_of(HALVES, 2, 1, ["A=0"])
    ended = {memory for number, (memory, _) in enumerate(space.states) if not space.live[number]}
    assert ended == {(131077,), (2 * 131077,)}
    space = space_of(HALVES.replace("branch is0 ? use : end", "branch is0 ? end : use"), 2, 1, ["A=0"])
    ended = {memory[0] for number, (memory, _) in enumerate(space.states) if not space.live[number]}
    assert all(isinstance(value, PartialValue) or value == 2 * 131077 for value in ended)
    assert any(isinstance(value, PartialValue) for value in ended)


#: What each thread tells its neighbour may be the value of a variable that nobody sets.
UNSET = """
kernel k
global A: i32[2]
entry:
  u = any unset i32
  is0 = eq gid.0, 0:i32
  given = select is0, 1:i32, u
  x = atomic i32 A[gid.0] exchange given
  c = eq u, given
  d = ult u, 7:i32
  both = and c, d
  branch both ? spin : end
spin:
  y = volatile read i32 A[0:i32]
  again = eq y, 0:i32
  branch again ? spin : end
end:
  return
"""


def cases_of(text, *launch, **how):
    """Return the values of what is not set, and the space, in each case of a launch."""
    kernel = parse(text)

    def in_case(case):
        return dict(case.example()), space_of(kernel, *launch, **how, case=case)

    return list(in_each_case(Case(kernel), in_case))


@pytest.mark.full
def test_an_unset_value_that_decides_divides_a_launch_into_cases():
    """By brute force: with each of a few values for each thread, the launch passes as some case with these values."""
    cases = cases_of(UNSET, 2, 1, ["A=0"])
    assert len(cases) == 4
    for values in product(range(9), repeat=2):
        text = UNSET.replace("u = any unset i32", "first = eq gid.0, 0:i32\n  u = select first, {}:i32, {}:i32")
        concrete = verdicts_of(space_of(text.format(*values), 2, 1, ["A=0"]))
        is_case = (values[0] == 1, values[1] < 7)
        (case,) = (
            space
            for example, space in cases
            if (decided := {unset.thread: value for unset, value in example.items()}) is not None
            and (decided[0] == 1, decided[1] < 7) == is_case
        )
        assert verdicts_of(case) == concrete


def test_an_unset_value_that_decides_an_index_or_a_loop_is_refused():
    text = UNSET.replace("A[gid.0] exchange given", "A[u] exchange given")
    with pytest.raises(InputError, match=r"line 8: what thread 0 does here depends on a variable \(line 5\), which"):
        cases_of(text, 2, 1, ["A=0"])
    text = "kernel k\nentry:\n  jump loop\nloop:\n  u = any unset i1\n  branch u ? loop : end\nend:\n  return\n"
    with pytest.raises(InputError, match="line 6: what thread 0 does here depends on a variable that is not set"):
        cases_of(text, 1, 1)


@pytest.mark.full
def test_private_and_local_memory_hold_anything_at_the_start():
    for space in ("local", "private"):
        text = UNSET.replace("kernel k\n", f"kernel k\n{space} B: i32[1]\n")
        text = text.replace("any unset i32", "read i32 B[0:i32]")
        assert len(cases_of(text, 2, 1, ["A=0"])) == 4
        assert len(cases_of(text, 2, 1, ["A=0", "B=3"])) == 1


@pytest.mark.full
def test_a_private_array_is_unset_again_when_its_life_begins():
    text = UNSET.replace("kernel k\n", "kernel k\nprivate B: i32[1]\n")
    text = text.replace("u = any unset i32", "write i32 B[0:i32] = 3:i32\n  unset B\n  u = read i32 B[0:i32]")
    assert len(cases_of(text, 2, 1, ["A=0"])) == 4


@given(st.data())
def test_bits_that_are_defined_are_the_same_whatever_the_others_are(data):
    """By brute force over all bits that are not defined."""
    name = data.draw(
        st.sampled_from(["and", "or", "xor", "not", "zext", "trunc", "shl", "lshr", "add", "select", "ult"])
    )
    widths = [1, 4, 4] if name == "select" else [4] * (1 if name in {"not", "zext", "trunc"} else 2)
    result = {"trunc": 3, "zext": 6, "ult": 1}.get(name, 4)
    operands = []
    for width in widths:
        unknown = data.draw(st.integers(0, (1 << width) - 1))
        value = data.draw(st.integers(0, (1 << width) - 1)) & ~unknown
        operands.append(PartialValue(value, unknown) if unknown else value)
    if name in {"shl", "lshr"}:
        operands[1] = data.draw(st.integers(0, 3))
    partial = compute_partly(name, operands, widths[-1], result)
    known = ~partial.unknown if isinstance(partial, PartialValue) else -1
    for values in product(*map(all_of, operands)):
        concrete = compute(name, list(values), widths[-1], result)
        assert (concrete ^ (partial.value if isinstance(partial, PartialValue) else partial)) & known & (
            (1 << result) - 1
        ) == 0


def all_of(value):
    """Return all values that a value may be that is perhaps not defined."""
    if not isinstance(value, PartialValue):
        return [value]
    return [value.value | more for more in range(16) if more & ~value.unknown == 0]


START = "kernel k\nglobal A: i32\nscalar n: i32\nentry:\n"


@pytest.mark.parametrize(
    ("body", "arguments", "message"),
    [
        ("  return\n", [], "arguments n, A: found none, expected --arg n=VALUE --arg A=VALUE:COUNT"),
        ("  return\n", ["n=1"], "argument A: found none, expected --arg A=VALUE:COUNT"),
        ("  return\n", ["n=1", "A=2"], "argument A: found no number of elements, expected --arg A=2:COUNT"),
        ("  return\n", ["n=1:2", "A=0:1"], "argument n: found an array"),
        ("  return\n", ["n=1", "A=0:1", "m=3"], "argument"),
        ("  return\n", ["n=1", "n=2"], "argument n: found two values"),
        ("  return\n", ["n"], "expected NAME=VALUE"),
        ("  x = read i32 A[n]\n  return\n", ["n=1", "A=0:1"], "line 5: thread 0 accesses element 1 of A, which has 1"),
        ("  x = udiv n, n\n  return\n", ["n=0", "A=0:1"], "line 5: udiv by 0"),
        ("  x = any i32\n  return\n", ["n=0", "A=0:1"], "line 5: not supported: a value that is not known"),
        ("  x = atomic i32 A[n]\n  return\n", ["n=0", "A=0:1"], "line 5: not supported: this atomic"),
        ("  jump loop\nloop:\n  jump loop\n", ["n=0", "A=0:1"], "goes round this loop without end"),
        ("  c = eq n, n\n  assert c\n  d = not c\n  assert d\n  return\n", ["n=0", "A=0:1"], "line 8: the assertion"),
    ],
)
def test_an_instruction_without_a_result_is_refused_with_its_line(body, arguments, message):
    with pytest.raises(InputError, match=message):
        space_of(START + body, 1, 1, arguments)


def test_a_launch_with_too_many_states_is_refused():
    text = (
        START
        + "  jump loop(0:i32)\nloop(i: i32):\n  x = atomic i32 A[0:i32] add 1:i32\n  j = add i, 1:i32\n  jump loop(j)\n"
    )
    machine = Machine(parse(text), sizes_of(), [((0,), (0,))], read_arguments(["A=0:1", "n=0"]))
    with pytest.raises(LimitError, match="more than 100"):
        explore(machine, 100)


@cache
def needs_of(name):
    local, arguments, _ = GALLERY_NEEDS[name]
    workgroups = range(2, 4 if name in LARGE else 5)
    return judge(NeedQuery(GALLERY / f"{name}.cl", workgroups, (local,), read_arguments(arguments.split())))


@pytest.mark.full
@pytest.mark.parametrize("name", GALLERY_NEEDS)
def test_known_algorithms_need_what_reasoning_says(name):
    assert GALLERY_NEEDS.keys() == {path.stem for path in GALLERY.glob("*.cl")}
    needs = needs_of(name)
    assert needs.least == GALLERY_NEEDS[name][2]
    assert not any(launch.space.raced or launch.space.spun for launch in needs.launches)


@pytest.mark.full
@pytest.mark.parametrize("name", GALLERY_NEEDS)
def test_the_reduction_changes_no_verdict_of_known_algorithms(name):
    local, _, _ = GALLERY_NEEDS[name]
    for launch in needs_of(name).launches[: 1 if name in LARGE else 2]:
        kernel = launch.space.machine.kernel
        arguments = GALLERY_NEEDS[name][1].split()
        machine = machine_of(kernel, launch.workgroups, local, arguments, reduces=False)
        assert ModelVerdicts(explore_fast(machine, 10_000_000), library()).passes() == launch.passes


@pytest.mark.exhaustive
@settings(deadline=None, max_examples=examples(70))
@given(programs(threads=(1, 3), instructions=(1, 5)), programs(threads=(2, 2), instructions=(2, 4)))
def test_the_reduction_changes_no_verdict_of_random_kernels(program, other):
    """Together with the launches of known algorithms, these are more than 100 pairs."""
    plain = as_kernel(program, is_plain=True), len(program), 1
    together = as_kernel_with_barriers([other, other], 2), 1, 2
    for text, workgroups, local in (plain, together):
        reduced, whole = (space_of(text, workgroups, local, ["M=0"], reduces=reduces) for reduces in (True, False))
        assert verdicts_of(reduced) == verdicts_of(whole)


@pytest.mark.full
@pytest.mark.parametrize(
    "name", ["look-back-ticket", *(pytest.param(name, marks=pytest.mark.exhaustive) for name in GALLERY_NEEDS)]
)
def test_optimisation_changes_no_verdict_of_known_algorithms(monkeypatch, name):
    """Their flags are atomic or volatile."""
    local, arguments, _ = GALLERY_NEEDS[name]
    passes, codes = [], set()
    as_read = compilation._inline_calls
    for level in range(4):
        monkeypatch.setattr(compilation, "_inline_calls", partial(optimised, as_read, level))
        (kernel,) = read(GALLERY / f"{name}.cl", SourceOptions())
        codes.add(kernel.blocks)
        passes += [
            verdicts_of(space_of(kernel, groups, local, in_elements(kernel, arguments.split())))
            for groups in ((2,) if name in LARGE else (2, 3))
        ]
    assert len(codes) > 1
    assert passes == passes[: len(passes) // 4] * 4


def in_elements(kernel, arguments):
    """Return arguments for arrays of words, some of which LLVM has turned into arrays of bytes that are all 0."""
    arrays = {array.name: array.width for array in kernel.arrays}
    rewritten = []
    for argument in arguments:
        name, _, contents = argument.partition("=")
        value, _, number = contents.partition(":")
        rewritten.append(f"{name}=0:{int(number) * 32 // arrays[name]}" if number and value == "0" else argument)
    return rewritten


def optimised(as_read, level, ir, *how):
    """Return IR behind LLVM's pipeline of a level. Loops are neither unrolled nor vectorised, as in `synth kernel`."""
    from llvmlite import binding as llvm  # of the extra `kernels`

    # A barrier is a function here that LLVM does not know. It may change the memory of a group.
    module = llvm.parse_assembly(as_read(ir, *how).replace("= internal addrspace(3)", "= addrspace(3)"))
    if level:
        machine = llvm.Target.from_default_triple().create_target_machine()
        tuning = llvm.PipelineTuningOptions(speed_level=level)
        tuning.loop_unrolling = tuning.loop_vectorization = tuning.slp_vectorization = False
        builder = llvm.create_pass_builder(machine, tuning)
        builder.getModulePassManager().run(module, builder)
        passes = llvm.create_new_module_pass_manager()
        passes.add_lower_switch_pass()
        passes.run(module, builder)
    return str(module)


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", GALLERY_NEEDS)
def test_each_verdict_of_known_algorithms_is_certified(name):
    needs = needs_of(name)
    certify(replace(needs, launches=needs.launches[: 1 if name in LARGE else 3]))


@pytest.mark.full
@pytest.mark.parametrize("name", GALLERY_NEEDS)
def test_hangs_of_known_algorithms_are_short_and_stand_in_the_file(name):
    needs = needs_of(name)
    for verdict in needs.not_enough:
        judged, execution = needs.hang(verdict)
        before, cycle = folded_rows(judged, execution)
        assert bool(cycle) == bool(execution.cycle)
        assert len(before) + len(cycle) <= 12
        assert {Path(row.place.file).name for row in (*before, *cycle)} <= {f"{name}.cl"}
        hang = hang_of(verdict, judged, execution)
        assert {Path(row.place.file).name for row in (*hang.before, *hang.cycle, *hang.waiting)} == {f"{name}.cl"}


#: A workgroup waits until its turn has come. All its threads ask one of them whether it has.
SEMAPHORE = """
__global__ void turns(int *lock, int *sum) {
    int state = -1;
    do {
        if (threadIdx.x == 0) state = *(volatile int *)lock;
    } while (__syncthreads_or(state == (int)blockIdx.x) == 0);
    if (threadIdx.x == 0) sum[0] += 1;
    __syncthreads();
    if (threadIdx.x == 0) atomicExch(lock, blockIdx.x + 1);
}
"""


#: Lanes of a warp look back together, vote, and add up what they found. The last lane's tile comes last.
WARP = """
__global__ void look(volatile int *tiles, int *out) {
    int lane = threadIdx.x, at = (int)blockIdx.x - 1 - lane, word;
    do {
        word = at < 0 ? 1 : tiles[at];
    } while (__any_sync(0xffffffff, word == 0));
    int sum = at < 0 ? 0 : word;
    for (int by = 1; by < warpSize; by *= 2) sum += __shfl_xor_sync(0xffffffff, sum, by);
    unsigned first = __ballot_sync(0xffffffff, at < 0);
    int most = __reduce_max_sync(0xffffffff, sum);
    __syncwarp();
    if (lane == 0) { out[blockIdx.x] = sum * 100 + most * 10 + __popc(first); tiles[blockIdx.x] = 1; }
}
"""


@pytest.mark.full
def test_lanes_of_a_warp_vote_shuffle_and_reduce(tmp_path):
    path = tmp_path / "warp.cu"
    path.write_text(WARP)
    needs = judge(NeedQuery(path, range(3, 4), (2,), read_arguments(["tiles=0:3", "out=0:3"]), rules=Rules(2)))
    assert needs.least == ("HSA.weak",)
    space = needs.launches[0].space
    ended = {space.states[number][0][3:6] for number in range(len(space.states)) if not space.live[number]}
    assert ended == {(2, 111, 220)}
    path.write_text("__global__ void k() { if (threadIdx.x == 0) __syncwarp(2); }")
    with pytest.raises(InputError, match=r"warp.cu:1: thread 0 is lane 0, and gives the mask 0x2"):
        judge(NeedQuery(path, range(1, 2), (2,), {}))


#: Lanes that a ballot has chosen, and tiles of two lanes. What is left in `out` follows from `in` alone.
CHOSEN = """
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void chosen(const int *in, int *out, int *sum) {
    int i = threadIdx.x, value = in[i];
    unsigned mask = __ballot_sync(~0u, value > 0);
    if (value > 0) {
        int first = __ffs(mask) - 1, old = 0;
        if (i == first) old = atomicAdd(sum, __popc(mask));
        old = __shfl_sync(mask, old, first);
        out[i] = old + __popc(mask & ((1u << i) - 1));
        out[4 + i] = __reduce_add_sync(mask, value) * 100 + __match_any_sync(mask, value);
    } else if (i == 2) {
        return;
    }
    auto tile = cg::tiled_partition<2>(cg::this_thread_block());
    out[8 + i] = cg::reduce(tile, value, cg::plus<int>()) * 10 + tile.ballot(value == 3) + 100 * tile.thread_rank();
    __syncwarp();
}
"""


@pytest.mark.full
def test_lanes_of_a_mask_vote_shuffle_and_reduce(tmp_path):
    path = tmp_path / "chosen.cu"
    path.write_text(CHOSEN)
    arguments = read_arguments(["in=3,4,0,3", "out=0:12", "sum=5:1"])
    (launch,) = judge(NeedQuery(path, range(1, 2), (4,), arguments, rules=Rules(4))).launches
    assert all(launch.passes.values())
    ended = {memory for number, (memory, _) in enumerate(launch.space.states) if not launch.space.live[number]}
    # Lane 2 is in a tile with lane 3, and has ended before it gives something.
    assert {
        tuple(str(value) if isinstance(value, PartialValue) else value for value in memory[:17]) for memory in ended
    } == {(3, 4, 0, 3, *(5, 6, 0, 7), *(1009, 1002, 0, 1009), *(71, 171, 0, "not set"), 8)}


#: What the lanes of a sub-group and the work-items of a group tell each other, as OpenCL has it.
TOGETHER = """
kernel void together(global const int *in, global int *out) {
    uint n = get_local_size(0), i = get_local_id(0);
    int x = in[i];
    out[i] = sub_group_scan_inclusive_add(x);
    int most = sub_group_scan_exclusive_max(x);
    out[n + i] = most == INT_MIN ? -1 : most;
    out[2 * n + i] = sub_group_broadcast(x, 1) * 10 + sub_group_shuffle(x, (i + 1) % get_sub_group_size());
    uint4 b = sub_group_ballot(x > 2);
    out[3 * n + i] = (int)(b.x * 10 + sub_group_ballot_exclusive_scan(b)) + 100 * (int)sub_group_ballot_bit_count(b);
    out[4 * n + i] = work_group_scan_exclusive_add(x) * 100 + work_group_reduce_max(x);
    out[5 * n + i] = work_group_broadcast(x, 2) * 100 + work_group_any(x > 6) * 10 + work_group_all(x > 0);
    out[6 * n + i] = (int)(get_sub_group_id() * 100 + get_sub_group_local_id() * 10 + get_sub_group_size());
    out[7 * n + i] = (int)(work_group_reduce_add(x * 0.5f) * 2) + 100 * sub_group_any(x == 2);
}
"""


@pytest.mark.full
def test_work_items_of_a_group_tell_each_other_as_opencl_says(tmp_path):
    path = tmp_path / "together.cl"
    path.write_text(TOGETHER)
    values, size = [3, 1, 2, 7, 5], 3
    arguments = read_arguments([f"in={','.join(map(str, values))}", "out=0:40"])
    (launch,) = judge(NeedQuery(path, range(1, 2), (5,), arguments, rules=Rules(size, lockstep=True))).launches
    assert all(launch.passes.values())
    (ended,) = {memory for number, (memory, _) in enumerate(launch.space.states) if not launch.space.live[number]}
    expected = [[] for _ in range(8)]
    for i in range(len(values)):
        first, lane = i // size * size, i % size
        mine = values[first : first + size]
        ballot = sum((element > 2) << place for place, element in enumerate(mine))
        before = ballot & ((1 << lane) - 1)
        expected[0].append(sum(mine[: lane + 1]))
        expected[1].append(max(mine[:lane], default=-1))
        expected[2].append(mine[1] * 10 + mine[(i + 1) % len(mine)])
        expected[3].append(ballot * 10 + before.bit_count() + 100 * ballot.bit_count())
        expected[4].append(sum(values[:i]) * 100 + max(values))
        expected[5].append(values[2] * 100 + (max(values) > 6) * 10 + (min(values) > 0))
        expected[6].append(i // size * 100 + lane * 10 + len(mine))
        expected[7].append(sum(values) + 100 * (2 in mine))
    assert [element & 0xFFFFFFFF for row in expected for element in row] == list(ended[5:45])


@pytest.mark.full
def test_threads_of_a_block_decide_together(tmp_path):
    path = tmp_path / "turns.cu"
    path.write_text(SEMAPHORE)
    needs = judge(NeedQuery(path, range(2, 4), (3,), read_arguments(["lock=0:1", "sum=0:1"])))
    assert needs.least == ("HSA.weak",)
    path.write_text("__global__ void k(int *a) { if (__activemask() == 1) a[0] = 1; }")
    with pytest.raises(InputError, match=r"turns.cu:1: not supported: the value of __activemask\(\)"):
        judge(NeedQuery(path, range(1, 2), (2,), read_arguments(["a=0:1"])))


@pytest.mark.full
def test_an_xf_barrier_has_few_states():
    (launch,) = judge(
        NeedQuery(GALLERY / "barrier-xf.cl", range(2, 3), (4,), read_arguments(["arrived=0:4", "released=0:4"]))
    ).launches
    assert len(launch.space.states) < 100


def test_models_of_users_are_judged_too():
    space = space_of(as_kernel_of_plain_spin(), 2, 1, ["A=0"])
    highest = read_word("highest(live)")
    assert set(passes(space, highest).values()) == {True}


def test_a_value_of_an_argument_may_be_negative_hexadecimal_or_a_float_and_there_may_be_several():
    assert read_arguments(["a=-1", "b=0x10:3", "c=1,-2,0x3", "d=.5,1.:8", "p.x=1"]) == {
        "a": ArgumentValues((-1,)),
        "b": ArgumentValues((16,), 3),
        "c": ArgumentValues((1, -2, 3)),
        "d": ArgumentValues((0.5, 1.0), 8),
        "p.x": ArgumentValues((1,)),
    }
    with pytest.raises(InputError, match="expected NAME=VALUE"):
        read_arguments(["a=1,"])


@pytest.mark.parametrize(
    ("argument", "expected"),
    [
        ("A=7", (7, 7, 7, 7)),
        ("A=7:4", (7, 7, 7, 7)),
        ("A=1,2,3,-4", (1, 2, 3, 0xFFFFFFFC)),
        ("A=1,2:4", (1, 2, 1, 2)),
        ("A=1.0,-2.5,0,1", (0x3F800000, 0xC0200000, 0, 1)),
        ("B=1,2", (1, 2)),
        ("B=1,2,3:5", (1, 2, 3, 1, 2)),
    ],
)
def test_arrays_hold_at_the_start_what_arguments_say(argument, expected):
    name = argument[0]
    kernel = parse("kernel k\nglobal A: i32[4]\nglobal B: i32\nentry:\n  return\n")
    arguments = read_arguments([argument, *(text for text in ("A=0", "B=0:1") if text[0] != name)])
    assert contents_of(kernel, arguments)[name] == expected


@pytest.mark.parametrize(
    ("argument", "message"),
    [
        ("A=1,2,3", "argument A: found 3 elements, expected 4"),
        ("n=1,2", "argument n: found an array, expected a number, because n is a scalar"),
        ("n=1.5", "argument n: found 1.5, expected a whole number, because no float has 8 bits"),
        ("A=1e39", "argument: found 'A=1e39'"),
        ("A=1.0e39", "argument A: found 1e\\+39, which is too large for a float of 32 bits"),
    ],
)
def test_arguments_that_do_not_fit_are_refused(argument, message):
    kernel = parse("kernel k\nglobal A: i32[4]\nscalar n: i8\nentry:\n  return\n")
    others = [text for text in ("A=0", "n=0") if text[0] != argument[0]]
    with pytest.raises(InputError, match=message):
        machine_of(kernel, 1, 1, [argument, *others])


#: What variables of a program hold: numbers, structures with gaps, text, and a copy in private memory.
INITIAL = """
typedef struct { char kind; int arg; } task;
__constant task TASKS[2] = {{1, 2}, {3, 4}};
__constant char NAME[] = "ab";
__constant float HALF = 0.5f;
__kernel void k(__global int *out) {
    int order[4] = {3, 2, 1, 0};
    out[0] = TASKS[1].kind * 10 + TASKS[0].arg;
    out[1] = order[out[2]];
    out[2] = NAME[1] + (int)(HALF * 4);
}
"""


@pytest.mark.full
def test_variables_hold_at_the_start_what_the_source_says(tmp_path):
    path = tmp_path / "initial.cl"
    path.write_text(INITIAL)
    (launch,) = judge(NeedQuery(path, range(1, 2), None, read_arguments(["out=0,0,1"]))).launches
    assert launch.space.states[len(launch.space.states) - 1][0][:3] == (32, 2, ord("b") + 2)
    path = tmp_path / "initial.cu"
    path.write_text("__device__ int next = 5;\n__global__ void k(float *out) { atomicAdd(out, (float)next++); }\n")
    (launch,) = judge(NeedQuery(path, range(2, 3), None, read_arguments(["out=0.5:1"]))).launches
    ended = {memory for number, (memory, _) in enumerate(launch.space.states) if not launch.space.live[number]}
    (only,) = judge(NeedQuery(path, range(2, 3), None, read_arguments(["out=0.5:1", "next=7"]))).launches
    assert ended != {memory for number, (memory, _) in enumerate(only.space.states) if not only.space.live[number]}


#: Lock and flag in inline assembly. Each workgroup waits for the one before it, and adds to what it finds.
ASSEMBLY = r"""
__device__ int look(int *p) {
    int v;
    asm volatile("ld.acquire.gpu.global.b32 %0, [%1];\n" : "=r"(v) : "l"(p));
    return v;
}
__device__ void tell(int *p, int v) {
    asm volatile("fence.acq_rel.gpu;\n" "red.relaxed.gpu.global.add.s32 [%0], %1;\n" : : "l"(p), "r"(v) : "memory");
}
__device__ unsigned lane() { unsigned r; asm("mov.u32 %0, %%laneid;" : "=r"(r)); return r; }
__device__ uint2 both(uint2 *p) {
    uint2 r;
    asm volatile("ld.volatile.global.v2.u32 {%0, %1}, [%2];" : "=r"(r.x), "=r"(r.y) : "l"(p));
    return r;
}
__device__ void put(uint2 *p, unsigned x, unsigned y) {
    asm volatile("st.cg.global.u32 [%0], %1;\n st.release.gpu.global.u32 [%0+4], %2;" :: "l"(p), "r"(x), "r"(y));
}
__device__ int most(int *p, int v) {
    int r;
    asm volatile("atom.global.max.s32 %0, [%1], %2;" : "=r"(r) : "l"(p), "r"(v));
    return r;
}
__device__ int swap(int *p) { int r; asm volatile("atom.cas.b32 %0, [%1], 0, 7;" : "=r"(r) : "l"(p)); return r; }
__global__ void turns(int *flag, uint2 *pair, int *out) {
    if (lane() == 0) {
        while (look(flag) < (int)blockIdx.x) asm volatile("nanosleep.u32 %0;" :: "r"(20));
        uint2 x = both(pair);
        put(pair, x.x + 1, x.y + 2);
        most(out, -(int)blockIdx.x);
        swap(out + 1);
        tell(flag, 1);
    }
}
"""


@pytest.mark.full
def test_inline_assembly_runs_as_ptx_says_or_is_refused(tmp_path):
    path = tmp_path / "turns.cu"
    path.write_text(ASSEMBLY)
    arguments = read_arguments(["flag=0:1", "pair=5,6", "out=-5,0"])
    (launch,) = judge(NeedQuery(path, range(3, 4), (2,), arguments, rules=Rules(2))).launches
    assert least_fair([name for name, ok in launch.passes.items() if ok], None) == ("HSA.weak",)
    ended = {memory for number, (memory, _) in enumerate(launch.space.states) if not launch.space.live[number]}
    assert ended == {(3, 8, 12, 0, 7)}
    for text in ("ld.b128 %0, [%1];", "ld.global.u32 %0, [a];", "@p ld.global.u32 %0, [%1];", "bar.sync 0;"):
        path.write_text(f'__global__ void k(int *a) {{ int v; asm("{text}" : "=r"(v) : "l"(a)); a[0] = v; }}')
        with pytest.raises(InputError, match=r"turns.cu:1: not supported: inline assembly \("):
            judge(NeedQuery(path, range(1, 2), (1,), read_arguments(["a=0:1"])))
