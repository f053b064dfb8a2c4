"""Test that quick work is done in this process, and that what is left after a moment goes to workers."""

import itertools
import os
from functools import partial
from types import SimpleNamespace

import pytest

from synth_checker.errors import InputError, InternalError, ResourceError
from synth_search.enumeration.every_test import count_tests, enumerate_tests
from synth_workers import in_process
from synth_workers.execution import Execution, work_through
from synth_workers.in_process import batches_until_stop, begin_in_process
from synth_workers.pool import Workers
from synth_workers.stop import Reason, Stop

UNITS = [5, 3, 1]


def numbers(unit):
    yield from range(unit)


EVERYTHING = {unit: list(numbers(unit)) for unit in UNITS}


@pytest.fixture
def clock(monkeypatch):
    """A clock that goes on by a second with each look at it; return a function that sets the length of the moment."""
    ticks = itertools.count()
    monkeypatch.setattr(in_process, "time", SimpleNamespace(monotonic=lambda: next(ticks)))
    return partial(monkeypatch.setattr, in_process, "MOMENT_S")


def by_unit(batches):
    """All results by unit, in the order of the units, and the units that are done."""
    found, done = {}, []
    for batch in batches:
        found[batch.unit] = ([] if batch.first else found[batch.unit]) + batch.results
        if batch.done:
            done.append(batch.unit)
    return found, done


def begun(solve, stop=None):
    with Stop() if stop is None else stop as watched:
        batches, left = begin_in_process(solve, UNITS, watched)
    return *by_unit(batches), list(left)


def test_the_last_units_come_first(clock):
    clock(100)
    found, done, left = begun(numbers)
    assert found == EVERYTHING
    assert done == list(found) == [1, 3, 5]
    assert left == []


@pytest.mark.parametrize(("moment", "done"), [(0, []), (1, [1]), (3, [1]), (4, [1, 3]), (8, [1, 3]), (9, [1, 3, 5])])
def test_a_unit_in_which_the_moment_ends_is_left_and_its_results_are_dropped(clock, moment, done):
    clock(moment)
    assert begun(numbers) == ({unit: EVERYTHING[unit] for unit in done}, done, UNITS[: len(UNITS) - len(done)])


def test_a_unit_without_results_is_done(clock):
    clock(100)
    assert begun(lambda _: ()) == ({1: [], 3: [], 5: []}, [1, 3, 5], [])


def test_a_reason_to_stop_keeps_what_was_found(clock):
    clock(100)
    stop = Stop()

    def stopping(unit):
        yield unit
        if unit == 3:
            stop.reason = Reason.ASKED
            yield -unit

    assert begun(stopping, stop) == ({1: [1], 3: [3, -3]}, [1], [5, 3])


def test_nothing_is_begun_when_there_is_a_reason_to_stop():
    assert begun(numbers, Stop(time_limit=0.0)) == ({}, [], UNITS)


def test_what_was_begun_is_not_taken_for_long_when_there_is_a_reason_to_stop(clock):
    clock(100)
    stop = Stop()
    taken = []
    for number in batches_until_stop(range(100), stop):
        taken.append(number)
        if number == 10:
            stop.reason = Reason.INTERRUPT
    assert len(taken) in range(11, 15)
    assert list(batches_until_stop(range(100), Stop())) == list(range(100))


# --- with workers ---


def through(solve, *, quick=True, moment=100.0, stop=None):
    """Do all units; return their results by unit, those that are done, the progress that was told, and the answer."""
    batches, told = [], []

    def take(batch):
        batches.append(batch)
        return len(batches)

    with pytest.MonkeyPatch.context() as patched, Stop() if stop is None else stop as watched:
        patched.setattr(in_process, "MOMENT_S", moment)
        how = Execution(watched, lambda *words: told.append(words), jobs=2)
        answer = work_through(solve, UNITS, how, take, quick=quick)
    return *by_unit(batches), told, answer


@pytest.mark.parametrize(("quick", "moment"), [(True, 0.0), (True, 100.0), (False, 100.0)])
def test_all_units_are_done_wherever(quick, moment):
    found, done, told, answer = through(numbers, quick=quick, moment=moment)
    assert found == EVERYTHING
    assert sorted(done) == sorted(UNITS)
    assert told[-1][:2] == (3, 3)
    assert answer


@pytest.mark.parametrize(("quick", "moment", "here_too"), [(True, 100.0, 3), (True, 0.0, 0), (False, 100.0, 0)])
def test_where_units_are_done(quick, moment, here_too):
    found, *_ = through(lambda _: [os.getpid()], quick=quick, moment=moment)
    assert sum(pids == [os.getpid()] for pids in found.values()) == here_too


def test_no_worker_starts_when_there_is_a_reason_to_stop(monkeypatch):
    monkeypatch.setattr(Workers, "start_for", lambda *_: 1 / 0)
    assert through(numbers, stop=Stop(time_limit=0.0)) == ({}, [], [], False)


def raising(error):
    def solve(unit):
        yield unit
        if unit == 5:
            raise error

    return solve


@pytest.mark.parametrize(
    ("error", "told"),
    [(ResourceError("no more of it"), "no more of it"), (MemoryError(), "no memory was left to solve 5")],
)
def test_a_failed_resource_ends_the_work_and_keeps_what_was_found(error, told):
    stop = Stop()
    found, done, _, answer = through(raising(error), stop=stop)
    assert (found, done, answer) == ({1: [1], 3: [3], 5: [5]}, [1, 3], False)
    assert stop.reason == Reason.FAULT
    assert told in str(stop.fault)


@pytest.mark.usefixtures("clock")
def test_what_was_found_here_is_kept_if_no_worker_can_start(monkeypatch):
    def refuse(*_):
        raise ResourceError("no process")

    monkeypatch.setattr(Workers, "_start", refuse)
    monkeypatch.setattr(in_process, "_STOP_S", 100)
    stop = Stop()
    found, done, _, answer = through(numbers, moment=4, stop=stop)
    assert (found, done, answer) == ({1: [0], 3: [0, 1, 2]}, [1, 3], False)
    assert str(stop.fault) == "no process"


@pytest.mark.parametrize("quick", [True, False])
def test_other_errors_are_raised_as_they_are_by_workers(quick):
    with pytest.raises(InputError, match="no"):
        through(raising(InputError("no")), quick=quick)
    with pytest.raises(InternalError, match="failed while it solved 5"):
        through(raising(ZeroDivisionError()), quick=quick)


@pytest.mark.parametrize("find", [count_tests, partial(enumerate_tests, jobs=2)])
def test_a_search_is_the_same_in_this_process_and_in_workers(monkeypatch, find):
    found = []
    for moment in (0.0, 0.003, 100.0):
        monkeypatch.setattr(in_process, "MOMENT_S", moment)
        run = find("2x4,3x4")
        assert run.complete
        found.append((run.tests, run.splits()))
    assert found[0] == found[1] == found[2]
