"""Test the life of a job as others see it: sampled, at work, killed, stopped, watched and measured."""

import json
import os
import signal
import time

import pytest
from prometheus_client.openmetrics.parser import text_string_to_metric_families as openmetrics
from prometheus_client.parser import text_string_to_metric_families as prometheus

import jobs
from processes import end_of, processes_of, running, wait_for
from synth import question
from synth.cli.job import status
from synth_jobs.estimate import Sampler
from synth_jobs.job import Job
from synth_jobs.presence import SEARCHING, Presence, WorkerRecord, at_work
from synth_jobs.progress import STATES
from synth_workers.stop import Stop


def test_the_life_that_is_drawn_has_all_states():
    drawing = Job.__doc__.partition("no process works")[2].partition("No file holds")[0]
    assert [state for state in STATES if state not in drawing.split()] == []


START = ["job", "start", "--bounds", "2x3", "--minimal", "it.job"]


@pytest.fixture
def sampled(tmp_path, monkeypatch):
    """A folder in which a job is sampled, and goes on to be as long as it takes; its process."""
    sample = Sampler.sample

    def slow(sampler, estimate):
        sample(sampler, estimate)
        (tmp_path / "begun").touch()
        while not (tmp_path / "go").exists() and not (tmp_path / "it.job" / "stop").exists():
            time.sleep(0.01)

    monkeypatch.setattr(Sampler, "sample", slow)
    with running(START, tmp_path) as parent:
        assert wait_for((tmp_path / "begun").exists)
        yield parent


def test_a_job_that_is_sampled_is_seen_before_it_is_made(synth, sampled, tmp_path):
    words = synth("job", "status", "it.job")
    assert (words.code, words.err) == (0, "")
    assert words.out.startswith("it.job: 2x3-minimal, sampling\n")
    assert "; synth makes the job when all units have a sample\n" in words.out
    found = json.loads(synth("job", "status", "it.job", "--json").out)
    assert (found["question"], found["state"], len(found["workers"])) == ("2x3-minimal", "sampling", 1)
    assert 'state="sampling"} 1\n' in synth("job", "status", "it.job", "--metrics").out
    assert synth("job", "list").out.splitlines()[1].split() == ["it.job", "2x3-minimal", "sampling", "0"]
    early = synth("job", "resume", "it.job")
    assert early.code == 2
    assert early.err.startswith("synth: it.job: another process is still making this job; try again")
    (tmp_path / "go").touch()
    assert end_of(sampled) == 0
    assert synth("job", "status", "it.job").out.startswith("it.job: 2x3-minimal, complete\n")


def test_a_job_that_is_sampled_can_be_stopped_and_leaves_nothing(synth, sampled, tmp_path):
    assert synth("job", "stop", "it.job").out == "asked it.job to stop; no job will be made\n"
    assert end_of(sampled) == 75
    assert not (tmp_path / "it.job").exists()


def test_what_was_killed_while_it_sampled_is_told_and_makes_way(synth, sampled, tmp_path):
    os.kill(sampled, signal.SIGKILL)
    end_of(sampled)
    ran = synth("job", "status", "it.job")
    assert (ran.code, ran.out) == (2, "")
    assert (
        ran.err
        == "synth: it.job: found what a killed synth job start has left, and no job; run synth job start again\n"
    )
    assert synth("job", "list") == (0, "", "")
    (tmp_path / "it.job" / "stop").touch()  # for the one that was killed
    (tmp_path / "go").touch()
    assert synth(*START).code == 0


@pytest.mark.full
def test_a_job_whose_process_was_killed_is_not_said_to_be_at_work(synth, tmp_path):
    job = jobs.made(tmp_path / "it.job", question("2x5", minimal=True), parts=40)
    with running(["job", "resume", "it.job", "--jobs", "1"], tmp_path) as parent:
        assert wait_for(lambda: any(job.results.glob("*.zst")))
        assert synth("job", "status", "it.job").out.startswith("it.job: 2x5-minimal, running\n")
        os.kill(parent, signal.SIGKILL)
        end_of(parent)
        ran = synth("job", "status", "it.job").out
    assert ran.startswith("it.job: 2x5-minimal, incomplete\n")
    assert "no process does shards at present" in ran
    assert "at work" not in ran.replace("nobody", "")


def test_who_has_ended_is_not_shown_any_more(synth, tmp_path):
    jobs.made(tmp_path / "it.job", question("2x3", minimal=True))
    synth("job", "work", "it.job")
    found = json.loads(synth("job", "status", "it.job", "--json").out)
    assert (found["state"], found["workers"]) == ("done", [])
    assert "last heard of" not in synth("job", "status", "it.job").out


def test_stop_with_nobody_at_work_leaves_nothing_that_ends_the_next_start(synth, tmp_path):
    job = jobs.made(tmp_path / "it.job", question("2x3", minimal=True))
    ran = synth("job", "stop", "it.job")
    assert ran == (0, f"no process works on it.job; 0 of {len(job.shards)} shards done\n", "")
    assert not job.stop.exists()
    assert synth("job", "work", "it.job").code == 0


@pytest.mark.full
def test_two_that_work_alone_at_once_are_told_so(synth, tmp_path):
    job = jobs.made(tmp_path / "it.job", question("2x2"))
    with Stop() as stop, Presence(job.folder, stop, "2x2", SEARCHING, processes=1):
        (record,) = at_work(job.folder)
        jobs.write_present(job, WorkerRecord("there-7", "2x2", SEARCHING, processes=1))
        os.utime(job.folder / "workers" / "there-7.json")
        ran, detached = synth("job", "resume", "it.job"), synth("job", "resume", "it.job", "--detach")
    told = f"synth: it.job: there-7, {record.worker} are working on this job, too; some shards may be done twice"
    assert (ran.code, ran.err) == (0, f"{told} (use synth job work instead: its workers do not do a shard twice)\n")
    assert detached.err.startswith("synth: it.job: there-7 is working on this job, too; ")


# --- watching ---


def test_who_watches_is_told_again_until_nobody_is_at_work(synth, tmp_path, monkeypatch):
    job = jobs.made(tmp_path / "it.job", question("2x2"))
    waits = []

    def wait(_stop, seconds):
        waits.append(seconds)
        if len(waits) == 2:
            (job.folder / "workers" / "there-7.json").unlink()

    monkeypatch.setattr(Stop, "wait", wait)
    jobs.write_present(job, WorkerRecord("there-7", "2x2", SEARCHING, processes=1))
    os.utime(job.folder / "workers" / "there-7.json")
    ran = synth("job", "status", "it.job", "--watch")
    assert (ran.code, waits) == (0, [status._WATCH_S] * 2)
    assert [line for line in ran.out.splitlines() if line.startswith("it.job")] == [
        *["it.job: 2x2, running"] * 2,
        "it.job: 2x2, incomplete",
    ]
    assert "\x1b" not in ran.out
    lines = synth("job", "status", "it.job", "--watch", "--json").out.splitlines()
    assert [json.loads(line)["state"] for line in lines] == ["incomplete"]


def test_a_signal_ends_a_watch(synth, tmp_path, monkeypatch):
    job = jobs.made(tmp_path / "it.job", question("2x2"))
    monkeypatch.setattr(Stop, "wait", lambda *_: os.kill(os.getpid(), signal.SIGINT))
    with Stop() as stop, Presence(job.folder, stop, "2x2", SEARCHING):
        assert synth("job", "status", "it.job", "--watch").code == 130


# --- figures ---


@pytest.mark.parametrize("parser", [prometheus, openmetrics])
def test_the_figures_are_read_by_the_parsers_of_prometheus(synth, tmp_path, parser):
    job = jobs.made(tmp_path / 'a "b"\\c.job', question("2x3", minimal=True))
    job.failures.note(next(iter(job.shards)), "ValueError", tries=3)
    with Stop() as stop, Presence(job.folder, stop, "2x3-minimal", SEARCHING, processes=2):
        ran = synth("job", "status", job.folder, "--metrics")
    assert (ran.code, ran.err) == (0, "")
    found = {family.name: family for family in parser(ran.out)}
    assert all(family.type == "gauge" and family.documentation for family in found.values())
    values = {}
    for name, family in found.items():
        assert all(sample.labels["job"] == str(job.folder) for sample in family.samples)
        assert all(sample.labels["question"] == "2x3-minimal" for sample in family.samples)
        values[name.removeprefix("synth_job_")] = [sample.value for sample in family.samples]
    states = values.pop("state")
    assert dict(zip(STATES, states, strict=True)) == {state: state == "running" for state in STATES}
    assert values["seconds_left"][0] > 0
    assert values["shards"] == [len(job.shards)]
    assert values["processes"] == [2]
    assert values["shards_set_aside"] == values["shards_failed"] == [1]


def test_a_figure_that_is_not_known_is_left_out(synth, tmp_path):
    jobs.made(tmp_path / "it.job", question("2x3"))
    assert "synth_job_seconds_left" not in synth("job", "status", "it.job", "--metrics").out


@pytest.mark.parametrize("other", ["--json", "--watch"])
def test_figures_go_with_no_other_form(synth, tmp_path, other):
    jobs.made(tmp_path / "it.job", question("2x2"))
    ran = synth("job", "status", "it.job", "--metrics", other)
    assert (ran.code, ran.err) == (2, f"synth: --metrics cannot be combined with {other}; use one of the two\n")


def test_nothing_is_left_at_work_after_a_signal(synth, tmp_path):
    job = jobs.made(tmp_path / "it.job", question("2x5", minimal=True), parts=40)
    with running(["job", "resume", "it.job", "--jobs", "1"], tmp_path) as parent:
        assert wait_for(lambda: at_work(job.folder))
        os.kill(parent, signal.SIGTERM)
        assert end_of(parent) == 143
        assert wait_for(lambda: not processes_of(parent))
    assert not list((job.folder / "workers").iterdir())
    assert synth("job", "status", "it.job").out.startswith("it.job: 2x5-minimal, incomplete\n")
