"""`synth probe`: the answer fits on a screen, and says of simulated devices what is known of them."""

import json

import pytest

from synth_campaigns.answers import probe
from synth_campaigns.answers.probe import telling_tests
from synth_devices.sim.device import Sim
from synth_devices.sim.presets import IMPLIED
from synth_workers.execution import ignore_progress


@pytest.fixture(scope="module")
def telling():
    return telling_tests(ignore_progress)


@pytest.fixture(autouse=True)
def _small_launches(monkeypatch, telling):
    """The tests are chosen once, and a launch has a thousand workgroups, in which `strided` violates HSA.strong."""
    monkeypatch.setattr(probe, "telling_tests", lambda _: telling)
    monkeypatch.setattr(Sim, "usual_workgroups", 1100)


@pytest.mark.full
@pytest.mark.parametrize("scheduler", ["serial", "strided", "lockstep"])
def test_the_answer_fits_on_a_screen_and_violates_nothing_that_the_scheduler_implies(synth, scheduler):
    code, out, err = synth("probe", "--device", f"sim:{scheduler}", "--launches", "5")
    lines = out.splitlines()
    assert code == 0, err
    assert len(lines) <= 24
    assert all(len(line) <= 80 for line in lines)
    code, out, _ = synth("probe", "--device", f"sim:{scheduler}", "--launches", "5", "--json")  # nothing is run again
    (device,) = json.loads(out)["devices"]
    claims = {claim["verdict"]: claim["claim"] for claim in device["claims"]}
    assert all(claims[verdict] == "consistent with" for verdict in IMPLIED[scheduler])
    assert "violates" in claims.values()
    assert scheduler != "strided" or claims["HSA.strong"] == "violates"


@pytest.mark.full
def test_without_a_device_it_lists_what_is_here(synth, monkeypatch):
    from synth_devices import device_list

    monkeypatch.setattr(device_list, "KINDS", {kind: device_list.KINDS[kind] for kind in ("sim", "command")})
    code, out, _ = synth("probe")
    assert code == 0
    assert out.splitlines()[0].split()[:3] == ["sim", "simulated", "scheduler:"]
    assert out.endswith("\nProbe one of them by its name, such as: synth probe --device cpu\n")


@pytest.mark.full
def test_it_asks_before_a_hang_may_freeze_the_screen(synth, tmp_path):
    code, out, err = synth("probe", "--device", "command:true")
    assert (code, out) == (2, "")
    assert err.endswith("Give --yes to run them.\n")
    assert not list(tmp_path.iterdir())


@pytest.mark.full
def test_it_checks_the_device_first_and_says_what_is_wrong(synth, monkeypatch):
    from synth_devices import device_list
    from synth_devices.health import Health

    asked = []

    def ill(device, *_):
        asked.append(device.name)
        return Health(device.name, "", (), ("test 0011 (each thread stores): left early, expected ended",))

    monkeypatch.setattr(device_list, "health_of", ill)
    code, out, err = synth("probe", "--device", "sim", "--launches", "1")
    assert (code, asked) == (0, ["sim"])
    assert err.startswith("synth: device sim is not healthy: test 0011 (each thread stores): left early")
    assert out.startswith("Device sim: ")
