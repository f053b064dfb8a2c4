"""Test which processes count as working on a job: killed ones do not, even if the clocks of two machines differ."""

import os
import signal
import time

import pytest

import jobs
from synth import question
from synth_checker.errors import InputError
from synth_jobs import presence
from synth_jobs.presence import (
    SEARCHING,
    SILENT_S,
    WRITING,
    Presence,
    WorkerRecord,
    at_work,
)
from synth_jobs.progress import progress_of
from synth_workers.stop import Stop

THERE = WorkerRecord("there-2", "2x2", SEARCHING, processes=3)


@pytest.fixture
def made(tmp_path):
    return jobs.made(tmp_path / "it.job", question("2x2"))


@pytest.fixture
def clock(monkeypatch):
    """The clock that goes only forward, as it is set."""
    now = [100.0]
    monkeypatch.setattr(presence.time, "monotonic", lambda: now[0])
    return now


def test_who_is_at_work_is_seen_and_has_gone_at_the_end(made):
    with Stop() as stop, Presence(made.folder, stop, "2x2", SEARCHING, processes=2):
        (record,) = at_work(made.folder)
        assert (record.pid, record.doing, record.processes) == (os.getpid(), SEARCHING, 2)
        assert progress_of(made).state == "running"
    assert at_work(made.folder) == []
    assert not list((made.folder / "workers").iterdir())
    assert progress_of(made).state == "incomplete"


def test_who_was_killed_is_not_at_work_from_that_moment_and_leaves_nothing_to_the_next(made):
    child = os.fork()
    if not child:
        with Stop() as stop, Presence(made.folder, stop, "2x2", SEARCHING, processes=1):
            os.kill(os.getpid(), signal.SIGKILL)
    os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)  # it is dead, and its number not yet free
    assert len(list((made.folder / "workers").iterdir())) == 1
    assert at_work(made.folder) == []
    assert progress_of(made).seconds_left is None
    os.waitpid(child, 0)
    with Stop() as stop, Presence(made.folder, stop, "2x2", SEARCHING):
        assert [record.pid for record in at_work(made.folder)] == [os.getpid()]
        assert len(list((made.folder / "workers").iterdir())) == 1


def test_another_process_that_has_the_number_of_a_killed_one_is_another(made):
    with Stop() as stop, Presence(made.folder, stop, "2x2", SEARCHING):
        (record,) = at_work(made.folder)
        jobs.write_present(made, presence.replace(record, worker="here-1", started="1"))
        assert [found.worker for found in at_work(made.folder)] == [record.worker]


@pytest.mark.parametrize(("silent", "expected"), [(SILENT_S - 1, 1), (SILENT_S + 1, 0)])
def test_of_another_machine_one_who_is_silent_for_long_has_ended(made, monkeypatch, silent, expected):
    jobs.write_present(made, THERE)
    monkeypatch.setattr(presence, "_time_there", lambda _folder: jobs.THEN + silent)
    assert len(at_work(made.folder)) == expected
    assert progress_of(made).state == ("running" if expected else "incomplete")


@pytest.mark.parametrize("wrong_by", [-1e8, 0.0, 1e8])
def test_a_clock_that_differs_changes_neither_who_is_at_work_nor_the_time_left(made, monkeypatch, wrong_by):
    for name, seconds in zip(made.shards, (1.0, 3.0), strict=False):
        presence_time = 5e8 + seconds
        line = (
            f'{{"when":{presence_time},"shard":"{name}","seconds":{2 * seconds},"cpu":{seconds},"tests":1,"kept":1}}\n'
        )
        with (made.folder / "logs" / "there-7.jsonl").open("a") as file:
            file.write(line)
    jobs.write_present(made, presence.replace(THERE, since=5e8))
    os.utime(made.folder / "workers" / "there-2.json")
    monkeypatch.setattr(time, "time", lambda: 1.8e9 + wrong_by)
    found = progress_of(made)
    assert found.at_work == 3
    assert found.workers[0].silent_seconds < SILENT_S
    busy = min(1.0, len(made.shards) / 3)
    assert found.seconds_left == pytest.approx(found.cpu_seconds_left * 2 / 3 / busy)  # each has half of a processor


def test_where_nothing_can_be_written_the_clock_at_hand_has_to_do(made, monkeypatch):
    jobs.write_present(made, THERE)
    monkeypatch.setattr(presence, "partial_name", lambda _what: "no/such")
    monkeypatch.setattr(time, "time", lambda: jobs.THEN + 7)
    assert [record.silent_seconds for record in at_work(made.folder)] == [7]


def test_a_file_is_written_again_now_and_then_sooner_if_there_is_news(made, clock):
    place = made.folder / "workers" / f"{presence.platform.node()}-{os.getpid()}.json"

    def written():
        return place.stat().st_ino, place.stat().st_mtime_ns

    with Stop() as stop, Presence(made.folder, stop, "2x2", SEARCHING) as present:
        first = written()
        clock[0] += 14.9
        stop.look()
        assert written() == first
        clock[0] += 0.2
        stop.look()
        assert written() != first
        present.note(shards=3)
        assert at_work(made.folder)[0].shards == 0
        clock[0] += 2.1
        stop.look()
        assert at_work(made.folder)[0].shards == 3
        present.note(doing=WRITING)
        assert at_work(made.folder)[0].doing == WRITING


def test_a_file_that_cannot_be_written_is_told_before_the_work_and_not_in_the_middle(made, clock):
    workers = made.folder / "workers"
    with Stop() as stop, Presence(made.folder, stop, "2x2", SEARCHING):
        for path in workers.iterdir():
            path.unlink()
        workers.rmdir()
        workers.touch()
        clock[0] += 100
        assert stop.look() is None
    with (
        Stop() as stop,
        pytest.raises(InputError, match="workers: File exists, expected a job folder that you may write to"),
        Presence(made.folder, stop, "2x2", SEARCHING),
    ):
        pass


def test_files_of_others_are_nobody(made):
    odd = '{"worker":"x","question":"2x2","doing":"searching","processes":"two"}'
    for name, text in (("a.json", "{"), ("b.json", "[]"), ("c.json", '{"worker":"x"}'), ("d.txt", ""), ("e.json", odd)):
        (made.folder / "workers" / name).write_text(text)
    assert at_work(made.folder) == []
