"""`synth campaign next`: what to launch next, and why, as a user calls it."""

import json
import shutil

import pytest

from campaigns import run, settings
from synth_campaigns.settings import LaunchSettings, Policy
from synth_documents.phrases import listed


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A campaign with five launches of one test."""
    folder = tmp_path_factory.mktemp("made") / "few"
    launches = LaunchSettings(count=5)
    run(folder, settings("sim:strided", ["0011-00_0"], launches=launches, policy=Policy(), mappings=("chunked",)))
    return folder


@pytest.fixture(autouse=True)
def few(made, tmp_path):
    shutil.copytree(made, tmp_path / "few")


def said(synth, *words):
    ran = synth("campaign", "next", *words, "--json")
    assert ran.code == 0, ran.err
    return json.loads(ran.out)


@pytest.mark.full
def test_the_answer_says_what_to_launch_and_why(synth):
    (device,) = said(synth, "few")
    best = device["proposals"][0]
    code, out, _ = synth("campaign", "next", "few")
    assert code == 0
    assert f"Next: 5 launches of {best['test']}, {best['name']}, under chunked" in out
    assert "After 5 launches, the device probably guarantees:" in out
    assert f"It fails {listed(best['fails'])}. So it may hang" in out
    # the command that the answer ends with can be run
    words = out.splitlines()[-1].partition(": ")[2].split()
    assert words[0] == "synth"
    assert synth(*words[1:]).code == 0


@pytest.mark.full
def test_launches_decide_what_the_device_guarantees(synth):
    """The test passes HSA.weak and hung, so nothing that promises HSA.weak is probable."""
    (device,) = said(synth, "few")
    promising = {"HSA.weak", "HSA.strong", "HSA+OBE.weak", "HSA+OBE.strong", "LOBE.weak", "LOBE.strong", "fair.weak"}
    for hypothesis in device["hypotheses"]:
        if promising & {verdict for names in hypothesis["guarantees"] for verdict in names}:
            assert hypothesis["probability"] < 0.001
    assert sum(fields["probability"] for fields in device["hypotheses"]) == pytest.approx(1)
    assert 0 < device["open_bits"] < 4


@pytest.mark.full
def test_following_the_advice_finds_what_the_device_guarantees(synth):
    """`strided` guarantees OBE.strong, and a test for each other verdict hangs on it."""
    folders = ["few"]
    for number in range(9):
        (device,) = said(synth, *folders)
        best = device["hypotheses"][0]
        if best["probability"] > 0.95:
            break
        proposal = device["proposals"][0]
        folders.append(f"next-{number}")
        words = ["--mapping", proposal["mapping"], "--launches", "20", "--after-hang", "0", proposal["test"]]
        ran = synth("campaign", "run", "--device", "sim:strided", *words, "--out", folders[-1])
        assert ran.code == 0
    assert best["guarantees"] == [["OBE.strong"]]
    assert device["earlier"] == []


@pytest.mark.full
def test_other_devices_of_the_same_kind_feed_the_sensitivity(synth):
    words = ["--mapping", "chunked", "00_0-0011", "--out", "other"]
    assert synth("campaign", "run", "--device", "sim:reverse", *words).code == 0
    alone = said(synth, "few")
    fed, other = said(synth, "few", "other")
    assert (fed["device"], fed["earlier"]) == ("sim:strided", ["sim:reverse"])
    assert (other["device"], other["earlier"]) == ("sim:reverse", ["sim:strided"])
    assert said(synth, "few", "other", "--device", "sim:reverse") == [other]
    worth = {proposal["test"]: proposal["hangs"] for proposal in alone[0]["proposals"]}
    assert any(proposal["hangs"] != pytest.approx(worth.get(proposal["test"], 2)) for proposal in fed["proposals"])


@pytest.mark.full
def test_what_to_choose_from_can_be_said(synth):
    words = ["few", "--from", "@minimal/2x2", "--mapping", "plain,round-robin", "--launches", "7"]
    (device,) = said(synth, *words)
    assert {proposal["mapping"] for proposal in device["proposals"]} == {"plain", "round-robin"}
    assert {proposal["launches"] for proposal in device["proposals"]} == {7}
    assert {len(proposal["test"]) for proposal in device["proposals"]} == {9}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nix"], "nix: there is no such folder, expected a campaign; `synth campaign run` makes one"),
        (["few", "--device", "sim:stride"], "sim:strided"),
        (["few", "--mapping", "chunk"], "chunked"),
        (["few", "--mapping", "invocations"], "whose threads share a workgroup"),
        (["few", "--from", "@minimal/9x9"], "no corpus of this name ships"),
        (["few", "--launches", "0"], "--launches"),
        ([], "Missing argument"),
    ],
)
def test_what_is_wrong_is_one_line(synth, words, said):
    code, out, err = synth("campaign", "next", *words)
    assert (code, out) == (2, "")
    assert said in err
