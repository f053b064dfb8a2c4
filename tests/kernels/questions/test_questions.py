"""The further questions of `synth verify`: docs/do/questions.md, the JSON of the answers, and what is refused."""

import json
import re
from pathlib import Path

import pytest

PAGE = (Path(__file__).parents[3] / "docs" / "do" / "questions.md").read_text("utf-8")
#: The sources of the page by their names: the last name in backquotes before a source.
SOURCES = {
    re.findall(r"`([\w-]+\.\w+)`", before)[-1]: source
    for before, source in re.findall(r"((?:[^`]|`[^`\n]+`)*)```(?:c|kernel)?\n([^`]*)```", PAGE)
    if re.findall(r"`([\w-]+\.\w+)`", before) and re.match(r"__kernel|void|kernel ", source)
}
COMMANDS = re.findall(r"^    synth ([^\n]*)\n\n```\n(.*?)```", PAGE, re.MULTILINE | re.DOTALL)
TILE = """kernel tile
local T: i32
scalar n: i32
entry:
  i = mul lid.0, 2:i32
  write i32 T[i] = lid.0
  return
"""

WAITING = """kernel waiting
local T: i32
entry:
  barrier group local
  write i32 T[lid.0] = lid.0
  barrier group local
  i = xor lid.0, 1:i32
  x = read i32 T[i]
  return
"""

ROUNDS = """kernel rounds
local T: i32
scalar n: i32
entry:
  jump loop(0:i32)
loop(i: i32):
  c = ult i, n
  branch c ? body : done
body:
  write i32 T[lid.0] = i
  barrier group local
  j = add i, 1:i32
  jump loop(j)
done:
  return
"""


def masked(text):
    """Return the lines of an answer, without the numbers that a solver may choose otherwise."""
    return {re.sub(r"\d+(, \d+)*", "N", line.strip()) for line in text.splitlines() if line.strip(" ^")}


@pytest.mark.full
@pytest.mark.parametrize(("words", "answer"), COMMANDS, ids=[words for words, _ in COMMANDS])
def test_the_page_shows_the_answers(synth, tmp_path, words, answer):
    for name, source in SOURCES.items():
        (tmp_path / name).write_text(source, "utf-8")
    done = synth(*words.replace("'", "").split())
    assert masked(answer) == masked(done.out), done.err


def test_each_command_of_the_page_has_its_answer_there():
    assert len(COMMANDS) == len(re.findall(r"^    synth ", PAGE, re.MULTILINE))
    assert all(words.split()[1] in SOURCES for words, _ in COMMANDS)


@pytest.mark.full
def test_bank_conflicts_as_text_as_json_and_as_a_picture(synth, kernels, tmp_path):
    words = ("verify", kernels(TILE), "--local-size", "32", "--num-groups", "1", "--args", "tile,0", "--banks", "today")
    said = synth(*words)
    assert said.code == 1
    assert "bank conflict in T; confirmed by a run" in said.out
    answer = json.loads(synth(*words, "--json").out)
    assert answer["verdict"] == "conflict"
    assert [(degree["most"], degree["turns"], degree["executions"]) for degree in answer["degrees"]] == [(2, 2, 1)]
    (conflict,) = answer["conflicts"]
    assert (conflict["addresses"][0] - conflict["addresses"][1]) % 128 == 0
    drawn = synth(*words, "--format", "svg", "--out", "banks.svg")
    assert drawn.code == 1
    assert (tmp_path / "banks.svg").read_text("utf-8").count('class="clash"') == 32
    assert synth(*words[:-1], "16,4,8", "--json").code == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--banks", "33,4,32"), "--banks: found '33,4,32', expected today or oldest, or three powers of two"),
        (("--banks", "today", "--format", "html"), "--format: found html, expected text or svg"),
        (("--format", "svg"), "--format svg needs --banks"),
        (("--intervals", "--only", "divergence"), "--only belongs to the verification of kernels; leave it out"),
        (("--banks", "today", "--sarif", "a.sarif"), "--sarif belongs to the verification of kernels"),
        (("--intervals", "--cache", "known"), "--cache belongs to the verification of kernels"),
        (("--intervals", "--show-candidates"), "--show-candidates belongs to the verification of kernels"),
        (("--banks", "today", "--asymmetric-asserts"), "--asymmetric-asserts belongs to the verification of kernels"),
        (("--banks", "today", "--bounds"), "found --array-bounds beside --banks, where it has no effect"),
        (("--assume-least", "--engine", "portfolio"), "found --engine beside --assume-least"),
        (("--banks", "today", "--measure"), "--measure belongs to the verification of kernels"),
        (("--banks", "today", "--unroll", "2"), "--unroll belongs to the verification of kernels"),
        (("--intervals", "--assume-least", "--unroll", "2"), "--unroll belongs to the verification of kernels"),
    ],
)
def test_wrong_questions_are_refused(synth, kernels, words, message):
    said = synth("verify", kernels(TILE), *words)
    assert said.code == 2
    assert message in said.err


def test_open_launches_have_no_table(synth, kernels):
    said = synth("verify", kernels(TILE), "--banks", "oldest")
    assert "Fix --local-size and --num-groups" in said.out
    assert (
        "Fix n with --args"
        in synth("verify", kernels(TILE), "--banks", "today", "--local-size=8", "--num-groups=1").out
    )


def test_barriers_that_are_not_needed_as_text_and_as_json(synth, kernels):
    words = ("verify", kernels(WAITING), "--local-size", "4", "--num-groups", "1", "--intervals")
    said = synth(*words)
    assert said.code == 0
    assert "waiting: some barrier is not needed" in said.out
    assert re.search(r"k\.kernel:4 +\S*k\.kernel:6 +- +T +proved\n", said.out)
    answer = json.loads(synth(*words, "--json").out)
    assert [barrier["needed"] for barrier in answer["barriers"]] == ["not needed", "needed"]
    assert answer["barriers"][1]["counterexamples"][0]["confirmed"]
    assert [barrier["line"] for barrier in answer["together"]] == [4]


def test_unrolled_loops_leave_it_open_which_barriers_are_needed(synth, kernels):
    said = synth("verify", kernels(ROUNDS), "--local-size", "2", "--num-groups", "1", "--intervals", "--unroll", "2")
    assert said.code == 3
    assert "with all its barriers, the verdict is no bug found" in said.out


@pytest.mark.parametrize(
    "question", [("--intervals",), ("--banks", "today"), ("--equals", "one.kernel:one"), ("--assume-least",)]
)
def test_a_kernel_that_no_launch_satisfies_is_a_contradiction(synth, kernels, question):
    kernels(LOOP, name="one.kernel")
    wrong = SUMS.replace("entry:", "entry:\n  c = ult n, 0:i32\n  assume c")
    said = synth("verify", kernels(wrong), "--local-size", "4", "--num-groups", "1", *question)
    assert said.code == 2
    assert "sums: contradiction: no launch satisfies what the kernel assumes" in said.out


def test_nothing_is_said_of_the_barriers_of_a_kernel_with_a_fault(synth, kernels):
    said = synth("verify", kernels(WAITING.replace("  barrier group local\n  i", "  i")), "--intervals")
    assert said.code == 1
    assert "with all its barriers, the verdict is race" in said.out


SUMS = """kernel sums
global A: i32
global B: i32
scalar n: i32
entry:
  x = read i32 A[lid.0]
  y = add x, n
  write i32 B[lid.0] = y
  return
"""
LOOP = """kernel one
global A: i32
global B: i32
scalar n: i32
entry:
  jump loop(0:i32)
loop(i: i32):
  c = ult i, 4:i32
  branch c ? body : done
body:
  x = read i32 A[i]
  y = add n, x
  write i32 B[i] = y
  j = add i, 1:i32
  jump loop(j)
done:
  return
"""


def test_equality_with_a_sequential_version_as_text_and_as_json(synth, kernels):
    other = kernels(LOOP, name="one.kernel")
    words = ("verify", kernels(SUMS), "--local-size", "4", "--num-groups", "1", "--equals", f"{other}:one")
    said = synth(*words)
    assert said.code == 0
    assert "sums: equal to one of" in said.out
    assert "Compared: B, for all that arrays hold at first, by normal forms." in said.out
    wrong = json.loads(synth("verify", kernels(SUMS.replace("add x", "sub x")), *words[2:], "--json").out)
    assert wrong["verdict"] == "different"
    assert wrong["difference"]["kernel"] != wrong["difference"]["sequential"]


@pytest.mark.full
def test_a_sequential_version_in_c_may_have_a_name_that_our_headers_use(synth, tmp_path):
    kernel, other = tmp_path / "tree.cl", tmp_path / "other.c"
    kernel.write_text(
        "kernel void tree(global const float *a, global float *out) {"
        " if (get_global_id(0) == 0) out[0] = a[1] + a[0]; }"
    )
    other.write_text("void sum(const float *restrict a, float *out) {\n  out[0] = a[0] + a[1];\n}\n")
    words = ("verify", kernel, "--local-size", "2", "--num-groups", "1", "--equals", f"{other}:sum")
    assert synth(*words).code == 0
    other.write_text(other.read_text().replace("+ a[1]", "+"))
    assert f"{other}:2:" in synth(*words).err


def test_an_order_that_matters_is_no_equality(synth, kernels):
    racing = SUMS.replace("  y = add", "  write i32 B[0:i32] = lid.0\n  y = add")
    other = kernels(LOOP, name="one.kernel")
    words = ("--local-size", "4", "--num-groups", "1", "--equals", f"{other}:one")
    said = synth("verify", kernels(racing), *words)
    assert said.code == 1
    assert "the order of threads may matter: without its assertions, the verdict on the kernel is race" in said.out


@pytest.mark.full
@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--equals", "one.kernel"), "--equals: found 'one.kernel', expected a file and a function"),
        (("--equals", "one.kernel:two"), "function: found 'two'"),
        (("--equals", "one.kernel:one"), "--equals runs all threads; expected fixed sizes"),
        (("--float", "bits"), "--float needs --equals or --assert"),
        (("--assert",), "--assert runs all threads; expected fixed sizes"),
    ],
)
def test_wrong_comparisons_are_refused(synth, kernels, words, message):
    kernels(LOOP, name="one.kernel")
    said = synth("verify", kernels(SUMS), *words)
    assert said.code == 2
    assert message in said.err


MOVED = """kernel moved
global A: i32
scalar d: i32
entry:
  i = add lid.0, d
  x = read i32 A[i]
  write i32 A[lid.0] = x
  return
"""


@pytest.mark.full
def test_what_a_kernel_assumes_can_be_pasted(synth, kernels):
    words = ("--local-size", "4", "--num-groups", "1", "--assume-least", "--json")
    answer = json.loads(synth("verify", kernels(MOVED), *words).out)
    assert answer["verdict"] == "found"
    (needed,) = answer["answers"][0]
    assert needed["without"]["d"] in {1, 2, 3}
    lines = "".join(f"  {line}\n" for line in needed["lines"])
    pasted = kernels(MOVED.replace("entry:\n", f"entry:\n{lines}"))
    assert synth("verify", pasted, *words[:4]).code == 0
    assert "verified without a precondition" in synth("verify", pasted, *words[:5]).out


def test_a_search_for_assumptions_of_equality_ends_after_some_tries(synth, kernels):
    """It adds n to each of its elements, and the sequential version to four."""
    other = kernels(LOOP, name="one.kernel")
    said = synth("verify", kernels(SUMS), "--num-groups", "1", "--equals", f"{other}:one", "--assume-least")
    assert said.code == 3
    assert "sums: unknown: no precondition was found, and after 60 conjunctions no more were tried" in said.out


def test_nothing_is_known_of_assumptions_if_no_comparison_is_decided(synth, kernels):
    """The order of the operations of one kind does not matter, but we do not know that."""
    kernels(LOOP, name="one.kernel")
    hard = SUMS.replace("  write i32 B[lid.0] = y", "  z = atomic i32 B[lid.0] umax y")
    said = synth("verify", kernels(hard), "--num-groups", "1", "--equals", "one.kernel:one", "--assume-least")
    assert said.code == 3
    assert "sums: unknown: no precondition was found, and the order of these atomic operations matters" in said.out
