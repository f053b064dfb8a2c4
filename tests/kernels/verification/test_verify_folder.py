"""Test `synth verify` of a folder: its table, SARIF, and answers that are kept."""

import json
from pathlib import Path
from urllib.parse import unquote

import pytest

from quick import mostly_full
from synth_kernels import verification
from synth_kernels.launch_sizes import Sizing
from synth_kernels.verification.folder import sizing_of_file

RACE = """# --local-size 4 --num_groups=2
kernel neighbours
local T: i32
entry:
  write i32 T[lid.0] = lid.0
  i = add lid.0, 1:i32
  x = read i32 T[i]
  return
"""
LOOP = """# --blockDim=8 --gridDim=[1]
kernel loop
global A: i32
scalar n: i32
entry:
  jump head(lid.0)
head(i: i32):
  c = ult i, n
  branch c ? body : done
body:
  write i32 A[i] = lid.0
  j = add i, 8:i32
  jump head(j)
done:
  return
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "inner").mkdir()
    (tmp_path / "a.kernel").write_text(RACE, "utf-8")
    (tmp_path / "inner" / "b.kernel").write_text(LOOP, "utf-8")
    (tmp_path / "notes.txt").write_text("no kernel", "utf-8")
    return tmp_path


def test_a_folder_has_a_table_at_the_end(synth, folder):
    said = synth("verify", folder)
    premises = json.loads(
        synth("verify", folder / "inner" / "b.kernel", "--local-size", "8", "--num-groups", "1", "--json").out
    )["rests_on"]
    assert said.code == 1
    *_, head, first, second, summary, rests = said.out.splitlines()
    rows = [line.split()[:3] for line in (head, first, second)]
    assert rows == [
        ["file", "kernel", "verdict"],
        ["a.kernel", "neighbours", "race"],
        ["b.kernel", "loop", "verified"],
    ]
    assert summary == "In all: 1 race and 1 verified"
    assert rests == f"Rests on: {'; '.join(premises)}."
    assert "neighbours: race\n" in said.out


@pytest.mark.full
def test_a_file_that_cannot_be_read_does_not_stop_others(synth, folder):
    (folder / "a.kernel").write_text("kernel nothing\nentry:\n  jump nowhere\n", "utf-8")
    said = synth("verify", folder)
    assert (said.code, said.out.splitlines()[-2]) == (2, "In all: 1 wrong input and 1 verified")
    assert "a.kernel: " in said.err


@pytest.mark.full
@mostly_full(
    ("line", "fault"),
    [
        ("--local-size 0 --global-size 8", "local size: found 0, expected at least 1"),
        ("--local-size 4 --global-size 0", "global size: found 0, expected at least 1"),
        ("--local-size 1,1,1,1 --global-size 8", "dimensions of the local size: found 4, expected 1 to 3"),
    ],
)
def test_wrong_sizes_in_a_first_line_do_not_stop_other_files(synth, folder, line, fault):
    (folder / "a.kernel").write_text(RACE.replace("--local-size 4 --num_groups=2", line), "utf-8")
    said = synth("verify", folder)
    assert (said.code, said.out.splitlines()[-2]) == (2, "In all: 1 wrong input and 1 verified")
    assert fault in said.err


def test_a_folder_without_kernels_is_refused(synth, tmp_path):
    assert "found no file with kernels, expected files that end in .kernel" in synth("verify", tmp_path).err


def test_options_come_before_the_first_line(folder):
    sizing = sizing_of_file(folder / "a.kernel", Sizing())
    assert (sizing.local, sizing.groups, sizing.global_) == ((4,), (2,), None)
    own_sizing = Sizing(local=(7,), global_=(14,))
    assert sizing_of_file(folder / "a.kernel", own_sizing) == own_sizing
    (folder / "a.kernel").write_text("kernel k\n# --local-size 4\n", "utf-8")
    assert sizing_of_file(folder / "a.kernel", Sizing()) == Sizing()


def faults_of_sarif(log):
    """Return what is wrong with a SARIF log, by what the standard requires of the properties that we write."""
    faults = [] if log["version"] == "2.1.0" else ["version"]
    for run in log["runs"]:
        rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
        if not run["tool"]["driver"]["name"] or len(set(rules)) != len(rules):
            faults.append("driver")
        if not all(isinstance(invocation["executionSuccessful"], bool) for invocation in run["invocations"]):
            faults.append("executionSuccessful")
        for result in run["results"]:
            faults += faults_of_result(result, rules)
    return faults


def faults_of_result(result, rules):
    flows = [flow["locations"] for code in result["codeFlows"] for flow in code["threadFlows"]]
    places = [*result["locations"], *result["relatedLocations"], *(step["location"] for flow in flows for step in flow)]
    wrong = {
        "threadFlows": not all(flows),
        "ruleIndex": rules[result["ruleIndex"]] != result["ruleId"],
        "level": result["level"] not in {"none", "note", "warning", "error"},
        "message": not result["message"]["text"],
        "place": not all(is_place(place["physicalLocation"]) for place in places),
    }
    return [name for name, is_wrong in wrong.items() if is_wrong]


def is_place(place):
    region = place.get("region", {"startLine": 1})
    is_inside = region["startLine"] >= 1 and region.get("startColumn", 1) >= 1
    return is_inside and " " not in place["artifactLocation"]["uri"]


def test_sarif_has_the_faults_and_their_places(synth, folder):
    (folder / "a.kernel").rename(folder / "a b.kernel")
    out = folder / "log.sarif"
    assert synth("verify", folder, "--sarif", out).code == 1
    log = json.loads(out.read_text("utf-8"))
    assert faults_of_sarif(log) == []
    (result,) = log["runs"][0]["results"]
    assert (result["ruleId"], result["level"]) == ("race", "error")
    lines = {place["physicalLocation"]["region"]["startLine"] for place in result["relatedLocations"]}
    assert lines == {5, 7}
    uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert Path(unquote(uri.removeprefix("file://"))) == folder / "a b.kernel"
    assert "exists" in synth("verify", folder, "--sarif", out).err
    result["ruleIndex"] = 1
    result["locations"][0]["physicalLocation"]["region"]["startLine"] = 0
    assert faults_of_sarif(log) == ["ruleIndex", "place"]


@pytest.mark.full
def test_kernels_that_are_not_decided_are_notifications(synth, folder, monkeypatch):
    out = folder / "log.sarif"
    monkeypatch.setattr("synth.cli.verify_parts.proof_options.parse_time", lambda _: 0.0)
    assert synth("verify", folder, "--time-limit", "1s", "--sarif", out).code == 75
    (run,) = json.loads(out.read_text("utf-8"))["runs"]
    assert [notification["level"] for notification in run["invocations"][0]["toolExecutionNotifications"]] == [
        "warning",
        "warning",
    ]


@pytest.mark.full
def test_answers_are_kept(synth, folder, monkeypatch):
    words = ("verify", folder, "--cache", folder / "cache", "--json", "--show-candidates")
    once = synth(*words)
    entries = sorted((folder / "cache").glob("*.json"))
    assert len(entries) == 3  # one for each kernel, and the candidates of the loop
    calls = []
    true_verify = verification.verify
    monkeypatch.setattr(verification, "verify", lambda *words: calls.append(words) or true_verify(*words))
    assert (synth(*words).out, calls) == (once.out, [])
    for entry in entries:
        entry.write_text("nonsense", "utf-8")
    assert decided(synth(*words).out) == decided(once.out)
    assert len(calls) == 2


def decided(out):
    """What was decided about kernels and candidates. Which engine rejects a candidate first, and when, may differ."""
    answers = [json.loads(line) for line in out.splitlines()]
    for answer in answers:
        for candidate in answer["candidates"]:
            for key in ("engine", "round", "because"):
                candidate.pop(key, None)
    return answers


@pytest.mark.full
def test_kept_candidates_of_an_edited_kernel_are_tried_first(synth, folder):
    words = ("verify", folder / "inner", "--cache", folder / "cache", "--json", "--show-candidates")
    once = json.loads(synth(*words).out)["candidates"]
    path = folder / "inner" / "b.kernel"
    path.write_text(path.read_text("utf-8").replace("= lid.0", "= gid.0"), "utf-8")
    again = json.loads(synth(*words).out)
    assert again["verdict"] == "verified"
    number_kept = sum(candidate["outcome"] == "kept" for candidate in once)
    assert 0 < len(again["candidates"]) <= number_kept < len(once)
    assert all(candidate["outcome"] == "kept" for candidate in again["candidates"])
    path.write_text(path.read_text("utf-8").replace("= gid.0", "= lid.0").replace("add i, 8", "add i, 7"), "utf-8")
    assert json.loads(synth(*words).out)["verdict"] == "race"


def table(tables, title):
    """Return the rows of a table by their first entries, each as a dictionary."""
    (chosen,) = [each for each in tables if each["title"] == title]
    return {row[0]: dict(zip(chosen["columns"], row, strict=True)) for row in chosen["rows"]}, chosen["notes"]


@pytest.mark.full
def test_rules_and_engines_are_measured(synth, folder):
    (folder / "c.kernel").write_text("nothing", "utf-8")
    words = ("verify", folder, "--measure", "--rules", "r1,r9,r10")
    said = synth(*words, "--json")
    assert said.code == 2
    answer = json.loads(said.out)
    kernels, notes = table(answer, "Kernels")
    row = kernels["b.kernel"]
    assert (row["without"], row["with"]) == ("no", "verified")
    assert row["candidates"] > row["kept"] > 0
    assert "expected" in kernels["c.kernel"]["without"]
    assert notes[:2] == [
        "2 kernels; 2 are not verified without candidates.",
        "Of these, 1 (50%) are verified with the rules.",
    ]
    rules, _ = table(answer, "Rules")
    assert (rules["r1"]["kernels"], rules["r1"]["trivial"], rules["r1"]["essential"]) == (1, 0, 1)
    assert rules["r9"]["kept"] < rules["r9"]["made"]
    influence, _ = table(answer, "Influence")
    assert (influence["r10"]["r1"], influence["r9"]["r1"], influence["r1"]["r1"]) == (1, 0, None)
    engines, notes = table(answer, "Engines, each alone")
    assert engines["H"]["refuted"] >= engines["DYN"]["refuted"] > 0
    assert notes[0] == "The engines refuted 0 candidates that H kept."
    _, (same,) = table(answer, "Portfolio")
    assert same == "It kept the same as H on 1 of 1 kernels."


@pytest.mark.parametrize("form", ["csv", "html", pytest.param("svg", marks=pytest.mark.full)])
def test_measurements_are_tables_or_a_picture(synth, folder, form):
    if form == "svg":
        pytest.importorskip("matplotlib")
    said = synth("verify", folder / "inner", "--measure", "--rules", "r1,r10", "--format", form)
    assert {"csv": "\nr1,1,0,", "html": "<h1>", "svg": "Without r10, r1 loses candidates in 1 kernels."}[
        form
    ] in said.out


@pytest.mark.full
def test_kernels_that_cannot_be_measured_decide_on_the_exit_status(synth, folder):
    """A race does not: it is what was to be measured."""
    words = ("--measure", "--rules", "r1")
    assert synth("verify", folder / "a.kernel", *words).code == 0
    said = synth("verify", folder / "none.kernel", *words)
    assert (said.code, "No such file" in said.out) == (2, True)
    said = synth("verify", folder, *words, "--time-limit", "0.001s")
    assert (said.code, "time limit" in said.out) == (75, True)


def test_measuring_needs_rules(synth, folder):
    assert "--measure measures rules, and none is left" in synth("verify", folder, "--measure", "--no-infer").err
    assert "--measure needs a file or folder of kernels" in synth("verify", "--measure").err
    assert "a question such as --banks needs a file of kernels" in synth("verify", "--intervals").err
    assert "--format csv needs --measure" in synth("verify", folder, "--format", "csv").err
