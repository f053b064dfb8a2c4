"""The results of several campaigns by device: which places are of one device, and what devices are called."""

import itertools
import subprocess
import sys
import textwrap
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaigns import litmus_tests, settings
from synth_analysis.device_results import DeviceResults, ResultFolder, devices_in, labels_of
from synth_campaigns.folder import create, open_store
from synth_devices.attempt import AttemptResult
from synth_devices.device import Build
from synth_devices.raw_ends import LaunchEnd

STORES = "0011-00_0"
DRIVER = "a GPU"


def campaign(folder, told, driver=DRIVER, device="cpu"):
    """Make a campaign whose device has said this of itself, and return its folder."""
    create(folder, settings(device, [STORES]), litmus_tests([STORES]))
    with open_store(folder) as store:
        if driver:
            store.note_driver(device, driver, told, "seq_cst")
    return folder


def together(found):
    """Return which campaigns are of one device, by name."""
    return {frozenset(place.folder.name for place in device.places) for device in found}


def test_one_more_key_makes_no_other_device_but_a_key_that_differs_does(tmp_path):
    old = campaign(tmp_path / "old", {"name": "GPU", "driver_version": "1"})
    new = campaign(tmp_path / "new", {"name": "GPU", "driver_version": "1", "queue_family": "0"})
    (device,) = devices_in([old, new])
    assert [place.folder for place in device.places] == [old, new]
    assert device.told == {"name": "GPU", "driver_version": "1", "queue_family": "0"}
    assert len(device.cells) == 2
    other = campaign(tmp_path / "other", {"name": "GPU", "driver_version": "2"})
    assert together(devices_in([old, new, other])) == {frozenset({"old", "new"}), frozenset({"other"})}
    line = campaign(tmp_path / "line", {"name": "GPU", "driver_version": "1"}, driver="another line")
    silent, also = (campaign(tmp_path / name, {}, driver="") for name in ("silent", "also"))
    assert len(devices_in([old, line, silent, also])) == 4


def test_what_fits_two_different_devices_is_of_neither_in_any_order(tmp_path):
    told = {"one": {"uuid": "1"}, "two": {"uuid": "2"}, "little": {}, "one-more": {"uuid": "1", "os": "Linux"}}
    folders = [campaign(tmp_path / name, some) for name, some in told.items()]
    wanted = {frozenset({"one", "one-more"}), frozenset({"two"}), frozenset({"little"})}
    for some in itertools.permutations(folders):
        assert together(devices_in(some)) == wanted
    assert together(devices_in([folders[1], folders[2]])) == {frozenset({"two", "little"})}


@dataclass
class Named:
    """As much of the results of a device as a label needs."""

    name: str
    driver: str
    folder: str

    def results(self):
        place = ResultFolder(Path(self.folder), self.name, None, None, {})
        return DeviceResults((place,), self.driver, {}, {}, ())


WORDS = st.text("ab:/ ", min_size=1, max_size=4)
NAMED = st.builds(Named, WORDS, WORDS, WORDS)


@given(st.lists(NAMED, max_size=6, unique_by=lambda device: (device.name, device.folder)))
def test_each_label_is_of_one_device_and_a_name_of_its_own_is_left_alone(named):
    labels = labels_of([device.results() for device in named])
    assert len(set(labels)) == len(labels)
    names = [device.name for device in named]
    for named_device, label in zip(named, labels, strict=True):
        assert label.startswith(named_device.name)
        if names.count(named_device.name) == 1 and label != named_device.name:
            assert any(named_device.name.startswith(f"{other}: ") for other in names)


def test_a_label_has_the_driver_only_where_names_are_alike_and_the_folder_only_where_drivers_are():
    found = [Named("sim", "slots = 8", "a"), Named("sim", "slots = 4", "b"), Named("cpu", "x", "a")]
    assert labels_of([device.results() for device in found]) == ["sim: slots = 8", "sim: slots = 4", "cpu"]
    found = [Named("cpu", "jthread", folder) for folder in ("a", "b")]
    assert labels_of([device.results() for device in found]) == ["cpu: jthread: a", "cpu: jthread: b"]


@pytest.mark.full
@pytest.mark.parametrize(("hard", "code"), [(None, 0), (30, 3)])
def test_more_campaigns_are_read_than_files_may_be_open_unless_the_system_forbids_it(tmp_path, hard, code):
    for number in range(15):
        campaign(tmp_path / f"{number:02}", {"name": "GPU"})
    script = f"""
        import resource, sys
        from pathlib import Path
        from synth_analysis.device_results import devices_in
        from synth_checker.errors import ResourceError
        _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (25, {hard} or hard))
        try:
            (device,) = devices_in(sorted(Path(sys.argv[1]).iterdir()))
        except ResourceError as error:
            print(error)
            sys.exit(3)
        assert len(device.places) == 15
    """
    words = [sys.executable, "-c", textwrap.dedent(script), str(tmp_path)]
    ran = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (code, "")
    if code:
        assert "files open" in ran.stdout
        assert "ulimit -n" in ran.stdout


def launched(folder, end, seconds):
    """Add an attempt with one launch that ended in this way, after 30 seconds of time-out."""
    with open_store(folder) as store:
        build = store.note_build("cpu", Build("cpp", {}, "digest"))
        store.finish(store.begin(1, build, 30, 0), 1, AttemptResult((LaunchEnd(end, seconds, seconds),)), 0)
    return folder


def test_a_launch_that_ended_in_another_campaign_after_a_longer_time_makes_a_hang_slow(tmp_path):
    hung = launched(campaign(tmp_path / "hung", {}), "given up", 30.0)
    ended = launched(campaign(tmp_path / "ended", {}), "ended", 31.0)
    shorter = launched(campaign(tmp_path / "shorter", {}), "ended", 29.0)
    for others, outcome in (([], "hung"), ([shorter], "hung"), ([ended], "slow"), ([shorter, ended], "slow")):
        for folders in ([hung, *others], [*others, hung]):
            (device,) = devices_in(folders)
            (found,) = [cell for cell in device.cells if cell.campaign == str(hung)]
            assert dict(found.outcomes) == {outcome: 1}
