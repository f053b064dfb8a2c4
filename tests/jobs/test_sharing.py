"""Test what the processes of a machine share: no answer depends on it, and no file of it is left."""

import fcntl
import os
import resource
import shutil
import signal

import pytest

import jobs
from processes import end_of, processes_of, running, wait_for
from synth_checker.examination import Examiner
from synth_checker.models import library
from synth_checker.question import Question, parse_bounds
from synth_checker.reductions.minimality import MinimalityFilter
from synth_jobs import shared_subprograms
from synth_jobs.committed import ids_of
from synth_jobs.driver import drive
from synth_jobs.executors.local import LocalExecutor
from synth_search.enumeration.every_test import enumerate_tests
from synth_workers.execution import Oversight
from synth_workers.stop import Stop

QUESTION = Question(parse_bounds(["2x4"]), minimal=True)


@pytest.fixture
def memory(tmp_path, monkeypatch):
    """The folder of the shared files, which are small; the bound of the tests is large enough."""
    folder = tmp_path / "memory"
    folder.mkdir()
    monkeypatch.setattr(shared_subprograms, "_MEMORY", folder)
    monkeypatch.setattr(shared_subprograms, "_FEWEST_INSTRUCTIONS", 4)
    monkeypatch.setattr(shared_subprograms, "_slots", lambda _: 1 << 12)
    return folder


def test_processes_that_share_keep_the_minimal_tests_and_leave_no_file(memory, tmp_path):
    job, seen = jobs.made(tmp_path / "2x4.job", QUESTION, parts=4), []
    with Stop() as stop:
        watched = Oversight(stop, lambda *_: seen.extend(path.name for path in memory.iterdir()))
        assert drive(job, LocalExecutor(2), watched).complete
    assert len(set(seen)) == 1
    assert not list(memory.iterdir())
    found = {id_ for name in job.shards for id_ in ids_of(job.results, name)}
    assert {id_.decode().strip() for id_ in found} == set(enumerate_tests(QUESTION).ids)


def test_a_filter_finds_out_nothing_that_another_knows(memory):
    tests = b"".join(f"{id_}\n".encode() for id_ in enumerate_tests(Question(QUESTION.bounds)).ids)
    signatures = Examiner([2], library()).examine(tests).signatures
    lone = MinimalityFilter(2)
    expected = lone.minimal_of(tests, signatures)
    shared = [shared_subprograms.shared_orbits(QUESTION) for _ in range(2)]
    for orbits in shared:
        core = MinimalityFilter(2, shared=orbits)
        assert core.minimal_of(tests, signatures) == expected
        assert core.known < lone.known
        del core
    shared.clear()
    del orbits
    assert not list(memory.iterdir())


def test_each_question_shares_only_what_holds_of_it(memory):
    held = [
        shared_subprograms.shared_orbits(QUESTION),
        shared_subprograms.shared_orbits(Question(QUESTION.bounds, minimal=True, models=("OBE",))),
    ]
    assert len(list(memory.iterdir())) == 2
    del held
    for unfit in (
        Question(QUESTION.bounds),
        Question(parse_bounds(["2x3"]), minimal=True),
        Question(parse_bounds(["4x4"]), minimal=True),
        Question(QUESTION.bounds, minimal=True, without=frozenset({"effective-stores"})),
    ):
        assert shared_subprograms.shared_orbits(unfit) is None
    memory.rmdir()
    assert shared_subprograms.shared_orbits(QUESTION) is None


def test_the_file_is_larger_for_more_instructions_and_more_processors(monkeypatch):
    def slots(bound, processors):
        monkeypatch.setattr(os, "cpu_count", lambda: processors)
        return shared_subprograms._slots(Question(parse_bounds([bound]), minimal=True))

    assert slots("3x6", 64) == slots("2x7", 1) == 1 << 23
    monkeypatch.setattr(shared_subprograms, "_MOST_MEMORY", 1e6)
    assert (slots("2x7", 2), slots("2x7", 3), slots("2x7", 8)) == (1 << 23, 1 << 23, 1 << 25)
    monkeypatch.setattr(shared_subprograms, "_MOST_MEMORY", 1e-9)
    assert slots("2x7", 64) == 1 << 23


def test_another_build_of_the_core_has_a_file_of_its_own(memory, monkeypatch, tmp_path):
    mine = shared_subprograms.shared_orbits(QUESTION)
    other = tmp_path / "_native.so"
    other.write_bytes(b"another")
    monkeypatch.setattr(shared_subprograms._native, "__file__", str(other))
    theirs = shared_subprograms.shared_orbits(QUESTION)
    assert len(list(memory.iterdir())) == 2
    del mine, theirs
    assert not list(memory.iterdir())


def test_files_that_nobody_has_open_are_removed(memory):
    left = memory / f"synth-{os.getuid()}-left"
    used = memory / f"synth-{os.getuid()}-used"
    others = memory / "synth-x-left"
    for path in (left, used, others):
        path.touch()
    with used.open() as file:
        fcntl.flock(file, fcntl.LOCK_SH)
        shared = shared_subprograms.shared_orbits(QUESTION)
        assert shared is not None
        assert not left.exists()
        assert used.exists()
        assert others.exists()


def test_a_full_memory_leaves_no_file(memory):
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 12, before[1]))
    try:
        assert shared_subprograms.shared_orbits(QUESTION) is None
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert not list(memory.iterdir())


@pytest.mark.full
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_job_that_a_signal_ends_leaves_nothing_that_stays(memory, job, number):
    with running(["job", "resume", "--jobs", "2", str(job.folder)], memory) as parent:
        assert job.wait_for_shards(2)
        assert len(list(memory.iterdir())) == 1
        for pid in processes_of(parent):  # all at once, as Ctrl-C reaches them
            os.kill(pid, number)
        end_of(parent)
        assert wait_for(lambda: not processes_of(parent))
    # Nobody is left to remove it if all were killed.
    assert len(list(memory.iterdir())) == (number == signal.SIGKILL)
    with running(["job", "resume", str(job.folder)], memory) as parent:
        assert end_of(parent) == 0
    assert not list(memory.iterdir())
    job.check_done()


@pytest.mark.full
def test_two_jobs_at_once_share_a_file(memory, job, tmp_path):
    other, seen = shutil.copytree(job.folder, tmp_path / "other.job"), set()
    with (
        running(["job", "work", str(job.folder)], memory) as first,
        running(["job", "work", str(other)], memory) as two,
    ):
        while processes_of(first) or processes_of(two):
            seen.update(memory.iterdir())
        assert (end_of(first), end_of(two)) == (0, 0)
    assert len(seen) == 1
    assert not list(memory.iterdir())
    job.check_done()
    job.folder, job.results = other, other / "shards"
    job.check_done()
