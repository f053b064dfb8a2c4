"""The same launches count once, in however many folders, copies, imports and exports they are."""

import itertools
import json
import random
import shutil

import pytest

from campaigns import Watcher, limping, litmus_tests, run, settings
from lines_of_others import MUTEX, SPINNER, line, put
from synth_analysis.answers.analysis import analysis_of
from synth_analysis.answers.analysis_json import analysis_answer
from synth_campaigns.answers.collected import collect_files
from synth_campaigns.answers.exported import export_text
from synth_campaigns.folder import create, open_store
from synth_campaigns.settings import LaunchSettings, RunSettings, Settings
from synth_storage.answer_json import json_of


def lines_of(seed):
    """Result lines of a device on which one test hangs. Their seconds are those of a clock."""
    chance = random.Random(seed)
    seconds = lambda number: [round(chance.uniform(0.1, 0.2), 6) for _ in range(number)]  # noqa: E731
    hung = [
        line(MUTEX, "hung", [round(30 + chance.random() / 1000, 6)], process=process, iteration=process)
        for process in range(1, 4)
    ]
    return [line(SPINNER, seconds=seconds(20), iteration=20, iterations=20), *hung]


def said(*folders):
    """What is said of devices, as text, but without the names of folders and the order of cells."""
    found = json_of(analysis_answer(analysis_of(folders)))
    for device in found["devices"]:
        del device["campaigns"]
        names = {(cell["campaign"], cell["cell"]): f"{cell['test']} {cell['mapping']}" for cell in device["cells"]}
        for fields in device["cells"]:
            del fields["campaign"], fields["cell"]
        device["cells"].sort(key=lambda cell: (cell["test"], cell["mapping"]))
        for claim in device["claims"]:
            for value in claim.values():
                if isinstance(value, list):
                    value[:] = sorted(names[cell["campaign"], cell["cell"]] for cell in value)
        for witness in device["witnesses"]:
            del witness["cell"]
    return json.dumps(found["devices"], sort_keys=True)


@pytest.fixture
def places(tmp_path):
    """Five folders with the same launches: collected twice, in two parts, copied, and exported and collected again."""
    lines = lines_of(1)
    file, again = put(tmp_path / "r.jsonl", lines), put(tmp_path / "again.jsonl", lines)
    collect_files([file], tmp_path / "a", None)
    collect_files([again], tmp_path / "b", None)
    halves = [put(tmp_path / "one.jsonl", lines[:2]), put(tmp_path / "two.jsonl", lines[2:])]
    collect_files(halves, tmp_path / "c", None)
    shutil.copytree(tmp_path / "a", tmp_path / "copy")
    with open_store(tmp_path / "a"):
        text = export_text(tmp_path / "a", "results")
    (tmp_path / "exported.jsonl").write_text(text)
    collect_files([tmp_path / "exported.jsonl"], tmp_path / "e", None)
    return [tmp_path / name for name in ("a", "b", "c", "copy", "e")]


@pytest.mark.full
def test_copies_that_went_on_say_the_same_in_any_order(tmp_path):
    """In each copy, another test hangs afterwards, and needs launches that the campaign does not declare."""
    tests = ["0000-00110100", SPINNER, "0011-00_0"]
    device, _ = limping(tmp_path / "device", {})
    asked = settings(device, tests, mappings=["chunked"], instances=64, launches=LaunchSettings(3, None, 1, 2, 1))
    run(tmp_path / "a", asked, Watcher(0))
    for name, hangs in (("b", tests[2:]), ("c", tests[1:2])):
        shutil.copytree(tmp_path / "a", tmp_path / name)
        limping(tmp_path / "device", {"hangs": hangs})
        run(tmp_path / name)
    limping(tmp_path / "device", {})
    run(tmp_path / "a")
    places = [tmp_path / name for name in "abc"]
    (together,) = {said(*some) for some in itertools.permutations(places)}
    (device,) = json.loads(together)
    claims = {claim["verdict"]: claim["claim"] for claim in device["claims"]}
    assert (claims["fair.strong"], claims["HSA.weak"]) == ("violates", "violates")


@pytest.mark.full
def test_an_export_says_what_the_campaign_says(tmp_path):
    """Two tests hang, one after the other, and the result lines come in the order in which they were launched."""
    device, _ = limping(tmp_path / "device", {"hangs": ["0000-00110100", "0011-00_0"], "flags": True})
    asked = settings(device, ["0000-00110100", "0011-00_0"], mappings=["chunked"], instances=64)
    run(tmp_path / "a", asked)
    lines = [json.loads(text) | {"target": "cuda"} for text in export_text(tmp_path / "a", "results").splitlines()]
    assert [launch["id"] for launch in lines][:2] == ["0000-00110100"] * 2
    collect_files([put(tmp_path / "e.jsonl", lines)], tmp_path / "e", 1.0)
    statuses = [
        {claim["verdict"]: claim["claim"] for claim in json.loads(said(tmp_path / name))[0]["claims"]}
        for name in ("a", "e")
    ]
    assert statuses[0] == statuses[1]
    assert "violates" in statuses[0].values()


@pytest.mark.parametrize("seconds", [(None, None), (None,)])
def test_launches_of_unknown_seconds_count_once_only_if_they_are_of_one_file(tmp_path, seconds):
    hung = [line(MUTEX, "hung", seconds), line(SPINNER, "terminated", (None, None))]
    for name, lines in (("a", hung), ("b", [*hung, line(MUTEX, "hung", seconds)]), ("c", hung)):
        collect_files([put(tmp_path / f"{name}.jsonl", lines)], tmp_path / name, None)
    (alone,), (same,), (both,) = (
        json.loads(said(*(tmp_path / folder for folder in some))) for some in (["a"], ["a", "c"], ["a", "b"])
    )
    assert same == alone
    assert len(both["cells"]) == 2 * len(alone["cells"])


def test_launches_in_any_number_of_places_are_said_once(places):
    alone = said(places[0])
    assert '"violates"' in alone
    for some in (*itertools.pairwise(places), places[:3], places[::-1]):
        assert said(*some) == alone, some


@pytest.mark.full
def test_launches_in_any_number_of_places_are_said_once_in_any_order(places):
    alone = said(places[0])
    for number in range(1, len(places) + 1):
        for some in itertools.permutations(places, number):
            assert said(*some) == alone, some


def test_launches_of_others_are_not_the_same(places, tmp_path):
    collect_files([put(tmp_path / "other.jsonl", lines_of(2))], tmp_path / "other", None)
    # The test declares two launches, so the third hang is beyond them.
    (device,) = json.loads(said(*places, tmp_path / "other"))
    assert [cell["outcomes"] for cell in device["cells"]] == [{"ended": 20}] * 2 + [{"hung": 2}] * 2


def test_lines_in_another_file_that_were_collected_before_are_refused(tmp_path):
    lines = lines_of(1)
    create(
        tmp_path / "c",
        Settings((SPINNER, MUTEX), (RunSettings("bundle:cuda", ("chunked",), instances=10),), LaunchSettings()),
        litmus_tests([SPINNER, MUTEX]),
    )
    collect_files([tmp_path / "c", put(tmp_path / "one.jsonl", lines[:2])], None, None)
    (report,) = collect_files([tmp_path / "c", put(tmp_path / "two.jsonl", lines[::-1])], None, None).files
    assert (report.attempts, [refused.line for refused in report.refused]) == (2, [3, 4])
    assert {refused.why for refused in report.refused} == {
        "found launches that the campaign has already, which count once"
    }
    whole = said(tmp_path / "c")
    assert whole == said(tmp_path / "c", tmp_path / "c")


@pytest.mark.full
def test_two_campaigns_on_a_simulator_are_never_taken_for_one(tmp_path):
    asked = settings("sim:strided", ["0010-000001_0", SPINNER], mappings=["chunked"], instances=50)
    for name in ("a", "b"):
        run(tmp_path / name, asked)
    (device,) = json.loads(said(tmp_path / "a", tmp_path / "b"))
    assert len(device["cells"]) == 4
