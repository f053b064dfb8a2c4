"""Test what some shards of a job say of all of it."""

import itertools
import random
import re

import pytest

import jobs
from synth_checker.question import Question, parse_bounds
from synth_jobs import logs, trial
from synth_jobs.job import Job
from synth_jobs.layout import LOGS
from synth_jobs.shard_run import run_shard

QUESTION = Question(parse_bounds(["2x4"]), minimal=True)


@pytest.fixture
def job(tmp_path):
    return jobs.made(tmp_path / "2x4.job", QUESTION, parts=10)


def test_the_shards_are_chosen_evenly(job):
    names = list(job.shards)
    assert trial.every_nth_shard(1, job) == names
    for number in range(2, len(names) // 2 + 1):
        places = list(map(names.index, trial.every_nth_shard(number, job)))
        assert {later - place for place, later in itertools.pairwise(places)} == {number}
        assert places[0] < number
        assert len(names) - places[-1] <= number
    assert len(trial.every_nth_shard(10_000, job)) in {2, 3}


def test_all_shards_say_what_the_job_has(job):
    for name in job.shards:
        run_shard(job.folder, name)
    tried = trial.trial_result(job, list(job.shards))
    assert tried.done == tried.shards == len(job.shards)
    assert tried.tests == pytest.approx((6610, 6610, 6610))
    assert tried.kept == pytest.approx((197, 197, 197))


def test_nine_in_ten_intervals_hold_the_truth(job):
    rng = random.Random(1)
    found = {name: round(1000 * shard.seconds * rng.uniform(0.5, 1.5)) for name, shard in job.shards.items()}
    some, names, right = 200, list(found), 0
    for name, tests in found.items():
        logs.append(job.folder / LOGS, name, seconds=1.0, cpu=1.0, tests=tests, kept=0)
    for _ in range(some):
        number = trial.trial_result(job, rng.sample(names, 6)).tests
        assert number.low <= number.mean <= number.high
        right += number.low <= sum(found.values()) <= number.high
    assert 0.8 < right / some < 0.97


@pytest.mark.full
def test_one_in_some_shards_is_done_and_the_rest_later(synth, tmp_path):
    start = ["job", "start", "--bounds", "2x4", "--minimal", "--shard-seconds", "0.0005", "it.job"]
    ran = synth(*start, "--one-in", "3")
    assert ran.code == 0
    done, shards = map(int, re.match(r"(\d+) of (\d+) shards done: planned [\d.e-]+ processor", ran.out).groups())
    job = Job(tmp_path / "it.job")
    assert set(job.there()) == set(trial.every_nth_shard(3, job))
    assert (done, shards) == (len(job.there()), len(job.shards))
    assert ran.out.endswith("intervals of 90 %; synth job resume it.job does the rest\n")
    again = synth(*start, "--one-in", "3")
    assert (again.code, again.out) == (0, ran.out)
    assert synth(*start, "--one-in", "1").out == f"197 tests in it.job/corpus; {shards} shards, complete\n"


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--one-in", "0"], "one in: found 0, expected at least 1"),
        (["--one-in", "9", "--detach"], "--one-in cannot be combined with --detach"),
        (["--one-in", "9", "--executor", "slurm-array"], "--one-in cannot be combined with the executor slurm-array"),
    ],
)
def test_an_option_that_cannot_be_followed_is_refused(synth, tmp_path, options, told):
    ran = synth("job", "start", "--bounds", "2x3", "it.job", *options)
    assert ran.code == 2
    assert ran.err.startswith(f"synth: {told}")
    assert not (tmp_path / "it.job").exists()
