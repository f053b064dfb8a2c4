"""What answers about kernels rest on: each option that takes a check away or adds an assumption says so."""

import json
import re
from pathlib import Path

import pytest

from synth import cli
from synth_kernels.premises import LIMITING, PREMISES

PAGE = (Path(__file__).parents[3] / "docs" / "understand" / "kernels.md").read_text("utf-8")

#: A kernel that all options have something to do with.
SOURCE = """
__kernel void k(__global int *restrict a, __local int *restrict b, int n) {
    __requires(n != 3);
    int i = get_global_id(0), t = get_local_id(0);
    b[0] = 7;
    event_t e = async_work_group_copy(b + 8, a + 64 * get_group_id(0), 8, 0);
    wait_group_events(1, &e);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = 0; __invariant(j >= 0), j < n; j++)
        a[65536 + i] = n + j;
}
"""
#: A kernel for the questions, which know no copies.
PLAIN = """
__kernel void k(__global int *restrict a, __local float *restrict b, int n) {
    int t = get_local_id(0);
    b[t] = t;
    barrier(CLK_LOCAL_MEM_FENCE);
    a[get_global_id(0)] = n + 1 + (int)b[t];
}
"""
#: The second of two lines has a function, which --modular verifies by itself.
CALLS = (
    "void put(__global int *a, int i) { a[i] = i; }\n__kernel void k(__global int *a) { put(a, get_global_id(0)); }\n"
)

#: All threads write one value to one place.
ONE_VALUE = "__kernel void k(__global int *a)\n{\n    a[0] = 1;\n}\n"
#: A kernel that has no race for n = 2 only.
NEEDS_2 = "__kernel void k(__global int *a, int n) { if (n != 2) a[0] = get_global_id(0); }\n"
LAUNCH = json.dumps(
    {
        "kernel": "k", "global_size": [8], "local_size": [4], "source": "k.cl",
        "arguments": [{"name": "a", "kind": "buffer", "bytes": 32}, {"name": "n", "kind": "value", "value": 2}],
    }
)  # fmt: skip

SIZES = "--local-size 4 --num-groups 2"
#: The words of an option, what it adds to the items, what it takes away, the words before and after it, and the source.
VERIFY = {
    "--local-size": ("--local-size 8", "local size 8, groups any", "local size any, groups any", "", PLAIN),
    "--num-groups": ("--num-groups 8", "local size any, groups 8", "local size any, groups any", "", PLAIN),
    "--global-size": ("--global-size 8", "local size 4, groups 2", "local size 4, groups any", "--local-size 4", PLAIN),
    "--global-offset": ("--global-offset 5", "global offset 5", "global offset 0", SIZES, PLAIN),
    "--warp": ("--warp 4", "warps of 4 in lockstep", "", SIZES, PLAIN),
    "--waits-fence": ("--waits-fence", "a wait for a copy orders it", "", SIZES, SOURCE),
    "--barrier-sites": ("--barrier-sites any", "barriers of a group are one object", "", SIZES, PLAIN),
    "--from-launch": ("--from-launch launches.jsonl", "n = 2", "", "", NEEDS_2),
    "--define": ("-D N=4", "N=4 defined", "", SIZES, PLAIN),
    "--compiled-by": ("--compiled-by=cc__-DN=4__-m32", "N=4 defined; 32-bit pointers", "64-bit pointers", SIZES, PLAIN),
    "--pointer-bits": ("--pointer-bits 32", "32-bit pointers", "64-bit pointers", SIZES, PLAIN),
    "--overflow": ("--overflow fault", "", "signed arithmetic wraps", f"{SIZES} --args k,2", PLAIN),
    "--args": ("--args k,2", "n = 2", "", SIZES, PLAIN),
    "--arrays": ("--arrays k,640000,*", "a of 640000 bytes", "", SIZES, PLAIN),
    "--unroll": ("--unroll 2", "no loop makes more than 2 rounds", "each thread ends", SIZES, SOURCE),
    "--only": ("--only divergence", "races are not looked at", "", SIZES, PLAIN),
    "--no-annotations": ("--no-annotations", "annotations are ignored", "what the kernel assumes", SIZES, SOURCE),
    "--only-requires": ("--only-requires", "annotations but preconditions are ignored", "", SIZES, SOURCE),
    "--invariants-as-candidates": (
        *("--invariants-as-candidates", "invariants of the source that do not hold are ignored", "", SIZES, SOURCE),
    ),
    "--modular": ("--modular", "callers keep its contract", "", SIZES, CALLS),
    "--optimise": ("--optimise", "accesses as LLVM leaves them", "", SIZES, PLAIN),
    "--no-benign": ("--no-benign", "", "writes of one value to one place are no race (k.cl:3)", SIZES, ONE_VALUE),
    "--array-bounds": (
        *("--array-bounds", "", "no access outside its array", "--arrays k,640,640 --args k,1 " + SIZES, PLAIN),
    ),
    "--banks": ("--banks today", "no barrier diverges; each local array begins at bank 0", "", SIZES, PLAIN),
    "--float": (
        *("--float bits", "floating-point numbers as IEEE 754 has them"),
        "floating-point numbers as real numbers, whose sums may be in another order",
        *(f"--equals k.cl:k {SIZES}", PLAIN),
    ),
    "--assert": ("--assert", "", "each thread ends", SIZES, PLAIN),
    "--assume-least": (
        *("--assume-least", "larger launches do as small ones: local sizes up to 12, scalars up to 11", ""),
        *(f"--equals k.cl:k {SIZES}", PLAIN),
    ),
}  # fmt: skip
#: Options that ask for the same answer in another way, or for another form of it.
ALIKE = [
    *("--kernel k", "--no-infer", "--omit r1", "--rules r1", "--engine LU(2);H", "--k-induction-depth 1"),
    *("--asymmetric-asserts", "--state equality", "--adversarial-abstraction", "--equality-abstraction"),
    *("--encoding seed", "--solver cvc5", "--time-limit 60s", "--memory 4G", "--sarif s.sarif", "--cache cache"),
    *("--loops invariants", "--standard CL2.0", "--include .", "--intervals"),
]
#: Options with which nothing is answered about `k.cl` as JSON.
OTHERS = {
    "source", "--json",
    "--instantiate",  # a kernel of CUDA
    "--equals",  # is in the two options above
    "--show-candidates", "--format", "--out", "--force", "--measure",
}  # fmt: skip


def items(synth, words, source):
    """Return what the answers about a source rest on."""
    Path("k.cl").write_text(source)
    Path("launches.jsonl").write_text(LAUNCH)
    said = synth(*(word.replace("__", " ") for word in words.split()), "--json")
    assert said.out, said.err
    return [item for line in said.out.splitlines() for item in json.loads(line)["rests_on"]]


@pytest.mark.full
@pytest.mark.parametrize(("words", "adds", "drops", "more", "source"), VERIFY.values(), ids=VERIFY)
def test_an_option_of_verify_that_assumes_more_says_so(synth, words, adds, drops, more, source):
    before, after = (items(synth, f"verify k.cl {option} {more}", source) for option in ("", words))
    assert set(adds.split("; ")) - set(before) - {""} <= set(after)
    assert adds != "" or drops != ""
    assert [item for item in adds.split("; ") if item and item in before] == []
    assert [item for item in (drops,) if item and (item not in before or item in after)] == []


@pytest.mark.full
@pytest.mark.parametrize("words", ALIKE)
def test_an_option_of_verify_that_assumes_nothing_changes_nothing(synth, words):
    before, after = (items(synth, f"verify k.cl {option} {SIZES}", PLAIN) for option in ("", words))
    assert before == after


def test_all_options_of_verify_are_walked():
    alike = {words.split()[0] for words in ALIKE}
    assert set(VERIFY) | alike | OTHERS == options("verify")


def options(*words):
    """Return the options and arguments of a command."""
    command = cli.command_line()
    for word in words:
        command = command.commands[word]
    return {param.opts[0] for param in command.params}


#: Threads wait for a group that has the lock, and for each other. With `SYNTH_RUNS`, subgroups have barriers.
LOCK = """
__global__ void k(int *lock, int *x, int n) {
    if (threadIdx.x == 0) while (atomicCAS(lock, 0, 1)) { }
    __syncthreads();
    x[0] = x[0] + n;
    __syncwarp();
    if (threadIdx.x == 0) atomicExch(lock, 0);
}
"""
IN_OPENCL = "__kernel void k(__global int *lock, __global int *x, int n) { atomic_add(lock, n); x[0] = 1; }\n"
TAKEN = "racing accesses to {} taken as atomic"
#: The words of an option of `synth kernel need`, what it adds to the items, and what it takes away.
NEED = {
    "--workgroups": ("--workgroups 2", "2 workgroups of local size 2", "1 workgroup of local size 2"),
    "--local-size": ("--local-size 1", "1 workgroup of local size 1", "1 workgroup of local size 2"),
    "--arg": ("--arg n=3", "n=3", "n=2"),
    "--lanes": ("--lanes lockstep", "lanes of a subgroup of 32 in lockstep, whose accesses come in any order", ""),
    "--subgroup": ("--subgroup 16", "subgroups of 16 lanes", "subgroups of 32 lanes"),
    "--barrier": ("--barrier leave", "barriers do not wait for threads that have ended", ""),
    "--barrier-sites": ("--barrier-sites any", "barriers of a group are one object", ""),
    "--define": ("-D N=4", "N=4 defined", ""),
    "--compiled-by": ("--compiled-by=nvcc__-DN=4", "N=4 defined", ""),
    "--no-reduction": (
        "--no-reduction",
        "accesses to x taken as atomic, whether they race or not",
        "racing accesses to x[0] taken as atomic",
    ),
    "--pointer-bits": ("--pointer-bits 32", "32-bit pointers", "64-bit pointers"),
    "--overflow": ("--overflow fault", "", "signed arithmetic wraps"),
}
NEED_ALIKE = [
    *("--kernel k", "--include .", "--standard c++20", "--time-limit 60s", "--memory 4G"),
    "--model OBE",
]
#: Options that write or read more, or that only say how an answer is written.
NEED_OTHERS = {"source", "--instantiate", "--emit", "--results", "--format", "--out", "--force", "--json"}


def needed(synth, words, command="need"):
    """Return what an answer about the lock rests on. An option that is given twice counts as the second one."""
    name = "k.cl" if "32" in words else "k.cu"  # pointers of CUDA have 64 bits
    Path(name).write_text(IN_OPENCL if "32" in words else LOCK)
    options = {"--workgroups": "1", "--local-size": "2"}
    option, _, value = words.partition(" ")
    options |= {option: value} if option in options else {}
    number = value if option == "--arg" else "n=2"
    call = ["kernel", command, name, *(word for pair in options.items() for word in pair)]
    call += ["--arg", "lock=0:1", "--arg", "x=0:1", "--arg", number]
    call += [] if option in {*options, "--arg"} else [word.replace("__", " ") for word in words.split()]
    said = synth(*call, "--json")
    assert said.out, said.err
    return json.loads(said.out)["rests_on"]


@pytest.mark.full
@pytest.mark.parametrize(("words", "adds", "drops"), NEED.values(), ids=NEED)
@pytest.mark.parametrize("command", ["need", "check"])
def test_an_option_of_kernel_that_assumes_more_says_so(synth, command, words, adds, drops):
    before, after = (needed(synth, option, command) for option in ("", words))
    assert adds != "" or drops != ""
    assert (adds in before, adds in after) == (False, adds != "")
    assert (drops in before, drops in after) == (drops != "", False)


@pytest.mark.full
@pytest.mark.parametrize("words", NEED_ALIKE)
def test_an_option_of_kernel_that_assumes_nothing_changes_nothing(synth, words):
    assert needed(synth, "") == needed(synth, words)


def test_all_options_of_kernel_are_walked():
    walked = {*NEED, *NEED_OTHERS, *(words.split()[0] for words in NEED_ALIKE)}
    assert walked == options("kernel", "need")
    assert options("kernel", "check") - walked == {"--final", "--certify"}
    assert options("kernel", "explain") <= walked
    assert options("kernel", "lts") <= walked


@pytest.mark.full
@pytest.mark.parametrize("words", [("--final", "x[0] == 2"), ("--certify",)])
def test_an_assertion_and_a_certificate_rest_on_what_the_verdicts_rest_on(synth, words):
    Path("k.cu").write_text(LOCK)
    call = ["kernel", "check", "k.cu", "--workgroups", "1", "--arg", "lock=0:1", "--arg", "x=0:1", "--arg", "n=2"]
    before, after = (json.loads(synth(*call, *more, "--json").out)["rests_on"] for more in ((), words))
    assert before == after


def test_the_page_explains_each_item():
    rows = re.findall(
        r"^\| (`[^|]*`) \|", PAGE.partition("## What an answer rests on")[2].partition("\n#")[0], re.MULTILINE
    )
    explained = {item for row in rows for item in re.findall(r"`([^`]*)`", row)}
    assert explained == {text.replace("{}", "…") for text in PREMISES.values()}
    assert set(PREMISES) >= LIMITING


@pytest.mark.full
def test_the_last_line_of_an_answer_is_what_it_rests_on(synth, kernels):
    path = kernels("kernel k\nglobal A: i32\nentry:\n  write i32 A[lid.0] = gid.0\n  return\n")
    for words in (("--num-groups", "1"), ("--num-groups", "2"), ("--time-limit", "0.001s")):
        said = synth("verify", path, *words)
        assert said.out.splitlines()[-1].startswith("  Rests on: ")
