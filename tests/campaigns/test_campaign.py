"""`synth campaign`: plans, runs and their answers, as a user calls them."""

import json
import sqlite3

import pytest

from campaigns import fake, ids_of
from quick import mostly_full
from synth_campaigns.answers.plan import usual_s
from synth_campaigns.folder import RESULTS

FEW = ids_of("@minimal/2x3", 3)


@pytest.mark.full
def test_a_plan_says_what_a_run_then_does_and_runs_nothing(synth, tmp_path):
    words = ["--device", "sim:strided", "--mapping", "plain,chunked", "--launches", "7", *FEW]
    plan = json.loads(synth("campaign", "plan", *words, "--json").out)
    (planned,) = plan["devices"]
    assert not list(tmp_path.iterdir())
    code, out, _ = synth("campaign", "run", *words, "--json", "--out", "it")
    (device,) = json.loads(out)["devices"]
    assert code == 0
    assert planned["cells"] == len(device["cells"]) == 6
    assert planned["launches"] == sum(cell["declared"] for cell in device["cells"]) == 42
    assert planned["mappings"] == ["plain", "chunked"]
    assert plan["disk"] / 3 < (tmp_path / "it" / RESULTS).stat().st_size < 2 * plan["disk"]


def test_a_plan_tells_the_longest_time_and_the_size_of_the_results(synth, tmp_path):
    code, out, _ = synth("campaign", "plan", "--device", "cpu", "--after-hang", "0", "--confirm", "10", *FEW)
    assert code == 0
    # 9 cells of 2 seconds, and 8 more seconds for each of 9 first hangs
    assert out.splitlines()[:3] == [
        "cpu: 9 cells, 3 tests under plain, round-robin and chunked",
        "  180 launches if nothing hangs; if every launch hangs, 90 s",
        "  The usual time is unknown before the first launches. Run it for a minute, and plan again.",
    ]
    (tmp_path / "it.toml").write_text('[suite]\ntests = ["@minimal/3x4"]\n[[run]]\ndevice = "sim"\n')
    assert "Results take about 845.4 kB" in synth("campaign", "plan", "it.toml").out


def test_a_plan_tells_the_usual_time_by_the_cells_that_were_tried_before(synth, tmp_path):
    """Here one cell of two, as if its attempt had taken 50 seconds."""
    device, _ = fake(tmp_path / "fake", {})
    words = ["--device", device, "--mapping", "plain", "--out", "it", *FEW[:2]]
    assert json.loads(synth("campaign", "plan", *words, "--json").out)["devices"][0]["usual_s"] is None
    assert synth("campaign", "run", *words).code == 0
    with sqlite3.connect(tmp_path / "it" / RESULTS) as db:
        db.execute("DELETE FROM launch WHERE attempt IN (SELECT id FROM attempt WHERE cell = 2)")
        db.execute("DELETE FROM attempt WHERE cell = 2")
        db.execute("UPDATE attempt SET started = '2026-01-01T00:00:00Z', ended = '2026-01-01T00:00:50Z'")
    (planned,) = json.loads(synth("campaign", "plan", *words, "--json").out)["devices"]
    assert (planned["usual_s"], planned["tried"]) == (100, 1)
    assert "  By the 1 cell tried so far, usually 100 s" in synth("campaign", "plan", *words).out


@pytest.mark.parametrize(
    ("mappings", "expected"), [(["plain"] * 3, 30), (["chunked"] * 2, 4), (["plain", "chunked", "random:0"], 16)]
)
def test_a_cell_under_a_mapping_that_was_not_tried_takes_the_mean_of_all(mappings, expected):
    assert usual_s(mappings, {"plain": (1, 10.0), "chunked": (3, 6.0)}) == expected


@pytest.mark.full
def test_the_same_command_continues_and_another_campaign_in_its_folder_is_refused(synth):
    words = ["campaign", "run", "--device", "sim", "--mapping", "plain", "--out", "it"]
    first = synth(*words, FEW[0])
    assert synth(*words, FEW[0]) == first
    assert synth("campaign", "run", "it") == first
    assert synth("campaign", "status", "it") == first
    refused = synth(*words, FEW[1])
    assert (refused.code, refused.out) == (2, "")
    assert refused.err.startswith("synth: it: this folder holds another campaign;")


@mostly_full(
    ("words", "said"),
    [
        (["run"], "Missing argument 'WORDS'"),
        (
            ["run", "a", "b"],
            "found 2 words and no --device, expected one campaign file or folder, or a device and tests",
        ),
        (
            ["run", "it.toml"],
            "it.toml: No such file or directory, expected a campaign file, or the folder of a campaign",
        ),
        (["run", "it.toml", "--launches", "3"], "--launches cannot be combined with a campaign file or folder"),
        (["run", "--device", "sim", "nix"], "nix"),
        (["run", "--device", "sim", "--launches", "0", "mutex"], "--launches: found 0, expected 1 to"),
        (["run", "--device", "sim", "--until", "2", "mutex"], "--until: found 2.0, expected a number from"),
        (
            ["plan", "--device", "cpu", "--mapping", "invocations", "mutex"],
            "mapping invocations: on device cpu, a workgroup has only one thread; choose another device",
        ),
        (
            ["plan", "--device", "sim", "--mapping", "subgroups", "mutex"],
            "mapping subgroups: on device sim, a workgroup has only one thread; choose another device",
        ),
        (
            ["plan", "--device", "sim", "--stress", "1.5", "mutex"],
            "stress: found '1.5', expected a whole number",
        ),
        (
            ["plan", "--device", "opencl", "--stress-shape", "ad", "mutex"],
            "stress-shape: found 'ad' (did you mean",
        ),
        (
            ["plan", "--device", "cpu", "--width", "2", "mutex"],
            "width 2: on device cpu, a workgroup has only one",
        ),
        (
            ["run", "--device", "sim", "--mapping", "random:7+", "--out", "it", "mutex"],
            "mapping random:7+: all simulated launches have the same places; write it without the +",
        ),
        (["status", "nix"], "nix: there is no such folder, expected a campaign; `synth campaign run` makes one"),
    ],
    quick=6,
)
def test_what_is_wrong_is_one_line(synth, words, said):
    code, out, err = synth("campaign", *words)
    assert (code, out) == (2, "")
    assert said in err


@pytest.mark.full
@mostly_full("words", [["sim", "--stress", "4"], ["bundle:cuda"]])
def test_what_a_device_refuses_leaves_no_folder_in_the_way(synth, tmp_path, words):
    code, out, err = synth("campaign", "run", "--out", "it", "--device", *words, FEW[0])
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert not list(tmp_path.iterdir())
    few = ["--launches", "1", "--instances", "5"]
    assert synth("campaign", "run", "--out", "it", "--device", "sim", *few, FEW[0]).code == 0
    code, _, _ = synth("campaign", "run", "--out", "it", "--device", "sim", "--stress", "4", FEW[0])
    assert code == 2  # another campaign is there, which stays
    assert synth("campaign", "status", "it").code == 0


def test_a_device_that_is_refused_ends_with_status_3_and_says_why(synth, tmp_path):
    device, _ = fake(tmp_path / "fake", {})
    code, out, err = synth("campaign", "run", "--device", device, "--expected", "Swift", "--out", "it", FEW[0])
    assert code == 3
    assert "the device says that it is 'fake device, driver 1', expected 'Swift' in it" in err
    assert "not tested" in out


@pytest.mark.full
def test_the_processors_of_this_machine_end_a_fair_test(synth):
    """In a folder whose name is relative: programs are started in folders of their own."""
    words = ["--device", "cpu", "--mapping", "plain", "--launches", "3", "--out", "it"]
    (device,) = json.loads(synth("campaign", "run", *words, "00_0-0011", "--json").out)["devices"]
    assert device["driver"].startswith("std::jthread")
    assert [cell["outcomes"] for cell in device["cells"]] == [{"ended": 3}]
