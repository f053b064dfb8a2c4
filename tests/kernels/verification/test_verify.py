"""`synth verify`: verdicts, exit codes, counterexamples as people read them, and what is refused."""

import html
import json
import re
import time
from pathlib import Path

import pytest

import synth as synth_
from quick import mostly_full
from synth.cli import main

PAGE = (Path(__file__).parents[3] / "docs" / "understand" / "kernels.md").read_text("utf-8")

RACE = """kernel neighbours
local T: i32
entry:
  write i32 T[lid.0] = lid.0
  i = add lid.0, 1:i32
  x = read i32 T[i]
  return
"""
BARRIER = """kernel some
scalar n: i32
entry:
  c = ult lid.0, n
  branch c ? wait : done
wait:
  barrier group local
  jump done
done:
  return
"""
FINE = """kernel fine
global A: i32
entry:
  f = mul gid.0, lsize.0
  i = add f, lid.0
  write i32 A[i] = i
  return
"""
LOOP = """kernel loop
global A: i32
entry:
  jump next(0:i32)
next(i: i32):
  write i32 A[lid.0] = i
  j = add i, 1:i32
  c = ult j, 4:i32
  branch c ? next(j) : done
done:
  return
"""


def test_a_race_is_shown_with_both_threads_and_their_lines(synth, kernels):
    said = synth("verify", kernels(RACE), "--local-size", "2", "--num-groups", "1")
    assert said.code == 1
    lines = said.out.splitlines()
    assert lines[0] == "neighbours: race"
    assert "data race, element 1 of T; confirmed by a run" in lines[2]
    assert sorted(lines[3:7]) == sorted(
        [
            f"  {kernels(RACE)}:4: thread 1 of group 0 writes array T, value 1",
            "      write i32 T[lid.0] = lid.0",
            f"  {kernels(RACE)}:6: thread 0 of group 0 reads array T, value 1",
            "      x = read i32 T[i]",
        ]
    )
    assert lines[7:] == ["  with local size 2, groups 1", "  Rests on: an execution of the launch."]


#: Thread i writes element 65536 i, which is element 0 again for i = 65536.
WRAPS = """kernel wraps
global A: i32
entry:
  before = mul gid.0, lsize.0
  id = add before, lid.0
  at = mul id, 65536:i32
  write i32 A[at] = id
  return
"""


@pytest.mark.full
def test_a_fault_that_needs_large_numbers_says_that_an_index_may_wrap(synth, kernels):
    path = kernels(WRAPS)
    said = synth("verify", path, "--local-size", "1")
    assert said.code == 1
    assert "  the number of groups is large here, so an index may wrap around at 2^32.\n  If that never" in said.out
    page = synth("verify", path, "--local-size", "1", "--format", "markdown").out
    assert "the number of groups is large here, so an index may wrap around at 2^32. If that never" in page
    assert synth("verify", path, "--local-size", "1", "--num-groups", "65536").code == 0
    small = synth("verify", kernels(WRAPS.replace("65536", "0")), "--local-size", "1")
    assert small.code == 1
    assert "wrap around" not in small.out


def test_a_divergence_says_who_waits_and_who_does_not(synth, kernels):
    said = synth("verify", kernels(BARRIER))
    assert said.code == 1
    assert said.out.startswith("some: divergence\n")
    assert "waits at a barrier" in said.out
    assert "has ended" in said.out
    assert f"{kernels(BARRIER)}:5: here the two threads go different ways" in said.out


def test_a_proof_names_what_it_rests_on(synth, kernels):
    said = synth("verify", kernels(FINE))
    assert (said.code, said.out.splitlines()) == (
        0,
        [
            "fine: verified",
            "  Rests on: local size any, groups any; each thread ends; no access outside its array.",
        ],
    )


def test_a_fault_that_no_run_shows_says_so(synth, kernels):
    said = synth("verify", kernels(LOOP), "--local-size=4", "--num_groups=[1]", "--no-infer", "--loops=invariants")
    assert said.code == 1
    assert said.out.startswith("loop: race, not confirmed\n")
    assert "possible, but no run was found that shows it" in said.out
    assert f"  invented: earlier rounds of the loop ({kernels(LOOP)}:9)" in said.out
    assert said.out.endswith("  Rests on: a state that no execution has shown.\n")


def test_values_that_the_solver_chose_are_named(synth, kernels):
    body = "  x = read i32 B[lid.0]\n  c = ule x, lid.0\n  assert c\n"
    path = kernels(f"kernel far\nglobal A: i32\nglobal B: i32\nentry:\n  write i32 B[lid.0] = lid.0\n{body}  return\n")
    words = ("--local-size", "4", "--num-groups", "1", "--state", "adversarial")
    said = synth("verify", path, *words)
    answer = json.loads(synth("verify", path, *words, "--json").out)
    assert {fault["confirmed"] for fault in answer["counterexamples"]} == {False}
    assert all(choice["place"]["line"] == 6 for fault in answer["counterexamples"] for choice in fault["invented"])
    assert re.search(r"invented: thread \d of group 0 reads array B and gets \d+ \(.*k.kernel:6\)", said.out)


def test_the_branch_where_threads_part_is_in_the_json(synth, kernels):
    text = BARRIER.replace("  c = ult", "  e = ult n, 7:i32\n  branch e ? more : more\nmore:\n  c = ult")
    (answer,) = map(json.loads, synth("verify", kernels(text), "--json").out.splitlines())
    assert [fault["parting"]["line"] for fault in answer["counterexamples"]] == [8]


def test_a_proof_lists_its_assumptions(synth, kernels):
    text = FINE.replace("entry:\n", "entry:\n  c = ult gid.0, 9:i32\n  assume c\n")
    said = synth("verify", kernels(text), "--bounds", "--local-size", "4", "--num-groups", "2")
    rests_on = "  Rests on: local size 4, groups 2; each thread ends; what the kernel assumes."
    assert said.out.splitlines()[1:] == [rests_on]
    (answer,) = map(json.loads, synth("verify", kernels(text), "--json").out.splitlines())
    assert answer["rests_on"] == [
        "local size any, groups any",
        "each thread ends",
        "no access outside its array",
        "what the kernel assumes",
    ]


@pytest.mark.full
def test_the_worst_kernel_decides_the_exit_code(synth, kernels):
    path = kernels(FINE, RACE)
    assert synth("verify", path).code == 1
    assert synth("verify", path, "--kernel", "fine").code == 0
    said = synth("verify", path, "--time-limit", "0.001s")
    assert (said.code, said.out.splitlines()[0]) == (75, "fine: stopped: time limit")
    never = FINE.replace("fine", "never").replace("entry:\n", "entry:\n  c = ult gid.0, 0:i32\n  assume c\n")
    assert synth("verify", kernels(never, RACE)).code == 1
    said = synth("verify", kernels(FINE, never))
    assert said.code == 2
    assert "never: contradiction: no launch satisfies what the kernel assumes\n" in said.out


@pytest.mark.full
def test_the_time_limit_counts_from_the_start_of_the_process(kernels, capsys):
    with pytest.raises(SystemExit) as stop:
        main(["verify", str(kernels(FINE)), "--time-limit", "60s"], begun=time.monotonic() - 60)
    assert stop.value.code == 75
    assert "stopped: time limit" in capsys.readouterr().out


@pytest.mark.full
def test_writes_of_one_value_are_named_where_a_proof_takes_them_for_granted(synth, kernels):
    text = "kernel same\nglobal A: i32\nentry:\n  write i32 A[gid.0] = 1:i32\n  return\n"
    granted = "writes of one value to one place are no race (line 4)"
    path = kernels(text)
    said = synth("verify", path)
    assert said.out.endswith(f"; {granted}.\n")
    assert json.loads(synth("verify", path, "--json").out)["rests_on"][-1] == granted
    assert granted in synth("verify", path, "--format", "markdown").out
    assert synth("verify", path, "--encoding", "seed").out == said.out
    assert synth("verify", path, "--no-benign").code == 1
    assert "writes of one value" not in synth("verify", kernels(FINE)).out


@pytest.mark.full
@pytest.mark.parametrize("encoding", ["watched", "seed"])
def test_rounds_of_a_loop_that_write_one_value_do_not_race(synth, kernels, encoding):
    text = LOOP.replace("A[lid.0] = i", "A[0:i32] = 1:i32")
    other = "  write i32 A[1:i32] = 1:i32\n"
    words = ("--no-infer", "--loops", "invariants", "--encoding", encoding)
    assert synth("verify", kernels(text.replace("done:\n", f"done:\n{other}")), *words).code == 0
    assert synth("verify", kernels(text), *words, "--no-benign").code == 1
    assert synth("verify", kernels(text.replace("done:\n", f"done:\n{other[:-6]}2:i32\n")), *words).code == 1
    bytes_of_one = text.replace("global A: i32", "global A: i8")
    assert synth("verify", kernels(bytes_of_one), *words).code == 1
    # a pending write may begin at another byte, as far as no invariant says where it is
    assert synth("verify", kernels(bytes_of_one.replace("= 1:i32", "= 0:i32")), *words).code == 1
    assert synth("verify", kernels(bytes_of_one)).code == 0


def test_a_required_size_with_unused_dimensions_counts_as_one_dimension(synth, kernels):
    said = synth("verify", kernels(FINE.replace("global", "size 64, 1, 1\nglobal")))
    assert "Rests on: local size 64, groups any; " in said.out


def test_a_race_of_two_lines_is_shown_once(synth, kernels):
    text = "kernel k\nglobal A: i32\nscalar n: i32\nentry:\n  x = read i32 A[0:i32]\n  write i32 A[0:i32] = lid.0\n"
    said = synth("verify", kernels(text + "  return\n"), "--local-size", "2", "--num-groups", "1")
    faults = [
        json.dumps(fault)
        for fault in json.loads(synth("verify", kernels(text + "  return\n"), "--json").out)["counterexamples"]
    ]
    assert len(faults) == len(set(faults))
    assert said.code == 1


def test_an_invariant_that_does_not_hold_is_reported_once(synth, kernels):
    text = LOOP.replace("  write", "  t = eq i, {}:i32\n  invariant t\n  write")
    for wrong in (0, 1):
        said = synth("verify", kernels(text.format(wrong)), "--local-size", "4", "--num-groups", "1")
        assert [line for line in said.out.splitlines() if "invariant that" in line] == [
            "  invariant that does not hold; confirmed by a run"
        ]


@pytest.mark.full
def test_contents_of_arrays_are_followed_as_asked(synth, kernels):
    text = "kernel same\nglobal A: i32\nglobal B: i32\nentry:\n  x = read i32 B[0:i32]\n  i = add x, lid.0\n"
    path = kernels(text + "  write i32 A[i] = lid.0\n  return\n")
    launch = ("--local-size", "8", "--num-groups", "1")
    codes = {
        options: synth("verify", path, *launch, *options).code
        for options in [
            (), ("--state", "auto"), ("--state", "equality"), ("--equality-abstraction",), ("--state", "adversarial"),
            ("--adversarial-abstraction",), ("--state", "equality", "--adversarial-abstraction"), ("--state", "equal"),
        ]
    }  # fmt: skip
    assert list(codes.values()) == [0, 0, 0, 0, 1, 1, 2, 2]


@pytest.mark.parametrize("option", [("--encoding", "seed"), ("--solver", "bitwuzla"), ("--solver", "cvc5")])
def test_each_encoding_and_each_solver_find_the_race(synth, kernels, option):
    said = synth("verify", kernels(RACE, FINE), "--local-size", "8", "--num-groups", "1", *option)
    assert said.code == 1
    assert "neighbours: race\n" in said.out
    assert "confirmed by a run" in said.out
    assert "fine: verified" in said.out


@pytest.mark.parametrize("option", [("--encoding", "sed"), ("--solver", "bitwuzzla")])
def test_an_unknown_encoding_or_solver_is_refused(synth, kernels, option):
    said = synth("verify", kernels(FINE), *option)
    assert (said.code, "did you mean" in said.err) == (2, True)


def test_writes_of_the_same_value_count_if_asked_to(synth, kernels):
    path = kernels("kernel same\nglobal A: i32\nentry:\n  write i32 A[0:i32] = 1:i32\n  return\n")
    assert synth("verify", path).code == 0
    assert synth("verify", path, "--no-benign-tolerance").code == 1


def test_an_access_outside_its_array_is_found_if_asked_for(synth, kernels):
    path = kernels("kernel far\nlocal T: i32[4]\nentry:\n  x = read i32 T[lid.0]\n  return\n")
    assert synth("verify", path, "--local_size", "8").code == 0
    said = synth("verify", path, "--blockDim", "8", "--check-array-bounds")
    assert (said.code, "access outside an array" in said.out) == (1, True)


def test_as_json_a_kernel_has_its_places_and_numbers(synth, kernels):
    said = synth("verify", kernels(RACE), "--json", "--local-size", "2,1", "--num-groups", "1")
    (answer,) = map(json.loads, said.out.splitlines())
    assert (answer["kernel"], answer["verdict"], answer["local_size"]) == ("neighbours", "race", [2, 1])
    (fault,) = answer["counterexamples"]
    assert (fault["kind"], fault["confirmed"], fault["array"], fault["element"]) == ("race", True, "T", 1)
    assert {step["line"] for step in fault["steps"]} == {4, 6}


def test_a_race_has_what_was_written(synth, kernels):
    text = "kernel k\nlocal T: i32\nscalar n: i32\nentry:\n  x = {}\n  write i32 T[3:i32] = x\n  return\n"
    for value, run, wanted in (
        ("sub lid.0, 7:i32", True, {-7, -6}),
        ("any i32", False, None),
    ):
        said = synth("verify", kernels(text.format(value)), "--json", "--local-size", "2", "--num-groups", "1")
        (fault,) = json.loads(said.out)["counterexamples"]
        values = {step["value"] for step in fault["steps"]}
        assert len(values) == 2
        assert values == wanted or not run


@mostly_full("form", ["html", "markdown"])
def test_the_answer_may_be_a_document(synth, kernels, tmp_path, form):
    path, out = kernels(RACE, BARRIER, FINE, LOOP), tmp_path / "answer"
    words = (
        "verify",
        path,
        "--local-size",
        "2",
        "--num-groups",
        "1",
        "--no-infer",
        "--loops=invariants",
        "--format",
        form,
    )
    said = synth(*words, "--out", out)
    assert (said.code, said.out) == (1, "")
    written = html.unescape(re.sub(r"<[^>]+>", " ", out.read_text("utf-8"))).replace("\\", "")
    for words_ in (
        "neighbours: race",
        "data race, element 1 of T",
        "This fault is confirmed by a run.",
        f"{path}:4: thread 1 of group 0 writes array T, value 1",
        "write i32 T[lid.0] = lid.0",
        "This happens with local size 2, groups 1.",
        "some: divergence",
        "here the two threads go different ways",
        "fine: verified",
        "Rests on: local size 2, groups 1; each thread ends; no access outside its array.",
        "loop: race, not confirmed",
        "The solver chose these values and states, and no run may reach them:",
        "earlier rounds of the loop",
    ):
        assert words_ in written, words_
    assert synth(*words, "--out", out).code == 2
    assert synth(*words, "--out", out, "--force").code == 1


def test_a_document_has_the_candidates_if_asked_to(synth, kernels):
    words = ("verify", kernels(LOOP), "--local-size", "4", "--num-groups", "1", "--show-candidates")
    said = synth(*words)
    lines = [line.strip() for line in said.out.splitlines() if "candidates, " in line]
    document = synth(*words, "--format", "html").out
    assert lines
    assert all(html.escape(line) in document for line in lines)


def test_a_document_in_html_escapes_what_comes_from_the_source(synth, tmp_path):
    path = tmp_path / "<img src=x>.kernel"
    path.write_text(RACE.replace("# ", "") + "# <script>\n", "utf-8")
    said = synth("verify", path, "--local-size", "2", "--num-groups", "1", "--format", "html")
    assert re.findall(r"<(?:script|img)", said.out) == []
    assert "&lt;img src=x&gt;.kernel:4: thread 1" in said.out
    assert "default-src 'none'" in html.unescape(said.out)


def test_the_text_of_an_answer_may_go_to_a_file(synth, kernels, tmp_path):
    printed = synth("verify", kernels(FINE)).out
    assert (synth("verify", kernels(FINE), "--out", tmp_path / "f").out, (tmp_path / "f").read_text()) == ("", printed)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--format", "htm"), "format: found 'htm' (did you mean html?)"),
        (("--format", "html", "--json"), "--json prints JSON; leave it out to have another format"),
        (("--force",), "--force needs --out"),
    ],
    ids=str,
)
def test_a_wrong_format_is_refused(synth, kernels, words, message):
    said = synth("verify", kernels(FINE), *words)
    assert (said.code, said.out, message in said.err) == (2, "", True)


def test_a_notebook_shows_the_answer(kernels):
    race, fine = synth_.verify(kernels(RACE, FINE), synth_.Launch((2,), (1,)))
    assert "<h4>neighbours: race</h4>" in race._repr_html_()
    assert "writes array T, value 1" in race._repr_html_()
    assert "Rests on: local size 2" in fine._repr_html_()


@pytest.mark.full
@mostly_full(
    ("words", "message"),
    [
        (("--local-size", "x"), "local size: found 'x', expected numbers or * with commas between them"),
        (("--local-size", "0"), "local size: found 0, expected 1 to 2147483647"),
        (("--local-size", "1,1,1,1"), "dimensions of the local size: found 4, expected 1 to 3"),
        (("--global-size", "8"), "global size: expected a local size, too"),
        (
            ("--global-size", "9", "--local-size", "2"),
            "found 9 in dimension 0, expected a multiple of the local size 2",
        ),
        (
            ("--global-size", "8", "--num-groups", "2", "--local-size", "4"),
            "found a global size and a number of groups, expected one of them",
        ),
        (("--kernel", "fin"), "kernel: found 'fin' (did you mean fine?), expected one of fine"),
    ],
    ids=str,
    quick=2,
)
def test_a_launch_with_wrong_sizes_is_refused(synth, kernels, words, message):
    said = synth("verify", kernels(FINE), *words)
    assert (said.code, said.out) == (2, "")
    assert message in said.err


def test_a_global_size_gives_the_number_of_groups(synth, kernels):
    said = synth("verify", kernels(FINE), "--global-size", "8,*", "--local-size", "4,2")
    assert "Rests on: local size 4 x 2, groups 2 x any; " in said.out


def test_a_required_local_size_is_kept(synth, kernels):
    path = kernels(FINE.replace("global A", "size 8, 2\nglobal A"))
    assert "Rests on: local size 8 x 2, groups any x any; " in synth("verify", path).out
    said = synth("verify", path, "--local-size", "4")
    assert (said.code, "found 4, expected 8,2, which the kernel requires" in said.err) == (2, True)


FAR = """kernel far
global A: i32
scalar n: i32
entry:
  jump next(0:i32)
next(i: i32):
  c = ult i, n
  branch c ? body : done
body:
  late = eq i, 2:i32
  branch late ? write : more
write:
  write i32 A[0:i32] = lid.0
  jump more
more:
  j = add i, 1:i32
  jump next(j)
done:
  return
"""


@mostly_full(
    ("words", "verdict", "code"),
    [
        (("--unroll", "1"), "no bug found", 0),
        (("--findbugs",), "race", 1),
        (("--findbugs", "--loop-unwind=1"), "no bug found", 0),
        (("--loop-unwind", "2"), "race", 1),
        (("--unroll", "2", "--only-divergence"), "no bug found", 0),
        (("--unroll", "2", "--args", "far,2"), "verified", 0),
        (("--unroll", "2", "--kernel-args=[far,3]"), "race", 1),
        (("--unroll", "2", "--args", "far,*"), "race", 1),
        (("--unroll", "64"), "race", 1),
    ],
    ids=str,
    quick=3,
)
def test_unrolled_loops_have_no_fault_up_to_a_number_of_rounds(synth, kernels, words, verdict, code):
    said = synth("verify", kernels(FAR), "--local-size", "4", "--num-groups", "1", *words)
    assert (said.code, said.out.splitlines()[0]) == (code, f"far: {verdict}")


def test_a_kernel_that_is_too_large_when_it_is_unrolled_is_unknown(synth, kernels):
    text = (
        "kernel deep\nscalar n: i32\nentry:\n  t = eq n, 0:i32\n  jump a\na:\n  jump b\nb:\n  jump c\nc:\n  jump d\n"
        "d:\n  branch t ? d : ce\nce:\n  branch t ? c : be\nbe:\n  branch t ? b : ae\nae:\n  branch t ? a : done\n"
        "done:\n  return\n"
    )
    said = synth("verify", kernels(text), "--unroll", "9")
    assert said.code == 3
    assert "deep: unknown: unrolled, the kernel has 12,222 blocks, more than 2,000" in said.out


def test_races_between_groups_may_be_left_out(synth, kernels):
    text = "kernel k\nglobal A: i32\nentry:\n  write i32 A[lid.0] = gid.0\n  return\n"
    path = kernels(text)
    assert synth("verify", path).code == 1
    assert synth("verify", path, "--only-intra-group").code == 0
    path = kernels(text.replace("A[lid.0] = gid.0", "A[0:i32] = lid.0"))
    said = synth("verify", path, "--only", "intra-group", "--num-groups", "2", "--local-size", "2")
    groups = set(re.findall(r"of group (\d+) writes", said.out))
    assert (said.code, len(groups)) == (1, 1)


@pytest.mark.full
@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("int i = get_local_id(0); for (int j = 0; j < 2; j++) { if (j == 0 || n == 1 << 29) a[i] = 1; i += n; }", 1),
        ("if (m > 1L << 37) a[m + get_local_id(0)] = 1;", 1),
        ("if (0 <= m && m < 10) a[m + get_local_id(0)] = 1;", 0),
    ],
    ids=["a stride", "a wide index", "a small index"],
)
def test_no_index_is_taken_to_be_inside_if_bounds_are_checked(synth, tmp_path, text, code):
    (tmp_path / "k.cl").write_text(f"__kernel void k(__global int *a, int n, long m) {{ {text} }}\n")
    words = ("--local-size", "4", "--num-groups", "1", "--bounds", "--arrays", "k,64")
    said = synth("verify", tmp_path / "k.cl", *words)
    assert (said.code, "access outside an array" in said.out) == (code, code == 1)


def test_assertions_are_checked_if_only_divergence_is_asked_for(synth, kernels):
    path = kernels("kernel k\nentry:\n  c = ult lid.0, 2:i32\n  assert c\n  return\n")
    said = synth("verify", path, "--only", "divergence", "--local-size", "4")
    assert (said.code, "k: assertion" in said.out) == (1, True)


def test_the_sizes_of_arrays_may_be_given(synth, kernels):
    path = kernels("kernel k\nglobal A: i32\nentry:\n  x = read i32 A[lid.0]\n  return\n")
    for size, code in (("16", 0), ("15", 1), ("*", 0)):
        words = ("--local-size", "4", "--bounds", "--arrays", f"k,{size}")
        assert synth("verify", path, *words).code == code


@mostly_full(
    ("words", "verdict"),
    [
        ((), "invariant"),
        (("--no-annotations",), "verified"),
        (("--only-requires",), "verified"),
        (("--invariants-as-candidates",), "verified"),
        (("--invariants-as-candidates", "--no-infer"), "verified"),
    ],
    ids=str,
    quick=2,
)
def test_claims_may_be_left_out(synth, kernels, words, verdict):
    text = "kernel k\nscalar n: i32\nentry:\n  jump a\na:\n  t = eq n, 0:i32\n  invariant t\n  branch t ? a : done\n"
    said = synth("verify", kernels(text + "done:\n  return\n"), "--local-size", "4", *words)
    assert said.out.startswith(f"k: {verdict}")


@pytest.mark.full
def test_candidates_are_shown_and_chosen_by_rules(synth, kernels):
    path = kernels(LOOP)
    words = ("verify", path, "--local-size", "4", "--num-groups", "1")
    said = synth(*words, "--show-candidates")
    assert (said.code, said.out.splitlines()[0]) == (0, "loop: verified")
    assert f"  loop at {path}:" in said.out
    assert "    invariant inv0." in said.out
    assert "    refuted in round 1: " in said.out
    candidates = json.loads(synth(*words, "--json", "--show-candidates").out)["candidates"]
    assert {candidate["outcome"] for candidate in candidates} == {"kept", "refuted"}
    only = json.loads(synth(*words, "--json", "--show-candidates", "--rules", "r9,r10", "--omit", "r10").out)
    assert {candidate["rule"] for candidate in only["candidates"]} == {"r9"}
    assert json.loads(synth(*words, "--json").out)["candidates"] == []


def test_engines_are_chosen_and_named(synth, kernels):
    own = LOOP.replace("next(i: i32):\n", "next(i: i32):\n  no = eq i, 77:i32\n  candidate no\n")
    words = ("verify", kernels(own), "--local-size", "4", "--num-groups", "1", "--show-candidates")
    said = synth(*words, "--engine", "DYN;H").out
    assert "refuted by DYN in round 1: 1 of your own" in said
    (candidate_without_rule,) = [
        candidate for candidate in json.loads(synth(*words, "--json").out)["candidates"] if not candidate["rule"]
    ]
    assert (candidate_without_rule["outcome"], candidate_without_rule["engine"], candidate_without_rule["lines"]) == (
        "refuted",
        "H",
        ["candidate no"],
    )
    assert "engine: found 'R;H', expected H, engines before it" in synth(*words, "--engine", "R;H").err


def test_a_rule_that_is_not_there_is_refused(synth, kernels):
    said = synth("verify", kernels(LOOP), "--omit", "r99")
    assert said.code == 2
    assert "rule" in said.err
    assert "r99" in said.err


@pytest.mark.full
def test_from_python_a_file_has_a_result_for_each_kernel(kernels):
    path = kernels(RACE, FINE)
    race, fine = synth_.verify(path, synth_.Launch((4,), (1,)))
    assert (race.name, race.verdict, race.complete, fine.verdict) == ("neighbours", "race", True, "verified")
    assert [(fault.array, fault.is_confirmed) for fault in race.counterexamples] == [("T", True)]
    assert repr(fine) == "<Verified: fine in k.kernel, verified>"
    (late,) = synth_.verify(str(path), kernel="fine", time_limit=0.0)
    assert (late.verdict, late.complete) == ("stopped", False)


def test_from_python_scalars_are_given_by_name(kernels):
    path = kernels(FAR)
    verdicts = [
        synth_.verify(path, synth_.Launch((4,), (1,), scalars=(("n", number),)), unroll=2)[0].verdict
        for number in (2, 3)
    ]
    assert verdicts == ["verified", "race"]


@mostly_full(
    ("more", "message"),
    [
        ({"launch": (64,)}, "launch: found (64,), which is of type tuple, expected a Launch"),
        ({"state": "equalit"}, "state: found 'equalit' (did you mean equality?)"),
        ({"only": "races"}, "only: found 'races'"),
        ({"unroll": -1}, "unroll: found -1, expected"),
        ({"kernel": "fin"}, "kernel: found 'fin' (did you mean fine?)"),
        ({"launch": synth_.Launch(scalars=(("m", 1),))}, "scalar of fine: found 'm'"),
    ],
    ids=str,
)
def test_from_python_wrong_arguments_are_refused(kernels, more, message):
    with pytest.raises(synth_.InputError, match=re.escape(message)):
        synth_.verify(kernels(FINE), **more)


def test_flags_of_gpuverify_that_change_no_verdict_are_ignored_with_a_warning(synth, kernels):
    said = synth("verify", "--verbose", "--infer-config-file=z", kernels(FINE), "--scheduling", "default", "--time")
    assert said.code == 0
    assert said.err.splitlines() == [
        f"{flag} is ignored: it can't change a verdict"
        for flag in ("--verbose", "--infer-config-file", "--scheduling", "--time")
    ]


@mostly_full(
    ("words", "message"),
    [
        (("--math-int",), "found --math-int, which synth does not have yet; leave it out: numbers are bit-vectors"),
        (("--warp", "32", "--intervals"), "--warp belongs to the verification of kernels"),
        (("--no-inline",), "found --modular beside a file of typed programs, where it has no effect"),
        (("--only", "divergenc"), "only: found 'divergenc' (did you mean divergence?), expected one of"),
        (("--unroll", "2", "--loops", "normalisation"), "found --loops beside --unroll, where it has no effect"),
        (("--unroll", "2", "--k-induction-depth", "1"), "found --k-induction-depth beside --unroll"),
        (("--loops", "over-approximation", "--rules", "r1"), "found --rules beside --loops without invariants"),
        (("--no-annotations", "--only-requires"), "found --only-requires beside --no-annotations"),
        (("--only-divergence", "--check-array-bounds"), "found --array-bounds beside --only divergence"),
        (("--measure", "--engine", "portfolio"), "found --engine beside --measure"),
        (("--from-launch", "k.launches", "--global-offset", "1"), "found --global-offset beside --from-launch"),
        (("-DN=4",), "found --define beside a file of typed programs"),
        (("--unroll", "0"), "should be greater than or equal to 1"),
        (("--args", "fine,1"), "scalars of fine: found 1 numbers, expected 0"),
        (("--arrays", "fin,1"), "kernel: found 'fin' (did you mean fine?)"),
        (("--args", "fine"), "--args fine: found '', expected numbers or * with commas between them"),
        (("--verbos",), "No such option: --verbos"),
    ],
    ids=str,
    quick=8,
)
def test_a_flag_that_is_not_there_is_refused_by_name(synth, kernels, words, message):
    said = synth("verify", kernels(FINE), *words)
    assert (said.code, said.out) == (2, "")
    assert message in said.err


@pytest.mark.parametrize(
    ("words", "other"),
    [
        (("--no-inline", "--unroll", "2"), "--unroll"),
        (("--modular", "--bounds"), "--array-bounds"),
        (("--modular", "--banks", "4"), "a question such as --banks"),
    ],
    ids=str,
)
def test_options_that_do_not_go_with_modular_are_refused(synth, tmp_path, words, other):
    (tmp_path / "k.cl").write_text("__kernel void k(void) {}\n")
    said = synth("verify", tmp_path / "k.cl", *words)
    message = f"synth: found --modular and {other}, expected one of them; without --modular, functions are inlined\n"
    assert (said.code, said.out, said.err) == (2, "", message)


@pytest.mark.full
@mostly_full(
    ("text", "message"),
    [
        (b"", "line 1: found the end of the text, expected kernel and its name"),
        (b"# \n\nhello", "line 3: found 'hello', expected kernel and its name"),
        (b"kernel\xff", "byte 7 is not UTF-8, expected a text with kernels"),
    ],
)
def test_a_file_without_kernels_is_refused(synth, tmp_path, text, message):
    (tmp_path / "k.kernel").write_bytes(text)
    assert synth("verify", tmp_path / "k.kernel") == (2, "", f"synth: {tmp_path}/k.kernel: {message}\n")


def test_a_byte_order_mark_before_a_kernel_is_ignored(synth, tmp_path):
    (tmp_path / "k.kernel").write_text(FINE, "utf-8-sig")
    assert synth("verify", tmp_path / "k.kernel").code == 0


def test_a_path_that_the_system_refuses_is_refused_in_one_line(synth, kernels):
    path = kernels(FINE)
    said = synth("verify", path, "--cache", path)
    assert (said.code, said.err) == (2, f"synth: {path}: File exists, expected a folder for answers\n")
    said = synth("verify", "x" * 5000)
    assert (said.code, said.err) == (2, f"synth: {'x' * 200}…: File name too long; give another path\n")


@pytest.mark.full
def test_a_kernel_in_opencl_c_is_shown_with_its_expressions(synth, tmp_path):
    (tmp_path / "k.cl").write_text(
        "__kernel void k(__global int *a, int n) {\n"
        "\tint i = get_global_id(0);\n"
        "\ta[i] = a[i] + a[i + n];\n"
        "}\n"
        "__kernel void later(__local int *l, __global int *g) {\n"
        "  sub_group_barrier(CLK_LOCAL_MEM_FENCE);\n"
        "}\n"
    )
    said = synth("verify", "k.cl")
    assert said.code == 1
    lines = said.out.splitlines()
    assert any(line.startswith("  k.cl:3: thread") and " writes a[i], value " in line for line in lines)
    assert any(" reads a[i + n], value " in line for line in lines)
    assert "      a[i] = a[i] + a[i + n];" in lines
    assert "                    ^" in lines
    assert lines[-1] == "later: unknown: k.cl:6:3: not supported: a barrier of a sub-group"


@pytest.mark.full
def test_the_value_of_an_access_is_the_number_that_the_source_has(synth, tmp_path):
    (tmp_path / "k.cl").write_text(
        "__kernel void k(__global float *a, __global float4 *b, __global int2 *c, __global char *d) {\n"
        "  int i = get_local_id(0);\n  a[0] = i;\n  b[0].y = i;\n  c[0] = i;\n  d[0] = -1 - i;\n}\n"
    )
    said = synth("verify", "k.cl", "--local-size", "2", "--num-groups", "1", "--json")
    values = {
        fault["array"]: {step["value"] for step in fault["steps"]} for fault in json.loads(said.out)["counterexamples"]
    }
    assert values == {"a": {0.0, 1.0}, "b": {0.0, 1.0}, "c": {None}, "d": {-1, -2}}


def masked(text):
    """Return the lines of an answer, without the numbers that a solver may choose otherwise."""
    return {
        re.sub(r"(thread|element|=|value) -?[\d.e+-]+", r"\1 N", line.strip())
        for line in text.splitlines()
        if line.strip(" ^")
    }


#: The examples of the page in C: the source, the words of the command, and the answer.
IN_C = re.findall(r"```c\n([^`]*)```\n\n    synth (.*?)\n.*?```\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.full
@pytest.mark.parametrize(("source", "words", "answer"), IN_C, ids=[words.split()[1] for _, words, _ in IN_C])
def test_an_example_of_the_page_in_c_has_the_answer_that_the_page_shows(synth, tmp_path, source, words, answer):
    (tmp_path / words.split()[1]).write_text(source)
    assert masked(synth(*words.split()).out) == masked(answer)


#: The source of each faulty kernel in OpenCL C, its name, and what the page says that the answer has.
FAULTY = re.findall(r"^```c\n(__kernel void (\w+)\([^`]*)^```\n\n^```\n(\2: [^`]*)^```$", PAGE, re.MULTILINE)


@pytest.mark.full
@pytest.mark.parametrize(("source", "name", "answer"), FAULTY, ids=[name for _, name, _ in FAULTY])
def test_the_faults_of_the_page_have_the_counterexamples_that_the_page_shows(synth, tmp_path, source, name, answer):
    (tmp_path / f"{name}.cl").write_text(source, "utf-8")
    done = synth("verify", f"{name}.cl", "--local-size", "4", "--num-groups", "1")
    assert done.code == int("confirmed by a run" in answer)
    assert masked(answer) <= masked(done.out)


@pytest.mark.full
def test_a_fault_of_the_page_vanishes_where_waits_are_fences(synth, tmp_path):
    words, answer = re.search(
        r"^    synth (verify tile\.cl .*--waits-fence)\n\n```\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL
    ).groups()
    (tmp_path / "tile.cl").write_text(FAULTY[0][0], "utf-8")
    assert synth(*words.split()).out == answer


def test_all_faults_of_the_page_are_tested():
    assert [name for _, name, _ in FAULTY] == [
        "tile",
        "tile",
        "shifted",
        "neighbours",
        "fenced",
        "twice",
        "scan",
    ]


@pytest.mark.full
def test_template_kernels_are_chosen_by_their_names(synth, tmp_path):
    (tmp_path / "k.cu").write_text(
        "template <class T, int N> __global__ void scale(T *a) { a[N * threadIdx.y + threadIdx.x] *= 2; }\n"
        "__global__ void other(int *a) { a[threadIdx.x + 1] = a[threadIdx.x]; }\n"
    )
    words = ("verify", "k.cu", "--blockDim=[8,2]", "--gridDim=1", "--instantiate", "scale<int, 8>")
    both = synth(*words, "--instantiate", "scale<int, 7>", "--kernel", "scale", "--json")
    assert both.code == 1
    verdicts = {answer["kernel"]: answer["verdict"] for answer in map(json.loads, both.out.splitlines())}
    assert verdicts == {"scale<int, 8>": "verified", "scale<int, 7>": "race"}
    assert synth(*words[:4], "--kernel", "scale").code == 3
    assert "'scales' (did you mean scale?)" in synth(*words[:4], "--kernel", "scales").err


def test_an_element_before_an_array_is_negative(synth, kernels):
    path = kernels(FINE.replace("A[i] = i", "A[-1:i32] = i"))
    assert "element -1 of A" in synth("verify", path, "--local-size", "4", "--num-groups", "1").out


@pytest.mark.full
@pytest.mark.parametrize(("line", "is_refused"), [("#define N 64", True), ("#ifndef N\n#define N 64\n#endif", False)])
def test_a_macro_that_the_file_defines_anew_is_refused(synth, kernels, line, is_refused):
    """Or the answer would rest on a value that the kernel does not have."""
    path = kernels(line, "__kernel void k(__global int *a) { a[get_global_id(0)] = N; }", name="k.cl")
    said = synth("verify", path, "-D", "N=2", "--local-size", "64")
    assert said.code == (2 if is_refused else 0)
    assert ("-D N=2 does not hold, because the file defines N as 64" in said.err) is is_refused
    assert ("N=2 defined" in said.out) is not is_refused
