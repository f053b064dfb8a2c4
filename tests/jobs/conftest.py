"""A job with which many tests begin, and its expected result: the records of an uninterrupted run, byte for byte."""

import functools
import os
import shutil
import subprocess
import sys

import pytest

import jobs
from processes import PATIENCE_S, in_session, wait_for
from slurm_cluster import slurm_cluster
from synth_checker.question import Question, parse_bounds
from synth_jobs.job import Job
from synth_jobs.start import start_job
from synth_workers.execution import Oversight
from synth_workers.stop import Stop

#: The command line, as processes of their own have it.
SYNTH = [sys.executable, "-P", "-m", "synth"]
#: A second of work, in shards that are short enough to be done by the dozen, and long enough to be hit.
BOUNDS, SHARD_S = "2x5", 0.05


class Made:
    """A job in a folder of its own, run by processes of their own."""

    def __init__(self, folder, expected):
        self.folder = folder
        self.results = folder / "shards"
        self.expected = expected

    @property
    def shards(self):
        return list(Job(self.folder).shards)

    @property
    def done(self):
        """How many shards are committed."""
        return len(list(self.results.glob("*.zst")))

    def wait_for_shards(self, number):
        """Wait until so many are committed; whether that happened while there were others."""
        assert wait_for(lambda: self.done >= number), f"{self.done} shards are done"
        return self.done < len(self.shards)

    def started(self, *words, env=None):
        """A command on the job, as the leader of a session that ends with the test's block."""
        command, *more = words
        return in_session(
            [*SYNTH, "job", command, *more, self.folder],
            env={**os.environ, **(env or {})},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def ran(self, *words, env=None):
        """A command on the job, to its end: its exit code and what it printed."""
        with self.started(*words, env=env) as process:
            out, err = process.communicate(timeout=2 * PATIENCE_S)
        return process.returncode, out, err

    def do_all(self):
        """Have all shards done, at once."""
        for name, data in self.expected.shards.items():
            (self.results / name).write_bytes(data)

    def check_done(self):
        """Every shard is committed, and has the bytes that it has when nothing happens."""
        assert contents(self.results) == self.expected.shards

    def check_finished(self):
        """Have the corpus written, for which no shard is left to be done, and hold it against that of `enumerate`."""
        self.check_done()
        before = {path: path.stat().st_ino for path in self.results.glob("*.zst")}
        code, out, err = self.ran("resume")
        assert (code, err) == (0, "")
        assert out
        assert {path: path.stat().st_ino for path in self.results.glob("*.zst")} == before
        assert jobs.records(self.folder / "corpus") == self.expected.records


class Expected:
    """What must come of a job: the results of its shards by their files, and the records."""

    def __init__(self, folder):
        pattern, undisturbed = folder / "pattern.job", folder / "undisturbed.job"
        shutil.copytree(pattern, undisturbed)
        subprocess.run([*SYNTH, "job", "work", undisturbed], check=True, capture_output=True)
        self.shards = contents(undisturbed / "shards")
        self._corpus = folder / "expected.corpus"

    @functools.cached_property
    def records(self):
        words = ["enumerate", "--bounds", BOUNDS, "--minimal", "--out", self._corpus]
        subprocess.run([*SYNTH, *words], check=True, capture_output=True)
        return jobs.records(self._corpus)


def contents(folder):
    """The bytes of each file in a folder, but for those that a killed process has not finished."""
    return {path.name: path.read_bytes() for path in folder.glob("[!.]*")}


def pattern(place, engine):
    """The folder of a job that nobody has worked on, and what must come of it."""
    question = Question(parse_bounds([BOUNDS]), minimal=True)
    with Stop() as stop:
        start_job(place / "pattern.job", question, engine, None, SHARD_S, Oversight(stop))
    return place / "pattern.job", Expected(place)


@pytest.fixture(scope="session")
def _pattern(tmp_path_factory):
    return pattern(tmp_path_factory.mktemp("jobs"), "auto")


@pytest.fixture(scope="session")
def _slow_pattern(tmp_path_factory):
    return pattern(tmp_path_factory.mktemp("slow-jobs"), "sat")


@pytest.fixture
def job(_pattern, tmp_path):
    """A job, in a folder whose name needs care."""
    return made_of(_pattern, tmp_path)


@pytest.fixture
def slow_job(_slow_pattern, tmp_path):
    """The same job by a slower engine, which leaves Slurm the time to hear of a task that pre-empts others."""
    return made_of(_slow_pattern, tmp_path)


def made_of(pattern, tmp_path):
    """A copy of a job in a folder of its own."""
    folder, expected = pattern
    return Made(shutil.copytree(folder, tmp_path / 'a 100% "big" job'), expected)


@pytest.fixture
def quick_job(tmp_path):
    """A job of some dozen shards that are done at once, so that workers claim one after the other."""
    jobs.made(tmp_path / "pattern.job", Question(parse_bounds(["2x4"]), minimal=True), parts=10)
    folder = shutil.copytree(tmp_path / "pattern.job", tmp_path / "quick.job")
    return Made(folder, Expected(tmp_path))


@pytest.fixture
def small_job(tmp_path):
    """A job that nobody works on, for tests of words that are refused before any work."""
    jobs.made(tmp_path / "small.job", Question(parse_bounds(["2x2"])))
    return Made(tmp_path / "small.job", expected=None)


@pytest.fixture(scope="session")
def slurm():
    """The environment of a Slurm of one node."""
    with slurm_cluster() as environment:
        yield environment
