"""No device is convicted without evidence, and none that lies or limps is praised; those that starve are convicted.

Each device is a command that is special in one way (`limping_device`). Its time goes ten times as fast as ours.
"""

import re

import pytest

from campaigns import Watcher, limping, litmus_tests, rows, run, settings
from quick import mostly_full
from synth_analysis.answers.analysis import analysis_of
from synth_analysis.views.analysis import analysis_lines
from synth_campaigns.claims import passed_verdicts
from synth_campaigns.settings import LaunchSettings
from synth_checker.errors import LimitError
from synth_devices.command import Command

#: Tests with one location, in two of which a thread waits; and one with two locations. All must end on a fair device.
WAITS, SPINS, TWO = "00_0-0011", "0011-00_0", "000010_0-00101010"
#: A test that passes only the fairest verdict. A campaign launches it first.
FIRST = "0000-00110100"
#: A test without waiting.
ENDS = "0011-01_20012"
INSTANCES = 4096
LAUNCHES = LaunchSettings(count=3, timeout_s=1, confirm_s=2, after_hang=1)
HANGS = {"hangs": [WAITS]}

#: What is special about a device, and words of the reason why it is neither convicted nor praised.
LIMPING = {
    "slow by 1 ms an instance": ({"slow": 0.001}, "did not end quickly either"),
    "slow by 1 ms an instance, with flags": ({"slow": 0.001, "flags": True}, "slow"),
    "slow only when it waits": ({"slow": 0.001, "waiting": True}, "hung at once, expected three numbers"),
    "slow only when it waits, with flags": ({"slow": 0.001, "waiting": True, "flags": True}, "slow"),
    "slow with the square of instances": ({"slow": 1e-6, "power": 2, "waiting": True}, "expected three numbers"),
    "slow with the cube of instances": ({"slow": 1e-9, "power": 3, "waiting": True}, "expected three numbers"),
    "slow by 10 ms an instance that waits": ({"slow": 0.01, "waiting": True}, "hung at once, expected three numbers"),
    "slow at every size": ({"slow": 3, "power": 0}, "did not end quickly either"),
    "slow at every size, with flags": ({"slow": 3, "power": 0, "flags": True}, "slow"),
    "finished but lost": (HANGS | {"lie": "lost", "flags": True}, "lost result"),
    "finished but lost, without flags": (HANGS | {"lie": "lost"}, "lost result"),
    "another mapping": ({"lie": "other_mapping"}, "a result with mapping"),
    "a hang under another mapping": (HANGS | {"lie": "other_mapping", "flags": True}, "a result with mapping"),
    "another size": ({"lie": "other_size"}, "a result with instances 4097, expected 4096"),
    "a hang at another size": (HANGS | {"lie": "other_size", "flags": True}, "a result with instances"),
    "another stress": ({"lie": "other_stress"}, "a result with stress 5, expected 0"),
    "another width": ({"lie": "other_width"}, "a result with width 64, expected 1"),
    "another test": ({"lie": "other_test"}, "a result of '0011-00_0'"),
    "results in another order": ({"lie": "late_test"}, "a result of '0011'"),
    "a hang longer than the process lived": ({"lie": "long_hang"}, "launches took 1000.000 seconds"),
    "launches longer than the process lived": ({"lie": "long_end"}, "launches took 3000.000 seconds"),
    "a hang of no time": ({"lie": "hang_of_no_time"}, "before its time-out"),
    "a hang that was not waited for": ({"lie": "early_hang"}, "slow"),
    "ended, but not finished": ({"lie": "unfinished"}, "'terminated', but thread 0 had not finished"),
    "ended, but one not finished": ({"lie": "some_unfinished"}, "'terminated', but thread 0 had not finished"),
    "doubled": ({"lie": "doubled"}, "printed 2 results"),
    "doubled hang": (HANGS | {"lie": "doubled", "flags": True}, "printed 2 results"),
    "more launches than asked for": ({"lie": "many_launches"}, "printed 27 launches, expected at most 3"),
    "more instances than there are": ({"lie": "too_many_instances_finished"}, "finished: found 4097 instances"),
    "left early": ({"lie": "left_early"}, "the driver is wrong"),
    "a later format": ({"lie": "later_format"}, "a later release of synth wrote it"),
    "order-dependent": ({"hangs": [FIRST], "poison": True, "flags": True}, "so it is order-dependent"),
    "order-dependent, without flags": ({"hangs": [FIRST], "poison": True}, "so it is order-dependent"),
    "relaxed": ({"hangs": [TWO], "order": "relaxed device", "flags": True}, "perhaps because of the memory"),
    "of unknown order": ({"hangs": [TWO], "order": "", "flags": True}, "perhaps because of the memory"),
    "of an order nobody knows": ({"hangs": [TWO], "order": "strong", "flags": True}, "perhaps because of the memory"),
    "one adapter behind two backends": ({"lie": "other_driver", "of": [WAITS]}, "(OpenGL)"),
    "lost": ({"lie": "lost_device"}, " lost (the driver took the device away)"),
    "broken": ({"lie": "failed"}, " crashed (out of memory)"),
    "not run": ({"lie": "not_run"}, "1 failed (no such test)"),
    "silent": ({"lie": "nothing"}, "ended without a result"),
    "no JSON": ({"lie": "no_json"}, "found 'hung', expected"),
}
#: Of these, one for each way to be taken in.
TELLING = {
    "slow only when it waits",
    "finished but lost",
    "another mapping",
    "launches longer than the process lived",
    "order-dependent",
    "of unknown order",
}
#: Devices that starve somebody, the mapping, and words of the evidence.
STARVING = {
    "seen by flags": (HANGS | {"flags": True}, "chunked", ", seen by flags"),
    "by time": (HANGS, "chunked", ", by time"),
    "one instance, seen by flags": (HANGS | {"flags": True}, "plain", ", seen by flags"),
    "one instance, by time": (HANGS, "plain", ", by time"),
    "many at once, seen by flags": (HANGS | {"from": 100, "flags": True}, "chunked", ", seen by flags"),
    "many at once, by time": (HANGS | {"from": 100}, "chunked", ", by time"),
    "not in the first launch, seen by flags": (HANGS | {"launch": 2, "flags": True}, "chunked", ", seen by flags"),
    "not in the first launch, by time": (HANGS | {"launch": 2}, "round-robin", ", by time"),
    "two tests, one after the other": ({"hangs": [SPINS, WAITS], "flags": True}, "chunked", ", seen by flags"),
    "one location and a relaxed memory": (HANGS | {"order": "relaxed device"}, "chunked", ", by time"),
    "one location and an unknown memory": (HANGS | {"order": "", "flags": True}, "chunked", ", seen by flags"),
}


def analysed(folder, given, tests, mapping="chunked"):
    """What is said of a device after a campaign, and the text of it."""
    poison = {"poison": str(folder / "device" / "poison")} if "poison" in given else {}
    device, _ = limping(folder / "device", {**given, **poison})
    instances = {} if mapping == "plain" else {"instances": INSTANCES}
    asked = settings(device, tests, launches=LAUNCHES, mappings=[mapping], **instances)
    ran = run(folder / "c", asked, Watcher())
    analysis = analysis_of([folder / "c"])
    (found,) = analysis.devices
    text = "\n".join([*analysis_lines(analysis), *ran.aside.values(), *(text for *_, text in found.results.events)])
    return found, text


@mostly_full("limp", LIMPING, quick=TELLING)
def test_a_device_that_lies_or_limps_is_not_convicted_and_not_praised(tmp_path, limp):
    given, why = LIMPING[limp]
    test, first = WAITS, []
    if TWO in given.get("hangs", ()):
        test = TWO
    elif "poison" in given:
        test, first = SPINS, [FIRST]
    elif limp == "one adapter behind two backends":
        first = [ENDS]
    found, text = analysed(tmp_path, given, [*first, test])
    passes, statuses = passed_verdicts([test, *first]), {claim.verdict: claim.status for claim in found.claims}
    only = (
        passes[test] if first == [ENDS] else passes[test] - frozenset().union(*(passes[pattern] for pattern in first))
    )
    assert only
    assert {statuses[verdict] for verdict in only} <= {"inconclusive", "not tested"}, text
    assert why in text


@pytest.mark.full
@mostly_full("way", STARVING, quick=2)
def test_a_device_that_starves_somebody_is_convicted_and_the_evidence_is_named(tmp_path, way):
    given, mapping, evidence = STARVING[way]
    found, text = analysed(
        tmp_path, given, [*(pattern for pattern in given["hangs"] if pattern != WAITS), WAITS], mapping
    )
    passed = frozenset().union(*passed_verdicts(given["hangs"]).values())
    assert {claim.verdict for claim in found.claims if claim.status == "violates"} == passed, text
    assert evidence in text
    assert re.search(r"Run before it: (unknown|[0-9a-z_-]+ under [a-z-]+, which (ended|did not end)|1 launch)", text)
    assert re.search(r"Load: \d", text)
    assert all(witness.result.evidence in evidence for witness in found.witnesses)
    instances = 1 if mapping == "plain" else INSTANCES
    assert f"Given up after 2 seconds. Run at once: {instances:,} instance" in " ".join(text.split())


ATTEMPTS = "SELECT count(*) FROM attempt"


@pytest.mark.full
@pytest.mark.parametrize(
    "given", [{"hangs": [FIRST], "poison": True}, HANGS, {"slow": 0.001}, {"hangs": [TWO], "order": ""}]
)
def test_a_campaign_that_is_done_launches_nothing_more(tmp_path, given):
    tests = [FIRST, SPINS] if "poison" in given else given.get("hangs", [WAITS])
    analysed(tmp_path, given, tests)
    ((before,),) = rows(tmp_path / "c", ATTEMPTS)
    watcher = Watcher()
    run(tmp_path / "c", watcher=watcher)
    assert rows(tmp_path / "c", ATTEMPTS) == [(before,)]
    assert watcher.told[-1][:2] == (len(tests), len(tests))


@pytest.mark.full
def test_stopped_at_any_moment_it_still_finds_the_evidence(tmp_path):
    """Each run ends after some reports, also while it makes the launches that the campaign does not declare."""
    device, _ = limping(tmp_path / "device", HANGS | {"from": 30})
    asked = settings(device, [WAITS], launches=LAUNCHES, mappings=["chunked"], instances=INSTANCES)
    for most in range(40):
        run(tmp_path / "c", asked, Stopping(most % 4))
    (found,) = analysis_of([tmp_path / "c"]).devices
    assert "violates" in {claim.status for claim in found.claims}
    assert rows(tmp_path / "c", "SELECT count(*) - count(DISTINCT test || instances) FROM cell") == [(0,)]


class Stopping(Watcher):
    """Stops a run after some reports about cells that run."""

    def must_stop(self):
        return len(self.running) > self.most


@pytest.mark.full
def test_a_number_of_instances_that_a_device_refuses_ends_nothing(tmp_path, monkeypatch):
    build = Command.build

    def refuse(self, tests, choices, folder):
        if choices.instances > INSTANCES:
            raise LimitError(f"found {choices.instances} instances, expected at most {INSTANCES}")
        return build(self, tests, choices, folder)

    monkeypatch.setattr(Command, "build", refuse)
    found, text = analysed(tmp_path, HANGS | {"from": INSTANCES}, [WAITS])
    assert "violates" not in {claim.status for claim in found.claims}
    assert "expected at most 4096" in text


@pytest.mark.full
def test_what_is_only_slow_is_not_told_as_hung(tmp_path):
    device, _ = limping(tmp_path / "device", {"slow": 0.001, "flags": True})
    watcher = Watcher()
    asked = settings(device, [WAITS], launches=LAUNCHES, mappings=["chunked"], instances=INSTANCES)
    run(tmp_path / "c", asked, watcher)
    assert {hung for _, _, hung in watcher.told} == {0}


def test_there_are_forty_of_one_kind_and_ten_of_the_other():
    assert len(LIMPING) >= 40
    assert len(STARVING) >= 10


def test_tests_are_what_this_file_says():
    assert all("fair.strong" in passed for passed in passed_verdicts([WAITS, SPINS, TWO]).values())
    assert [test.program.locations() for test in litmus_tests([WAITS, SPINS, TWO])] == [1, 1, 2]
