"""Test workers without an executor: each shard is done by one of them, or by another if that one is gone."""

import json
import os
import signal
from collections import Counter

import pytest

from processes import PATIENCE_S


def log_entries(job):
    lines = [line for path in (job.folder / "logs").iterdir() for line in path.read_text().splitlines()]
    return [json.loads(line) for line in lines]


def held(job):
    """The shards that somebody holds."""
    folder = job.folder / "leases"
    return {path.name.rpartition(".")[0] for path in folder.iterdir()} if folder.is_dir() else set()


@pytest.mark.parametrize("which", ["quick_job", pytest.param("job", marks=pytest.mark.full)])
@pytest.mark.full
def test_two_workers_do_each_shard_once(request, which):
    job = request.getfixturevalue(which)
    with job.started("work") as first, job.started("work") as other:
        for process in (first, other):
            _, err = process.communicate(timeout=PATIENCE_S)
            assert process.returncode == 0, err
    assert set(Counter(entry["shard"] for entry in log_entries(job)).values()) == {1}
    assert not held(job)
    job.check_done()


@pytest.mark.full
def test_what_a_killed_worker_held_is_done_by_another(job):
    with job.started("work", "--lease", "1s") as first, job.started("work", "--lease", "1s") as other:
        assert job.wait_for_shards(2)
        first.kill()
        _, err = other.communicate(timeout=PATIENCE_S)
        assert other.returncode == 0, err
    job.check_done()


@pytest.mark.full  # of leases alone: tests/storage/test_leases.py
def test_a_worker_stopped_past_its_lease_and_woken_changes_nothing(job):
    with job.started("work", "--lease", "0.5s") as worker:
        assert job.wait_for_shards(2)
        os.killpg(worker.pid, signal.SIGSTOP)  # it and its process for shards, in the middle of one
        code, _, err = job.ran("work", "--lease", "0.5s")
        assert code == 0, err
        job.check_done()
        os.killpg(worker.pid, signal.SIGCONT)
        _, err = worker.communicate(timeout=PATIENCE_S)
        assert worker.returncode == 0, err
    job.check_done()


@pytest.mark.full
@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGTERM, 143), pytest.param(signal.SIGINT, 130, marks=pytest.mark.full)]
)
def test_a_worker_that_is_asked_to_end_gives_back_its_shard(number, code, job):
    with job.started("work", "--lease", "1h") as worker:
        assert job.wait_for_shards(1)
        worker.send_signal(number)
        _, err = worker.communicate(timeout=PATIENCE_S)
    assert worker.returncode == code
    assert f" of {len(job.shards)} shards of" in err
    assert f", {job.done} " in err
    assert job.ran("work", "--lease", "1h")[0] == 0  # which would wait for an hour
    job.check_done()


@pytest.mark.full
def test_workers_stop_when_the_job_is_stopped(job):
    with job.started("work") as first, job.started("work") as other:
        assert job.wait_for_shards(1)
        (job.folder / "stop").touch()  # as `synth job stop` does, only sooner
        for process in (first, other):
            _, err = process.communicate(timeout=PATIENCE_S)
            assert process.returncode == 75
            assert "asked to stop" in err
    assert job.done < len(job.shards)


@pytest.mark.full
def test_a_damaged_result_is_done_again(job):
    job.do_all()
    victim = min(job.results.iterdir())
    victim.write_bytes(victim.read_bytes()[:-1])
    code, out, err = job.ran("work")
    assert (code, err) == (0, "")
    assert "has done 1 of" in out
    job.check_done()


@pytest.mark.full
def test_claims_that_a_killed_worker_left_on_what_is_done_are_cleaned_away(job):
    job.do_all()
    done, open_ = sorted(job.results.iterdir())[:2]
    open_.unlink()
    (job.folder / "leases").mkdir()
    for path in (done, open_):
        (job.folder / "leases" / f"{path.name.removesuffix('.zst')}.1").touch()
    assert job.ran("gc")[0] == 0
    assert held(job) == {open_.name.removesuffix(".zst")}
