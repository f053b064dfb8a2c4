"""What devices and files of results say reaches no terminal raw: no escape sequence, no forged line."""

import json
import shlex

import pytest

import fake_device
from campaigns import fake
from synth_campaigns.answers import probe
from synth_devices.device_list import DeviceDetails, DeviceEntry
from synth_devices.health import Health
from synth_devices.views.device import health_lines, list_lines, shown_lines

IDS = ["00_0-0011", "0011-0011", "0011-01_20012", "01100002-01100002"]
BEHAVIOURS = ["speaks_to_the_terminal", "complains_to_the_terminal", "names_a_test_of_controls", "is_another_device"]


def check(*texts):
    for text in texts:
        assert all(character.isprintable() or character == "\n" for character in text), repr(text)
        assert not any(line.startswith("fair.strong consistent") for line in text.splitlines()), text


@pytest.fixture
def device(tmp_path):
    """A device whose name and words are rude."""
    return fake(tmp_path / "fake \x1b[31m\n\u202e", dict(zip(IDS, BEHAVIOURS, strict=True)))[0]


@pytest.mark.full
def test_no_command_of_a_campaign_prints_raw_what_a_device_says(synth, device, monkeypatch):
    words = ["--device", device, "--mapping", "plain", "--launches", "1", *IDS]
    planned = synth("campaign", "plan", *words)
    check(planned.out, planned.err)
    ran = synth("campaign", "run", *words, "--out", "it")
    assert ran.code == 3
    assert "device says that it is" in ran.err
    assert r"\x1b[2J\x07\nfair.strong" in ran.out
    check(ran.out, ran.err)
    for command in (
        ["status", "it"],
        ["analyse", "it"],
        ["analyse", "it", "--expect", "fair.strong"],
        ["compare", "it", "it"],
        ["next", "it"],
        ["explain", "it", "--most-instances", "5"],
        *(["table", "it", "--name", name] for name in ("never-sometimes-always", "order")),
    ):
        said = synth("campaign", *command)
        assert said.code in {0, 1, 3}, (command, said)
        check(said.out, said.err)
    monkeypatch.setattr(probe, "telling_tests", lambda _: IDS[:2])
    probed = synth("probe", "--device", device, "--yes", "--launches", "1")
    assert "Device command:" in probed.out
    check(probed.out, probed.err)
    assert all(len(line) <= 80 for line in probed.out.splitlines())


def test_no_line_of_a_file_is_printed_raw(synth, tmp_path):
    rude = fake_device.line("0011", "terminated", 1, driver=fake_device.RUDE, target="cpp")
    lines = [rude, {**rude, "id": fake_device.RUDE}, {**rude, "mapping": fake_device.RUDE}, {**rude, "driver": "other"}]
    (tmp_path / "results \x1b[31m").write_text("".join(f"{json.dumps(line)}\n" for line in lines) + fake_device.RUDE)
    said = synth("campaign", "collect", "results \x1b[31m", "--out", "it")
    assert "does not count" in said.out
    check(said.out, said.err)


def test_what_lists_devices_prints_nothing_raw(device):
    rude = fake_device.RUDE
    check(
        *list_lines([DeviceEntry(f"vulkan:{rude}", rude, rude)]),
        *shown_lines(
            DeviceDetails(
                rude,
                rude,
                rude,
                {"name": rude},
                rude,
                shows_flags=True,
                decides=True,
                usual_workgroups=1,
                environment={"POCL_DEVICES": rude},
            )
        ),
        *health_lines(Health(device, rude, (), (rude,))),
    )


def test_the_name_of_a_device_that_is_refused_is_not_printed_raw(synth):
    refused = synth("campaign", "run", "--device", f"command:{shlex.quote(fake_device.RUDE)}", "0011", "--out", "it")
    assert refused.code == 3
    check(refused.err)
