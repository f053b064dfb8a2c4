"""Test that the same cause gives the same exit code in every command of `synth job`: the table of docs/do/jobs.md."""

import json
import os
import subprocess
from pathlib import Path

import pytest

import jobs
from processes import SYNTH, without_power
from quick import mostly_full
from synth import question
from synth_jobs.finish import finish
from synth_jobs.presence import SEARCHING, WorkerRecord
from synth_jobs.shard_run import run_shard
from synth_search.engines.explicit import ExplicitEngine
from synth_workers.execution import Execution
from synth_workers.stop import Stop

QUESTION = question("2x3", minimal=True)
START = ("start", "--bounds", "2x3", "--minimal", "it.job")
RESUME, WORK, STATUS, STOP, PLOT, GC, LIST = (
    (word, "it.job") for word in ("resume", "work", "status", "stop", "plot", "gc", "list")
)
DETACHED = ("resume", "it.job", "--executor", "slurm-array", "--detach")
READ = [STATUS, LIST, STOP, PLOT, GC]
DO = [RESUME, WORK, DETACHED]


def no_folder(_folder):
    """There is no such folder."""


def no_job(folder):
    """The folder holds no job."""
    folder.mkdir()
    (folder / "notes.txt").touch()


def no_description(folder):
    """`job.json` is damaged."""
    jobs.made(folder, QUESTION)
    (folder / "job.json").write_text('{"kind": "synth job", "format": 1, "engine": 7}')


def no_list(folder):
    """The list of shards is damaged."""
    jobs.made(folder, QUESTION)
    (folder / "shards.jsonl").write_text("")


def other_format(folder):
    """The job is of another format."""
    jobs.made(folder, QUESTION)
    about = json.loads((folder / "job.json").read_text())
    (folder / "job.json").write_text(json.dumps(about | {"format": 99}))


def other_order(folder):
    """The job is of a release that searched in another order."""
    jobs.made(folder, QUESTION)
    about = json.loads((folder / "job.json").read_text())
    (folder / "job.json").write_text(json.dumps(about | {"order": about["order"] + 1}))


def usual(folder):
    jobs.made(folder, QUESTION)


def complete(folder):
    """The job is complete."""
    job = jobs.made(folder, QUESTION)
    for name in job.shards:
        run_shard(folder, name)
    finish(job, job.corpus, Execution(Stop(), jobs=1))


CAUSES = [
    (no_folder, 2, [*READ, *DO]),
    (no_job, 2, [STATUS, STOP, PLOT, GC, *DO, START]),
    (no_description, 2, [*READ, *DO, START]),
    (no_list, 2, [*READ, *DO, START]),
    (other_format, 2, [*READ, *DO, START]),
    (other_order, 2, [*DO, START]),
    (complete, 0, [*READ, *DO, START]),
]


@mostly_full(
    ("cause", "code", "words"),
    [
        pytest.param(cause, code, words, id=f"{cause.__name__} {words[0]}{' --detach' * (words is DETACHED)}")
        for cause, code, commands in CAUSES
        for words in commands
    ],
    quick=16,
)
def test_the_state_of_a_folder_gives_the_same_code(synth, tmp_path, cause, code, words):
    cause(tmp_path / "it.job")
    before = [path for path in tmp_path.rglob("*") if path.is_file()]
    ran = synth("job", *words)
    assert ran.code == code, ran.err
    if code:
        lines = [
            line
            for line in ran.err.splitlines()
            if line != "synth: it.job already holds this job; its remaining shards are done now"
        ]
        assert (ran.out, len(lines)) == ("", 1)
        assert [path for path in tmp_path.rglob("*") if path.is_file()] == before  # no stop file, no log


@pytest.mark.parametrize("words", [START, RESUME, WORK], ids=lambda words: words[0])
@pytest.mark.parametrize(
    ("options", "code"),
    [
        (("--time-limit", "0.000001s"), 75),
        (("--memory", "1K"), 75),
        (("--memory", "frob"), 2),
        (("--time-limit", "frob"), 2),
        (("--frob",), 2),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_an_option_gives_the_same_code(synth, tmp_path, words, options, code):
    usual(tmp_path / "it.job")
    assert synth("job", *words, *options).code == code


@mostly_full("words", [START, RESUME, WORK], ids=lambda words: words[0])
def test_who_is_asked_to_stop_ends_with_the_same_code(synth, tmp_path, words, monkeypatch):
    job = jobs.made(tmp_path / "it.job", QUESTION)
    solve = ExplicitEngine.solve

    def stopping(engine, unit):
        job.stop.touch()
        yield from solve(engine, unit)

    monkeypatch.setattr(ExplicitEngine, "solve", stopping)
    assert synth("job", *words).code == 75


@pytest.mark.full
@mostly_full("words", [START, RESUME, WORK], ids=lambda words: words[0])
def test_shards_that_fail_give_the_same_code(synth, tmp_path, words, monkeypatch):
    usual(tmp_path / "it.job")
    monkeypatch.setattr(ExplicitEngine, "solve", lambda *_: 1 / 0)
    assert synth("job", *words).code == 3
    assert synth("job", *STATUS).code == 0


@pytest.mark.full
@mostly_full(
    "words",
    [START, STOP, *(pytest.param(words, marks=pytest.mark.full) for words in (RESUME, WORK))],
    ids=lambda words: words[0],
)
def test_a_folder_that_may_not_be_written_gives_the_same_code(tmp_path, words, rights):
    job = jobs.made(tmp_path / "it.job", QUESTION)
    jobs.write_present(job, WorkerRecord("there-7", QUESTION.name, SEARCHING, processes=1))
    os.utime(job.folder / "workers" / "there-7.json")
    for folder in (job.results, job.folder / "workers", job.folder):
        rights(folder, 0o555)
    ran = subprocess.run([SYNTH, "job", *words], cwd=tmp_path, capture_output=True, text=True, preexec_fn=without_power)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert "it.job" in ran.stderr.splitlines()[-1]


@pytest.mark.full
@mostly_full("words", [RESUME, WORK], ids=lambda words: words[0])
def test_a_full_disk_gives_the_same_code(tmp_path, words):
    """No file may grow beyond a kilobyte, which the largest shard does."""
    jobs.made(tmp_path / "it.job", question("2x3", values=3, without=["meaningful-comparisons"]), parts=1)
    full = ["bash", "-c", '(ulimit -f 1; "$@")', "bash", SYNTH, "job", *words]
    ran = subprocess.run(full, cwd=tmp_path, capture_output=True, text=True)
    assert (ran.returncode, ran.stderr.count("\n")) == (3, 1)


def test_the_table_in_the_document_says_what_is_tested():
    text = (Path(__file__).parents[2] / "docs" / "do" / "jobs.md").read_text()
    section = text[text.index("## Exit codes") : text.index("## The folder")]
    rows = [line.strip("| ").split(" | ") for line in section.splitlines() if line.startswith("| ")]
    said = {row[0]: row[1] for row in rows}
    assert {cause.__doc__: said[cause.__doc__] for cause, *_ in CAUSES} == {
        cause.__doc__: str(code) for cause, code, _ in CAUSES
    }
