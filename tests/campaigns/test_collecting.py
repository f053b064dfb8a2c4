"""Result lines that others printed become launches: each once, only where they fit, and of one device."""

import json

import pytest

from campaigns import rows
from lines_of_others import DRIVER, MUTEX, SPINNER, line, put
from synth_campaigns.answers.collected import collect_files
from synth_campaigns.answers.exported import export_text
from synth_campaigns.folder import create, open_store, settings_in
from synth_campaigns.results import results_of
from synth_campaigns.settings import LaunchSettings, RunSettings, Settings
from synth_campaigns.views.collected import collected_lines
from synth_checker.errors import InputError

HUNG = line(MUTEX, "hung", (0.1, 30))
CANARY = line("0010", canary=True, threads=1, instances=1)
LINES = [line(), HUNG, CANARY, line(MUTEX, "terminated", (0.1,), process=2, iteration=3)]


def collected(place, lines, *before, **options):
    (report,) = collect_files([*before, put(place, lines)], options.get("out"), options.get("confirm")).files
    return report


def results(folder):
    (run,) = settings_in(folder).runs
    with open_store(folder) as store:
        return {result.cell.test: result for result in results_of(store, settings_in(folder).launches, run.device)}


@pytest.fixture
def campaign(tmp_path):
    """A campaign for a device elsewhere, with two cells."""
    from campaigns import litmus_tests

    run = RunSettings("bundle:cuda", ("chunked",), instances=10)
    create(tmp_path / "c", Settings((SPINNER, MUTEX), (run,), LaunchSettings(count=2)), litmus_tests([SPINNER, MUTEX]))
    return tmp_path / "c"


def test_lines_become_launches_of_their_cells(campaign, tmp_path):
    report = collected(tmp_path / "r.jsonl", LINES, campaign)
    assert (report.attempts, report.launches, report.canaries, report.refused) == (3, 5, 1, [])
    found = results(campaign)
    assert dict(found[SPINNER].outcomes) == {"ended": 2}
    # The cell declares two launches, so the third does not count.
    assert (dict(found[MUTEX].outcomes), found[MUTEX].confirmed) == ({"ended": 1, "hung": 1}, 1)
    assert found[MUTEX].beyond == {"ended": 1}
    with open_store(campaign) as store:
        assert (store.driver("bundle:cuda"), store.order("bundle:cuda")) == (DRIVER, "seq_cst device")
        assert store.told("bundle:cuda") == {"name": "GPU X"}


def test_a_canary_belongs_to_the_attempt_before_it_and_is_no_launch(campaign, tmp_path):
    collected(tmp_path / "r.jsonl", LINES, campaign)
    assert rows(campaign, "SELECT canary FROM attempt ORDER BY id") == [("",), ("terminated",), ("",)]
    assert rows(campaign, "SELECT count(*) FROM launch") == [(5,)]


def test_a_line_that_a_file_has_twice_counts_once(campaign, tmp_path):
    report = collected(tmp_path / "r.jsonl", [*LINES, *LINES], campaign)
    assert (report.attempts, report.launches) == (3, 5)
    assert [refused.why.split()[2] for refused in report.refused] == ["1", "2", "4"]
    assert report.refused[0].why == "found line 1 again, which counts once"


def test_a_huge_line_is_refused_before_it_is_read(campaign, tmp_path):
    report = collected(tmp_path / "r.jsonl", [line(id="0" * 2_000_000), line()], campaign)
    assert (report.attempts, [refused.line for refused in report.refused]) == (1, [1])
    assert report.refused[0].why.endswith(" bytes, expected at most 1,048,576")


def test_the_same_file_twice_counts_once(campaign, tmp_path):
    collected(tmp_path / "r.jsonl", LINES, campaign)
    assert collected(tmp_path / "again.jsonl", LINES, campaign).known
    assert (results(campaign)[MUTEX].counted, results(campaign)[MUTEX].beyond) == (2, {"ended": 1})


@pytest.mark.parametrize("cut", [False, True])
def test_of_a_file_that_has_grown_only_the_new_lines_count(campaign, tmp_path, cut):
    half = json.dumps(line())[:60]
    first = collected(tmp_path / "r.jsonl", [HUNG, half] if cut else [HUNG], campaign)
    assert len(first.refused) == cut
    report = collected(tmp_path / "r.jsonl", [HUNG, line()], campaign)
    assert (report.attempts, report.launches) == (1, 2)
    assert {id_: result.counted for id_, result in results(campaign).items()} == {SPINNER: 2, MUTEX: 2}


def test_a_last_line_without_an_end_is_whole_if_it_is(campaign, tmp_path):
    whole = json.dumps(line())
    assert collected(tmp_path / "r.jsonl", [whole], campaign).attempts == 1
    report = collected(tmp_path / "r.jsonl", [whole + "\n", HUNG], campaign)
    assert (report.attempts, results(campaign)[SPINNER].counted) == (1, 2)


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ("{]\n", "expected a result line"),
        (json.dumps(line())[:60] + "\n", "expected a result line"),
        (line(instances=11), "with 11 instances, 0 stressing workgroups and the target 'cuda', but"),
        (line(stress=1, workgroups=21), "but the campaign has no cell for this setting"),
        (line(width=2), "but the campaign has no cell for this setting"),
        (line(target="hip"), "but the campaign has no cell for this setting"),
        (line(mapping="plain"), "but the campaign has no cell for this setting"),
        (line(mapping="chunkd"), "did you mean chunked?"),
        (line("0011-00_0"), "but the campaign has no cell for this test"),
        (line(driver="llvmpipe"), f"found the device 'llvmpipe', expected '{DRIVER}' as before"),
        (line(result="hung", seconds=()), "the result is 'hung', but the line has the seconds of 0 launches"),
        (line(format=3), "a later release of synth wrote it"),
        (line(iterations=0), "iterations"),
        (line(threads=1), "threads: found 1, expected 2, as the test has"),
    ],
)  # fmt: skip
def test_a_line_that_does_not_fit_is_told_by_its_number_and_the_others_count(campaign, tmp_path, wrong, told):
    report = collected(tmp_path / "r.jsonl", [HUNG, "\n", wrong, line()], campaign)
    ((number, why),) = report.refused
    assert number == 3
    assert told.replace("'", "") in why.replace("'", "")
    assert (report.attempts, report.launches) == (2, 4)


def test_a_canary_after_a_line_that_does_not_fit_belongs_to_nothing(campaign, tmp_path):
    collected(tmp_path / "r.jsonl", [line(), line("0011-00_0", "hung", (30,)), CANARY], campaign)
    assert rows(campaign, "SELECT canary FROM attempt") == [("",)]


def test_a_test_that_never_began_names_no_device_and_counts_for_nothing(campaign, tmp_path):
    lost = line(result="not run", seconds=(), driver="", device={}, iteration=0)
    report = collected(tmp_path / "r.jsonl", [lost, line()], campaign)
    assert (report.attempts, results(campaign)[SPINNER].counted) == (2, 2)
    assert dict(results(campaign)[SPINNER].outcomes) == {"failed": 1, "ended": 2}


def test_another_device_than_expected_is_refused(tmp_path):
    from campaigns import litmus_tests

    run = RunSettings("bundle:cuda", ("chunked",), instances=10, expected="GPU Y")
    create(tmp_path / "c", Settings((SPINNER,), (run,)), litmus_tests([SPINNER]))
    report = collected(tmp_path / "r.jsonl", [line()], tmp_path / "c")
    assert report.refused == [(1, f"found the device {DRIVER!r}, expected 'GPU Y' in it")]
    assert not report.attempts


def test_without_a_campaign_lines_make_one(tmp_path):
    lines = [*LINES, line(target="hip", instances=7), line(driver="GPU Y")]
    answer = collect_files([put(tmp_path / "r.jsonl", lines)], tmp_path / "c", None)
    assert answer.files[0].refused == [(6, f"found the device 'GPU Y', expected {DRIVER!r} as before")]
    cuda, hip = answer.results.devices
    assert [(cell.cell.test, cell.cell.setting.instances, cell.cell.declared) for cell in cuda.cells] == [
        (SPINNER, 10, 2), (MUTEX, 10, 2)
    ]  # fmt: skip
    assert (hip.name, hip.cells[0].cell.setting.instances, hip.cells[0].counted) == ("bundle:hip", 7, 2)
    told = list(collected_lines(answer))
    assert told[0] == "r.jsonl: 4 attempts with 7 launches, and 1 line of canaries"
    assert told[1].startswith("r.jsonl:6: this line does not count: found the device 'GPU Y'")


def test_lines_of_threads_that_share_a_workgroup_speak_against_no_verdict(tmp_path):
    inside = line(SPINNER, "hung", (30,), mapping="subgroups:64", width=128, workgroups=10)
    answer = collect_files([put(tmp_path / "r.jsonl", [inside])], tmp_path / "c", None)
    (device,) = answer.results.devices
    (cell,) = device.cells
    assert (cell.cell.across, cell.cell.setting.width, cell.cell.workgroups) == ("subgroups", 128, 10)
    assert cell.confirmed == 1
    assert {claim.status for claim in device.claims} == {"not tested"}


def test_a_hang_of_a_short_time_out_is_not_confirmed_unless_asked(tmp_path):
    short = line(MUTEX, "hung", (2,), timeout_s=2, quiet_s=2)
    claims = {}
    for confirm in (None, 2.0):
        place = put(tmp_path / "r.jsonl", [short])
        answer = collect_files([place], tmp_path / f"c{confirm}", confirm)
        claims[confirm] = {claim.verdict: claim.status for claim in answer.results.devices[0].claims}["fair.strong"]
    assert claims == {None: "inconclusive", 2.0: "violates"}


def test_what_was_exported_is_collected_with_the_same_counts(campaign, tmp_path):
    collected(tmp_path / "r.jsonl", LINES, campaign)
    (tmp_path / "export.jsonl").write_text(export_text(campaign, "results"))
    collect_files([tmp_path / "export.jsonl"], tmp_path / "d", None)
    assert {id_: result.outcomes for id_, result in results(tmp_path / "d").items()} == {
        id_: result.outcomes for id_, result in results(campaign).items()
    }


@pytest.mark.parametrize(
    ("given", "out", "told"),
    [
        (["c"], None, "found a folder and no file"),
        (["r.jsonl"], None, "give the folder of a campaign or bundle before it, or --out"),
        (["c", "r.jsonl"], "d", "--out cannot be combined with the campaign"),
        (["fake", "r.jsonl"], None, "this is the folder neither of a campaign nor of a bundle"),
        (["c", "empty.jsonl"], None, "found an empty file, expected result lines"),
        (["c", "none.jsonl"], None, "No such file or directory"),
        (["garbage.jsonl"], "d", "garbage.jsonl:1: found 'garbage', expected a result line"),
        (["canary.jsonl"], "d", "found no result line, expected at least one"),
        (["r.jsonl"], "c", "c"),
    ],
)
@pytest.mark.usefixtures("campaign")
def test_a_wrong_call_is_one_line_and_changes_nothing(tmp_path, monkeypatch, given, out, told):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "fake").mkdir()
    put(tmp_path / "r.jsonl", LINES)
    put(tmp_path / "canary.jsonl", [CANARY])
    (tmp_path / "empty.jsonl").touch()
    (tmp_path / "garbage.jsonl").write_text("garbage")
    with pytest.raises(InputError) as raised:
        collect_files([tmp_path / word for word in given], out and tmp_path / out, None)
    assert told in str(raised.value)
    assert not (tmp_path / "d").exists()
    assert rows(tmp_path / "c", "SELECT count(*) FROM launch") == [(0,)]
