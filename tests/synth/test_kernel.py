"""`synth kernel`: what a kernel needs, exit codes, hangs as people read them, and what is refused."""

import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "progress.md").read_text("utf-8")
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
def kernel(tmp_path, monkeypatch):
    """A function that writes a kernel into the file k.kernel of the present folder, and returns its name."""
    monkeypatch.chdir(tmp_path)

    def write(text):
        Path("k.kernel").write_text(text, "utf-8")
        return "k.kernel"

    return write


def test_need_names_the_least_verdict_and_shows_why_less_is_not_enough(synth, kernel):
    said = synth("kernel", "need", kernel(WAITS), "--arg", "flag=0:1", "--workgroups", "2")
    assert said.code == 0
    assert said.out.splitlines() == [
        "waits needs fair.weak",
        "in launches of 2 workgroups of local size 1 (3 states)",
        "",
        "LOBE.strong is not enough: this launch of 2 workgroups need not end.",
        "  group 0, thread 0  line 7  reads flag[0], which is 0",
        "for ever:",
        "  group 0, thread 0  line 7  reads flag[0], which is 0",
        "",
        "The answer is about these launches only. Memory is taken to be sequentially consistent.",
    ]


@pytest.mark.parametrize(("model", "code"), [("fair", 0), ("OBE", 1), ("mine.weak = highest(live)", 0)])
def test_check_exits_with_1_if_a_verdict_fails(synth, kernel, model, code):
    said = synth("kernel", "check", kernel(WAITS), "--arg", "flag=0:1", "--workgroups", "2..3", "--model", model)
    assert said.code == code
    assert ("fail" in said.out) == bool(code)


def test_a_stuck_launch_says_where_its_threads_wait(synth, kernel):
    said = synth("kernel", "explain", kernel(STUCK), "--local-size", "2", "--workgroups", "1", "--model", "fair.weak")
    assert said.code == 0
    assert said.out.splitlines()[1:] == [
        "  group 0, thread 0  line 6  arrives at a barrier",
        "and then no thread can take a step:",
        "  group 0, thread 0  line 6  waits at a barrier for ever",
    ]
    assert "stuck need not end under any of the models" in synth("kernel", "need", "k.kernel", "--local-size", "2").out


def test_the_json_has_launches_verdicts_and_the_hang(synth, kernel):
    call = ("kernel", "need", kernel(WAITS), "--arg", "flag=0:1", "--workgroups", "2", "--json")
    found = json.loads(synth(*call).out)
    assert found["needs"] == ["fair.weak"]
    assert found["launches"][0]["passes"]["OBE.strong"] is False
    assert [row["line"] for row in found["hangs"][0]["cycle"]] == [7]


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


def test_explain_wants_one_verdict(synth, kernel):
    said = synth("kernel", "explain", kernel(WAITS), "--arg", "flag=0:1", "--model", "OBE")
    assert said.code == 2
    assert "which means OBE.weak and OBE.strong; expected one of them" in said.err


def test_nothing_is_decided_when_the_time_is_over(synth, kernel):
    counts = WAITS.replace("volatile read i32 flag[0:i32]", "atomic i32 flag[0:i32] add 0:i32").replace(
        "  x = atomic", "  y = atomic i32 flag[1:i32] add 1:i32\n  x = atomic"
    )
    said = synth("kernel", "need", kernel(counts), "--arg", "flag=0:2", "--time-limit", "1s")
    assert said.code == 75
    assert said.err == "synth: time limit reached; nothing is decided\n"
    assert not said.out


@pytest.mark.full
@pytest.mark.parametrize("page", ["README.md", "docs/progress.md"])
def test_a_page_shows_what_the_command_prints(synth, monkeypatch, page):
    monkeypatch.chdir(ROOT)
    text = Path(page).read_text("utf-8")
    call = re.search(r"^    synth (kernel need .*)$", text, re.MULTILINE)[1]
    shown = re.search(r"^```\n(lock_cas.*?)^```$", text, re.MULTILINE | re.DOTALL)[1]
    assert synth(*call.split()).out == shown


def test_the_source_that_the_page_shows_is_that_of_the_file():
    source = re.search(r"^```c\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)[1]
    assert source in (ROOT / "docs" / "progress" / "lock-cas.cl").read_text("utf-8")
