"""Why nothing is known of a device."""

import pytest

import campaigns
from synth_analysis.device_results import devices_in
from synth_analysis.unknown_devices import devices_without_result, why_without_result

ONE, OTHER = "00_0-0011", "0011-00_0"
NOTHING = "it ended without a result (exit code 3): there is no device"
MISSING = "command:/no/such/program"


def why(folder):
    (device,) = devices_in([folder])
    return why_without_result(device)


def test_a_device_that_was_set_aside_has_the_reason(tmp_path):
    campaigns.run(tmp_path / "c", campaigns.settings(MISSING, [ONE, OTHER]))
    assert why(tmp_path / "c").startswith("Nothing was launched: found no program /no/such/program")
    assert devices_without_result(devices_in([tmp_path / "c"])) == (f"{MISSING}: n{why(tmp_path / 'c')[1:]}",)


def test_a_device_that_no_run_came_to_has_no_launch_yet(tmp_path):
    campaigns.run(tmp_path / "c", campaigns.settings("sim", [ONE, OTHER]), campaigns.Watcher(0))
    assert why(tmp_path / "c") == "Nothing was launched yet."


@pytest.mark.full
@pytest.mark.parametrize(
    ("behaviour", "said"),
    [("leaves_early", "2 left early"), ("prints_nothing", f"2 failed: {NOTHING}")],
)
def test_launches_without_a_result_are_counted(tmp_path, behaviour, said):
    device, _ = campaigns.fake(tmp_path / "fake", {ONE: behaviour, OTHER: behaviour})
    campaigns.run(tmp_path / "c", campaigns.settings(device, [ONE, OTHER]))
    assert why(tmp_path / "c") == f"No launch ended or hung; {said}."


def test_a_device_with_a_result_needs_no_reason(tmp_path):
    device, _ = campaigns.fake(tmp_path / "fake", {ONE: "crashes", OTHER: "ends"})
    campaigns.run(tmp_path / "c", campaigns.settings(device, [ONE, OTHER]))
    assert why(tmp_path / "c") == ""
    assert devices_without_result(devices_in([tmp_path / "c"])) == ()


def test_a_reason_names_the_folder_by_its_last_part(tmp_path):
    campaigns.run(tmp_path / "c", campaigns.settings(MISSING, [ONE]))
    with campaigns.open_store(tmp_path / "c") as store:
        store.note_event("set aside", f"device {MISSING}: {tmp_path / 'c'}/programs/make.log says why")
    assert why(tmp_path / "c") == "Nothing was launched: c/programs/make.log says why."
