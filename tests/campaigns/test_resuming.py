"""A campaign that is stopped or killed at any moment goes on: each launch that counts was seen to the end, once."""

import collections
import contextlib
import os
import random
import signal
import sqlite3
import subprocess
import time
from dataclasses import replace

import pytest

from campaigns import Watcher, fake, ids_of, litmus_tests, results, rows, run, settings
from processes import PATIENCE_S, SYNTH, wait_for
from synth_campaigns.folder import RESULTS, create, lock_campaign
from synth_campaigns.settings import LaunchSettings
from synth_campaigns.store import Store
from synth_checker.child import marked_processes
from synth_checker.errors import InputError, ResourceError
from synth_devices.device import Build

IDS = ids_of("@minimal/2x3", 6)
LAUNCHES = LaunchSettings(count=5, timeout_s=2, confirm_s=2, after_hang=1)


HANGS = {IDS[2]: "hangs"}


def campaign(folder, pace=0.1):
    """The folder of a campaign that nobody has run, with one test that hangs, and the log of its device."""
    device, log = fake(folder / "fake", HANGS, pace)
    create(folder / "c", settings(device, IDS, launches=LAUNCHES), litmus_tests(IDS))
    return folder / "c", device, log


def check(folder, device, log):
    """Each launch that counts is in the log of the device once, and each cell has what was declared."""
    logged = collections.Counter(line.rpartition(" ")[0] for line in log.read_text().splitlines())
    counted = rows(
        folder, "SELECT attempt, number FROM launch JOIN attempt ON attempt.id = attempt WHERE state = 'done'"
    )
    assert all(logged[f"{attempt} {number}"] == 1 for attempt, number in counted)
    for id_, result in results(folder, device).items():
        assert result.counted == (2 if id_ == IDS[2] else LAUNCHES.count)
    orphans = rows(folder, "SELECT id FROM attempt WHERE state = 'orphaned'")
    assert not rows(folder, "SELECT * FROM launch JOIN attempt ON attempt.id = attempt WHERE state <> 'done'")
    assert rows(folder, "PRAGMA integrity_check") == [("ok",)]
    assert not marked_processes(rows(folder, "SELECT value FROM meta WHERE key = 'campaign'")[0][0])
    return len(orphans)


def killed(folder, seconds):
    """Run the campaign in a process of its own, and kill that after some time."""
    with subprocess.Popen(
        [SYNTH, "campaign", "run", folder], stdout=subprocess.DEVNULL, start_new_session=True
    ) as process:
        time.sleep(seconds)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


@pytest.mark.full
@pytest.mark.parametrize("moments", [3, pytest.param(50, marks=pytest.mark.exhaustive)])
def test_killed_at_random_moments_each_launch_that_counts_was_made_once(tmp_path, moments):
    folder, device, log = campaign(tmp_path, pace=1)
    chance = random.Random(moments)
    for _ in range(moments):
        killed(folder, 0.5 + chance.random())
    fake(tmp_path / "fake", HANGS)
    run(folder)
    check(folder, device, log)


@pytest.mark.full
def test_killed_between_the_start_of_a_process_and_its_result_the_launches_do_not_count(tmp_path):
    folder, device, log = campaign(tmp_path, pace=1)
    with subprocess.Popen([SYNTH, "campaign", "run", folder], stdout=subprocess.DEVNULL) as process:
        wait_for(lambda: log.exists() and log.read_text())
        process.kill()
    fake(tmp_path / "fake", HANGS)
    run(folder)
    assert check(folder, device, log) == 1


@pytest.mark.full
def test_stopped_between_two_attempts_it_goes_on_where_it_was(tmp_path):
    folder, device, log = campaign(tmp_path)
    assert run(folder, watcher=Watcher(2)).stopped
    before = rows(folder, "SELECT max(id) FROM attempt")
    assert not run(folder).stopped
    assert rows(folder, "SELECT max(id) FROM attempt") > before
    assert check(folder, device, log) == 0


def test_a_limit_that_is_reached_within_an_attempt_ends_it_and_what_was_stored_stays(tmp_path):
    class Late(Watcher):
        """Has no time left as soon as the third test is launched, which hangs for a minute."""

        def must_stop(self):
            return log.exists() and IDS[2] in log.read_text()

    device, log = fake(tmp_path / "fake", {IDS[2]: "hangs"})
    asked = settings(device, IDS[:4], launches=replace(LAUNCHES, confirm_s=60))
    assert run(tmp_path / "c", asked, Late()).stopped
    assert rows(tmp_path / "c", "SELECT state FROM attempt ORDER BY id") == [("done",), ("done",), ("orphaned",)]
    assert rows(tmp_path / "c", "SELECT count(*) FROM launch") == [(2 * LAUNCHES.count,)]
    assert not marked_processes(rows(tmp_path / "c", "SELECT value FROM meta WHERE key = 'campaign'")[0][0])


@pytest.mark.full
def test_a_time_limit_cuts_an_attempt_and_the_same_command_continues(tmp_path):
    device, _ = fake(tmp_path / "fake", {IDS[2]: "hangs"})
    create(
        tmp_path / "c", settings(device, IDS[2:3], launches=replace(LAUNCHES, confirm_s=600)), litmus_tests(IDS[2:3])
    )
    said = subprocess.run([SYNTH, "campaign", "run", tmp_path / "c", "--time-limit", "2s"], capture_output=True)
    assert said.stderr.decode() == "synth: time limit reached; the same command continues the campaign\n"
    assert said.returncode == 75
    assert set(rows(tmp_path / "c", "SELECT state FROM attempt")) <= {("orphaned",)}  # none began if all is slow


@pytest.mark.full
def test_a_cell_that_hung_before_a_stop_and_after_it_counts_once_in_the_reports(tmp_path):
    class Impatient(Watcher):
        """Stops a run after its first attempt."""

        def must_stop(self):
            return bool(rows(tmp_path / "c", "SELECT id FROM attempt WHERE state = 'done'"))

    device, _ = fake(tmp_path / "fake", {IDS[0]: "hangs"})
    asked = settings(device, IDS[:2], launches=LaunchSettings(count=3, timeout_s=1, confirm_s=1, after_hang=2))
    assert run(tmp_path / "c", asked, Impatient()).stopped
    watcher = Watcher()
    run(tmp_path / "c", watcher=watcher)
    assert watcher.told == [(0, 2, 1), (1, 2, 1), (2, 2, 1)]


@pytest.mark.full
def test_interrupted_it_ends_at_once_and_leaves_no_process(tmp_path):
    folder, device, log = campaign(tmp_path, pace=1)
    with subprocess.Popen(
        [SYNTH, "campaign", "run", folder], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    ) as process:
        wait_for(lambda: log.exists() and log.read_text())
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=PATIENCE_S)
    assert (process.returncode, said.decode()) == (130, "synth: interrupted; the same command continues the campaign\n")
    fake(tmp_path / "fake", HANGS)
    run(folder)
    check(folder, device, log)


def test_a_second_run_of_the_same_folder_is_refused(tmp_path):
    folder, *_ = campaign(tmp_path)
    with lock_campaign(folder), pytest.raises(InputError, match="another process runs this campaign"):
        run(folder)


@pytest.mark.full
def test_a_full_disk_ends_the_run_and_what_was_found_stays(tmp_path, monkeypatch):
    folder, device, log = campaign(tmp_path)
    finish, calls = Store.finish, []

    def full(self, *words):
        calls.append(words)
        if len(calls) > 2:
            self._db.execute(f"PRAGMA max_page_count = {self._db.execute('PRAGMA page_count').fetchone()[0]}")
            with self.transaction() as db:  # more than the pages that there are
                db.execute("INSERT INTO event VALUES (NULL, '', NULL, '', ?)", ("x" * 100_000,))
        finish(self, *words)

    with monkeypatch.context() as patch:
        patch.setattr(Store, "finish", full)
        with pytest.raises(
            ResourceError, match=r"database or disk is full; free some space, and run the same command again$"
        ):
            run(folder)
    assert rows(folder, "SELECT count(*) FROM attempt WHERE state = 'done'") == [(2,)]
    run(folder)
    check(folder, device, log)


def test_results_of_another_format_or_no_results_are_refused(tmp_path):
    folder, *_ = campaign(tmp_path)
    with contextlib.closing(sqlite3.connect(folder / RESULTS)) as db, db:
        db.execute("UPDATE meta SET value = '9' WHERE key = 'format'")
    with pytest.raises(InputError, match="found format '9', expected at most '2'"):
        run(folder)
    (folder / RESULTS).write_text("no database, but long enough to be one" * 100)
    with pytest.raises(InputError, match=r"file is not a database, expected the results of a campaign$"):
        run(folder)


def test_an_attempt_that_nobody_saw_to_the_end_is_orphaned(tmp_path):
    folder, device, log = campaign(tmp_path)
    with Store(folder / RESULTS) as store:
        store.begin(1, store.note_build(device, Build("command", {}, "digest")), 2, 0.0)
    run(folder)
    assert check(folder, device, log) == 1


@pytest.mark.full
def test_results_in_a_folder_that_nobody_can_write_are_read(tmp_path, monkeypatch):
    folder, *_ = campaign(tmp_path)
    run(folder)
    before = {path.name for path in folder.iterdir()}
    monkeypatch.setattr(os, "access", lambda *_: False)
    with Store(folder / RESULTS) as store:
        assert store.counts()
        assert {path.name for path in folder.iterdir()} == before  # elsewhere, SQLite makes two more files
        with pytest.raises(InputError, match="readonly"):
            store.note_event("a", "b")
