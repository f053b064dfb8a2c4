"""Test leases: two live workers never hold one shard, no shard is lost, and a sleeping worker does no harm later."""

import contextlib
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from processes import PATIENCE_S, wait_for
from synth_checker.errors import ResourceError
from synth_storage.leases import USUAL_S, Leases, newest_leases

SCRIPT = Path(__file__).parents[1] / "support" / "lease_worker.py"
NAMES = ("000000", "000001")
LEASE_S = 8.0


class Clock:
    """A clock of one's own, which tests put forward."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def leases_of(tmp_path, clock):
    """A function that makes the leases of one more worker."""
    return lambda: Leases(tmp_path / "leases", LEASE_S, clock)


# --- one holder at a time, whatever happens in whatever order ---


class Workers(RuleBasedStateMachine):
    """Workers with clocks of their own, which go alike; the model remembers who holds a shard, and since when."""

    workers = st.integers(0, 2)
    names = st.sampled_from(NAMES)

    def __init__(self):
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.clocks = [Clock() for _ in range(3)]
        self.clocks[1].now = 1e9  # of another machine, which was started earlier
        self.now = 0.0
        self.leases = [Leases(Path(self.folder.name, "leases"), LEASE_S, clock) for clock in self.clocks]
        self.held = {}  # name -> (worker, when it was renewed)
        self.believed = {worker: set() for worker in range(3)}

    def teardown(self):
        self.folder.cleanup()

    @rule(worker=workers, name=names)
    def claim(self, worker, name):
        if name in self.believed[worker]:
            return
        before = self.held.get(name)
        got = self.leases[worker].claim(name)
        if got:
            assert before is None or self.now - before[1] >= LEASE_S
            self.held[name] = worker, self.now
            self.believed[worker].add(name)

    @rule(worker=workers)
    def renew(self, worker):
        """Of a lease that was lost meanwhile, too: whoever was stopped can't know."""
        self.leases[worker].renew()
        for name, (holder, _) in self.held.items():
            if holder == worker and name in self.believed[worker]:
                self.held[name] = worker, self.now

    @precondition(lambda self: any(self.believed.values()))
    @rule(data=st.data())
    def give_back(self, data):
        worker, name = self.drawn(data)
        self.leases[worker].give_back(name)
        if self.held.get(name, (None,))[0] == worker:
            del self.held[name]

    @precondition(lambda self: any(self.believed.values()))
    @rule(data=st.data())
    def die(self, data):
        """One that was killed never renews again, and others must find out."""
        worker, _ = self.drawn(data)
        self.leases[worker] = Leases(Path(self.folder.name, "leases"), LEASE_S, self.clocks[worker])
        self.believed[worker] = set()

    @rule(seconds=st.sampled_from([0.5, 1.0, 2.0, LEASE_S / 2, LEASE_S]))
    def wait(self, seconds):
        self.now += seconds
        for clock in self.clocks:
            clock.now += seconds

    @rule(worker=workers, name=names)
    def a_dead_lease_is_taken(self, worker, name):
        """Who looks, waits for as long as a lease lasts, and looks again, gets what nobody has renewed."""
        if name in self.believed[worker]:
            return
        for _ in range(2):
            self.claim(worker, name)
            self.wait(LEASE_S)
        self.claim(worker, name)
        assert self.held[name][0] == worker

    @invariant()
    def numbers_are_not_lost(self):
        assert set(newest_leases(Path(self.folder.name, "leases"))) >= set(self.held)

    def drawn(self, data):
        worker = data.draw(st.sampled_from([worker for worker, names in self.believed.items() if names]))
        name = data.draw(st.sampled_from(sorted(self.believed[worker])))
        self.believed[worker].remove(name)
        return worker, name


TestWorkers = Workers.TestCase


# --- the parts ---


def test_a_shard_is_claimed_once(leases_of):
    first, other = leases_of(), leases_of()
    assert first.claim("000017")
    assert not other.claim("000017")
    assert not first.claim("000017")
    assert other.claim("000018")


def test_a_lease_that_is_given_back_can_be_claimed_at_once(leases_of, clock):
    first, other = leases_of(), leases_of()
    first.claim("000017")
    other.claim("000017")
    first.give_back("000017")
    clock.now += other.patience
    assert other.claim("000017")
    assert not first.claim("000017")


def test_who_gave_a_shard_back_may_claim_it_again_at_once(leases_of):
    leases = leases_of()
    leases.claim("000017")
    leases.give_back("000017")
    assert leases.claim("000017")
    assert not leases_of().claim("000017")


def test_leaving_the_context_gives_all_leases_back(leases_of):
    with leases_of() as leases:
        leases.claim("000017")
    assert leases_of().claim("000017")


def test_a_lease_renewed_since_it_was_last_seen_is_not_taken(leases_of, clock):
    first, other = leases_of(), leases_of()
    first.claim("000017")
    other.claim("000017")
    clock.now += LEASE_S
    other.claim("000018")  # for which it looks at all
    first.renew()
    assert not other.claim("000017")


def test_a_finished_shard_leaves_no_file(leases_of, clock, tmp_path):
    first, other = leases_of(), leases_of()
    first.claim("000017")
    other.claim("000017")
    clock.now += LEASE_S
    assert other.claim("000017")
    other.finish("000017")
    assert not list((tmp_path / "leases").iterdir())
    first.renew()  # it was stopped, and can't know
    first.finish("000017")
    assert not list((tmp_path / "leases").iterdir())


def test_a_renewed_lease_is_nobody_elses_however_long_it_is_held(leases_of, clock):
    first, other = leases_of(), leases_of()
    first.claim("000017")
    for _ in range(20):
        clock.now += LEASE_S / 2
        first.renew()
        assert not other.claim("000017")


def test_a_watcher_that_was_stopped_takes_nothing_by_what_it_saw_long_ago(leases_of, clock):
    first, other = leases_of(), leases_of()
    first.claim("000017")
    other.claim("000017")
    clock.now += 100 * LEASE_S
    first.renew()
    assert not other.claim("000017")


@pytest.mark.parametrize("jump", [-1e9, 1e9])
def test_the_modification_time_of_a_file_does_not_end_a_lease(jump, leases_of, clock, tmp_path):
    """As if the clock of the file server had jumped."""
    first, other = leases_of(), leases_of()
    first.claim("000017")
    other.claim("000017")
    place = tmp_path / "leases" / "000017.1"
    os.utime(place, (time.time() + jump,) * 2)
    clock.now += LEASE_S / 2
    assert not other.claim("000017")
    first.renew()
    os.utime(place, (time.time() + jump,) * 2)
    clock.now += LEASE_S / 2
    assert not other.claim("000017")
    clock.now += LEASE_S
    assert other.claim("000017")


def test_a_lease_of_which_only_the_name_was_written_lasts_as_long_as_usual(leases_of, clock, tmp_path):
    other = leases_of()
    (tmp_path / "leases" / "000017.1").touch()
    assert not other.claim("000017")
    clock.now += USUAL_S - 1
    assert not other.claim("000017")
    clock.now += USUAL_S
    assert other.claim("000017")


@pytest.mark.parametrize("seconds", [120, 1_234_567.0])
def test_the_holder_says_how_long_in_plain_numbers(seconds, clock, tmp_path):
    """Which a watcher reads, however long it is."""
    first, other = Leases(tmp_path, seconds, clock), Leases(tmp_path, LEASE_S, clock)
    assert first.claim("a")
    assert not other.claim("a")
    clock.now += seconds - LEASE_S / 8
    assert not other.claim("a")
    clock.now += seconds
    assert other.claim("a")


def test_the_holder_says_how_long_its_leases_last(clock, tmp_path):
    first, other = Leases(tmp_path, 100 * LEASE_S, clock), Leases(tmp_path, LEASE_S, clock)
    first.claim("000017")
    other.claim("000017")
    clock.now += 99 * LEASE_S
    assert not other.claim("000017")
    clock.now += LEASE_S
    assert other.claim("000017")


def test_leases_are_renewed_while_work_is_done(tmp_path, clock):
    other, seen = Leases(tmp_path, 0.2, clock), 0
    with Leases(tmp_path, 0.2) as leases:
        leases.claim("000017")
        (lease,) = tmp_path.iterdir()
        for _ in range(8):
            assert not other.claim("000017")
            clock.now += 0.15  # two such periods without a renewal would be too long
            assert wait_for(lambda seen=seen: lease.stat().st_size > seen)
            seen = lease.stat().st_size


def test_a_folder_that_takes_no_files_is_told_of(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(ResourceError, match=r"leases: Not a directory"):
        Leases(tmp_path / "file" / "leases")


# --- real processes ---


class Crew:
    """Some worker processes on the same shards, what they said they did, and how to be bad to them."""

    def __init__(self, folder, shards, lease_s, longest_s):
        (folder / "begun").mkdir()
        (folder / "done").mkdir()
        self.folder, self.shards = folder, shards
        self._words = [str(shards), str(lease_s), str(longest_s)]
        self.all = []

    def start(self):
        words = [sys.executable, "-P", SCRIPT, self.folder, *self._words, str(len(self.all))]
        self.all.append(subprocess.Popen(words, stdout=subprocess.PIPE, text=True))
        return self.all[-1]

    def end(self):
        for process in self.all:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            process.wait()
            process.stdout.close()

    def held(self):
        """Of each shard, from when to when it was held by those who finished it, in the order of time."""
        times_by_shard = {}
        for process in self.all:
            for line in process.communicate(timeout=PATIENCE_S)[0].splitlines():
                name, began, ended = line.split()
                times_by_shard.setdefault(name, []).append((float(began), float(ended)))
        return {name: sorted(times) for name, times in times_by_shard.items()}

    def done(self):
        return len(list((self.folder / "done").iterdir()))


@pytest.fixture
def crew(tmp_path):
    """A function that makes a crew of so many workers."""
    crews = []

    def start(workers, shards, lease_s=5.0, longest_s=0.005):
        crews.append(Crew(tmp_path, shards, lease_s, longest_s))
        for _ in range(workers):
            crews[-1].start()
        return crews[-1]

    yield start
    for running_crew in crews:
        running_crew.end()


@pytest.mark.full
@pytest.mark.parametrize(("workers", "shards"), [(4, 200), pytest.param(6, 5000, marks=pytest.mark.exhaustive)])
def test_processes_that_all_live_do_each_shard_once(workers, shards, crew):
    held = crew(workers, shards).held()
    assert len(held) == shards
    assert {len(times) for times in held.values()} == {1}


@pytest.mark.full
def test_no_two_hold_a_shard_at_once_though_some_are_killed(crew):
    rng = random.Random(1)
    ours = crew(4, 150, lease_s=3.0, longest_s=0.02)
    for _ in range(6):
        done = ours.done()
        assert wait_for(lambda done=done: ours.done() > done or ours.done() == ours.shards)
        rng.choice([process for process in ours.all if process.poll() is None] or ours.all).kill()
        ours.start()
    held = ours.held()
    assert ours.done() == 150
    for times in held.values():
        assert all(ended <= began for (_, ended), (began, _) in pairwise(times))


def test_one_that_is_stopped_past_its_lease_and_woken_changes_nothing(crew):
    ours = crew(1, 1, lease_s=0.4, longest_s=2.0)
    leases = ours.folder / "leases"
    assert wait_for((ours.folder / "begun" / "000000").exists)
    sleeper = ours.all[0]
    sleeper.send_signal(signal.SIGSTOP)
    ours.start().wait(timeout=PATIENCE_S)
    first = (ours.folder / "done" / "000000").read_text()
    assert first != f"{sleeper.pid}\n"
    sleeper.send_signal(signal.SIGCONT)
    assert len(ours.held()["000000"]) == 2
    assert sleeper.returncode == 0
    assert (ours.folder / "done" / "000000").read_text() == first
    assert not list(leases.iterdir())


def test_one_that_is_terminated_gives_back_what_it_holds(crew):
    """The lease lasts for longer than the test may wait."""
    ours = crew(1, 1, lease_s=3600, longest_s=5.0)
    leases = ours.folder / "leases"
    assert wait_for(lambda: leases.is_dir() and list(leases.iterdir()))
    ours.all[0].terminate()
    assert ours.all[0].wait(timeout=PATIENCE_S) == 0
    assert Leases(leases, 3600).claim("000000")
