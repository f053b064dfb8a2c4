"""A campaign for other programs: a line for each launch, and result lines that say the same."""

import json

import pytest

from campaigns import fake, ids_of, run, settings
from synth.schema import FOLDER
from synth_backends.result_line import read_line
from synth_campaigns.answers.exported import export_text
from synth_campaigns.folder import open_store
from synth_campaigns.settings import LaunchSettings
from synth_checker.errors import InputError
from synth_devices.raw_ends import launches_of

IDS = ids_of("@minimal/2x3", 3)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A campaign in which one test hangs and one loses the device."""
    place = tmp_path_factory.mktemp("c")
    device, _ = fake(place / "fake", {IDS[1]: "hangs", IDS[2]: "is_lost"})
    run(place / "c", settings(device, IDS, launches=LaunchSettings(count=2, timeout_s=1, confirm_s=1, after_hang=1)))
    return place / "c"


@pytest.mark.full
def test_each_launch_that_counts_has_a_line(folder):
    lines = [json.loads(line) for line in export_text(folder, "jsonl").splitlines()]
    with open_store(folder) as store:
        expected = [
            (number, launch.attempt, launch.number, launch.launch.end)
            for number in (1, 2, 3)
            for launch in store.launches(number)
        ]
    assert [(line["cell"], line["attempt"], line["number"], line["end"]) for line in lines] == expected
    assert {line["end"] for line in lines} >= {"ended", "given up", "lost"}


@pytest.mark.full
def test_each_line_fits_its_schema(folder):
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads((FOLDER / "campaign-export.schema.json").read_text())
    for line in export_text(folder, "jsonl").splitlines():
        jsonschema.validate(json.loads(line), schema)


@pytest.mark.full
def test_result_lines_are_read_again_with_the_same_launches(folder):
    read = [read_line(line, "export") for line in export_text(folder, "results").splitlines()]
    with open_store(folder) as store:
        for number, cell in enumerate(store.cells(), 1):
            lines = [line for line in read if line["id"] == cell.test]
            assert [launch for line in lines for launch in launches_of(line)] == [
                stored.launch for stored in store.launches(number)
            ]
            assert [line["process"] for line in lines] == list(range(1, len(lines) + 1))
            assert {line["driver"] for line in lines} == {store.driver(cell.device)}


def test_a_format_that_is_not_there_is_refused(folder):
    with pytest.raises(InputError, match=r"format: found 'jsonll' \(did you mean jsonl\?\), expected one of csv"):
        export_text(folder, "jsonll")
    with pytest.raises(InputError, match="it was not made of published tables; choose the format jsonl or results"):
        export_text(folder, "csv")
    with pytest.raises(InputError, match="--table cannot be combined with the format jsonl"):
        export_text(folder, "jsonl", "phone.csv")


def test_a_campaign_that_nobody_has_run_has_nothing_to_export(tmp_path):
    from campaigns import litmus_tests
    from synth_campaigns.folder import create

    create(tmp_path / "c", settings("sim", IDS), litmus_tests(IDS))
    with pytest.raises(InputError, match="found no launch; there is nothing to export"):
        export_text(tmp_path / "c", "jsonl")
