"""`synth campaign table`: tables and figures of corpora, campaigns and jobs."""

import csv
import io
import json
import shutil
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

import jobs
from names_of_others import HOSTILE
from synth import question
from synth_devices.sim.device import Sim
from synth_documents.figures import svg_figure
from synth_documents.phrases import shown
from synth_jobs.discovery_curve import Moment, discovery_curve
from synth_jobs.job import Job

FREQUENCY = ("--name", "never-sometimes-always")
RUN = ("campaign", "run", "--launches", "3", "--mapping", "plain,chunked")
TESTS = ("00_0-0011", "0011-00_0")


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    return tmp_path_factory.mktemp("made") / "all"


@pytest.fixture
def folder(synth, made, tmp_path, monkeypatch):
    """A folder with two campaigns of small launches, which are run once, and the commands in it."""
    if not made.exists():
        monkeypatch.setattr(Sim, "usual_workgroups", 100)
        for device in ("sim", "sim:reverse"):
            assert synth(*RUN, "--device", device, *TESTS, "--out", made / device.replace(":", "-")).code == 0
    shutil.copytree(made, tmp_path / "all")
    return synth


@pytest.mark.full
def test_a_table_has_the_same_rows_in_each_format(folder):
    code, out, err = folder("campaign", "table", "all", *FREQUENCY)
    assert (code, err) == (0, "")
    assert out.splitlines()[:4] == [
        "**How many tests hang never, sometimes or always**",
        "",
        "| device | setting | cells | never | sometimes | always | at least once | no result | not run | launches |",
        "|---|---|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    assert "| sim:reverse | chunked | 2 | 1 | 0 | 1 | 0 | 0 | 0 | 3 |" in out
    head, *rows = csv.reader(io.StringIO(folder("campaign", "table", "all", *FREQUENCY, "--format", "csv").out))
    told = json.loads(folder("campaign", "table", "all", *FREQUENCY, "--format", "json").out)
    assert told["columns"] == head
    assert [list(map(str, row)) for row in told["rows"]] == rows
    assert [f"| {' | '.join(row)} |" for row in rows] == out.splitlines()[4:8]


@pytest.mark.full
def test_a_folder_of_campaigns_is_all_of_them_by_name(folder):
    told = folder("campaign", "table", "all", *FREQUENCY)
    assert folder("campaign", "table", "all/sim", "all/sim-reverse", *FREQUENCY) == told
    assert folder("campaign", "table", "all/sim-reverse", "all/sim", *FREQUENCY) != told


@pytest.mark.full
def test_a_figure_is_an_svg_with_the_same_bytes_each_time(folder, tmp_path):
    once = folder("campaign", "table", "all", *FREQUENCY, "--format", "svg")
    assert once == folder("campaign", "table", "all", *FREQUENCY, "--format", "svg")
    assert ET.fromstring(once.out).tag.endswith("svg")  # noqa: S314  (we have written it)
    for text in ("sim:reverse", "chunked", "sometimes", "always"):
        assert f">{text}</text>" in once.out
    assert folder("campaign", "table", "all", *FREQUENCY, "--format", "svg", "--out", "it.svg").code == 0
    assert (tmp_path / "it.svg").read_text() == once.out
    assert folder("campaign", "table", "all", *FREQUENCY, "--format", "csv", "--out", "it.svg").code == 2
    assert folder("campaign", "table", "all", *FREQUENCY, "--format", "csv", "--out", "it.svg", "--force").code == 0


@pytest.mark.full
@pytest.mark.parametrize(
    ("name", "row", "label_drawn"),
    [
        ("tests", "| @complete/2x3 | 2 | 3 | 162 | yes |", "@complete/2x3, 2x3"),
        ("conformance", "| LOBE | 0 | 47 | 0 | 86 |", "published, weak"),
        ("strong-weak", "| all tests | 78 | 92 | 45.9 | 54.1 |", "strong"),
    ],
)
def test_corpora_have_tables_and_figures(synth, name, row, label_drawn):
    words = ("campaign", "table", "@complete/2x2", "@complete/2x3", "--name", name)
    assert row in synth(*words).out
    figure = synth(*words, "--format", "svg")
    assert figure.code == 0
    assert f">{label_drawn}</text>" in figure.out
    assert synth(*words, "--format", "svg") == figure


@pytest.fixture
def job(tmp_path):
    """A job of which two machines did three shards, two of them at the same moment."""
    made = jobs.made(tmp_path / "jobs" / "it.job", question("2x3"))
    first, two, three = list(made.shards)[:3]
    for worker, shards in (("b-1", [(7.0, two, 0.5, 30)]), ("a-2", [(7.0, first, 0.25, 20), (9.5, three, 1, 0)])):
        (made.folder / "logs" / f"{worker}.jsonl").write_text(
            "".join(
                json.dumps({"when": when, "shard": shard, "seconds": 2 * cpu, "cpu": cpu, "tests": found, "kept": 1})
                + "\n"
                for when, shard, cpu, found in shards
            )
        )
    return made


def test_the_course_of_a_job_adds_up_what_its_shards_took_and_found(job):
    whole = len(job.shards)
    shares = [pytest.approx(100 * done / whole) for done in range(4)]
    assert discovery_curve(Job(job.folder)) == [
        Moment(0, 0, shares[0]), Moment(0.25, 20, shares[1]), Moment(0.75, 50, shares[2]), Moment(1.75, 50, shares[3]),
    ]  # fmt: skip


@pytest.mark.full
@pytest.mark.usefixtures("job")
def test_a_discovery_curve_has_a_row_for_each_shard_and_is_the_same_in_any_order_of_the_logs(synth, monkeypatch):
    words = ("campaign", "table", "jobs", "--name", "discovery")
    told = synth(*words, "--format", "csv")
    head, *rows = csv.reader(io.StringIO(told.out))
    assert head == ["job", "question", "processor time, s", "tests", "estimated work done, %"]
    assert [row[:4] for row in rows] == [
        ["jobs/it.job", "2x3", *row] for row in (["0", "0"], ["0.25", "20"], ["0.75", "50"], ["1.75", "50"])
    ]
    assert synth(*words).out.count("| jobs/it.job | 2x3 |") == 4
    figure = synth(*words, "--format", "svg")
    for text in ("2x3, jobs/it.job", "processor time, seconds", "tests found"):
        assert f">{text}</text>" in figure.out
    glob = Path.glob
    monkeypatch.setattr(Path, "glob", lambda *words: sorted(glob(*words), reverse=True))
    assert synth(*words, "--format", "csv") == told
    assert synth(*words, "--format", "svg") == figure


@pytest.mark.full
def test_several_jobs_are_curves_of_one_figure(synth, job):
    shutil.copytree(job.folder, job.folder.with_name("another.job"))
    words = ("campaign", "table", "--name", "discovery", "--format")
    rows = synth(*words, "csv", "jobs").out.splitlines()[1:]
    assert [row.partition(",")[0] for row in rows] == ["jobs/another.job"] * 4 + ["jobs/it.job"] * 4
    assert synth(*words, "csv", "jobs/another.job", "jobs/it.job").out.splitlines()[1:] == rows
    figure = synth(*words, "svg", "jobs").out
    assert [f">2x3, jobs/{name}.job</text>" in figure for name in ("it", "another", "third")] == [True, True, False]


@pytest.mark.full
def test_a_comparison_of_two_loads_names_them(synth, tmp_path, monkeypatch):
    monkeypatch.setattr(Sim, "usual_workgroups", 100)
    for busy in ("0", "1"):
        assert synth(*RUN, "--device", "sim", *TESTS, "--busy", busy, "--out", tmp_path / busy).code == 0
    code, out, _ = synth("campaign", "compare", tmp_path / "0", tmp_path / "1")
    assert code == 0
    before, after, *_ = out.splitlines()
    assert before.endswith(", beside 0 busy processes")
    assert after.endswith(", beside 1 busy process")
    assert "busy" not in synth("campaign", "compare", tmp_path / "0", tmp_path / "0").out


@pytest.mark.full
def test_plot_draws_the_figure_of_a_table(folder, tmp_path):
    figure = folder("campaign", "table", "all", *FREQUENCY, "--format", "svg")
    assert folder("plot", "never-sometimes-always", "all") == figure
    assert folder("plot", "never-sometimes-always", "all/sim", "all/sim-reverse", "--out", "it.svg").code == 0
    assert (tmp_path / "it.svg").read_text() == figure.out
    assert folder("plot", "never-sometimes-always", "all", "--out", "it.svg").code == 2
    wrong = folder("plot", "ordr", "all")
    assert (wrong.code, "name: found 'ordr' (did you mean order?)" in wrong.err) == (2, True)


@pytest.mark.full
def test_a_figure_has_a_title_and_tells_its_numbers_to_a_screen_reader(synth):
    figure = ET.fromstring(synth("plot", "strong-weak", "@complete/2x2", "@complete/2x3").out)  # noqa: S314
    assert [child.tag.rpartition("}")[2] for child in figure][:2] == ["title", "desc"]
    assert figure[0].text == "Weak and strong tests of 170 tests"
    assert "distinguishing for: all tests, weak: 78, strong: 92, weak, %: 45.9, strong, %: 54.1." in figure[1].text
    assert figure.get("role") == "img"
    assert [text.text for text in figure.iter() if text.text == figure[0].text] == [figure[0].text] * 2


@pytest.mark.full
def test_a_hostile_title_stays_text():
    def draw(figure):
        figure.subplots()

    for name in HOSTILE:
        figure = svg_figure((6, 4), draw, name, name)
        assert ET.fromstring(figure)[1].text.startswith(shown(name)[:40])  # noqa: S314
        assert "<!-- " not in figure.replace("<!-- Created", "").partition("<desc>")[2].partition("</desc>")[0]
        assert "\u202e" not in figure


@pytest.mark.full
def test_the_order_has_the_claim_of_each_device(folder):
    rows = folder("campaign", "table", "all", "--name", "order").out.splitlines()
    assert rows[2] == "| verdict | next above | sim | sim:reverse |"
    assert "| HSA.weak | HSA.strong, HSA+OBE.weak | consistent with | violates |" in rows
    assert "| fair.strong |  | violates | violates |" in rows
    once = folder("campaign", "table", "all", "--name", "order", "--format", "svg")
    assert once.out.count(">LOBE.strong</text>") == 2
    assert once == folder("campaign", "table", "all", "--name", "order", "--format", "svg")


@pytest.mark.full
def test_without_matplotlib_only_the_figure_is_missing(folder, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert folder("campaign", "table", "all", *FREQUENCY).code == 0
    code, out, err = folder("campaign", "table", "all", *FREQUENCY, "--format", "svg")
    assert (code, out) == (2, "")
    assert "Matplotlib is missing" in err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["none", *FREQUENCY], "none: there is no such folder, expected a corpus, a campaign, or a folder with some"),
        (["empty", *FREQUENCY], "empty: found neither a corpus nor a campaign in this folder, expected at least one"),
        (
            ["@minimal/2x2", *FREQUENCY],
            "never-sometimes-always: found no campaign, expected at least one for this table",
        ),
        (
            ["@minimal/2x2", "--name", "discovery"],
            "@minimal/2x2: found no job in this folder, expected at least one; only a job tells when its tests were",
        ),
        (["none", "--name", "discovery"], "none: there is no such folder, expected a job, or a folder with some"),
        (["new.job", "--name", "discovery"], "new.job: no shard is done yet, so there is nothing to draw"),
        (["@minimal/2x9", *FREQUENCY], "@minimal/2x9: no corpus of this name ships with synth"),
        (["@minimal/2x2", "--name", "sometimes"], "name: found 'sometimes'"),
        (["@minimal/2x2", *FREQUENCY, "--format", "cvs"], "format: found 'cvs' (did you mean csv?)"),
        (["@minimal/2x2", *FREQUENCY, "--force"], "--force needs --out"),
    ],
)
def test_a_wrong_call_is_told_in_one_line(synth, tmp_path, words, said):
    (tmp_path / "empty").mkdir()
    if words[0] == "new.job":
        jobs.made(tmp_path / "new.job", question("2x2"))
    code, out, err = synth("campaign", "table", *words)
    assert (code, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1
