"""Test that impossible work is refused before it starts, and that a run that is ended from outside loses nothing."""

import os
import select
import signal
import subprocess
import time

import pytest

import synth
from processes import PATIENCE_S, SYNTH, in_session, in_terminal, processes_of, wait_for
from synth_checker.errors import InputError, LimitError, ResourceError
from synth_checker.models import library
from synth_checker.verdicts import judge_automata
from synth_corpus.store import Corpus
from synth_workers.pool import Workers
from synth_workers.stop import Reason, Stop


@pytest.mark.parametrize(
    ("bound", "message"),
    [("9x9", "bound 9x9: found 9 threads, expected at most 8"), ("8x40", "bound 8x40: found 15,380,937 splits")],
)
def test_a_bound_that_cannot_be_judged_or_listed_is_refused_before_the_run(bound, message):
    with pytest.raises(LimitError, match=message):
        synth.question(bound)


def test_automata_for_different_numbers_of_threads_are_refused():
    fair = library()[-1]
    with pytest.raises(InputError, match=r"automata: they are for \[2, 3\] threads"):
        judge_automata(["00_0-0011"], [fair.automaton(3), fair.automaton(2)])


def test_a_stop_lives_as_its_docstring_draws_it(tmp_path):
    before = signal.getsignal(signal.SIGTERM)
    stop = Stop(time_limit=0.01, asked=tmp_path / "asked")
    time.sleep(0.02)
    assert stop.look() is None  # made: no time runs
    with stop:
        assert signal.getsignal(signal.SIGTERM) != before
        assert stop.reason is None  # watching: nothing is noted before somebody looks
        time.sleep(0.02)
        assert stop.look() is Reason.TIME
        (tmp_path / "asked").touch()
        os.kill(os.getpid(), signal.SIGTERM)
        stop.note_fault(ResourceError("a disk"))
        assert (stop.look(), stop.fault) == (Reason.TIME, None)  # stopping: the first reason stays
    assert signal.getsignal(signal.SIGTERM) is before
    assert (stop.reason, stop.exit_code(complete=False)) == (Reason.TIME, 75)


@pytest.mark.full
def test_a_closed_terminal_loses_nothing(tmp_path):
    command = [SYNTH, "enumerate", "--bounds", "2x5", "--engine", "sat", "--jobs", "2", "--out", "it.corpus"]
    with in_session(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as run:
        assert wait_for(lambda: len(processes_of(run.pid)) == 3)
        run.send_signal(signal.SIGHUP)
        run.communicate(timeout=60)
    assert run.returncode == 129
    manifest = Corpus(tmp_path / "it.corpus").manifest
    assert not manifest.complete
    assert manifest.run["stopped"] == "hung up"


@pytest.mark.full
def test_what_nohup_has_started_goes_on_when_its_terminal_closes(tmp_path):
    words = ["job", "start", "--bounds", "2x4", "--minimal", "--shard-seconds", "0.01", "--jobs", "1", "it.job"]
    with in_terminal(["nohup", SYNTH, *words], cwd=tmp_path) as (process, screen):
        shards = tmp_path / "it.job" / "shards"
        assert wait_for(lambda: shards.is_dir() and any(shards.glob("*.zst")))
        screen.close()
        assert process.wait(PATIENCE_S) == 0
    assert Corpus(tmp_path / "it.job" / "corpus").manifest.complete


@pytest.mark.full
def test_a_terminal_that_has_closed_is_a_reader_that_has_gone(tmp_path):
    ignoring = ["bash", "-c", "trap '' HUP; echo ready; exec \"$@\"", "bash"]
    with in_terminal([*ignoring, SYNTH, "check", "00_0-0011"], cwd=tmp_path) as (process, screen):
        assert screen.readline() == b"ready\r\n"
        screen.close()
        assert process.wait(PATIENCE_S) == 0


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGINT, signal.SIGTERM])
def test_a_signal_that_was_ignored_before_stays_ignored(number):
    before = signal.signal(number, signal.SIG_IGN)
    try:
        with Stop() as stop:
            os.kill(os.getpid(), number)
            assert stop.look() is None
        assert signal.getsignal(number) is signal.SIG_IGN
    finally:
        signal.signal(number, before)


def test_a_terminal_that_closes_is_left_to_the_parent_of_the_workers():
    """A worker that noted it would wake the parent, which knows no reason, again and again."""

    def hung_up(unit):
        os.kill(os.getpid(), signal.SIGHUP)
        yield unit

    with Stop() as stop, Workers(hung_up, 1, stop) as workers:
        assert [batch.results for batch in workers.run([1])] == [[1]]
        assert stop.look() is None
        assert not is_readable(stop)


def is_readable(file):
    return bool(select.select([file], [], [], 0)[0])


def test_a_closed_terminal_is_a_reason_unless_it_is_to_be_ignored():
    with Stop() as stop:
        os.kill(os.getpid(), signal.SIGHUP)
        assert stop.look() is Reason.HANGUP
