"""Random histories of launches: a fair device that is slow at random is not convicted, and an unfair one always is."""

import random
from types import SimpleNamespace

import pytest

from campaigns import Watcher, ids_of, run, settings
from limping_device import jumps_backwards
from synth_analysis.answers.analysis import analysis_of
from synth_campaigns import programs
from synth_campaigns.settings import LaunchSettings
from synth_checker.relations.antichains import at_most_as_fair
from synth_devices.attempt import AttemptResult
from synth_devices.raw_ends import LaunchEnd
from synth_devices.sim.presets import IMPLIED

TESTS = ["00_0-0011", "0011-00_0", "0010-000001_0", "01100002-01100002"]
LAUNCHES = LaunchSettings(count=5, timeout_s=1, confirm_s=30, after_hang=2)


class FairSession:
    """The program of a device on which each launch ends, after a time that grows with instances and with the load."""

    def __init__(self, chance):
        self.chance = chance
        self.shows_flags = chance.random() < 0.5
        self.waiting_only = chance.random() < 0.5
        self.power = chance.choice([1, 1, 1.5, 2])
        self.seconds = 10 ** chance.uniform(-6, -1.5)
        self.load = chance.uniform(0, 0.3)
        self.gives_up_badly = chance.random() < 0.1

    def __call__(self, _build, _preparation_s, choices):
        """A session, as a campaign makes one for each of its settings."""
        session = SimpleNamespace(close=lambda: True)
        session.attempt = lambda request, _mark, _watcher: self.attempt(request, choices)
        return session

    def attempt(self, request, choices):
        chance, launches = self.chance, []
        waits = jumps_backwards(request.test)
        for _ in range(request.launches):
            spike = chance.uniform(1, 20) if chance.random() < self.load else 1
            grown = choices.instances**self.power if waits or not self.waiting_only else 1
            # Some thread finishes in each quarter of a minute, or flags do not tell slowness from a hang.
            takes = min(0.0001 + self.seconds * grown * spike, 14 * choices.instances)
            if takes <= request.timeout_s:
                launches.append(LaunchEnd("ended", round(takes, 6)))
                continue
            done = min(choices.instances - 1, int(choices.instances * request.timeout_s / takes))
            threads = request.test.count("-") + 1
            finished = {"1" * threads: done, "0" * threads: choices.instances - done}
            known = {key: number for key, number in finished.items() if number} if self.shows_flags else {}
            quiet = takes / choices.instances if self.shows_flags else None
            if self.gives_up_badly:
                known = {"1" * threads: choices.instances}
            launches.append(LaunchEnd("given up", request.timeout_s, quiet, {}, known))
            break
        return AttemptResult(tuple(launches))


def history(folder, seed, monkeypatch):
    """What is said of a device after a campaign on a fair device that is slow at random."""
    chance = random.Random(seed)
    monkeypatch.setattr(programs, "Session", FairSession(chance))
    tests = chance.sample(TESTS, 3)
    asked = settings(
        "command:true",
        tests,
        launches=LAUNCHES,
        mappings=["plain", "chunked"],
        instances=chance.choice([10, 300, 9000]),
    )
    run(folder / str(seed), asked, Watcher())
    return analysis_of([folder / str(seed)]).devices[0]


@pytest.mark.full
def test_a_fair_device_that_is_slow_at_random_violates_nothing(tmp_path, monkeypatch):
    given_up = 0
    for seed in range(200):
        device = history(tmp_path, seed, monkeypatch)
        assert not [claim for claim in device.claims if claim.status == "violates"], seed
        given_up += any(cell.hung or cell.went_wrong for cell in device.results.cells)
    assert given_up > 40  # slow devices are among them


@pytest.mark.full
@pytest.mark.parametrize("preset", IMPLIED)
def test_each_preset_that_violates_a_verdict_is_found_to_do_so_in_twenty_launches(tmp_path, preset):
    """What a preset implies is kept, and what it does not keep is found with the launches that a campaign makes."""
    asked = settings(
        f"sim:{preset}", ids_of("@minimal/2x3"), launches=LaunchSettings(), mappings=["chunked"], instances=300
    )
    run(tmp_path / "c", asked, Watcher())
    (device,) = analysis_of([tmp_path / "c"]).devices
    kept = frozenset().union(*(at_most_as_fair()[verdict] for verdict in IMPLIED[preset]))
    violated = {claim.verdict for claim in device.claims if claim.status == "violates"}
    assert not violated & kept
    assert violated or "fair.weak" in kept
