"""Test workers: whatever happens to them, no result is lost, nothing waits for ever, and no process is left behind."""

import contextlib
import os
import random
import signal
import subprocess
import sys
import threading
import time

import multiprocess
import pytest

from processes import PATIENCE_S, ending, in_session, processes_of, wait_for
from quick import mostly_full
from synth_checker.errors import InputError, InternalError, LimitError, ResourceError
from synth_checker.programs.ids import Ids
from synth_checker.question import Question, parse_bounds
from synth_search.engines.choice import ENGINES, engine_for
from synth_search.engines.sat import SatEngine
from synth_search.enumeration.every_test import enumerate_tests
from synth_workers.pipes import send
from synth_workers.pool import MAX_TRIES, Workers
from synth_workers.stop import Reason, Stop, resident_memory

UNITS = range(6)
PER_UNIT = 20


def slowly(unit):
    for k in range(PER_UNIT):
        time.sleep(0.001)
        yield unit, k


EVERYTHING = {(unit, k) for unit in UNITS for k in range(PER_UNIT)}


def question(bounds):
    return Question(parse_bounds([bounds]))


def solved(solve, units, jobs=2):
    """All results, and how many units were reported as done."""
    with Stop() as stop, Workers(solve, jobs, stop) as workers:
        return collected(workers.run(units))


def collected(batches):
    results, done = set(), 0
    for batch in batches:
        results.update(batch.results)
        done += batch.done
    return results, done


def ids_in(batches):
    return Ids(b"".join(batches).decode("ascii").split())


# --- the ordinary life ---


@mostly_full("jobs", [1, 2, 5, 16], quick=2)
def test_all_units_are_solved_whatever_the_number_of_workers(jobs):
    assert solved(slowly, UNITS, jobs) == (EVERYTHING, len(UNITS))


def test_no_units_need_no_worker():
    assert solved(slowly, [], 3) == (set(), 0)


def test_no_more_workers_are_started_than_there_are_units():
    with Stop() as stop, Workers(lambda unit: [os.getpid()] * unit, 50, stop) as workers:
        batches = workers.run([1, 2, 3])
        first = next(batches)
        assert len(workers._workers) <= 3
        pids, _ = collected(batches)
        assert os.getpid() not in {*first.results, *pids}


def test_results_come_before_their_unit_is_done():
    """However slowly they are found: what has been found is not to wait for what is not."""

    def one_soon(unit):
        yield unit
        time.sleep(0.1)
        yield unit + 1
        time.sleep(PATIENCE_S)

    with Stop() as stop, Workers(one_soon, 1, stop) as workers:
        first = next(workers.run([10]))
    assert set(first.results) <= {10, 11}
    assert first.results
    assert not first.done


# --- lost workers ---


@contextlib.contextmanager
def at_random_moments(rng, within, act):
    """Call a function again and again, each time within so many seconds, for as long as it returns true."""

    def now(*_):
        if act():
            signal.setitimer(signal.ITIMER_REAL, rng.uniform(0.0001, within))

    before = signal.signal(signal.SIGALRM, now)
    signal.setitimer(signal.ITIMER_REAL, rng.uniform(0.0001, within))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextlib.contextmanager
def killing(workers, rng, times, within):
    """Kill as many workers, at random moments, each within so many seconds after the one before; gives their pids."""
    killed = set()

    def kill():
        at_hand = {worker.process.pid for worker in workers._workers} - killed
        if at_hand:  # none of them has been waited for, so no other process has these numbers
            victim = rng.choice(sorted(at_hand))
            os.kill(victim, signal.SIGKILL)
            killed.add(victim)
        return len(killed) < times

    with at_random_moments(rng, within, kill):
        yield killed


FEWER_THAN_TOO_MANY = MAX_TRIES - 1


@pytest.mark.full
@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.full) for seed in range(2, 8))])
def test_workers_killed_at_random_moments_change_nothing(seed):
    with Stop() as stop, Workers(slowly, 3, stop) as workers:
        with killing(workers, random.Random(seed), FEWER_THAN_TOO_MANY, 0.02) as killed:
            assert collected(workers.run(UNITS)) == (EVERYTHING, len(UNITS))
        assert len(killed) == FEWER_THAN_TOO_MANY


#: Each engine with a bound that takes it long enough to be killed.
KILLED = {"explicit": "2x5", "sat": "3x4", "sat-full": "3x4", "smt": "2x3"}


@pytest.mark.full
@mostly_full("name", ENGINES)
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.full) for seed in range(1, 4))])
def test_engine_processes_killed_at_random_moments_change_nothing(name, seed):
    asked = question(KILLED[name])
    engine = engine_for(asked, name)
    with Stop() as stop, Workers(engine.solve, 3, stop) as workers:
        with killing(workers, random.Random(seed), FEWER_THAN_TOO_MANY, 0.05) as killed:
            found, _ = collected(workers.run(engine.units(3)))
        assert killed
    assert ids_in(found) == enumerate_tests(asked, jobs=1).ids


@pytest.mark.full
@mostly_full(("name", "bounds"), [("sat", "3x4"), ("smt", "2x3")])
def test_ctrl_c_does_nothing_to_an_engine_process_that_is_solving(monkeypatch, name, bounds):
    """It is sent to all processes of a terminal; workers leave it to their parent, and so must the solver."""
    asked = question(bounds)
    engine = engine_for(asked, name)
    started = []
    start = Workers._start
    monkeypatch.setattr(Workers, "_start", lambda workers: started.append(start(workers)) or started[-1])
    sent = []

    def interrupt():
        for worker in workers._workers:
            if worker.unit is not None:
                os.kill(worker.process.pid, signal.SIGINT)
                sent.append(worker)
        return True

    with Stop() as stop, Workers(engine.solve, 2, stop) as workers:
        batches = workers.run(engine.units(2))
        first = next(batches)  # they have begun, and may be sent anything now
        with at_random_moments(random.Random(0), 0.01, interrupt):
            found, _ = collected(batches)
    assert sent
    assert len(started) == 2
    assert ids_in([*first.results, *found]) == enumerate_tests(asked, jobs=1).ids


@pytest.mark.full
def test_a_worker_killed_in_the_middle_of_a_message_changes_nothing():
    """The results are larger than a pipe, so a worker hangs in its message while the parent does not listen."""
    large = 1 << 20

    def loudly(unit):
        yield from (str(k) * large for k in range(3))
        yield str(unit) * large

    with Stop() as stop, Workers(loudly, 2, stop) as workers:
        results, done, killed = set(), 0, 0
        for batch in workers.run("xyz"):
            results.update(text[0] for text in batch.results)
            done += batch.done
            if not killed:
                time.sleep(0.2)
                for worker in list(workers._workers):
                    os.kill(worker.process.pid, signal.SIGKILL)
                    killed += 1
        assert killed
        assert (results, done) == (set("012xyz"), 3)


def test_an_idle_worker_that_is_killed_changes_nothing():
    def solve(unit):
        time.sleep(unit)
        yield unit

    with Stop() as stop, Workers(solve, 2, stop) as workers:
        results = []
        for batch in workers.run([0, 0.5, 0.001]):
            results += batch.results
            for worker in workers._workers:
                if worker.unit is None:
                    os.kill(worker.process.pid, signal.SIGKILL)
        assert sorted(results) == [0, 0.001, 0.5]


@mostly_full(
    ("end", "told"),
    [
        (lambda: os.kill(os.getpid(), signal.SIGKILL), "signal SIGKILL"),
        (lambda: os.kill(os.getpid(), signal.SIGTERM), "signal SIGTERM"),
        (lambda: os._exit(5), "exit code 5"),
    ],
    ids=["killed", "ended", "left"],
)
def test_a_unit_that_always_loses_its_worker_is_given_up_after_three_tries(end, told, tmp_path):
    tries = tmp_path / "tries"

    def solve(unit):
        if unit == 3:
            with tries.open("a") as file:
                file.write("x")
            end()
        yield unit

    with pytest.raises(ResourceError) as error:
        solved(solve, UNITS)
    assert (
        str(error.value)
        == f"workers: 3 processes ended while they worked on 3, the last with {told}; use fewer jobs or a machine "
        "with more memory"
    )
    assert len(tries.read_text()) == MAX_TRIES == 3


def test_an_enumeration_that_loses_its_workers_keeps_what_it_has_found(monkeypatch):
    solve = SatEngine.solve

    def dying_on_2_2(engine, unit):
        if unit.sizes == (2, 2):
            os.kill(os.getpid(), signal.SIGKILL)
        yield from solve(engine, unit)

    everything = enumerate_tests(question("2x3,2x4"), jobs=1)
    monkeypatch.setattr(SatEngine, "solve", dying_on_2_2)
    found = enumerate_tests(question("2x3,2x4"), jobs=1, engine="sat")
    assert (found.complete, found.stopped) == (False, Reason.FAULT)
    assert "3 processes ended while they worked on split 2+2" in str(found.fault)
    assert set(found.ids) < set(everything.ids)


# --- errors ---


class NeedsTwoArgumentsError(Exception):
    """Pickles, but can't be made again from the pickle."""

    def __init__(self, first, other):
        super().__init__(f"{first} and {other}")


class NeverPicklesError(Exception):
    def __reduce__(self):
        raise TypeError


@pytest.mark.parametrize("kind", [InputError, LimitError, ResourceError])
def test_a_users_fault_in_a_worker_is_raised_as_it_is(kind):
    def solve(unit):
        yield unit
        raise kind(f"unit {unit}: found this, expected that")

    with pytest.raises(kind) as error:
        solved(solve, [7])
    assert type(error.value) is kind
    assert str(error.value) == "unit 7: found this, expected that"


@pytest.mark.parametrize(
    "fault",
    [
        ValueError("a reason"),
        InternalError("a reason"),
        NeedsTwoArgumentsError("a reason", 2),
        NeverPicklesError("a reason"),
    ],
    ids=lambda fault: type(fault).__name__,
)
def test_any_other_exception_in_a_worker_is_an_internal_error_with_its_traceback(fault):
    def solve(unit):
        yield unit
        raise fault

    with pytest.raises(InternalError) as error:
        solved(solve, [7])
    text = str(error.value)
    assert text.startswith("a worker process failed while it solved 7:\nTraceback ")
    assert type(fault).__name__ in text
    assert "a reason" in text
    assert "in solve" in text


def test_no_memory_in_a_worker_is_a_resource_that_failed():
    def solve(unit):
        raise MemoryError
        yield unit

    with pytest.raises(
        ResourceError, match="workers: no memory was left to solve 7; use fewer jobs or a machine with more memory"
    ):
        solved(solve, [7])


def test_no_traceback_of_a_pipe_keeps_a_view_of_a_buffer():
    """Python 3.12.0 and 3.12.1 may crash when they collect one."""
    reader, writer = multiprocess.Pipe(duplex=False)
    reader.close()
    with pytest.raises(BrokenPipeError) as error:
        send(writer, "nobody reads this")
    kept = [value for entry in error.traceback for value in entry.frame.f_locals.values()]
    views = [value.obj for value in kept if isinstance(value, memoryview)]
    assert views
    assert all(isinstance(seen, bytes) for seen in views)


# --- stopping ---


def test_all_that_was_found_before_a_stop_is_kept(tmp_path):
    """Each result is noted as it is found, by the worker itself."""
    notes = os.open(tmp_path / "notes", os.O_CREAT | os.O_WRONLY | os.O_APPEND)

    def noting(unit):
        for k in range(10**6):
            time.sleep(0.003)
            os.write(notes, f"{unit} {k}\n".encode())
            yield unit, k

    with Stop() as stop, Workers(noting, 3, stop) as workers:
        results = set()
        for batch in workers.run(UNITS):
            results.update(batch.results)
            if len(results) > 100:
                for worker in workers._workers:
                    os.kill(worker.process.pid, signal.SIGINT)  # as Ctrl-C does
                stop.reason = Reason.INTERRUPT
        more, done = collected(workers.stop())
        assert not done
        noted = {tuple(map(int, line.split())) for line in (tmp_path / "notes").read_text().splitlines()}
        assert results | more == noted
    os.close(notes)


def test_a_worker_that_does_not_listen_delays_a_stop_by_little():
    def deaf(unit):
        yield unit
        time.sleep(PATIENCE_S)

    with Stop(time_limit=0.1) as stop, Workers(deaf, 2, stop) as workers:
        assert collected(workers.run([1, 2]))[1] == 0
        assert stop.reason is Reason.TIME
        assert collected(workers.stop())[1] == 0  # who waits for them sees them done


def test_an_error_while_stopping_is_too_late_to_matter():
    def failing(unit):
        time.sleep(0.2)
        raise ValueError
        yield unit

    with Stop(time_limit=0.05) as stop, Workers(failing, 2, stop) as workers:
        assert collected(workers.run([1, 2])) == (set(), 0)
        assert collected(workers.stop()) == (set(), 0)


@pytest.mark.parametrize(
    ("number", "reason"), [(signal.SIGINT, Reason.INTERRUPT), (signal.SIGTERM, Reason.TERMINATION)]
)
def test_a_signal_ends_the_wait_for_workers(number, reason):
    def silent(unit):
        os.kill(os.getppid(), number)
        time.sleep(PATIENCE_S)
        yield unit

    with Stop() as stop, Workers(silent, 1, stop) as workers:
        assert collected(workers.run([1])) == (set(), 0)
    assert stop.reason is reason


def test_a_signal_just_before_the_wait_ends_it_too():
    """It arrives when there was no reason to stop yet, and nobody looks again before the wait."""

    class LateStop(Stop):
        def look(self, pids=()):
            reason = super().look(pids)
            os.kill(os.getpid(), signal.SIGINT)
            return reason

    def silent(unit):
        time.sleep(PATIENCE_S)
        yield unit

    with LateStop() as stop, Workers(silent, 1, stop) as workers:
        assert collected(workers.run([1])) == (set(), 0)


def test_one_waits_as_long_as_one_says_unless_there_is_a_reason_to_stop(tmp_path):
    asked = tmp_path / "stop"
    with ending(), Stop(asked=asked) as stop:
        stop.wait(0.1)
        assert stop.reason is None
        later = threading.Timer(0.3, asked.touch)
        later.start()
        stop.wait(1000)
        assert asked.exists()  # nobody has come back before there was a reason
        assert stop.reason is Reason.ASKED
        later.join()


@pytest.mark.full
def test_too_much_memory_in_a_worker_stops_the_run():
    more = 100 << 20
    limit = resident_memory(os.getpid()) + more

    def hungry(unit):
        hoard = bytearray(limit)  # a forked process has few of its parent's pages
        hoard[::4096] = bytes([1]) * len(range(0, len(hoard), 4096))
        time.sleep(PATIENCE_S)
        yield unit

    with Stop(memory=limit) as stop, Workers(hungry, 1, stop) as workers:
        assert collected(workers.run([1])) == (set(), 0)
    assert stop.reason is Reason.MEMORY


# --- nothing is left behind ---

SCRIPT = """
import time
from synth_workers.pool import Workers
from synth_workers.stop import Stop

def solve(unit):
    for k in range({results}):
        time.sleep(0.01)
        yield unit, k
    {at_last}

with Stop() as stop, Workers(solve, 3, stop) as workers:
    for batch in workers.run(range(6)):
        print("going", flush=True)
        {then}
    list(workers.stop())
print("ended", flush=True)
"""
GOES_ON = 10**6


def start(results, then="pass", at_last="pass"):
    script = SCRIPT.format(results=results, then=then, at_last=at_last)
    return in_session([sys.executable, "-P", "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def is_gone(process):
    """Within two seconds after the parent's end nothing of its session is there."""
    return wait_for(lambda: not processes_of(process.pid))


def test_no_worker_is_left_after_a_normal_end():
    with start(results=5) as process:
        assert process.stdout.readline() == "going\n"
        assert process.wait(PATIENCE_S) == 0
        assert is_gone(process)
        assert process.stdout.read().endswith("ended\n")
        assert process.stderr.read() == ""


def test_no_worker_is_left_after_an_exception_in_the_consumer():
    with start(GOES_ON, "1 / 0") as process:
        assert process.wait(PATIENCE_S) == 1
        assert is_gone(process)
        assert process.stderr.read().endswith("ZeroDivisionError: division by zero\n")


@pytest.mark.full
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("send", [os.kill, os.killpg], ids=["to the parent", "to all"])
def test_no_worker_is_left_after_an_interrupt(send, number):
    """Ctrl-C goes to all processes of the terminal, so workers must leave it to their parent; others signal one."""
    with start(GOES_ON) as process:
        assert process.stdout.readline() == "going\n"
        assert len(processes_of(process.pid)) == 4
        send(process.pid, number)
        assert process.wait(PATIENCE_S) == 0
        assert is_gone(process)
        assert process.stdout.read().endswith("ended\n")
        assert process.stderr.read() == ""


@pytest.mark.full
@pytest.mark.parametrize(("results", "at_last"), [(GOES_ON, "pass"), (5, "time.sleep(1000)")], ids=["busy", "deaf"])
def test_no_worker_outlives_a_parent_that_is_killed(results, at_last):
    with start(results, at_last=at_last) as process:
        assert process.stdout.readline() == "going\n"
        time.sleep(0.2)
        assert len(processes_of(process.pid)) == 4
        process.kill()
        process.wait(PATIENCE_S)
        assert is_gone(process)
