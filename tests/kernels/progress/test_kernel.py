"""`synth kernel`: what a kernel needs, exit codes, hangs as people read them, and what is refused."""

import json
import re
from pathlib import Path

import pytest

from quick import mostly_full
from synth_checker.models import models_named
from synth_checker.models.model_text import read_word
from synth_checker.verdicts import judge
from synth_corpus.selection import Selection
from synth_corpus.shipped import BOUNDS
from synth_corpus.store import Corpus
from synth_kernels.needs.device_results import best_of

ROOT = Path(__file__).parents[3]
#: Group 0 waits for what group 1 writes.
WAITS = """kernel waits
global flag: i32
entry:
  first = eq gid.0, 0:i32
  branch first ? spin : tell
spin:
  x = volatile read i32 flag[0:i32]
  again = eq x, 0:i32
  branch again ? spin : done
tell:
  volatile write i32 flag[0:i32] = 1:i32
  jump done
done:
  return
"""
STUCK = """kernel stuck
entry:
  c = eq lid.0, 0:i32
  branch c ? wait : done
wait:
  barrier group local
  jump done
done:
  return
"""


@pytest.fixture
def kernel(kernels, tmp_path, monkeypatch):
    """A function that writes a kernel into the file k.kernel of the present folder, and returns its name."""
    monkeypatch.chdir(tmp_path)
    return lambda text: kernels(text).name


#: Each thread reads what the other one has left for it, by plain accesses between barriers.
EXCHANGE = """kernel exchange
local T: i32[2]
global out: i32[4]
entry:
  write i32 T[lid.0] = gid.0
  barrier group local
  other = xor lid.0, 1:i32
  x = read i32 T[other]
  old = atomic i32 out[0:i32] add x
  return
"""


def test_without_the_reduction_there_are_more_states_and_the_same_verdicts(synth, kernel):
    command = (
        "kernel",
        "check",
        kernel(EXCHANGE),
        "--arg",
        "out=0:4",
        "--local-size",
        "2",
        "--workgroups",
        "2",
        "--json",
    )
    reduced, whole = (json.loads(synth(*command, *option).out) for option in ((), ("--no-reduction",)))
    assert reduced["launches"][0]["passes"] == whole["launches"][0]["passes"]
    assert reduced["launches"][0]["states"] * 3 < whole["launches"][0]["states"]


def test_need_names_the_least_verdict_and_shows_why_less_is_not_enough(synth, kernel):
    said = synth("kernel", "need", kernel(WAITS), "--arg", "flag=0:1", "--workgroups", "2")
    taken = "volatile accesses to flag taken as atomic"
    assert said.code == 0
    assert said.out.splitlines() == [
        "waits needs fair.weak",
        "",
        "LOBE.strong is not enough: with 2 workgroups it may hang.",
        "  group 0, thread 0  line 7  reads flag[0], which is 0",
        "again and again:",
        "  group 0, thread 0  line 7  reads flag[0], which is 0",
        "",
        "280 minimal litmus tests have the same verdicts: 00_0-0011, 001101_1-0000, 0011-01_0-0000 and 277 more.",
        "To look at the first: synth check 00_0-0011",
        "",
        f"Rests on: 2 workgroups of local size 1; flag=0:1; sequentially consistent memory; {taken}.",
    ]


def test_the_litmus_tests_of_a_kernel_are_the_minimal_ones_with_its_verdicts(synth, kernel):
    call = ("kernel", "need", kernel(WAITS), "--arg", "flag=0:1", "--workgroups", "2")
    said = json.loads(synth(*call, "--emit", "suite", "--json").out)
    letters = "".join("p" if ok else "f" for ok in said["launches"][0]["passes"].values())
    corpora = [Corpus(f"@minimal/{bound}") for bound in BOUNDS["minimal"]]
    ids = [fields.id for corpus in corpora for _, fields in Selection(signature=letters).of(corpus)]
    assert sorted(said["tests"]) == sorted(ids)
    assert said["tests"][0] == "00_0-0011"
    assert [record.id for record in Corpus("suite")] == sorted(ids)
    assert "280 tests" in synth("campaign", "plan", "--device", "sim:strided", "suite").out
    assert synth(*call, "--emit", "other").out.endswith(
        "\n\nThe tests are in other. To run them: synth campaign run --device DEVICE other\n"
    )
    again = synth(*call, "--emit", "suite")
    assert again.code == 2
    assert "suite" in again.err


def test_a_model_of_the_user_is_part_of_the_signature(synth, kernel):
    call = ("kernel", "need", kernel(WAITS), "--arg", "flag=0:1", "--workgroups", "2", "--json")
    ids = json.loads(synth(*call, "--model", "mine = highest(live)", "--model", "OBE").out)["tests"]
    models = read_word("mine = highest(live)"), *models_named(["OBE"])
    assert "00_0-0011" in ids
    assert set(judge(ids, models)) == {0b0011}


def test_a_kernel_that_may_hang_under_every_model_has_no_litmus_test(synth, kernel):
    said = synth("kernel", "need", kernel(STUCK), "--local-size", "2", "--workgroups", "1", "--emit", "suite")
    assert said.code == 2
    assert "litmus" not in said.out
    why = "no minimal litmus test that ships is known to have the verdicts of stuck"
    assert said.err == f"synth: suite: found nothing to write, because {why}\n"
    assert not Path("suite").exists()


@pytest.mark.full
@mostly_full(
    ("device", "code", "words"),
    [
        ("sim:lockstep", 0, "sim:lockstep is consistent with what waits needs:"),
        ("sim:strided", 1, "sim:strided violates what waits needs:"),
    ],
)
def test_a_campaign_says_whether_a_device_gives_what_a_kernel_needs(synth, kernel, device, code, words):
    run = ("campaign", "run", "--device", device, "--mapping", "chunked", "--instances", "50", "--launches", "3")
    assert synth(*run, "00_0-0011", "--out", "c").code == 0
    call = ("kernel", "need", kernel(WAITS), "--arg", "flag=0:1", "--workgroups", "2", "--results", "c")
    said = synth(*call)
    assert said.code == code
    assert words in said.out
    assert re.search(r"^  fair.weak  (violates|consistent with) ", said.out, re.MULTILINE)
    assert "conform" not in said.out
    assert json.loads(synth(*call, "--json").out)["results"][0]["claim"] in words.replace(" is ", " ")


@pytest.mark.parametrize(
    ("claims", "status"),
    [
        (["violates"], "violates"),
        (["violates", "not tested"], "not tested"),
        (["inconclusive", "not tested", "violates"], "inconclusive"),
        (["violates", "consistent with", "inconclusive"], "consistent with"),
    ],
)
def test_the_best_of_the_claims_counts_of_verdicts_that_are_each_enough(claims, status):
    assert best_of(claims) == status


@pytest.mark.full
def test_a_promise_that_no_campaign_ran_tests_for_was_not_tested(synth, kernel):
    assert synth("campaign", "run", "--device", "sim:lockstep", "0010-0100", "--launches", "2", "--out", "c").code == 0
    call = ("kernel", "need", kernel(WAITS), "--arg", "flag=0:1", "--workgroups", "2", "--results", "c")
    assert "It was not tested whether sim:lockstep gives what waits needs:" in synth(*call).out
    assert synth(*call[:-1], "nowhere").code == 2


@pytest.mark.parametrize(("model", "code"), [("fair", 0), ("OBE", 1), ("mine.weak = highest(live)", 0)])
def test_check_exits_with_1_if_a_verdict_fails(synth, kernel, model, code):
    said = synth("kernel", "check", kernel(WAITS), "--arg", "flag=0:1", "--workgroups", "2..3", "--model", model)
    assert said.code == code
    assert ("fail" in said.out) == bool(code)


#: Each group waits for at most three rounds.
GIVES_UP = """kernel gives_up
global flag: i32
entry:
  jump wait(0:i32)
wait(round: i32):
  x = volatile read i32 flag[0:i32]
  is0 = eq x, 0:i32
  more = ult round, 3:i32
  both = and is0, more
  next = add round, 1:i32
  branch both ? wait(next) : done
done:
  return
"""


@pytest.mark.parametrize(
    ("changed", "to", "is_named"),
    [
        ("", "", True),
        ("x = read i32 flag[0:i32]", "x = volatile read i32 flag[0:i32]", False),
        ("  x = read", "  barrier group local\n  x = read", False),
    ],
)
def test_a_loop_that_waits_on_a_plain_read_is_named_also_if_the_read_races(synth, kernel, changed, to, is_named):
    text = WAITS.replace("volatile ", "").replace("eq gid.0, 0:i32", "eq gid.0, 1:i32").replace(changed or "-", to)
    out = synth("kernel", "need", kernel(text), "--arg", "flag=0:2", "--workgroups", "2").out
    assert "racing accesses to flag[0] taken as atomic" in out or "barrier" in to
    assert ("line 7: this loop waits on a plain read." in out) == is_named


def test_a_counter_that_only_ends_a_loop_is_named(synth, kernel):
    note = "Note: line 6: a counter ends this loop. Each count makes more states. The answer holds for this limit only."
    call = ("kernel", "need", kernel(GIVES_UP), "--arg", "flag=0:1", "--workgroups", "2")
    said = synth(*call)
    assert "needs no guarantee" in said.out
    assert note in said.out
    stored = GIVES_UP.replace("flag[0:i32]\n", "flag[0:i32]\n  volatile write i32 flag[1:i32] = round\n")
    kernel(stored)
    assert note not in synth(*call[:4], "flag=0:2", *call[5:]).out
    kernel(GIVES_UP.replace("wait(next)", "wait(round)"))
    assert "a counter" not in synth(*call).out


#: Each group adds 1 without an atomic access. So one of two additions may get lost.
LOST = """kernel lost
global sum: i32[1]
entry:
  x = volatile read i32 sum[0:i32]
  y = add x, 1:i32
  volatile write i32 sum[0:i32] = y
  return
"""


def test_an_assertion_that_fails_is_shown_with_its_execution(synth, kernel):
    call = ("kernel", "check", kernel(LOST), "--arg", "sum=0", "--workgroups", "2", "--final")
    said = synth(*call, "sum[0] == 2")
    assert said.code == 1
    assert said.out.splitlines()[-7:-1] == [
        "sum[0] == 2 does not hold in lost: this launch of 2 workgroups ends otherwise.",
        "  group 0, thread 0  line 4  reads sum[0], which is 0",
        "  group 1, thread 0  line 4  reads sum[0], which is 0",
        "  group 0, thread 0  line 6  changes sum[0] from 0 to 1",
        "  group 1, thread 0  line 6  leaves sum[0] at 1",
        "and then all threads have ended, and sum[0] is 1.",
    ]
    final = json.loads(synth(*call, "sum[0] == 2", "--json").out)["final"]
    assert (final["holds"], final["workgroups"], final["memory"], len(final["steps"])) == (False, 2, "sum[0] is 1", 4)
    holds = synth(*call, "1 <= sum[0] <= 2")
    assert holds.code == 0
    assert "1 <= sum[0] <= 2 holds in each state in which all threads have ended." in holds.out
    assert synth(*call, "sums[0] == 2").code == 2


def test_an_assertion_says_nothing_if_a_launch_never_ends(synth, kernel):
    call = ("kernel", "check", kernel(STUCK), "--local-size", "2", "--workgroups", "1", "--final", "1 == 2")
    assert "1 == 2 says nothing, because these launches never end." in synth(*call).out


def test_each_verdict_can_be_certified(synth, kernel, monkeypatch):
    call = ("kernel", "check", kernel(WAITS), "--arg", "flag=0:1", "--workgroups", "2", "--certify")
    assert "Each verdict is certified." in synth(*call).out
    assert json.loads(synth(*call, "--json").out)["certified"] is True
    monkeypatch.setattr("synth_kernels.needs.certificates.refusal", lambda *_: "a wrong rank")
    said = synth(*call)
    assert said.code == 70
    assert "certificate of unfair for 2 workgroups: a wrong rank" in said.err


def test_a_stuck_launch_says_where_its_threads_wait(synth, kernel):
    said = synth("kernel", "explain", kernel(STUCK), "--local-size", "2", "--workgroups", "1", "--model", "fair.weak")
    assert said.code == 0
    assert said.out.splitlines()[1:-1] == [
        "  group 0, thread 0  line 6  arrives at a barrier",
        "and then no thread can take a step:",
        "  group 0, thread 0  line 6  waits at a barrier that never opens",
        "  group 0, thread 1          has ended",
    ]
    assert "stuck may hang under every model" in synth("kernel", "need", "k.kernel", "--local-size", "2").out


def test_both_barriers_of_a_deadlock_are_named(synth, kernel):
    text = STUCK.replace("wait:\n", "wait:\n").replace("branch c ? wait : done", "branch c ? wait : other")
    text = text.replace("done:\n", "other:\n  barrier group local\n  jump done\ndone:\n")
    call = ("kernel", "explain", kernel(text), "--local-size", "4", "--workgroups", "1", "--model", "fair.weak")
    assert synth(*call).out.splitlines()[-3:-1] == [
        "  group 0, thread 0               line 6  waits at a barrier that never opens",
        "  group 0, 3 threads from 1 to 3  line 9  wait at a barrier that never opens",
    ]


def test_the_json_has_launches_verdicts_and_the_hang(synth, kernel):
    call = ("kernel", "need", kernel(WAITS), "--arg", "flag=0:1", "--workgroups", "2", "--json")
    answer = json.loads(synth(*call).out)
    assert answer["needs"] == ["fair.weak"]
    assert answer["launches"][0]["passes"]["OBE.strong"] is False
    assert [row["line"] for row in answer["hangs"][0]["cycle"]] == [7]


def rows_in(markdown):
    """Return the entries of the tables of a document without its titles and lines."""
    rows = [line.strip("|").split("|") for line in markdown.splitlines() if line.startswith("|")]
    return [[entry.strip().replace("\\", "") for entry in row] for row in rows if "---" not in row]


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        (("need",), ["LOBE.strong is not enough", "minimal litmus", "again and again"]),
        (("check", "--final", "flag[0] == 1"), ["flag[0] == 1 holds"]),
        (("explain", "--model", "OBE.weak"), ["waits fails OBE.weak", "again and again"]),
    ],
)
def test_a_document_tells_what_the_text_tells(synth, kernel, words, shown):
    call = ("kernel", words[0], kernel(WAITS), "--arg", "flag=0:1", "--workgroups", "2", *words[1:])
    text = synth(*call).out
    markdown, html = (synth(*call, "--format", form).out for form in ("markdown", "html"))
    plain = markdown.replace("\\", "")
    for sentence in shown:
        assert sentence.lower() in text.lower()
        assert sentence.lower() in plain.lower()
        assert sentence.lower() in html.lower()
    assert html.startswith("<!DOCTYPE html>")
    # Each step and each verdict of the text is in a table of the document.
    steps = [re.sub(r"\s+", " ", line).strip() for line in text.splitlines() if line.startswith("  group")]
    assert steps == [" ".join(filter(None, row)) for row in rows_in(markdown) if row[0].startswith("group")]
    verdicts = {line for line in text.splitlines() if line.endswith(("pass", "fail"))}
    assert verdicts <= {f"{row[0]:14}  {row[1]}" for row in rows_in(markdown)}
    synth(*call, "--out", "answer.txt")
    assert Path("answer.txt").read_text("utf-8") == text


def test_names_and_assertions_of_the_user_are_escaped_in_html(synth, kernel):
    Path(kernel(LOST)).rename("<b>.kernel")
    call = ("kernel", "check", "<b>.kernel", "--arg", "sum=0", "--workgroups", "2", "--final", "sum[0] == 2 & 1 < 2")
    html = synth(*call, "--format", "html").out
    assert "does not hold in lost" in html
    assert "&amp; 1 &lt; 2" in html
    assert "<b>" not in html


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--format", "pdf"], "format: found 'pdf'"),
        (["--json", "--format", "html"], "--json prints JSON"),
        (["--force"], "--force needs --out"),
        (["--out", "k.kernel"], "k.kernel"),
    ],
)
def test_a_wrong_format_is_refused_before_the_work(synth, kernel, monkeypatch, options, message):
    monkeypatch.setattr("synth.cli.kernel.options.LaunchQuestion.judge", lambda *_: pytest.fail("it worked"))
    said = synth("kernel", "check", kernel(WAITS), "--arg", "flag=0:1", *options)
    assert (said.code, said.err.count("\n")) == (2, 1)
    assert message in said.err


def test_the_lts_of_a_launch_in_the_aldebaran_format(synth, kernel):
    call = ("kernel", "lts", kernel(WAITS), "--arg", "flag=0:1", "--format", "aut", "--model", "OBE")
    assert synth(*call).out.splitlines() == [
        "des (0, 6, 5)",
        '(0, "Step !0 !reads flag[0], which is 0 !{}", 1)',
        '(0, "Step !1 !changes flag[0] from 0 to 1 !{}", 2)',
        '(1, "Step !0 !reads flag[0], which is 0 !{0}", 1)',
        '(1, "Step !1 !changes flag[0] from 0 to 1 !{0}", 3)',
        '(2, "Step !0 !reads flag[0], which is 1 !{}", 4)',
        '(3, "Step !0 !reads flag[0], which is 1 !{0}", 4)',
    ]


def test_the_lts_of_a_launch_as_json_has_memory_places_and_owed_threads(synth, kernel):
    call = ("kernel", "lts", kernel(STUCK), "--local-size", "2", "--workgroups", "2", "--format", "json")
    lts = json.loads(synth(*call, "--model", "fair.weak").out)
    assert lts["threads"][2] == {"group": [1, 0, 0], "local": [0, 0, 0]} or lts["threads"][2]["group"][0] == 1
    first, last = lts["states"][0], lts["states"][-1]
    assert first == {"memory": {}, "threads": ["line 6", "ended", "line 6", "ended"], "owed": [0, 2]}
    assert last == {"memory": {}, "threads": ["waits at line 6", "ended", "waits at line 6", "ended"], "owed": []}
    assert {(transition["source"], transition["target"]) for transition in lts["transitions"]} == {
        (0, 1),
        (0, 2),
        (1, 3),
        (2, 3),
    }
    assert {transition["does"] for transition in lts["transitions"]} == {"arrives at a barrier"}
    assert "owed" not in synth(*call).out


@pytest.mark.parametrize("form", ["dot", "svg"])
def test_the_lts_of_a_launch_is_drawn(synth, kernel, form):
    said = synth("kernel", "lts", kernel(WAITS), "--arg", "flag=0:1", "--format", form, "--model", "HSA")
    assert said.code == 0
    assert "waits, 2 workgroups under HSA" in said.out
    assert "flag[0] = 1" in said.out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--workgroups", "4..2"], "workgroups: found '4..2', expected a number such as 3, or a range such as 2..4"),
        (["--workgroups", "0"], "workgroups: found '0'"),
        (["--local-size", "0"], "local size: found '0'"),
        (["--kernel", "wait"], "did you mean"),
        ([], "argument flag: found none, expected --arg flag=VALUE:COUNT"),
        (["--arg", "flag"], "expected NAME=VALUE"),
    ],
)
def test_wrong_calls_are_refused_in_one_line(synth, kernel, options, message):
    said = synth("kernel", "need", kernel(WAITS), *options)
    assert said.code == 2
    assert message in said.err
    assert said.err.count("\n") == 1


@pytest.mark.full
def test_nothing_is_decided_when_the_time_is_over(synth, kernel):
    counts = WAITS.replace("volatile read i32 flag[0:i32]", "atomic i32 flag[0:i32] add 0:i32").replace(
        "  x = atomic", "  y = atomic i32 flag[1:i32] add 1:i32\n  x = atomic"
    )
    said = synth("kernel", "need", kernel(counts), "--arg", "flag=0:2", "--time-limit", "1s")
    assert said.code == 75
    assert said.err == "synth: time limit reached; nothing is decided\n"
    assert not said.out


@pytest.mark.full
@pytest.mark.parametrize("page", ["README.md", "docs/do/progress.md"])
def test_a_page_shows_what_the_command_prints(synth, monkeypatch, page):
    """All of it, or the first lines and the last."""
    monkeypatch.chdir(ROOT)
    text = Path(page).read_text("utf-8")
    call = re.search(r"^    synth (kernel need .*)$", text, re.MULTILINE)[1]
    shown = re.search(r"^```\n(lock_cas.*?)^```$", text, re.MULTILINE | re.DOTALL)[1]
    said = synth(*call.split()).out
    first, cut, last = shown.partition("...\n")
    assert said.startswith(first)
    assert said.endswith(last)
    assert cut or said == shown


def test_the_source_that_the_page_shows_is_that_of_the_file():
    page = (ROOT / "docs" / "do" / "progress.md").read_text("utf-8")
    source = re.search(r"^```c\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)[1]
    assert source in (ROOT / "docs" / "progress" / "lock-cas.cl").read_text("utf-8")


TWO_WORDS = "docs/progress/fallback-two-words.cl"


@pytest.mark.full
def test_an_answer_says_if_it_needs_lockstep(synth, monkeypatch):
    """Words that two lanes store tear in lockstep, too: lanes access in any order. The third workgroup sees it."""
    monkeypatch.chdir(ROOT)
    arguments = [f"--arg={word}" for word in ("in=1:24", "next=0:1", "tiles=0:6", "sums=0:3", "looks=1")]
    call = ("kernel", "need", TWO_WORDS, *arguments, "--local-size", "8")
    assert "needs no guarantee" in synth(*call, "--workgroups", "2").out
    lockstep = ("--lanes", "lockstep", "--subgroup", "8")
    together = synth(*call, "--workgroups", "3", *lockstep).out
    assert "needs OBE.weak" in together
    assert "Note: With independent lanes, the launches pass the same verdicts." in together
    alone = synth(*call, "--workgroups", "3", "--json").out
    assert json.loads(alone)["needs"] == ["OBE.weak"]


#: Each lane looks at what the other one has written. If it does not see that, it never ends.
TOGETHER = """kernel k
global x: i32[2]
entry:
  volatile write i32 x[lid.0] = 1:i32
  other = xor lid.0, 1:i32
  y = volatile read i32 x[other]
  bad = eq y, 0:i32
  branch bad ? spin : end
spin:
  z = volatile read i32 x[0:i32]
  jump spin
end:
  return
"""


def test_an_answer_that_holds_in_lockstep_only_says_so(synth, kernel):
    call = ("kernel", "need", kernel(TOGETHER), "--arg", "x=0", "--local-size", "2", "--workgroups", "1")
    said = synth(*call, "--lanes", "lockstep").out
    assert said.startswith("k needs no guarantee")
    assert "Note: The answer needs lockstep: with independent lanes, a launch fails unfair, " in said
    assert synth(*call).out.startswith("k may hang under every model")


def test_lanes_and_barriers_are_words_of_a_list(synth, kernel):
    said = synth("kernel", "need", kernel(WAITS), "--arg", "flag=0:1", "--lanes", "lockstop")
    assert said.code == 2
    assert "did you mean 'lockstep'" in said.err or "did you mean lockstep" in said.err
    text = synth("kernel", "need", kernel(STUCK), "--local-size", "2", "--workgroups", "1", "--barrier", "leave").out
    assert "stuck needs no guarantee" in text
