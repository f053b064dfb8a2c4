"""`synth campaign analyse`: claims with their evidence, from one campaign or from several."""

import json
import shlex
import shutil
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from synth_analysis.answers.witnesses import command_of
from synth_backends.litmus_test import LitmusTest
from synth_campaigns.answers import plan
from synth_campaigns.cell_result import CellResult
from synth_campaigns.cells import cells_of
from synth_campaigns.folder import open_store
from synth_campaigns.settings import LaunchSettings, RunSettings, Settings
from synth_checker.programs.normal import program_of_id

RUN = ["campaign", "run", "--launches", "20", "--instances", "50"]
VIOLATES = "0010-000001_0"


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A folder for campaigns that were run. Many tests begin with a campaign that another one has run."""
    return tmp_path_factory.mktemp("made")


@pytest.fixture
def campaign(synth, made, tmp_path):
    """A function that runs a campaign, or copies one that was run by the same words, and returns the new folder."""

    def run(name, *words, device="sim:strided", mapping="chunked"):
        asked = ["--device", device, "--mapping", mapping, *words, "--out", name]
        kept = made / shlex.join(asked)
        if not kept.exists():
            ran = synth(*RUN, *asked)
            assert ran.code == 0, ran.err
            shutil.copytree(tmp_path / name, kept)
            return str(tmp_path / name)
        return str(shutil.copytree(kept, tmp_path / name))

    return run


def analysed(synth, *folders):
    (device,) = json.loads(synth("campaign", "analyse", *folders, "--json").out)["devices"]
    return device


def claim(device, verdict):
    (found,) = [its_claim for its_claim in device["claims"] if its_claim["verdict"] == verdict]
    return found


@pytest.mark.full
def test_a_violation_comes_with_program_lasso_and_a_command_that_sees_it_again(synth, campaign, tmp_path):
    folder = campaign("c", VIOLATES)
    device = analysed(synth, folder)
    found = claim(device, "HSA.strong")
    assert (found["claim"], found["witnesses"]) == ("violates", [{"campaign": folder, "cell": 1}])
    (witness, *_) = device["witnesses"]
    assert "Exch(Mem[0],1)" in witness["program"]
    assert witness["under"] == "OBE.strong"
    assert witness["lasso"][0].startswith("The program may hang")
    words = [word.replace("again.campaign", str(tmp_path / "again")) for word in shlex.split(witness["command"])]
    assert synth(*words[1:]).code == 0
    assert claim(analysed(synth, str(tmp_path / "again")), "HSA.strong")["claim"] == "violates"
    text = synth("campaign", "analyse", folder).out
    assert "HSA.strong      violates         0010-000001_0 under chunked hung in 5 of 5 launches" in text
    assert "the first hang came at launch 1, then 4 of 4 launches hung, a rate of 51.0% to 100.0% (95 %)." in text
    assert "The least fair verdicts violated: HSA.strong" in text
    assert witness["command"] in text


@pytest.mark.parametrize(
    ("settings", "launches"),
    [
        (RunSettings("sim:strided", ("plain",)), LaunchSettings()),
        (
            RunSettings("opencl:name with spaces", ("plain", "round-robin", "chunked"), 70, 12, busy=2),
            LaunchSettings(7, after_hang=0),
        ),
        (
            RunSettings("vulkan", ("hybrid:2", "invocations"), 33, 0.25, width=4, stress_shape="random:7"),
            LaunchSettings(until=0.05),
        ),
        (
            RunSettings("cuda", ("plain", "random:3"), 20, 5, stress_shape="store-load:16:64:test:3"),
            LaunchSettings(9, confirm_s=2),
        ),
        (RunSettings("command:./device 'a b'", ("subgroups:32",), 8, 1, 3, width=64), LaunchSettings()),
    ],
)
def test_the_command_that_runs_a_cell_again_has_all_settings_of_the_cell(synth, monkeypatch, settings, launches):
    """What `plan` makes of the printed command is the cell."""
    planned = []

    def recorded(asked, tests):
        planned.append((asked, cells_of(asked, tests)))
        return planned[-1][1]

    monkeypatch.setattr(plan, "cells_of", recorded)
    tests = [LitmusTest(VIOLATES, VIOLATES, program_of_id(VIOLATES))]
    for cell in cells_of(Settings((VIOLATES,), (settings,), launches), tests):
        result = CellResult(1, cell, {"hung": 1}, 1, after_hang=launches.after_first_hang)
        _, _, _, *words = shlex.split(command_of(result))
        ran = synth("campaign", "plan", *words)
        assert ran.code == 0, ran.err
        asked, again = planned.pop()
        assert again == [cell]
        assert asked.launches.after_first_hang == launches.after_first_hang


@pytest.mark.full
def test_the_exit_code_says_whether_devices_are_consistent_with_what_is_expected(synth, campaign):
    folder = campaign("c", VIOLATES)
    assert synth("campaign", "analyse", folder).code == 0
    assert synth("campaign", "analyse", folder, "--expect", "HSA.strong").code == 1
    untested = synth("campaign", "analyse", folder, "--expect", "unfair")
    assert (untested.code, untested.err) == (3, "synth: sim:strided: unfair is not tested\n")
    good = campaign("good", VIOLATES, mapping="plain")
    few = synth("campaign", "analyse", good, "--expect", "HSA.strong")
    assert few.code == 1
    assert "not enough launches to say; they show a rate of hangs below 16.1% for HSA.strong" in few.err
    assert "73 launches a cell (--until 0.05)" in few.err
    assert synth("campaign", "analyse", good, "--expect", "HSA.strong", "--at-most-rate", "0.17").code == 0
    enough = campaign("enough", VIOLATES, "--launches", "73", mapping="plain")
    assert synth("campaign", "analyse", enough, "--expect", "HSA.strong").code == 0
    for words in (["--at-most-rate", "0.1"], ["--expect", "HSA.strong", "--at-most-rate", "1"]):
        assert synth("campaign", "analyse", good, *words).code == 2
    both = synth("campaign", "analyse", good, folder, "--expect", "HSA.strong")
    assert both.code == 1
    wrong = synth("campaign", "analyse", folder, "--expect", "HSA.stong")
    assert (wrong.code, wrong.out) == (2, "")
    assert "did you mean HSA.strong?" in wrong.err


@pytest.mark.full
def test_campaigns_on_one_device_make_its_claims_together_and_each_cell_stays_its_own(synth, campaign):
    first, other = campaign("one", VIOLATES), campaign("other", "00_0-0011")
    device = analysed(synth, first, other)
    assert device["campaigns"] == [first, other]
    assert len(device["cells"]) == 2
    assert claim(device, "HSA.strong")["claim"] == claim(device, "fair.weak")["claim"] == "violates"
    twice = analysed(synth, first, campaign("again", VIOLATES))
    assert [cell["outcomes"] for cell in twice["cells"]] == [{"hung": 5}, {"hung": 5}]


@pytest.mark.full
def test_campaigns_on_different_devices_stay_apart(synth, campaign):
    answer = synth("campaign", "analyse", campaign("a", VIOLATES), campaign("b", "--seed", "1", VIOLATES), "--json")
    assert len(json.loads(answer.out)["devices"]) == 1  # the seed is that of the order of cells
    other = campaign("c", VIOLATES, device="sim:linear")
    answer = synth("campaign", "analyse", campaign("d", VIOLATES), other, "--json")
    assert [answered["device"] for answered in json.loads(answer.out)["devices"]] == ["sim:strided", "sim:linear"]


@pytest.mark.full
def test_a_copy_of_a_campaign_changes_nothing(synth, campaign, tmp_path):
    folder, copies = campaign("c", VIOLATES, "00_0-0011"), [str(tmp_path / name) for name in ("copy", "another")]
    for copy in copies:
        shutil.copytree(folder, copy)
    alone, together = analysed(synth, folder), analysed(synth, folder, folder, *copies)
    assert together.pop("campaigns") == [folder, *copies]
    assert together == {key: value for key, value in alone.items() if key != "campaigns"}


@pytest.mark.full
def test_the_copies_of_a_campaign_that_went_on_count_what_each_has_launched(synth, campaign, tmp_path):
    folder, copy = campaign("c", "00_0-0011", "--launches", "5", mapping="plain"), str(tmp_path / "copy")
    shutil.copytree(folder, copy)
    for place in (folder, copy):
        with open_store(Path(place)) as store, store.transaction() as db:
            db.execute("UPDATE cell SET declared = 11")
        assert synth("campaign", "run", place).code == 0
    (cell,) = analysed(synth, folder, copy)["cells"]
    assert (cell["declared"], cell["outcomes"]) == (17, {"ended": 17})  # 5 in both, and 6 more in each


def junit(synth, path, *words):
    ran = synth("campaign", "analyse", *words, "--junit", str(path))
    return ran.code, ET.parse(path).getroot()  # noqa: S314  (we wrote it)


@pytest.mark.full
def test_junit_has_a_suite_for_each_device_and_a_case_for_each_cell(synth, campaign, tmp_path):
    """A CI system shows failures, errors and what was skipped."""
    folder = campaign("c", VIOLATES, "00_0-0011", mapping="plain,chunked")
    code, root = junit(synth, tmp_path / "x.xml", folder, "--expect", "fair.strong")
    few = [case.find("error").get("message") for case in root[0] if case.find("error") is not None]
    assert few == ["20 launches, which are not enough to say"] * 2
    code, root = junit(synth, tmp_path / "x.xml", folder, "--expect", "fair.strong", "--at-most-rate", "0.9")
    (suite,) = root
    assert code == 1
    assert suite.get("name").startswith("fair.strong on simulated scheduler")
    assert {key: suite.get(key) for key in ("tests", "failures", "errors", "skipped")} == {
        "tests": "4", "failures": "2", "errors": "0", "skipped": "0"
    }  # fmt: skip
    cases = {case.get("name"): case.find("failure") for case in suite}
    assert cases[f"{VIOLATES} under chunked, 50 instances"].get("message").startswith(f"{VIOLATES} under chunked hung")
    assert cases[f"{VIOLATES} under plain, 1 instances"] is None
    code, root = junit(synth, tmp_path / "x.xml", folder, "--expect", "unfair")
    assert (code, root[0].get("tests")) == (3, "0")


@pytest.mark.full
def test_junit_says_what_keeps_a_claim_from_being_consistent(synth, campaign, tmp_path):
    folder = campaign("c", "00_0-0011", mapping="plain,chunked")
    with open_store(tmp_path / "c") as store, store.transaction() as db:
        db.execute("UPDATE attempt SET state = 'orphaned' WHERE cell = 1")
        db.execute("UPDATE launch SET end = 'crashed' WHERE attempt IN (SELECT id FROM attempt WHERE cell = 2)")
    with open_store(tmp_path / "c") as store, store.transaction() as db:
        db.execute("UPDATE launch SET end = 'ended' WHERE number = 1")
    code, root = junit(synth, tmp_path / "x.xml", folder, "--expect", "fair.weak")
    assert code == 3
    assert [child.tag for case in root[0] for child in case] == ["skipped", "error"]


@pytest.mark.full
def test_junit_has_witnesses_by_who_had_finished(synth, campaign, tmp_path):
    folder = campaign("c", "00_0-0011", "--after-hang", "0")
    code, root = junit(synth, tmp_path / "x.xml", folder, "--expect", "LOBE.weak", "--patterns")
    assert (code, root[0].get("failures")) == (1, "1")
    code, root = junit(synth, tmp_path / "x.xml", folder, "--expect", "LOBE.weak")
    assert (code, root[0].get("tests")) == (3, "0")


@pytest.mark.full
def test_junit_needs_to_know_what_a_failure_is(synth, campaign, tmp_path):
    ran = synth("campaign", "analyse", campaign("c", VIOLATES), "--junit", str(tmp_path / "x.xml"))
    assert (ran.code, ran.out) == (2, "")
    assert "--junit needs --expect" in ran.err


@pytest.mark.full
def test_what_a_watchdog_may_have_done_has_lines_of_its_own(synth, campaign, tmp_path):
    folder = campaign("c", "00_0-0011", mapping="plain,chunked")
    with open_store(tmp_path / "c") as store, store.transaction() as db:
        db.execute("UPDATE launch SET end = 'lost', seconds = 2 WHERE end = 'given up'")
        db.execute("UPDATE attempt SET canary = 'terminated'")
    text = synth("campaign", "analyse", folder).out
    hung = sum(cell["outcomes"].get("suspected hang", 0) for cell in analysed(synth, folder)["cells"])
    assert hung
    assert "Suspected hangs, where the device was lost at the time of a watchdog:" in text
    assert f"00_0-0011 under chunked: {hung} of {hung} launches (100.0%)" in text
    assert claim(analysed(synth, folder), "fair.weak")["claim"] == "inconclusive"


@pytest.mark.full
def test_models_of_ones_own_get_claims_from_the_launches_in_which_they_hold(synth, campaign):
    folder = campaign("c", "0011-00_0", "--mapping", "plain")
    own = ["--model", "up = live & upto(stepped)", "--model", "mine = lowest(stepped)", "--model", "fair"]
    device = analysed(synth, folder, *own)
    assert [fields["verdict"] for fields in device["claims"]] == [
        "fair.weak", "fair.strong", "mine.weak", "mine.strong", "up.weak", "up.strong",
    ]  # fmt: skip
    assert claim(device, "up.weak")["claim"] == claim(device, "fair.weak")["claim"] == "violates"
    assert device["violated"] == ["up.weak"]
    ran = synth("campaign", "analyse", folder, *own, "--expect", "up.strong")
    assert ran.code == 1
    wrong = synth("campaign", "analyse", folder, *own, "--expect", "OBE.weak")
    assert (wrong.code, wrong.out) == (2, "")


def test_cells_in_whose_launches_a_model_does_not_hold_are_left_out_and_the_reason_is_said(synth, campaign):
    """Two instances of the test fail a verdict that one passes: a hang of many would not speak against it."""
    folder = campaign("c", "0010-0100", "--mapping", "plain")
    own = ["--model", "mine = lowest(stepped)"]
    device = analysed(synth, folder, *own)
    assert claim(device, "mine.strong")["launches"] == 20  # those of one instance
    (doubt,) = device["doubts"]
    assert (doubt["verdict"], doubt["left_out"], doubt["tried"]) == ("mine.strong", 1, 0)
    text = synth("campaign", "analyse", folder, *own).out
    assert "mine.strong may not hold of launches, so 1 cell does not count for it:\n  0010-0100 passes" in text
    tried = synth("campaign", "analyse", folder, "--model", "resident-1").out
    assert "resident-1.strong is not proven to hold of launches, but was judged for a few instances:" in tried
    assert analysed(synth, folder)["doubts"] == []


def by_patterns(synth, folder):
    """The verdicts against which only who had finished speaks."""
    claims = json.loads(synth("campaign", "analyse", folder, "--patterns", "--json").out)["devices"][0]["claims"]
    return {fields["verdict"] for fields in claims if fields["claim"] == "violates" and not fields["witnesses"]}


def test_who_had_finished_counts_only_if_asked_for_and_the_answer_says_so(synth, campaign):
    """Thread 1 had finished where thread 0 never started, which LOBE does not allow. The test fails LOBE, though."""
    folder = campaign("c", "00_0-0011", "--after-hang", "0")
    assert claim(analysed(synth, folder), "LOBE.weak")["claim"] == "not tested"
    assert by_patterns(synth, folder) == {"LOBE.weak", "LOBE.strong"}
    text = synth("campaign", "analyse", folder, "--patterns").out
    assert "LOBE.weak       violates         by who had finished: 00_0-0011 under chunked hung in 1 of 1" in text
    assert "no thread had finished in some instances, and only thread 1 had finished in some" in text
    assert "The least fair verdicts violated: LOBE.weak." in text


def test_who_had_finished_counts_only_in_confirmed_hangs_whose_flags_were_seen(synth, campaign, tmp_path):
    folder = campaign("c", "00_0-0011", "--after-hang", "0")

    def change(*commands):
        with open_store(tmp_path / "c") as store, store.transaction() as db:
            for command in commands:
                db.execute(command)

    change(
        "UPDATE device SET decides = 0", "UPDATE launch SET seconds = 30, quiet = 30", "UPDATE attempt SET timeout = 30"
    )
    assert by_patterns(synth, folder) == {"LOBE.weak", "LOBE.strong"}
    change("UPDATE launch SET quiet = NULL")  # the host sees no flags
    assert by_patterns(synth, folder) == set()
    change("UPDATE launch SET quiet = 2, seconds = 2", "UPDATE attempt SET timeout = 2")  # not confirmed
    assert by_patterns(synth, folder) == set()
    change("UPDATE launch SET quiet = 30, seconds = 30", "UPDATE attempt SET timeout = 30")
    change("UPDATE cell SET across = 'subgroups'")
    assert by_patterns(synth, folder) == set()


@pytest.mark.parametrize(("quiet", "expected"), [(30, {"LOBE.weak", "LOBE.strong"}), (None, set())])
def test_who_had_finished_counts_only_in_those_hangs_of_a_cell_whose_flags_were_seen(
    synth, campaign, tmp_path, quiet, expected
):
    """A cell has a confirmed hang that says nothing, and another hang as long, of which somebody saw flags or not."""
    folder = campaign("c", "00_0-0011", "--after-hang", "0")
    with open_store(tmp_path / "c") as store, store.transaction() as db:
        db.execute("UPDATE device SET decides = 0")
        db.execute("UPDATE launch SET seconds = 30, quiet = 30")
        db.execute("UPDATE attempt SET timeout = 30, launches = launches + 1")
        ((attempt, number, finished),) = db.execute("SELECT attempt, number, finished FROM launch").fetchall()
        put = "INSERT INTO launch (attempt, number, end, seconds, quiet, finished) VALUES (?, ?, 'given up', 30, ?, ?)"
        db.execute(put, (attempt, number + 1, quiet, finished))
        db.execute("UPDATE launch SET finished = ? WHERE number = ?", (json.dumps({"00": 50}), number))
    assert by_patterns(synth, folder) == expected


@pytest.mark.full
def test_relaxed_memory_may_be_why_threads_of_two_locations_had_not_finished(synth, campaign, tmp_path):
    """The second test is like the first one, with another location that both threads use."""
    small, two = "00_0-0011", "00_010_1-00111011"
    for test, expected in ((small, {"LOBE.weak", "LOBE.strong"}), (two, set())):
        folder = campaign(test, test, "--after-hang", "0")
        assert by_patterns(synth, folder) >= {"LOBE.weak", "LOBE.strong"}
        for order in ("relaxed device", "", "some order"):  # what nobody knows may be relaxed
            with open_store(tmp_path / test) as store, store.transaction() as db:
                db.execute("UPDATE device SET memory_order = ?", (order,))
            assert by_patterns(synth, folder) == expected


@pytest.mark.full
def test_of_a_cell_that_ends_with_its_first_hang_only_that_launch_is_told(synth, campaign):
    folder = campaign("c", "--after-hang", "0", VIOLATES)
    (cell,) = analysed(synth, folder)["cells"]
    assert (cell["first_hang"], cell["interval"], cell["of"]) == (1, None, None)
    printed = synth("campaign", "analyse", folder).out
    assert "the first hang came at launch 1; no launch after it counts" in printed
