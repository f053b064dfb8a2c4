"""Test `synth job` as users call it: its output, its exit codes, and the words that it refuses."""

import json
import os
import re
import signal
import sys
import time
from pathlib import Path

import pytest

import jobs
from golden import check_file, transcript
from processes import end_of, processes_of, running, wait_for
from quick import mostly_full
from synth import question
from synth_checker.extras import how_to_install
from synth_documents.readable import three_digits
from synth_jobs import garbage, logs, presence
from synth_jobs import plan as planning
from synth_jobs.job import Job
from synth_jobs.plan import Plan, Prediction
from synth_jobs.presence import SEARCHING, Presence, WorkerRecord
from synth_jobs.shard_run import run_shard
from synth_storage import partial_files
from synth_workers.stop import Stop

GOLDEN = Path(__file__).parent / "golden"
#: When it is, in what is looked at.
NOW = 1_800_000_000.0
DETACHED = ("--executor", "slurm-array", "--detach")


@pytest.fixture
def half(tmp_path, monkeypatch):
    """A job of which two shards are done, by two machines, one of which is still at work; and one has failed."""
    job = jobs.made(tmp_path / "it.job", question("2x3", minimal=True))
    first, second, third = list(job.shards)[:3]
    for name, worker, when, cpu in ((first, "here-1", NOW - 7200, 0.5), (second, "there-2", NOW - 30, 0.25)):
        receipt = run_shard(job.folder, name)
        (job.folder / "logs" / f"{worker}.jsonl").write_text(
            json.dumps({"when": when, "shard": name, "seconds": 2 * cpu, "cpu": cpu, "tests": receipt.tests, "kept": 1})
            + "\n"
        )
    for path in (job.folder / "logs").glob(f"*-{os.getpid()}.jsonl"):
        path.unlink()
    job.failures.note(third, "Traceback ...\nValueError: as always\n")
    there = WorkerRecord("there-2", job.question.name, SEARCHING, processes=1, shards=1, tests=48, since=NOW - 60)
    jobs.write_present(job, there)
    monkeypatch.setattr(time, "time", lambda: NOW)
    monkeypatch.setattr(presence, "_time_there", lambda _folder: jobs.THEN + 30.0)
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield job
    monkeypatch.undo()
    time.tzset()


def test_what_is_said_of_a_job_is_golden(synth, half):
    words = [("status", "it.job"), ("list",), ("stop", "it.job"), ("status", "it.job")]
    texts = [transcript(["job", *asked], synth("job", *asked)) for asked in words]
    check_file(GOLDEN / "status.txt", "\n".join(texts))
    assert half.stop.exists()


def test_the_status_is_there_for_programs(synth, half):
    found = json.loads(synth("job", "status", "it.job", "--json").out)
    assert (found["question"], found["state"]) == ("2x3-minimal", "running")
    assert (found["shards"], found["done"]) == (len(half.shards), 2)
    # Shards were said to take a third of a second each, and took 0.75 s, two of them.
    left = (len(half.shards) - 2) / 3
    assert found["cpu_seconds_left"] == pytest.approx(left * 0.75 / (2 / 3))
    # One is at work, and gets half of a processor.
    assert found["seconds_left"] == pytest.approx(2 * found["cpu_seconds_left"])
    assert [(worker["worker"], worker["shards"], worker["silent_seconds"]) for worker in found["workers"]] == [
        ("there-2", 1, 30.0)
    ]
    assert [(shard["tries"], shard["set_aside"]) for shard in found["failed"]] == [(1, False)]


def test_a_job_is_started_and_is_there(synth, tmp_path):
    ran = synth("job", "start", "--bounds", "2x2", "--jobs", "1")
    assert ran == (0, "8 tests in 2x2.job/corpus; 1 shard, complete\n", "")
    again = synth("job", "start", "--bounds", "2x2", "--jobs", "1")
    assert again == (
        0,
        "2x2.job/corpus already holds the complete answer: 8 tests\n",
        "synth: 2x2.job already holds this job; its remaining shards are done now\n",
    )
    assert synth("enumerate", "--bounds", "2x2").code == 0
    assert jobs.records(tmp_path / "2x2.job" / "corpus") == jobs.records(tmp_path / "2x2.corpus")
    elsewhere = synth("job", "resume", "2x2.job", "--out", "2x2.corpus")
    assert elsewhere.out == "2x2.corpus already holds the complete answer: 8 tests\n"


def test_a_job_asks_the_solver_that_is_chosen(synth):
    ran = synth("job", "start", "--bounds", "2x2", "--solver", "minisat22", "--jobs", "1", "it.job")
    assert (ran.code, ran.out) == (0, "8 tests in it.job/corpus; 1 shard, complete\n")


def test_the_job_of_another_question_stays(synth):
    synth("job", "start", "--bounds", "2x2", "it.job")
    ran = synth("job", "start", "--bounds", "2x3", "it.job")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "synth: it.job: found a job with other bounds or options (2x2), expected 2x3; use a new folder\n"


@mostly_full(
    ("words", "told"),
    [
        (("resume", "no.job"), "no.job: found no file job.json, expected the folder of a job"),
        (("status", "no.job"), "no.job: found no file job.json, expected the folder of a job"),
        (("list", "no"), "no: there is no such folder; give a folder with jobs"),
        (("start", "--bounds", "2x2", "--executor", "frob"), "executor: found 'frob', expected one of local"),
        (("start", "--bounds", "2x2", "--jobs", "0"), "jobs: found 0, expected at least 1"),
        (("start", "--bounds", "2x2", "--shard-seconds", "0"), "shard seconds: found 0, expected more than 0"),
        (("start", "--bounds", "2x2", "--shard-seconds", "inf"), "shard seconds: found inf, expected more than 0"),
        (("plan", "--bounds", "2x2", "--shard-seconds", "0"), "shard seconds: found 0, expected more than 0"),
        (("plan", "--bounds", "2x2", "--shard-seconds", "-10000000"), "shard seconds: found -10000000, expected more"),
        (("plan", "--bounds", "2x2", "--sample-seconds", "nan"), "sample seconds: found nan, expected more than 0"),
        (("resume", "it.job", *DETACHED, "--out", "it"), "--out cannot be combined with --detach, which does not wait"),
        (("resume", "it.job", *DETACHED, "--time-limit", "1h"), "--time-limit cannot be combined with --detach"),
        (("start", "--bounds", "2x2", *DETACHED, "--memory", "1G"), "--memory cannot be combined with --detach"),
        (("resume", "it.job", *DETACHED), "{here}/it.job/slurm: File exists, expected a folder for the script of an"),
        (("list", "odd.job"), "odd.job/job.json: found format 99 of 'synth job', expected format 1 of 'synth job'"),
        (("start", "--bounds", "frob"), "bounds: found 'frob', expected TxN"),
        (("start", "--bounds", "2x2", "--engine", "frob"), "engine: found 'frob', expected one of"),
        (
            ("start", "--bounds", "2x2", "full"),
            "full: the folder contains other files, expected a new or empty folder, or a job",
        ),
        (
            ("start", "--bounds", "2x2", "--out", "full"),
            "full: the folder contains other files, expected a new or empty folder",
        ),
        (("gc", "it.job", "--all"), "it.job: this job has no complete corpus yet, so its shards are still needed"),
        (("plot", "it.job"), "it.job: no shard is done yet, so there is nothing to draw"),
        (("plan", "--bounds", "2x2", "--up-to", "behaviour"), "up to: a plan cannot count behaviours"),
        (("start", "--bounds", "2x2", "it.job", "--engine", "sat"), "it.job: found a job with engine explicit, solver"),
        (("start", "--bounds", "2x2", "it.job", "--shard-seconds", "9"), "it.job: found a job with shards of about"),
        (("status", "odd2.job"), "odd2.job/job.json: found 7 under the key engine, expected a value"),
        (("resume", "odd.job"), "odd.job/job.json: found format 99 of 'synth job', expected format 1 of 'synth job'"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
    quick=15,
)
def test_a_wrong_word_is_one_line(synth, tmp_path, words, told):
    jobs.made(tmp_path / "it.job", question("2x2"))
    (tmp_path / "it.job" / "slurm").touch()
    for name, file, version in (("full", "theirs", 0), ("odd.job", "job.json", 99), ("odd2.job", "job.json", 1)):
        (tmp_path / name).mkdir()
        (tmp_path / name / file).write_text(json.dumps({"kind": "synth job", "format": version, "engine": 7}))
    ran = synth("job", *words)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert ran.err.startswith(f"synth: {told.format(here=tmp_path)}")


@pytest.mark.full
def test_a_time_limit_leaves_what_is_done_and_says_how_much(synth, tmp_path):
    job = jobs.made(tmp_path / "it.job", question("2x4", minimal=True), parts=60)
    ran = synth("job", "resume", "it.job", "--jobs", "1", "--time-limit", "0.2s")
    assert (ran.code, ran.out) == (75, "")
    told = r"synth: time limit reached; (\d+) of (\d+) shards done; synth job status it\.job says more\n"
    done, shards = map(int, re.fullmatch(told, ran.err).groups())
    assert (done, shards) == (len(job.committed()[0]), len(job.shards))


def test_stop_reaches_who_is_at_work(synth, tmp_path):
    job = jobs.made(tmp_path / "it.job", question("2x5", minimal=True), parts=40)
    with running(["job", "resume", "it.job", "--jobs", "1"], tmp_path) as parent:
        assert wait_for(lambda: any(job.results.iterdir()))
        assert synth("job", "stop", "it.job").code == 0
        assert end_of(parent) == 75
        assert wait_for(lambda: not processes_of(parent))
    assert 0 < len(job.committed()[0]) < len(job.shards)
    assert synth("job", "work", "it.job").code == 75  # as long as the file is there


def test_what_is_left_over_is_removed_and_nothing_else(synth, tmp_path):
    job = jobs.made(tmp_path / "it.job", question("2x2"))
    assert synth("job", "resume", "it.job").code == 0
    child = os.fork()
    if not child:
        os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(child, 0)
    mine = job.results / partial_files.partial_name("000000")
    dead = job.results / mine.name.replace(f",{os.getpid()},", f",{child},")
    others = job.results / mine.name.replace(",", ",far-", 1)
    for path in (mine, dead, others):
        path.write_bytes(b"12345")
    merging = job.folder / dead.name
    merging.mkdir()
    (merging / "one").write_bytes(b"123")
    assert synth("job", "gc", "it.job").out == "it.job: removed 2 files, 8 bytes\n"
    assert {mine, others} == set(job.results.glob(".*"))
    os.utime(others, (0, 0))
    assert synth("job", "gc", "it.job").out == "it.job: removed 1 file, 5 bytes\n"
    mine.unlink()
    assert synth("job", "gc", "it.job", "--all").code == 0
    assert not list(job.results.iterdir())
    status = synth("job", "status", "it.job").out
    assert status.startswith("it.job: 2x2, complete\n")
    assert f"{len(job.shards)} of {len(job.shards)} shards done: 8 tests" in status


def test_the_numbers_of_a_plan_are_written_as_people_read_them(synth, monkeypatch):
    """A plan of terabytes and thousands of hours, and of next to nothing."""
    plan = Plan(
        question="2x2",
        tests=Prediction(1.234e9, 1.2e9, 1.3e9),
        kept=Prediction(0, 0, 0),
        cpu_seconds=Prediction(4.5678e6, 3.6e6, 4e7),
        disk_bytes=Prediction(4.0123e10, 999.4, 1.5e12),
        shards=Prediction(90, 88, 93),
        units=65,
        exact=0,
        samples=4970,
    )
    monkeypatch.setattr(planning, "plan_of", lambda *_: plan)
    out = synth("job", "plan", "--bounds", "2x2", "--sample-seconds", "0.1").out
    rows = {row[0]: row[1:] for line in out.splitlines() if len(row := re.split(r"  +", line.strip())) == 4}
    assert rows["tests"] == ["1,234,000,000", "1,200,000,000", "1,300,000,000"]
    assert rows["processor hours"] == ["1,270", "1,000", "11,100"]
    assert rows["disk"] == ["40.1 GB", "999 bytes", "1.5 TB"]
    assert "e+" not in out


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0, "0"),
        (40123.4, "40,100"),
        (999.6, "1,000"),
        (12.345, "12.3"),
        (1, "1.00"),
        (0.00001234, "0.0000123"),
        (-1e7, "-10,000,000"),
    ],
)
def test_three_digits_of_a_number_are_written_without_an_exponent(number, text):
    assert three_digits(number) == text


def test_a_plan_of_what_is_searched_as_a_whole_is_exact_and_writes_nothing(synth, tmp_path):
    ran = synth("job", "plan", "--bounds", "2x2,2x3", "--minimal", "--sample-seconds", "0.1", "--json")
    found = json.loads(ran.out)
    assert found["tests"] == {"mean": 170, "low": 170, "high": 170}
    assert found["kept"]["mean"] == 23
    assert not list(tmp_path.iterdir())
    assert "searched completely" in synth("job", "plan", "--bounds", "2x2", "--sample-seconds", "0.1").out


@pytest.mark.full
@pytest.mark.usefixtures("half")
def test_a_drawing_shows_the_job_and_is_the_same_each_time(synth):
    ran = synth("job", "plot", "it.job")
    assert ran.code == 0
    assert ran.out == synth("job", "plot", "it.job").out
    assert "2x3-minimal</text>" in ran.out
    assert "processor time, seconds</text>" in ran.out
    synth("job", "plot", "it.job", "--out", "it.svg")
    assert Path("it.svg").read_text() == ran.out
    assert synth("job", "plot", "it.job", "--out", "it.svg").code == 2


@pytest.mark.usefixtures("half")
def test_without_matplotlib_one_line_says_how_to_get_it(synth, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    ran = synth("job", "plot", "it.job")
    wanted = f"plot: Matplotlib is missing, which draws the plot; to install it: {how_to_install('plot')}"
    assert (ran.code, ran.out, ran.err) == (2, "", f"synth: {wanted}\n")


def test_a_torn_line_of_a_log_is_passed_over(half):
    with (half.folder / "logs" / "there-2.jsonl").open("a") as file:
        file.write('{"when":18')
    assert len(logs.entries(half.folder / "logs")) == 2


def test_a_list_shows_the_jobs_below(synth, tmp_path):
    (tmp_path / "a").mkdir()
    jobs.made(tmp_path / "a" / "it.job", question("2x2"))
    found = synth("job", "list", "a").out.splitlines()
    assert found[0].split() == ["job", "question", "shards", "state", "tests"]
    shards = len(Job(tmp_path / "a" / "it.job").shards)
    assert [line.split() for line in found[1:]] == [["a/it.job", "2x2", f"0/{shards}", "incomplete", "0"]]


def test_a_job_that_cannot_be_read_hides_no_other_in_a_list(synth, tmp_path):
    for name in ("a.job", "b.job", "c.job"):
        jobs.made(tmp_path / name, question("2x2"))
    (tmp_path / "b.job" / "shards.jsonl").unlink()
    ran = synth("job", "list")
    assert [line.split()[0] for line in ran.out.splitlines()] == ["job", "a.job", "c.job"]
    told = "synth: b.job/shards.jsonl: No such file or directory, expected the list of shards\n"
    assert (ran.code, ran.err) == (2, told)


def test_files_of_others_do_not_disturb_a_list(synth, tmp_path):
    (tmp_path / "theirs" / "job.json").mkdir(parents=True)
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "job.json").symlink_to("/proc/self/mem")  # which even root can't read
    assert synth("job", "list") == (0, "", "")


def test_nobody_is_said_to_be_absent_who_is_at_the_first_shard(synth, tmp_path):
    job = jobs.made(tmp_path / "it.job", question("2x3"))
    assert "left; no process does shards at present\n" in synth("job", "status", "it.job").out
    with Stop() as stop, Presence(job.folder, stop, "2x3", SEARCHING, processes=2):
        text = synth("job", "status", "it.job").out
    assert text.startswith("it.job: 2x3, running\n")
    assert re.search(r" of processor time is left; .* with 2 processes, so that the job is done at ", text)


def test_a_job_whose_corpus_is_elsewhere_is_done_and_not_complete(synth):
    synth("job", "start", "--bounds", "2x2", "it.job", "--out", "it.corpus")
    assert synth("job", "status", "it.job").out.startswith("it.job: 2x2, done\n")


def test_of_a_finished_job_whose_shards_were_removed_nothing_is_done_again(synth, tmp_path):
    synth("job", "start", "--bounds", "2x2", "it.job")
    synth("job", "gc", "it.job", "--all")
    done = "no shard is left to do; this process has done 0 of 1 shards of it.job, 1 is done\n"
    assert synth("job", "work", "it.job") == (0, done, "")
    assert synth("job", "stop", "it.job").out == "no process works on it.job; 1 of 1 shards done\n"
    asked = synth("job", "resume", "it.job", *DETACHED)
    assert asked == (0, "all shards are done; synth job resume it.job writes the corpus\n", "")
    elsewhere = synth("job", "resume", "it.job", "--out", "other.corpus")
    assert elsewhere.code == 2
    assert "has removed the shards of this finished job" in elsewhere.err
    assert not list((tmp_path / "it.job" / "shards").iterdir())


def test_what_others_remove_meanwhile_does_not_disturb(synth, tmp_path, monkeypatch):
    jobs.made(tmp_path / "it.job", question("2x2"))
    gone = tmp_path / "it.job" / "leases" / "000000.1"
    monkeypatch.setattr(garbage.leases, "finished_leases", lambda *_: [gone])
    assert synth("job", "gc", "it.job") == (0, "it.job: removed 0 files, 0 bytes\n", "")
