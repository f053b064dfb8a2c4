"""`synth campaign explain`: which simulated schedulers have the results of a device, as a user calls it."""

import json
import shutil

import pytest

from campaigns import ids_of, run, settings
from corpora import of, write
from others import DESCRIPTION, TABLE, lay
from quick import mostly_full
from synth_campaigns.settings import LaunchSettings, Policy

FEW = [
    "--slots",
    "4,8",
    "--order",
    "linear,stride:13",
    "--batch",
    "1",
    "--preempt",
    "never,7",
    "--pick",
    "rotate,random",
]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("made") / "it"
    asked = settings(
        "sim:strided", ids_of("@minimal/2x3"), launches=LaunchSettings(count=5), policy=Policy(),
        mappings=("plain", "chunked"), instances=40,
    )  # fmt: skip
    run(folder, asked)
    return folder


@pytest.fixture
def it(made, tmp_path):
    shutil.copytree(made, tmp_path / "it")


@pytest.mark.full
@pytest.mark.usefixtures("it")
def test_the_scheduler_of_a_campaign_is_found_and_what_tells_it_from_others(synth, tmp_path):
    code, out, err = synth("campaign", "explain", "it", *FEW, "--json")
    (found,) = json.loads(out)
    assert (code, err) == (0, "")
    assert (found["device"], found["cells"], found["left_out"]) == ("sim:strided", 38, 0)
    assert {scheduler["name"] for scheduler in found["left"]} == {"strided", "slots 8, stride:13, rotate"}
    assert found["nearest"] == []
    told = found["next"]
    assert min(map(len, (told["never"], told["sometimes"], told["always"]))) == 0
    # the file of a scheduler can be used as it is
    (tmp_path / "found.toml").write_text(
        next(scheduler["toml"] for scheduler in found["left"] if scheduler["name"] != "strided")
    )
    words = ["--mapping", told["mapping"], "--instances", told["instances"]]
    hung = {}
    for name, word in (("strided", "strided"), ("slots 8, stride:13, rotate", "./found.toml")):
        ran = synth("sim", "run", told["test"], "--scheduler", word, *words, "--json")
        hung[name] = json.loads(ran.out)["hung"]
    assert {name for name, number in hung.items() if not number} == set(told["never"])
    text = synth("campaign", "explain", "it", *FEW).out
    assert "have these results in 38 cells. No cell tells them apart:\n" in text
    assert f"To tell them apart, launch {told['test']} under {told['mapping']} with " in text


@pytest.mark.full
@pytest.mark.usefixtures("it")
def test_fewer_instances_may_have_other_results(synth):
    """With two instances, there are slots for all workgroups, and so no test hangs that hung with forty."""
    codes = [synth("campaign", "explain", "it", *FEW, "--most-instances", number).code for number in (40, 2)]
    assert codes == [0, 1]


def test_results_that_no_scheduler_has_exit_with_1_and_name_the_nearest(synth, tmp_path):
    """Whoever waits hangs in half of the launches if it comes first, and never if it comes last."""
    lay(tmp_path)
    tests = {"00_0-0011": (1, {"aliases": ["s/0"]}), "0011-00_0": (1, {"aliases": ["s/1"]})}
    write(tmp_path / "row.corpus", of(tests), force=True)
    (tmp_path / TABLE).write_text("Test File Name,a,All Passed\n0,F (20/40),F\n1,P,P\nTotal failures:,20,1")
    description = (tmp_path / DESCRIPTION).read_text()
    description = description.replace("chunked", "plain").replace("launches = 20", "launches = 40")
    (tmp_path / DESCRIPTION).write_text(description)
    assert synth("campaign", "import", TABLE, "--describe", DESCRIPTION, "--out", "table.campaign").code == 0
    code, out, _ = synth("campaign", "explain", "table.campaign", "--json")
    (found,) = json.loads(out)
    assert (code, found["left"], found["next"]) == (1, [], None)
    assert {scheduler["refuting"] for scheduler in found["nearest"]} == {1}
    text = synth("campaign", "explain", "table.campaign").out
    assert "simulated schedulers has these results in all 2 cells.\n" in text
    assert "have other results in 1 cell:\n" in text
    assert "; not 00" in text


def test_a_published_table_can_be_explained(synth, tmp_path):
    lay(tmp_path)
    assert synth("campaign", "import", TABLE, "--describe", DESCRIPTION, "--out", "table.campaign").code == 0
    code, out, _ = synth("campaign", "explain", "table.campaign", *FEW, "--instances", "50", "--json")
    (found,) = json.loads(out)
    assert code == (0 if found["left"] else 1)
    assert found["cells"] > 0
    assert len(found["left"]) + len(found["nearest"]) > 0


@pytest.mark.usefixtures("it")
@mostly_full(
    ("words", "said"),
    [
        (["nix"], "nix: there is no such folder, expected a campaign; `synth campaign run` makes one"),
        (["it", "--device", "sim:stride"], "sim:strided"),
        (["it", "--slots", "0"], "--slots: found '0', expected a number from 1 on"),
        (["it", "--preempt", "nie"], "--preempt: found 'nie', expected a number from 1 on, or never"),
        (["it", "--order", "lineal"], "linear"),
        (["it", "--pick", "rotat"], "rotate"),
        (["it", "--scheduler", "nix.toml"], "nix.toml"),
        (["it", "--instances", "0"], "instances: found 0"),
        (["it", "--most-instances", "0"], "most-instances: found 0"),
        (["it", "--jobs", "0"], "jobs: found 0"),
    ],
    quick=4,
)
def test_what_is_wrong_is_one_line(synth, words, said):
    code, out, err = synth("campaign", "explain", *words)
    assert (code, out) == (2, "")
    assert said in err
