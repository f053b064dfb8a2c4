"""Test that quick work is done in this process, and that what is left after a moment goes to workers."""

import os
import time
from functools import partial

import pytest

from synth.enumeration.enumerating import count_tests, enumerate_tests
from synth.work import here
from synth.work.execution import Execution, work_through
from synth.work.here import begun_here
from synth.work.stopping import Reason, Stop
from synth_checker.errors import InputError, ResourceError

UNITS = [5, 3, 1]


def numbers(unit):
    return range(unit)


def slowly(unit):
    for number in range(unit):
        time.sleep(0.01)
        yield number


def test_the_last_units_come_first():
    with Stop() as stop:
        batches, left = begun_here(numbers, UNITS, stop)
    assert [(batch.unit, batch.results, batch.done) for batch in batches] == [
        (unit, list(range(unit)), True) for unit in reversed(UNITS)
    ]
    assert not left


def test_what_is_left_after_a_moment_includes_the_unit_in_work(monkeypatch):
    monkeypatch.setattr(here, "MOMENT_S", 0.015)
    with Stop() as stop:
        batches, left = begun_here(slowly, UNITS, stop)
    assert [batch.unit for batch in batches] == [1]
    assert left == [5, 3]


def test_a_reason_to_stop_keeps_what_was_found():
    with Stop() as stop:

        def stopping(unit):
            yield unit
            stop.reason = Reason.ASKED
            yield -unit

        batches, left = begun_here(stopping, UNITS, stop)
    assert [(batch.unit, batch.results, batch.done) for batch in batches] == [(1, [1, -1], False)]
    assert left == UNITS


def test_nothing_is_begun_when_there_is_a_reason_to_stop():
    with Stop(time_limit=0.0) as stop:
        assert begun_here(numbers, UNITS, stop) == ([], UNITS)


def through(solve, *, quick, moment, monkeypatch):
    """Do all units, and return their results by unit, the progress that was told, and whether all was done."""
    monkeypatch.setattr(here, "MOMENT_S", moment)
    found, told = {}, []

    def take(batch):
        found[batch.unit] = ([] if batch.first else found[batch.unit]) + batch.results
        return sum(map(len, found.values()))

    with Stop() as stop:
        how = Execution(stop, lambda *words: told.append(words), jobs=2)
        return found, told, work_through(solve, UNITS, how, take, quick=quick)


@pytest.mark.parametrize("moment", [0.0, 0.025, 10.0])
@pytest.mark.parametrize("quick", [True, False])
def test_all_units_are_done_wherever(monkeypatch, quick, moment):
    found, told, done = through(slowly, quick=quick, moment=moment, monkeypatch=monkeypatch)
    assert found == {unit: list(range(unit)) for unit in UNITS}
    assert told[-1] == (3, 3, sum(UNITS))
    assert done


@pytest.mark.parametrize(("quick", "moment", "is_here"), [(True, 10.0, True), (True, 0.0, False), (False, 10.0, False)])
def test_where_units_are_done(monkeypatch, quick, moment, is_here):
    found, _, _ = through(lambda _: [os.getpid()], quick=quick, moment=moment, monkeypatch=monkeypatch)
    assert ({os.getpid()} == {pid for pids in found.values() for pid in pids}) == is_here


def test_an_error_of_the_user_is_raised_as_it_is(monkeypatch):
    def refuse(_):
        msg = "no"
        raise InputError(msg)

    with pytest.raises(InputError, match="no"):
        through(refuse, quick=True, moment=10.0, monkeypatch=monkeypatch)


def test_a_failed_resource_ends_the_work_and_keeps_what_was_found(monkeypatch):
    def solve(unit):
        if unit == UNITS[0]:
            msg = "no more of it"
            raise ResourceError(msg)
        return [unit]

    monkeypatch.setattr(here, "MOMENT_S", 10.0)
    with Stop() as stop:
        how = Execution(stop, jobs=2)
        assert not work_through(solve, UNITS, how, lambda _: 0, quick=True)
        assert (stop.reason, str(stop.fault)) == (Reason.FAULT, "no more of it")


@pytest.mark.parametrize("find", [count_tests, partial(enumerate_tests, jobs=2)])
def test_a_search_is_the_same_in_this_process_and_in_workers(monkeypatch, find):
    found = []
    for moment in (0.0, 0.003, 10.0):
        monkeypatch.setattr(here, "MOMENT_S", moment)
        run = find("2x4,3x4")
        assert run.complete
        found.append((run.tests, run.splits()))
    assert found[0] == found[1] == found[2]
