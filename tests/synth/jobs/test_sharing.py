"""Test what the processes of a machine share: no answer depends on it, and no file of it is left."""

import pytest

import jobs
from synth.enumeration.enumerating import enumerate_tests
from synth.jobs import sharing
from synth.jobs.committed import ids_of
from synth.jobs.driving import drive
from synth.jobs.executors.local import LocalExecutor
from synth.work.execution import Oversight
from synth.work.stopping import Stop
from synth_checker.examination import Examiner
from synth_checker.models import library
from synth_checker.question import Question, parse_bounds
from synth_checker.reductions.minimality import MinimalityFilter

QUESTION = Question(parse_bounds(["2x4"]), minimal=True)


@pytest.fixture
def memory(tmp_path, monkeypatch):
    """The folder of the shared files; the bound of the tests is large enough."""
    folder = tmp_path / "memory"
    folder.mkdir()
    monkeypatch.setattr(sharing, "_MEMORY", folder)
    monkeypatch.setattr(sharing, "_FEWEST_INSTRUCTIONS", 4)
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
    shared = [sharing.shared_orbits(QUESTION) for _ in range(2)]
    for one in shared:
        core = MinimalityFilter(2, shared=one)
        assert core.minimal_of(tests, signatures) == expected
        assert core.known < lone.known
        del core
    shared.clear()
    del one
    assert not list(memory.iterdir())


def test_each_question_shares_only_what_holds_of_it(memory):
    held = [
        sharing.shared_orbits(QUESTION),
        sharing.shared_orbits(Question(QUESTION.bounds, minimal=True, models=("OBE",))),
    ]
    assert len(list(memory.iterdir())) == 2
    del held
    for unfit in (
        Question(QUESTION.bounds),
        Question(parse_bounds(["2x3"]), minimal=True),
        Question(parse_bounds(["4x4"]), minimal=True),
        Question(QUESTION.bounds, minimal=True, without=frozenset({"effective-stores"})),
    ):
        assert sharing.shared_orbits(unfit) is None
    memory.rmdir()
    assert sharing.shared_orbits(QUESTION) is None
