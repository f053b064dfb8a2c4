"""Text that is no Unicode, from JSON or from the names of files: it is refused in one line, or shown as an escape."""

import json
import re
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

import corpora
from quick import examples, mostly_full
from result_lines import changed

HALF = "\ud800"
#: What Python makes of the byte 0xff in the name of a file.
BYTE = "\udcff"
LINE = {
    "format": 2, "id": "00_0-0011", "name": "one", "target": "cuda", "mapping": "chunked", "threads": 2,
    "instances": 10, "stress": 0, "workgroups": 20, "width": 1, "stress_shape": "add", "first": 0, "iterations": 2,
    "timeout_s": 30, "synth": "0.1.0", "order": "seq_cst device", "expected": {"fair.strong": "pass"},
    "driver": "GPU X", "device": {"name": "GPU X"}, "process": 1, "result": "lost", "iteration": 1, "seconds": [0.1],
    "started": {"11": 10}, "finished": {"11": 10}, "code": "-4", "reason": "it broke",
}  # fmt: skip
ENDED = {key: value for key, value in LINE.items() if key not in {"code", "reason"}}
GOOD = json.dumps(ENDED | {"result": "terminated"})


def collected(synth, line, *before):
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "r.jsonl").write_text(f"{json.dumps(line)}\n{GOOD}\n")
        return synth("campaign", "collect", *before, f"{folder}/r.jsonl", "--out", f"{folder}/c")


def assert_is_told(ran):
    """A line that does not count is told by its number, or the command says in one line why it takes none."""
    assert ran.code in {0, 1, 2}, ran.err
    assert ran.code != 1 or re.search(r"^r\.jsonl:[12]: this line does not count: ", ran.out, re.MULTILINE)
    assert ran.code != 2 or (ran.out, ran.err.count("\n")) == ("", 1)


@mostly_full("key", ["name", "driver", "order", "synth", "code", "reason", "id", "target", "mapping"], quick=5)
def test_a_result_line_with_half_a_character_is_refused_by_its_number(synth, key):
    ran = collected(synth, LINE | {key: f"x{HALF}"})
    assert ran.code == 1
    (line,) = [line for line in ran.out.splitlines() if line.startswith("r.jsonl:1: ")]
    told = rf"{key}: found 'x\ud800', which has half of a character, expected a text"
    assert line == f"r.jsonl:1: this line does not count: {told}"


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"device": {"name": HALF}}, r"device.name: found '\ud800', which has half of a character, expected a text"),
        ({"expected": {HALF: "pass"}}, r"a key of expected: found '\ud800', which has half of a character, expected"),
        ({"width": 2**63}, "width: found 9223372036854775808, expected at most 9007199254740991"),
        ({"timeout_s": 10**30}, f"timeout_s: found {10**30}, expected at most 9007199254740991"),
        ({"seconds": [10**30]}, f"seconds[0]: found {10**30}, expected at most 9007199254740991"),
        ({"started": "none"}, "started: found 'none', expected an object"),
    ],
)
def test_neither_does_any_other_value_count_that_no_campaign_holds(synth, wrong, told):
    ran = collected(synth, LINE | wrong)
    assert ran.code == 1
    assert f"r.jsonl:1: this line does not count: {told}" in ran.out


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=examples(40))
@given(line=changed(LINE))
def test_any_result_line_counts_or_is_told(synth, line):
    assert_is_told(collected(synth, line))


# --- siblings ---


def test_a_file_of_results_may_not_have_a_name_that_no_database_holds(synth, tmp_path):
    (tmp_path / f"r{BYTE}.jsonl").write_text(GOOD)
    ran = synth("campaign", "collect", f"r{BYTE}.jsonl", "--out", "c")
    told = r"found the text 'r\udcff.jsonl', which is not Unicode, expected names and texts in UTF-8"
    assert ran == (2, "", f"synth: {told}\n")


def test_a_bundle_with_half_a_character_is_refused(synth, tmp_path):
    (tmp_path / "b").mkdir()
    fields = {"format": 1, "synth": "x", "digest": HALF, "campaign": "", "tests": {}, "files": {}}
    (tmp_path / "b" / "bundle.json").write_text(json.dumps(fields))
    (tmp_path / "r.jsonl").write_text(GOOD)
    ran = synth("campaign", "collect", "b", "r.jsonl")
    assert ran.code == 2
    assert "bundle.json: digest: found '\\ud800', which has half of a character, expected a text" in ran.err


@pytest.fixture
def _corpus(tmp_path):
    corpora.write(tmp_path / "it.corpus", corpora.of({"00_0-0011": (0, {"name": f"a{HALF}"})}))


@pytest.mark.usefixtures("_corpus")
@mostly_full(
    "words",
    [
        ("campaign", "bundle", "it.corpus", "--device", "bundle:cuda", "--out", "b"),
        ("check", "it.corpus"),
        ("campaign", "run", "--device", "sim", "--launches", "1", "it.corpus", "--out", "c"),
        ("corpus", "list", "it.corpus"),
        ("corpus", "export", "it.corpus", "--format", "text"),
        ("corpus", "export", "it.corpus", "--format", "jsonl", "--out", "x.jsonl"),
        ("emit", "it.corpus", "--target", "cpp", "--out", "e"),
        ("explore", "it.corpus", "--out", "e.html"),
    ],
    ids=lambda words: " ".join(words[:2]),
    quick=2,
)
def test_a_name_in_a_corpus_may_have_half_a_character(synth, words):
    """JSON has a form for it, so a corpus keeps it. What cannot take it says so."""
    ran = synth(*words)
    assert (ran.code == 0) or (ran.code == 2 and ran.err.count("\n") == 1 and "\\ud800" in ran.err), ran.err


@pytest.mark.parametrize("words", [("check", f"x{BYTE}"), ("verify", f"x{BYTE}"), ("campaign", "run", f"x{BYTE}")])
def test_a_word_that_is_no_unicode_is_told_as_an_escape(synth, words):
    ran = synth(*words)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)


@pytest.mark.full
def test_a_document_has_the_name_of_a_file_as_an_escape(synth, tmp_path):
    kernel = "kernel k\nglobal A: i32[8]\nentry:\n  write i32 A[gid.0] = 1:i32\n  return\n"
    (tmp_path / f"x{BYTE}.kernel").write_text(kernel)
    for form in ("text", "html", "markdown"):
        ran = synth("verify", f"x{BYTE}.kernel", "--format", form, "--out", f"out.{form}")
        assert (ran.code, ran.err) == (0, "")
        (tmp_path / f"out.{form}").read_text("utf-8")


def test_recorded_launches_with_half_a_character_are_refused(synth, tmp_path):
    fields = {"kernel": HALF, "global_size": [8], "local_size": [4], "arguments": [], "source": "k.kernel"}
    (tmp_path / "l.jsonl").write_text(json.dumps(fields))
    ran = synth("verify", "--from-launch", "l.jsonl")
    assert ran.code == 2
    assert "l.jsonl:1: kernel: found '\\ud800', which has half of a character, expected a text" in ran.err
