"""Test jobs with faults: after kills, damage, full disks and double work, the records are the same in the end."""

import contextlib
import os
import random
import re
import signal
import subprocess
import time

import pytest

import jobs
from processes import SYNTH, end_of, processes_of, running, wait_for, without_power
from quick import mostly_full
from synth import enumerate_tests, question, save
from synth_checker.question import split_name
from synth_jobs import shard_run as running_shards
from synth_jobs.failures import MAX_TRIES
from synth_search.engines.explicit import ExplicitEngine

ASKED = "2x3,3x3,2x4"
QUESTION = question(ASKED, minimal=True)
#: Many small shards, so that a moment lies in a shard, between two, or in a commit.
WORDS = ["job", "start", "--bounds", ASKED, "--minimal", "--shard-seconds", "0.002", "--jobs", "2", "it.job"]
RESUME = ["job", "resume", "it.job", "--jobs", "2"]


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    folder = tmp_path_factory.mktemp("expected") / "it.corpus"
    save(enumerate_tests(QUESTION, jobs=1), folder)
    return jobs.records(folder)


def is_begun(folder):
    """Whether some shards are committed, and some are not."""
    shards = folder / "it.job" / "shards"
    return shards.is_dir() and any(path.suffix == ".zst" for path in shards.iterdir())


def ends_well(folder, expected, words=RESUME):
    with running(words, folder) as parent:
        assert end_of(parent) == 0
        assert wait_for(lambda: not processes_of(parent))
    return jobs.records(folder / "it.job" / "corpus") == expected


MOMENTS = [
    pytest.param(victim, seed, marks=pytest.mark.full if seed else ())
    for victim, seeds in (("a worker", 20), ("the parent", 8))
    for seed in range(seeds)
]


@pytest.mark.full
@mostly_full(("victim", "seed"), MOMENTS)
def test_what_is_killed_at_a_random_moment_loses_no_test(tmp_path, expected, victim, seed):
    rng = random.Random(seed)
    with running(WORDS, tmp_path) as parent:
        assert wait_for(lambda: is_begun(tmp_path))
        time.sleep(rng.uniform(0, 0.1))
        alive = processes_of(parent)
        for pid in [parent] if victim == "the parent" else [pid for pid in alive if pid != parent][:1]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        code = end_of(parent)
        assert wait_for(lambda: not processes_of(parent))
    assert code == 0 or (victim == "the parent" and code == -signal.SIGKILL)
    assert ends_well(tmp_path, expected)


@pytest.mark.full
@pytest.mark.parametrize(
    ("number", "code"), [pytest.param(signal.SIGINT, 130, marks=pytest.mark.full), (signal.SIGTERM, 143)]
)
def test_a_signal_stops_a_job_and_it_goes_on(tmp_path, expected, number, code):
    with running(WORDS, tmp_path) as parent:
        assert wait_for(lambda: is_begun(tmp_path))
        os.kill(parent, number)
        assert end_of(parent) == code
        assert wait_for(lambda: not processes_of(parent))
    assert ends_well(tmp_path, expected)


@pytest.mark.full
def test_a_clock_that_jumps_changes_nothing(tmp_path, expected, monkeypatch, synth):
    """By years, to and fro, as often as it is looked at, in all processes of the job."""
    rng, right = random.Random("jumps"), time.time
    monkeypatch.setattr(time, "time", lambda: right() + rng.choice([-1e8, 0.0, 1e8]))
    assert ends_well(tmp_path, expected, WORDS)
    assert synth("job", "status", "it.job").code == 0
    assert ends_well(tmp_path, expected)


@pytest.mark.full
def test_a_job_that_is_moved_half_way_goes_on_there(tmp_path, expected):
    with running(WORDS, tmp_path) as parent:
        assert wait_for(lambda: is_begun(tmp_path))
        os.kill(parent, signal.SIGTERM)
        end_of(parent)
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "it.job").rename(tmp_path / "elsewhere" / "it.job")
    assert ends_well(tmp_path / "elsewhere", expected)


@pytest.mark.full
def test_two_that_start_the_same_job_at_once_end_well(tmp_path, expected):
    with running(WORDS, tmp_path) as first, running(WORDS, tmp_path) as other:
        assert (end_of(first), end_of(other)) == (0, 0)
    assert jobs.records(tmp_path / "it.job" / "corpus") == expected


@pytest.mark.full
@mostly_full("damage", ["cut off", "a byte", "empty"])
def test_a_damaged_shard_is_named_and_done_again(tmp_path, synth, expected, damage):
    job = jobs.made(tmp_path / "it.job", QUESTION)
    assert synth("job", "work", "it.job").code == 0
    path = max(job.results.iterdir(), key=lambda path: path.stat().st_size)
    data = path.read_bytes()
    changed = {"cut off": data[:-1], "a byte": data[:-1] + bytes([data[-1] ^ 1]), "empty": b""}
    path.write_bytes(changed[damage])
    if damage != "a byte":  # which is seen when the shard is read
        assert f"it.job/shards/{path.name}: found " in synth("job", "status", "it.job").out
    ran = synth("job", "resume", "it.job", "--jobs", "1")
    assert (ran.code, f"shards/{path.name}: found " in ran.err) == (0, True)
    assert jobs.records(job.corpus) == expected


def failing(how, sizes):
    """Make the engine fail, in whatever process, on the units of a split."""
    solve = ExplicitEngine.solve

    def failing_on_some(engine, unit):
        if sizes in unit.shares():
            how()
        yield from solve(engine, unit)

    return failing_on_some


def raised():
    raise ValueError("as always")


def killed():
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.full
@pytest.mark.parametrize(
    ("how", "told"),
    [
        (raised, "ValueError: as always"),
        (killed, "the last with signal SIGKILL; use fewer jobs or a machine with more memory"),
    ],
)
def test_a_shard_that_always_crashes_is_set_aside_and_the_rest_is_done(
    tmp_path, synth, expected, monkeypatch, how, told
):
    with monkeypatch.context() as patch:
        patch.setattr(ExplicitEngine, "solve", failing(how, (2, 2)))
        job = jobs.made(tmp_path / "it.job", QUESTION)
        ran = synth("job", "resume", "it.job", "--jobs", "2")
        bad = {shard.name for shard in job.shards.values() if split_name((2, 2)) in shard.work}
        assert 0 < len(bad) < len(job.shards)
        assert ran.code == 3
        assert ran.err == (
            f"synth: incomplete; {len(job.shards) - len(bad)} of {len(job.shards)} shards done; {len(bad)} "
            f"shards set aside after failing; synth job status it.job says more\n"
        )
        assert {name: (failed.tries, failed.set_aside) for name, failed in job.failures.all().items()} == dict.fromkeys(
            bad, (MAX_TRIES, True)
        )
        status = synth("job", "status", "it.job").out
        assert all(f"shard {name}: failed 3 times, set aside: " in status for name in bad)
        assert told in status
        assert not job.corpus.exists()
    assert synth("job", "resume", "it.job", "--jobs", "1").code == 0
    assert jobs.records(job.corpus) == expected
    assert job.failures.all() == {}


def short_of_memory(monkeypatch, names):
    """Make these shards want more memory than there is."""
    units_in = running_shards.units_in

    def short_for_some(shard, engine):
        if shard.name in names:
            raise MemoryError
        return units_in(shard, engine)

    monkeypatch.setattr(running_shards, "units_in", short_for_some)


@pytest.mark.full
def test_a_shard_that_wants_too_much_memory_is_set_aside_and_the_rest_is_done(tmp_path, synth, monkeypatch):
    job = jobs.made(tmp_path / "it.job", QUESTION)
    bad = sorted(job.shards)[1]
    short_of_memory(monkeypatch, {bad})
    assert synth("job", "resume", "it.job", "--jobs", "2").code == 3
    assert set(job.failures.all()) == {bad}
    assert job.failures.all()[bad].error == "no memory was left; use fewer jobs or a machine with more memory"
    assert set(job.committed()[0]) == set(job.shards) - {bad}


@pytest.mark.parametrize("words", [["resume", "it.job", "--jobs", "2"], ["work", "it.job"]])
def test_a_machine_without_memory_sets_no_shard_aside(tmp_path, synth, monkeypatch, words):
    job = jobs.made(tmp_path / "it.job", QUESTION)
    short_of_memory(monkeypatch, set(job.shards))
    ran = synth("job", *words)
    assert ran.code == 3
    assert "no memory was left for 3 shards in a row" in ran.err
    assert ran.err.count("\n") == 1
    assert not any(failed.set_aside for failed in job.failures.all().values())


def test_a_process_on_its_own_sets_aside_what_always_crashes_too(tmp_path, synth, monkeypatch):
    monkeypatch.setattr(ExplicitEngine, "solve", failing(raised, (2, 2)))
    job = jobs.made(tmp_path / "it.job", QUESTION)
    assert synth("job", "work", "it.job").code == 3
    assert all(failed.tries == MAX_TRIES for failed in job.failures.all().values())
    assert len(job.committed()[0]) + len(job.failures.all()) == len(job.shards)


@pytest.mark.full
def test_several_processes_on_their_own_end_with_the_same(tmp_path, synth, expected):
    job = jobs.made(tmp_path / "it.job", QUESTION)
    words = ["job", "work", "it.job"]
    with running(words, tmp_path) as first, running(words, tmp_path) as other:
        assert (end_of(first), end_of(other)) == (0, 0)
    assert synth("job", "resume", "it.job").code == 0
    assert jobs.records(job.corpus) == expected


@pytest.mark.full
def test_a_full_disk_stops_a_job_in_one_line_and_it_goes_on(tmp_path, synth):
    """No file may grow beyond a kilobyte, which its largest shard does."""
    job = jobs.made(tmp_path / "it.job", question("2x3", values=3, without=["meaningful-comparisons"]), parts=1)
    full = ["bash", "-c", '(ulimit -f 1; "$@")', "bash", SYNTH, "job", "resume", "it.job", "--jobs", "1"]
    ran = subprocess.run(full, cwd=tmp_path, capture_output=True, text=True)
    assert (ran.returncode, ran.stdout) == (3, "")
    assert re.fullmatch(r"synth: it\.job/shards/[0-9]+\.zst: File too large\n", ran.stderr)
    assert not list(job.results.glob(".*"))
    assert synth("job", "resume", "it.job").code == 0
    everything = tmp_path / "it.corpus"
    save(enumerate_tests(job.question, jobs=1), everything)
    assert jobs.records(job.corpus) == jobs.records(everything)


@pytest.mark.full
def test_a_job_that_may_only_be_read_tells_its_status_and_is_not_resumed(tmp_path, rights):
    job = jobs.made(tmp_path / "it.job", QUESTION)
    for folder in (job.results, job.folder):
        rights(folder, 0o555)

    def ran(command):
        words = [SYNTH, "job", command, "it.job"]
        return subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, preexec_fn=without_power)

    assert ran("status").returncode == 0
    resumed = ran("resume")
    assert (resumed.returncode, resumed.stdout, resumed.stderr.count("\n")) == (2, "", 1)
    assert "nothing can be created in" in resumed.stderr
    stopped = ran("stop")  # nobody is at work
    assert (stopped.returncode, stopped.stderr) == (0, "")
