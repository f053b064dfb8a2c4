"""Test work in threads: results come in order, few are made in advance, and an abandoned generator does not wait."""

import subprocess
import sys
import threading
import time

import pytest

from long_work import counting
from processes import PATIENCE_S, wait_for
from synth_checker import os_threads
from synth_checker.errors import ResourceError
from synth_checker.os_threads import run_in_order


def helpers():
    return [thread for thread in threading.enumerate() if thread.name.endswith("(_run_tasks)")]


@pytest.mark.parametrize("threads", [1, 3])
def test_results_come_in_the_order_of_the_tasks(threads):
    def task(number):
        time.sleep(0.002 * (number % 3))
        return number

    results = run_in_order([lambda k=k: task(k) for k in range(40)], threads, ahead=5)
    assert list(results) == list(range(40))
    assert wait_for(lambda: not helpers())


def test_no_more_is_done_ahead_than_was_asked_for():
    begun = []
    results = run_in_order((lambda k=k: begun.append(k) for k in range(100)), threads=2, ahead=3)
    next(results)
    time.sleep(0.05)
    assert len(begun) <= 4
    results.close()
    assert wait_for(lambda: not helpers())


def test_what_a_task_raises_is_raised_in_its_turn():
    def fail():
        raise KeyError("it")

    results = run_in_order([lambda: 1, fail, lambda: 3], threads=2, ahead=2)
    assert next(results) == 1
    with pytest.raises(KeyError, match="it"):
        next(results)
    assert wait_for(lambda: not helpers())


def test_closing_the_results_waits_for_no_task():
    """As the garbage collector closes a generator, in whatever thread, whatever locks are held there."""
    going_on = threading.Event()
    results = run_in_order([lambda: 1, lambda: going_on.wait(2 * PATIENCE_S)], threads=1, ahead=1)
    next(results)
    del results
    assert helpers()  # who waits for the task waits until it has given up
    going_on.set()
    assert wait_for(lambda: not helpers())


def test_a_generator_that_is_left_open_keeps_no_process_from_ending():
    code = """
import time
from synth_checker.os_threads import run_in_order
kept = run_in_order([lambda: 1, lambda: time.sleep(0.2), lambda: 3], threads=2, ahead=2)
print(next(kept))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=30)
    assert (done.returncode, done.stdout, done.stderr) == (0, "1\n", "")


@pytest.mark.full
def test_a_process_does_not_wait_for_long_work_of_the_core():
    code = f"""
import time
from synth_checker.os_threads import run_in_order
from synth_checker.verdicts import judge
kept = run_in_order([lambda: 1, lambda: judge([{counting(6, 5)!r}] * 10_000)], threads=1, ahead=1)
next(kept)
time.sleep(0.2)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=2 * PATIENCE_S)
    assert (done.returncode, done.stderr) == (0, "")


def test_there_are_no_more_threads_than_tasks():
    results = run_in_order([lambda: len(helpers())] * 3, threads=99_999, ahead=200_000)
    assert max(results) <= 3
    assert wait_for(lambda: not helpers())


def test_a_thread_that_cannot_start_is_not_waited_for(monkeypatch):
    def full(_):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", full)
    with pytest.raises(ResourceError, match=r"a thread can't be started.*use fewer jobs"):
        list(run_in_order([lambda: 1], threads=2, ahead=1))
    assert not os_threads._AT_WORK
