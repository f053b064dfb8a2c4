"""A bundle has all that somebody else needs, the same bytes each time, and no trace of who made it."""

import getpass
import json
import shutil
import socket
import subprocess
import zipfile
from pathlib import Path

import pytest

from campaigns import litmus_tests
from synth_campaigns.answers.bundled import make_bundle
from synth_campaigns.answers.collected import collect_files
from synth_campaigns.answers.request import CampaignRequest
from synth_campaigns.bundle import bundle_settings, campaign_in, digest_of, files_of_bundle, put_zip
from synth_campaigns.folder import settings_in
from synth_campaigns.settings import LaunchSettings, RunSettings, Settings
from synth_checker.errors import InputError
from synth_storage.answer_json import json_of

SPINNER, MUTEX = "00_0-0011", "01100002-01100002"
LAUNCHES = LaunchSettings(count=2, timeout_s=1, confirm_s=3.5, after_hang=1)


def settings(*runs, launches=LAUNCHES):
    return Settings((SPINNER, MUTEX), runs, launches)


def files(*runs, launches=LAUNCHES):
    return files_of_bundle(bundle_settings(settings(*runs, launches=launches)), litmus_tests([SPINNER, MUTEX]), "b")


def made(place, *runs, **options):
    asked = CampaignRequest(settings(*runs), litmus_tests([SPINNER, MUTEX]), place)
    return make_bundle(asked, place, **{"zipped": False, "force": False} | options)


CUDA = RunSettings("bundle:cuda", ("plain", "chunked", "hybrid:3"), stress=5)


def test_devices_with_the_same_programs_share_a_part():
    found = files(RunSettings("vulkan", ("plain",)), RunSettings("bundle:spirv", ("plain",)))
    assert 'FOLDERS="spirv-plain"' in found["run.sh"].splitlines()


def test_a_bundle_has_a_folder_for_each_mapping_and_says_what_to_type():
    found = files(CUDA)
    parts = ["cuda-plain-stress5", "cuda-chunked-stress5", "cuda-hybrid3-stress5"]
    assert list(dict.fromkeys(name.partition("/")[0] for name in found if "/" in name)) == parts
    assert all(f"| `{part}` | `cuda` |" in found["README.md"] for part in parts)
    assert "sh run.sh" in found["README.md"]
    assert 'ARGS="--iterations 2 --timeout 4 --after-hang 1"' in found["run.sh"]


def test_a_bundle_has_the_width_and_the_shape_of_its_campaign_and_no_queue_family():
    run = RunSettings("bundle:cuda", ("subgroups:32",), 5, stress=0.5, stress_shape="load:1:1:test", width=100)
    found = files(run)
    ((folder, text),) = [(name, text) for name, text in found.items() if name.endswith(".cu")]
    assert folder.startswith("cuda-subgroups32-5-stress0.5-load.1.1.test-width100/")
    assert '"subgroups:32", 2, 5, 5, 10, 100, 32,' in text
    assert '"load:1:1:test"' in text
    with pytest.raises(InputError, match="a bundle cannot choose a queue family; leave it out"):
        files(RunSettings("vulkan:queue-family=1"))


def test_it_is_the_same_each_time_and_its_zip_too(tmp_path):
    assert files(CUDA) == files(CUDA)
    for name in ("a.zip", "b.zip"):
        put_zip(tmp_path / name, files(CUDA), "gpu")
    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes()
    with zipfile.ZipFile(tmp_path / "a.zip") as archive:
        assert {name: archive.read(f"gpu/{name}").decode() for name in files(CUDA)} == files(CUDA)
        assert all(name.startswith("gpu/") for name in archive.namelist())


def test_it_has_no_name_of_a_host_or_a_user_or_a_folder(tmp_path):
    answer = made(tmp_path / "b", CUDA)
    texts = [path.read_text() for path in Path(answer.folder).rglob("*") if path.is_file()]
    for word in (socket.gethostname(), str(Path.home()), str(tmp_path)):
        assert not [text for text in texts if word in text]
    if len(user := getpass.getuser()) > 4:  # "root" is in many words
        assert not [text for text in texts if user in text]


def test_it_says_which_campaign_it_is(tmp_path):
    made(tmp_path / "b", CUDA)
    digest, asked, tests = campaign_in(tmp_path / "b")
    assert (asked.runs, asked.launches.timeout_s) == ((CUDA,), 3.5)
    assert [test.id for test in tests] == [SPINNER, MUTEX]
    fields = json.loads((tmp_path / "b" / "bundle.json").read_text())
    assert (fields["digest"], digest_of(fields["files"])) == (digest, digest)
    assert f'{{"bundle":"{digest}"}}' in (tmp_path / "b" / "run.sh").read_text()


def test_another_device_is_one_that_runs_programs_of_its_target():
    assert bundle_settings(settings(RunSettings("cpu"))).runs == (RunSettings("bundle:cpp"),)


@pytest.mark.parametrize(
    ("run", "told"),
    [
        (RunSettings("sim"), "device sim:linear: others cannot run it; choose a target, such as --device bundle:cuda"),
        (RunSettings("published:X"), "others cannot run it"),
        (RunSettings("bundle:cts"), "the target cts prints no result lines"),
        (RunSettings("bundle:cuda", busy=2), "found 2 busy processes, but a bundle cannot start any"),
    ],
)
def test_what_others_cannot_run_is_refused(run, told):
    with pytest.raises(InputError) as raised:
        files(run)
    assert told.replace("sim:linear", "sim") in str(raised.value).replace("sim:linear", "sim")


def test_a_target_that_is_not_there_is_refused():
    with pytest.raises(InputError, match=r"did you mean cuda\?"):
        RunSettings("bundle:cudaa")


def test_a_page_has_no_script_and_an_address_to_open():
    found = files(RunSettings("bundle:web", ("chunked",)))
    assert "run.sh" not in found
    assert "`?run&iterations=2&timeout=4`" in found["README.md"]
    assert "make" not in found["README.md"]


@pytest.fixture(scope="module")
def ran(tmp_path_factory):
    """A bundle for C++, whose script has run in a folder of another name, as with somebody else."""
    place = tmp_path_factory.mktemp("bundle")
    answer = made(place / "cpp", RunSettings("bundle:cpp", ("chunked",), instances=2), zipped=True)
    with zipfile.ZipFile(answer.zip) as archive:
        archive.extractall(place / "elsewhere")
    done = subprocess.run(["sh", "elsewhere/cpp/run.sh"], cwd=place, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert json_of(answer.parts) == [{"folder": "cpp-chunked-2", "target": "cpp", "mapping": "chunked"}]
    return place


@pytest.mark.full
def test_what_its_script_writes_is_collected(ran, tmp_path):
    answer = collect_files([ran / "cpp", ran / "elsewhere" / "cpp" / "results.jsonl"], tmp_path / "c", None)
    assert [(file.attempts, file.launches, file.refused) for file in answer.files] == [(2, 4, [])]
    (device,) = answer.results.devices
    assert (device.name, device.finished, len(device.cells)) == ("bundle:cpp", 2, 2)
    assert settings_in(tmp_path / "c").launches.timeout_s == 3.5
    again = collect_files([ran / "cpp", ran / "elsewhere" / "cpp" / "results.jsonl"], tmp_path / "c", None)
    assert again.files[0].known


@pytest.mark.full
def test_results_of_another_bundle_do_not_count(ran, tmp_path):
    made(tmp_path / "b", RunSettings("bundle:cpp", ("chunked",), instances=2), RunSettings("bundle:cpp", ("plain",)))
    answer = collect_files([tmp_path / "b", ran / "elsewhere" / "cpp" / "results.jsonl"], tmp_path / "c", None)
    (report,) = answer.files
    assert (report.attempts, [line.line for line in report.refused]) == (0, [1])
    assert report.refused[0].why.startswith("found results of the bundle ")


@pytest.mark.full
def test_its_script_does_not_replace_results_and_notices_a_changed_file(ran, tmp_path):
    place = tmp_path / "b"
    shutil.copytree(ran / "elsewhere" / "cpp", place)
    again = subprocess.run(["sh", place / "run.sh"], capture_output=True, text=True, check=False)
    assert (again.returncode, "results.jsonl is there already" in again.stderr) == (2, True)
    source = next(place.glob("*/litmus.h"))
    source.write_text(source.read_text() + "\n")
    changed = subprocess.run(["sh", place / "run.sh"], capture_output=True, text=True, check=False)
    assert changed.returncode == 2
    assert "litmus.h: FAILED" in changed.stderr
    assert "the files are not those of the bundle; unpack it again" in changed.stderr


@pytest.mark.full
def test_without_make_what_was_built_is_run(ran, tmp_path):
    place = tmp_path / "phone"
    shutil.copytree(ran / "elsewhere" / "cpp", place, ignore=shutil.ignore_patterns("Makefile", "results.jsonl"))
    subprocess.run(["sh", place / "run.sh", "run"], capture_output=True, check=True)
    answer = collect_files([ran / "cpp", place / "results.jsonl"], tmp_path / "c", None)
    assert answer.files[0].attempts == 2


def test_a_bundle_that_was_changed_is_refused(tmp_path):
    made(tmp_path / "b", CUDA)
    path = tmp_path / "b" / "bundle.json"
    text = path.read_text()
    path.write_text(text.replace('"digest": "', '"digest": "0'))
    with pytest.raises(InputError, match="its digest does not fit its files"):
        campaign_in(tmp_path / "b")
    path.write_text(text.replace('"synth"', '"sinth"'))
    with pytest.raises(InputError, match=r"found the unknown key 'sinth' \(did you mean synth\?\)"):
        campaign_in(tmp_path / "b")
    for text in ("{", "[" * 100_000):
        path.write_text(text)
        with pytest.raises(InputError, match="found no JSON"):
            campaign_in(tmp_path / "b")


def test_a_place_that_is_taken_is_refused(tmp_path):
    made(tmp_path / "b", CUDA)
    with pytest.raises(InputError, match="b: "):
        made(tmp_path / "b", CUDA)
    made(tmp_path / "b", CUDA, force=True)
