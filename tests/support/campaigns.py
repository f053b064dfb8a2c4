"""Campaigns for tests: with a fake device, run in this process."""

import json
import os
import shlex
import sys
import time
from unittest import mock

import fake_device
import limping_device
from synth_backends.litmus_test import LitmusTest
from synth_campaigns.folder import create, lock_campaign, open_store, settings_in
from synth_campaigns.results import results_of
from synth_campaigns.run import CampaignRun as Running
from synth_campaigns.settings import LaunchSettings, Policy, RunSettings, Settings
from synth_checker.programs.normal import program_of_id
from synth_corpus.store import Corpus
from synth_devices import attempt

#: How many seconds a fake device waits for each second that it says it has waited.
PACE = 0.1
QUICK = LaunchSettings(count=2, timeout_s=1, confirm_s=1, after_hang=1)
#: For devices that answer, however busy the machine is, and for those that never do.
PATIENT, HASTY = Policy(preparation_s=30, tries=1), Policy(preparation_s=0.3, tries=1)


def litmus_tests(ids):
    return [LitmusTest(id_, id_, program_of_id(id_)) for id_ in ids]


def ids_of(corpus, number=None):
    return [record.id for record in Corpus(corpus)][:number]


def fake(folder, behaviours, pace=PACE, canary="terminated", order="seq_cst device"):
    """The name of a device that does with each test and with the canary what is said here, and its log.

    It says that it has waited for a second when it has waited for `pace` seconds.
    """
    folder.mkdir(exist_ok=True)
    log = folder / "launches.log"
    (folder / "fake.json").write_text(
        json.dumps({"log": str(log), "tests": behaviours, "pace": pace, "canary": canary, "order": order})
    )
    words = [sys.executable, "-S", fake_device.__file__, str(folder / "fake.json")]
    return f"command:{shlex.join(words)}", log


def limping(folder, given):
    """The name of a device that lies or limps as it is said here, or starves somebody, and its folder."""
    folder.mkdir(exist_ok=True)
    (folder / "given.json").write_text(json.dumps({"pace": PACE, **given}))
    words = [sys.executable, "-S", limping_device.__file__, str(folder / "given.json")]
    return f"command:{shlex.join(words)}", folder


def fast_clock():
    """The time of a fake device, in seconds."""
    return time.monotonic() / PACE


class Watcher:
    """Stops a run after some reports between two cells."""

    def __init__(self, most=None):
        self.told, self.running, self.most = [], [], most
        self.pipe = os.pipe()

    def tell(self, done, cells, hung, running=None):
        if running is None:
            self.told.append((done, cells, hung))
        else:
            self.running.append(running)

    def must_stop(self):
        return self.most is not None and len(self.told) > self.most

    def fileno(self):
        return self.pipe[0]


def settings(device, tests, *, launches=QUICK, policy=PATIENT, mappings=("plain",), **more):
    runs = tuple(
        RunSettings(name_of_device, mappings, **more)
        for name_of_device in ([device] if isinstance(device, str) else device)
    )
    return Settings(tuple(tests), runs, launches, policy, order="as-given")


def run(folder, asked=None, watcher=None):
    """Run a campaign, or continue it. Returns the run. The clock goes as fast as that of a fake device."""
    if asked is not None and not folder.exists():
        create(folder, asked, litmus_tests(asked.suite))
    with lock_campaign(folder), open_store(folder) as store:
        running = Running(folder, settings_in(folder), store, watcher or Watcher())
        with mock.patch.object(attempt, "clock", fast_clock):
            running.go()
    return running


def results(folder, device):
    """The result of each test of a device under the first mapping."""
    with open_store(folder) as store:
        launches = settings_in(folder).launches
        return {result.cell.test: result for result in results_of(store, launches, device)}


def rows(folder, query, *values):
    with open_store(folder) as store:
        return store.read(query, *values)
