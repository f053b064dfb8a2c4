"""`synth campaign analyse`: claims with their evidence, from one campaign or from several."""

import json
import shlex
import shutil

import pytest

RUN = ["campaign", "run", "--launches", "20", "--instances", "50"]
VIOLATES = "0010-000001_0"


@pytest.fixture
def campaign(synth, tmp_path):
    """A function that runs a campaign in a new folder and returns the folder."""

    def run(name, *words, device="sim:strided", mapping="chunked"):
        ran = synth(*RUN, "--device", device, "--mapping", mapping, *words, "--out", str(tmp_path / name))
        assert ran.code == 0, ran.err
        return str(tmp_path / name)

    return run


def analysed(synth, *folders):
    (device,) = json.loads(synth("campaign", "analyse", *folders, "--json").out)["devices"]
    return device


def claim(device, verdict):
    (found,) = [one for one in device["claims"] if one["verdict"] == verdict]
    return found


def test_a_violation_comes_with_program_lasso_and_a_command_that_sees_it_again(synth, campaign, tmp_path):
    folder = campaign("c", VIOLATES)
    device = analysed(synth, folder)
    found = claim(device, "HSA.strong")
    assert (found["claim"], found["witnesses"]) == ("violates", [{"campaign": folder, "cell": 1}])
    (witness, *_) = device["witnesses"]
    assert "Exch(Mem[0],1)" in witness["program"]
    assert witness["under"] == "OBE.strong"
    assert witness["lasso"][0].startswith("The program may run for ever")
    words = [word.replace("again.campaign", str(tmp_path / "again")) for word in shlex.split(witness["command"])]
    assert synth(*words[1:]).code == 0
    assert claim(analysed(synth, str(tmp_path / "again")), "HSA.strong")["claim"] == "violates"
    text = synth("campaign", "analyse", folder).out
    assert "HSA.strong      violates         0010-000001_0 under chunked hung in 5 of 5 launches" in text
    assert "The least fair verdicts violated: HSA.strong" in text
    assert witness["command"] in text


def test_the_exit_code_says_whether_devices_are_consistent_with_what_is_expected(synth, campaign):
    folder = campaign("c", VIOLATES)
    assert synth("campaign", "analyse", folder).code == 0
    assert synth("campaign", "analyse", folder, "--expect", "HSA.strong").code == 1
    assert synth("campaign", "analyse", folder, "--expect", "unfair").code == 3
    good = campaign("good", VIOLATES, mapping="plain")
    assert synth("campaign", "analyse", good, "--expect", "HSA.strong").code == 0
    both = synth("campaign", "analyse", good, folder, "--expect", "HSA.strong")
    assert both.code == 1
    wrong = synth("campaign", "analyse", folder, "--expect", "HSA.stong")
    assert (wrong.code, wrong.out) == (2, "")
    assert "did you mean HSA.strong?" in wrong.err


def test_campaigns_on_one_device_make_its_claims_together_and_each_cell_stays_its_own(synth, campaign):
    one, other = campaign("one", VIOLATES), campaign("other", "00_0-0011")
    device = analysed(synth, one, other)
    assert device["campaigns"] == [one, other]
    assert len(device["cells"]) == 2
    assert claim(device, "HSA.strong")["claim"] == claim(device, "fair.weak")["claim"] == "violates"
    twice = analysed(synth, one, campaign("again", VIOLATES))
    assert [cell["outcomes"] for cell in twice["cells"]] == [{"hung": 5}, {"hung": 5}]


def test_campaigns_on_different_devices_stay_apart(synth, campaign):
    answer = synth("campaign", "analyse", campaign("a", VIOLATES), campaign("b", "--seed", "1", VIOLATES), "--json")
    assert len(json.loads(answer.out)["devices"]) == 1  # the seed is that of the order of cells
    other = campaign("c", VIOLATES, device="sim:linear")
    answer = synth("campaign", "analyse", campaign("d", VIOLATES), other, "--json")
    assert [one["device"] for one in json.loads(answer.out)["devices"]] == ["sim:strided", "sim:linear"]


def test_the_same_campaign_twice_is_refused(synth, campaign, tmp_path):
    folder = campaign("c", VIOLATES)
    shutil.copytree(folder, tmp_path / "copy")
    ran = synth("campaign", "analyse", folder, str(tmp_path / "copy"))
    assert (ran.code, ran.out) == (2, "")
    assert "found the same campaign as in" in ran.err
