"""Test `--detach` and `--notify`: a job goes on without its terminal, and a command reports its end."""

import os
import re
import signal
import subprocess

import pytest

import jobs
from processes import PATIENCE_S, SYNTH, ending, in_terminal, kill_session, wait_for
from quick import mostly_full
from synth import question
from synth.cli.job import notify
from synth_corpus.store import Corpus
from synth_jobs import start
from synth_jobs.job import Job
from synth_jobs.presence import at_work
from synth_search.engines.explicit import ExplicitEngine

START = ["job", "start", "--bounds", "2x5", "--minimal", "--shard-seconds", "0.05", "--jobs", "1", "--detach", "it.job"]


@pytest.fixture
def killed():
    """Process numbers, whose sessions are killed at the end of the test."""
    sessions = []
    yield sessions
    for session in sessions:
        kill_session(session)


@pytest.mark.full
def test_a_detached_job_outlives_its_terminal_and_says_how_it_is_followed_and_stopped(tmp_path, killed, synth):
    with in_terminal([SYNTH, *START], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as (
        process,
        screen,
    ):
        out, err = process.communicate(timeout=PATIENCE_S)
        assert (process.returncode, err.count("sampling") > 0) == (0, False), err
        screen.close()
    first, second = out.splitlines()
    number = int(re.match(r"process (\d+) works on it\.job; it needs no terminal, ", first)[1])
    killed.append(number)
    assert second == "synth job status --watch it.job shows its progress; synth job stop it.job stops it"
    assert os.getsid(number) == number
    assert [record.pid for record in at_work(tmp_path / "it.job")] == [number]
    assert wait_for(lambda: any((tmp_path / "it.job" / "shards").glob("*.zst")))
    assert synth("job", "stop", "it.job").code == 0
    assert wait_for(lambda: not at_work(tmp_path / "it.job"))
    assert wait_for(lambda: "asked to stop; " in (tmp_path / "it.job" / "log.txt").read_text())
    resumed = subprocess.run(
        [SYNTH, "job", "resume", "--detach", "it.job"], cwd=tmp_path, capture_output=True, text=True
    )
    killed.append(int(resumed.stdout.split()[1]))
    assert wait_for(lambda: not at_work(tmp_path / "it.job"))
    assert Corpus(tmp_path / "it.job" / "corpus").manifest.complete
    assert (tmp_path / "it.job" / "log.txt").read_text().endswith(" shards, complete\n")


@pytest.mark.full
@mostly_full(
    ("options", "code", "told"),
    [
        (
            ["--out", "theirs"],
            2,
            "synth: theirs: the folder contains other files, expected a new or empty folder, or a corpus",
        ),
        (["--jobs", "0"], 2, "synth: jobs: found 0, expected at least 1"),
        (["--memory", "frob"], 2, "synth: memory: found 'frob', expected a size such as 500M or 2G"),
        (["--executor", "dask"], 2, "synth: --detach cannot be combined with the executor dask; use local or slurm"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_could_not_start_is_told_with_its_exit_code(synth, tmp_path, options, code, told):
    jobs.made(tmp_path / "it.job", question("2x2"))
    (tmp_path / "theirs").mkdir()
    (tmp_path / "theirs" / "file").touch()
    refused = synth("job", "resume", "--detach", *options, "it.job")
    assert (refused.code, refused.out) == (code, "")
    assert refused.err.startswith(told)
    assert not at_work(tmp_path / "it.job")


def test_who_stops_just_before_a_job_is_detached_starts_none(synth, tmp_path, monkeypatch):
    def made(*asked):
        os.kill(os.getpid(), signal.SIGINT)
        return jobs.made(*asked)

    monkeypatch.setattr(start, "start_job", lambda folder, asked, *_: made(folder, asked))
    ran = synth("job", "start", "--bounds", "2x2", "--detach", "it.job")
    assert ran == (130, "", "synth: interrupted; the job it.job is made, but no process works on it\n")
    assert not at_work(tmp_path / "it.job")


@pytest.mark.full
def test_a_detached_job_that_is_complete_says_so_at_once(tmp_path, synth):
    synth("job", "start", "--bounds", "2x2", "it.job")
    ran = synth("job", "resume", "--detach", "it.job")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == f"{tmp_path}/it.job/corpus already holds the complete answer: 8 tests\n"


# --- notifying ---

SAY = 'echo "$SYNTH_STATE $SYNTH_EXIT_CODE $SYNTH_JOB: $SYNTH_MESSAGE" >> told'


@pytest.fixture
def told(tmp_path):
    return (tmp_path / "told").read_text


def test_a_complete_job_is_told(synth, tmp_path, told):
    assert synth("job", "start", "--bounds", "2x2", "it.job", "--notify", SAY).code == 0
    assert told() == f"complete 0 {tmp_path}/it.job: 1 of 1 shards done\n"


@pytest.mark.parametrize("command", ["resume", "work"])
def test_a_job_that_was_stopped_is_told(synth, tmp_path, told, command):
    job = jobs.made(tmp_path / "it.job", question("2x2"), parts=3)
    assert synth("job", command, "it.job", "--time-limit", "0.000001s", "--notify", SAY).code == 75
    assert told() == f"stopped 75 {tmp_path}/it.job: 0 of {len(job.shards)} shards done\n"


@pytest.mark.full
@pytest.mark.parametrize("command", ["resume", "work"])
def test_a_job_that_failed_is_told(synth, tmp_path, told, command, monkeypatch):
    def failing(_engine, _unit):
        raise ValueError

    monkeypatch.setattr(ExplicitEngine, "solve", failing)
    shards = len(jobs.made(tmp_path / "it.job", question("2x2")).shards)
    assert synth("job", command, "it.job", "--notify", SAY).code == 3
    assert told() == f"failed 3 {tmp_path}/it.job: 0 of {shards} shards done, {shards} set aside after failing\n"


def test_an_error_is_told_too(synth, tmp_path, told):
    assert synth("job", "resume", "no.job", "--notify", SAY).code == 2
    assert told() == f"failed 2 {tmp_path}/no.job: no.job: found no file job.json, expected the folder of a job\n"


@mostly_full(
    ("command", "wrong"),
    [
        ("echo here; exit 7", "exit code 7"),
        ("kill -9 $$", "signal 9"),
        ("sleep 1000; true", "it did not end within 0.3 s"),
    ],
)
def test_a_command_that_fails_changes_nothing(synth, tmp_path, monkeypatch, command, wrong):
    if "sleep" in command:
        monkeypatch.setattr(notify, "_LONGEST_S", 0.3)
    with ending():
        ran = synth("job", "start", "--bounds", "2x2", "it.job", "--notify", command)
    assert (ran.code, ran.out) == (0, "8 tests in it.job/corpus; 1 shard, complete\n")
    assert ran.err.endswith(f"synth: --notify: the command {command} failed: {wrong}; the job is not affected\n")
    assert Job(tmp_path / "it.job").corpus.is_dir()


@pytest.mark.full
def test_a_signal_is_told_as_well(tmp_path, told):
    jobs.made(tmp_path / "it.job", question("2x5", minimal=True), parts=40)
    words = [SYNTH, "job", "resume", "it.job", "--jobs", "1", "--notify", SAY]
    with subprocess.Popen(words, cwd=tmp_path, stderr=subprocess.DEVNULL) as process:
        assert wait_for(lambda: at_work(tmp_path / "it.job"))
        process.send_signal(signal.SIGINT)
    assert process.returncode == 130
    assert told().startswith(f"stopped 130 {tmp_path}/it.job: ")
