"""If no launch ended or hung, each command says why, exits with status 3, and says nothing that reads as praise."""

import json

import pytest

from campaigns import fake

PRAISE = ("consistent with", "not seen to violate", "No verdict was seen", "not violated:")


@pytest.fixture
def silent(tmp_path):
    """A device that prints nothing, whatever it is asked for."""
    device, _ = fake(tmp_path / "fake", {"00_0-0011": "prints_nothing"}, pace=1)
    return device


@pytest.mark.parametrize("command", ["probe", "run", "analyse"])
def test_nothing_ran(synth, silent, monkeypatch, command):
    monkeypatch.setattr("synth_campaigns.answers.probe.telling_tests", lambda _: ["00_0-0011"])
    words = ["campaign", "run", "--device", silent, "--mapping", "plain", "00_0-0011", "--out", "c"]
    if command == "probe":
        words = ["probe", "--device", silent, "--yes", "--out", "c"]
    ran = synth(*words)
    if command == "analyse":
        ran = synth("campaign", "analyse", "c", "--expect", "fair.strong")
    assert ran.code == 3
    assert "no launch ended or hung; " in ran.err
    assert "exit code 3): there is no device" in ran.err
    assert not [words for words in PRAISE if words in ran.out]
    (device,) = json.loads(synth("campaign", "analyse", "c", "--json").out)["devices"]
    assert {claim["claim"] for claim in device["claims"]} == {"not tested"}


def test_before_anything_was_launched_it_says_so(synth, silent):
    synth(
        "campaign", "run", "--device", silent, "--mapping", "plain", "00_0-0011", "--out", "c", "--time-limit", "0.001"
    )
    ran = synth("campaign", "analyse", "c")
    assert (ran.code, ran.err) == (3, "synth: nothing was launched yet\n")
