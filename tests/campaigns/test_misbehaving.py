"""Devices that misbehave: each fault is named, none stops the campaign, and none leaves a process."""

import errno
import json
import os
from dataclasses import replace

import pytest

import fake_device
from campaigns import HASTY, PATIENT, QUICK, Watcher, fake, ids_of, litmus_tests, results, rows, run, settings
from processes import zombies
from quick import mostly_full
from synth_campaigns import presence
from synth_campaigns.claims import passed_verdicts
from synth_campaigns.folder import create, open_store
from synth_checker import child
from synth_checker.child import marked_processes
from synth_checker.errors import ResourceError
from synth_checker.programs.normal import program_of_id
from synth_devices import attempt
from synth_devices.sim.device import Sim

IDS = ids_of("@minimal/2x3")

#: What each behaviour comes to: the outcome of its launches, and words that say what was wrong.
FAULTS = {
    "is_silent": ("failed", "it printed no result for"),
    "ignores_sigterm": ("failed", "it printed no result for"),
    "stops_itself": ("failed", "because it is stopped"),
    "prints_much": ("failed", "it printed more than 1,048,576 bytes"),
    "prints_half_a_line": ("crashed", "expected a result line, which is a JSON object"),
    "names_another_test": ("crashed", "it printed a result of '0011'"),
    "prints_twice": ("crashed", "it printed 2 results, expected one"),
    "counts_too_many": ("crashed", "it printed 3 launches, expected at most 2"),
    "prints_nothing": ("failed", "exit code 3): there is no device"),
    "crashes": ("failed", "signal 11"),
    "is_lost": ("lost", "the driver took the device away"),
}


@pytest.fixture
def hasty(monkeypatch):
    monkeypatch.setattr(attempt, "GRACE_S", 0.3)
    monkeypatch.setattr(child, "PATIENCE_S", 0.5)


def locations(id_):
    return program_of_id(id_).locations()


def mark_of(folder):
    return rows(folder, "SELECT value FROM meta WHERE key = 'campaign'")[0][0]


@pytest.mark.full
@pytest.mark.usefixtures("hasty")
def test_each_fault_is_named_and_none_stops_the_campaign_or_leaves_a_process(tmp_path):
    behaviours = dict(zip(IDS, FAULTS, strict=False))
    device, _ = fake(tmp_path / "fake", behaviours)
    asked = settings(device, IDS, launches=QUICK, policy=HASTY)
    finished = run(tmp_path / "c", asked)
    assert not finished.aside
    found = results(tmp_path / "c", device)
    for id_, behaviour in behaviours.items():
        outcome, words = FAULTS[behaviour]
        assert dict(found[id_].outcomes) == {outcome: HASTY.tries}, behaviour
        reasons = rows(
            tmp_path / "c",
            "SELECT DISTINCT reason FROM launch JOIN attempt ON attempt.id = attempt "
            "JOIN cell ON cell.id = cell WHERE test = ?",
            id_,
        )
        assert all(words in reason for (reason,) in reasons), (behaviour, reasons)
    for id_ in IDS[len(FAULTS) :]:
        assert dict(found[id_].outcomes) == {"ended": QUICK.count}
    assert not marked_processes(mark_of(tmp_path / "c"))


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize("behaviour", ["leaves_a_child", "leaves_a_session"])
def test_what_a_program_leaves_behind_is_killed_and_its_launches_count(tmp_path, behaviour):
    device, _ = fake(tmp_path / "fake", {IDS[0]: behaviour})
    before = zombies()
    run(tmp_path / "c", settings(device, IDS[:2]))
    assert dict(results(tmp_path / "c", device)[IDS[0]].outcomes) == {"ended": QUICK.count}
    assert not marked_processes(mark_of(tmp_path / "c"))
    assert set(zombies()) <= set(before)


@pytest.mark.full
@pytest.mark.usefixtures("hasty")
def test_a_hang_is_confirmed_if_it_is_the_first_witness_and_later_ones_are_not_waited_for(tmp_path):
    device, _ = fake(tmp_path / "fake", dict.fromkeys(IDS[:2], "hangs"))
    run(tmp_path / "c", settings(device, [IDS[0]], launches=replace(QUICK, confirm_s=2)))
    assert rows(tmp_path / "c", "SELECT timeout FROM attempt ORDER BY id") == [(2,), (1,)]
    result = results(tmp_path / "c", device)[IDS[0]]
    assert (result.hung, result.confirmed, result.counted) == (2, 1, 2)


@pytest.mark.full
@mostly_full(
    ("answer", "known"), [("terminated", "terminated"), ("left early", "left early"), ("not run", ""), ("unknown", "")]
)
def test_a_command_is_asked_for_the_canary_after_a_hang_and_need_not_know_it(tmp_path, answer, known):
    device, log = fake(tmp_path / "fake", {IDS[0]: "hangs", IDS[1]: "is_lost"}, canary=answer)
    run(tmp_path / "c", settings(device, IDS[:3], launches=replace(QUICK, after_hang=0)))
    canaries = "SELECT test, canary FROM attempt JOIN cell ON cell.id = cell ORDER BY attempt.id"
    assert rows(tmp_path / "c", canaries) == [(IDS[0], known), (IDS[1], known), (IDS[2], "")]
    assert len(log.read_text().splitlines()) == 1 + QUICK.count  # no canary is among the launches
    assert not marked_processes(mark_of(tmp_path / "c"))


@pytest.mark.usefixtures("hasty")
def test_what_moves_or_ends_later_is_slow_and_never_hung(tmp_path):
    device, _ = fake(tmp_path / "fake", {IDS[0]: "moves", IDS[1]: "is_slow", IDS[2]: "is_slow"})
    run(tmp_path / "c", settings(device, IDS[:3], launches=replace(QUICK, confirm_s=2)))
    found = results(tmp_path / "c", device)
    assert {outcome for result in found.values() for outcome in result.outcomes} <= {"slow", "ended"}
    assert all(result.outcomes["slow"] for result in found.values() if result.cell.test == IDS[0])


@pytest.mark.full
@pytest.mark.usefixtures("hasty")
def test_a_test_that_dies_only_after_another_hung_is_told_from_one_that_ends(tmp_path):
    device, _ = fake(tmp_path / "fake", {IDS[0]: "hangs", IDS[1]: "dies_after_another_hung"})
    run(tmp_path / "c", settings(device, IDS[:2]))
    assert dict(results(tmp_path / "c", device)[IDS[1]].outcomes) == {"failed": PATIENT.tries}


@pytest.mark.usefixtures("hasty")
def test_a_launch_left_early_is_one_too_many(tmp_path):
    device, _ = fake(tmp_path / "fake", {IDS[0]: "leaves_early"})
    run(tmp_path / "c", settings(device, IDS[:1]))
    assert dict(results(tmp_path / "c", device)[IDS[0]].outcomes) == {"left early": 1}


@pytest.mark.full
@pytest.mark.usefixtures("hasty")
def test_another_device_than_before_or_than_expected_is_refused_and_other_devices_go_on(tmp_path):
    device, _ = fake(tmp_path / "fake", {IDS[1]: "is_another_device"})
    finished = run(tmp_path / "c", settings([device, "sim"], IDS[:3]))
    assert finished.aside == {
        device: "the device says that it is 'llvmpipe', expected 'fake device, driver 1' as before"
    }
    assert results(tmp_path / "c", device)[IDS[2]].counted == 0
    assert all(result.counted == QUICK.count for result in results(tmp_path / "c", "sim").values() if not result.hung)

    expecting = settings(device, IDS[:1], expected="Swift")
    assert "expected 'Swift' in it" in run(tmp_path / "d", expecting).aside[device]
    assert results(tmp_path / "d", device)[IDS[0]].counted == 0
    assert run(tmp_path / "e", settings(device, IDS[:1], expected="FAKE")).aside == {}


@pytest.mark.full
@pytest.mark.usefixtures("hasty")
def test_a_device_whose_process_cannot_be_killed_is_set_aside_and_others_go_on(tmp_path):
    device, _ = fake(tmp_path / "fake", {IDS[0]: "is_stuck"})
    finished = run(tmp_path / "c", settings([device, "sim"], IDS[:2], policy=HASTY))
    assert "cannot be killed" in finished.aside[device]
    assert results(tmp_path / "c", device)[IDS[1]].counted == 0
    assert all(result.counted for result in results(tmp_path / "c", "sim").values())


@pytest.mark.full
def test_before_the_first_launch_a_missing_or_another_device_is_set_aside(tmp_path, monkeypatch):
    monkeypatch.setenv("CXX", "no-such-compiler")
    asked = settings(["cpu", "sim"], IDS[:2], expected="linear")
    finished = run(tmp_path / "c", asked)
    assert finished.aside == {"cpu": "no-such-compiler not found: sudo apt install g++ make"}
    assert all(result.counted for result in results(tmp_path / "c", "sim").values())

    aside = run(tmp_path / "d", settings("sim", IDS[:2], expected="Radeon")).aside
    assert "expected 'Radeon' in it" in aside["sim"]
    assert rows(tmp_path / "d", "SELECT count(*) FROM attempt") == [(0,)]


@pytest.mark.full
def test_another_device_than_before_is_refused_before_its_first_launch(tmp_path, monkeypatch):
    monkeypatch.setenv("POCL_DEVICES", "basic")
    folder = tmp_path / "c"
    create(folder, settings("sim", IDS[:2]), litmus_tests(IDS[:2]))
    assert run(folder, watcher=Watcher(1)).stopped
    ((environment,),) = rows(folder, "SELECT environment FROM device")
    assert json.loads(environment)["POCL_DEVICES"] == "basic"  # other tests may have set more
    before = rows(folder, "SELECT count(*) FROM attempt")
    with open_store(folder) as store, store.transaction() as db:
        db.execute("UPDATE device SET driver = 'another'")
    assert "expected 'another' as before" in run(folder).aside["sim"]
    assert rows(folder, "SELECT count(*) FROM attempt") == before


@pytest.mark.full
def test_a_program_that_cannot_be_started_sets_its_device_aside_and_others_go_on(tmp_path):
    missing = f"command:{tmp_path / 'nix'}"
    finished = run(tmp_path / "c", settings([missing, "sim"], IDS[:2]))
    assert finished.aside == {missing: f"found no program {tmp_path / 'nix'} that this user may start"}
    assert all(result.counted for result in results(tmp_path / "c", "sim").values())

    broken = tmp_path / "broken"  # it is there, but nothing can execute it
    broken.write_text("#!/nix/interpreter\n")
    broken.chmod(0o755)
    finished = run(tmp_path / "d", settings([f"command:{broken}", "sim"], IDS[:2]))
    assert finished.aside == {f"command:{broken}": f"{broken}: No such file or directory"}
    assert all(result.counted for result in results(tmp_path / "d", "sim").values())


@pytest.mark.full
@pytest.mark.usefixtures("hasty")
def test_a_device_that_disappears_is_set_aside_before_it_uses_up_its_cells(tmp_path, monkeypatch):
    monkeypatch.setattr(presence, "_PAUSES_S", (0.01, 0.01))
    program = tmp_path / "device"
    program.write_text('#!/bin/sh\nrm "$0"\nexit 3\n')
    program.chmod(0o755)
    asked = settings([f"command:{program}", "sim"], IDS[:3], policy=replace(PATIENT, tries=3))
    assert list(run(tmp_path / "c", asked).aside) == [f"command:{program}"]
    assert rows(tmp_path / "c", "SELECT count(*) FROM attempt JOIN cell ON cell.id = cell WHERE device = 1") == [(1,)]
    assert all(result.counted for result in results(tmp_path / "c", "sim").values())


@pytest.mark.usefixtures("hasty")
@mostly_full(("answers", "is_aside"), [(1, True), (3, False), (99, False)])
def test_after_an_attempt_without_result_the_canary_says_whether_the_device_is_still_there(
    tmp_path, monkeypatch, answers, is_aside
):
    """The canary ends, then fails twice, and ends again after so many tries in all."""
    device, _ = fake(tmp_path / "fake", {IDS[0]: "crashes"})
    asked = []

    def answer(*_):
        asked.append(1)
        if (len(asked) in {2, 3} and answers < 99) or (answers == 1 and len(asked) > 1):
            raise ResourceError("it fell off the bus")
        return fake_device.line("0011", "terminated", 1)

    monkeypatch.setattr(presence, "_PAUSES_S", (0.01, 0.01, 0.01))
    monkeypatch.setattr(presence, "runs_any_test", lambda _: True)
    monkeypatch.setattr(presence, "answer_of", answer)
    finished = run(tmp_path / "c", settings(device, IDS[:2]))
    assert finished.aside == ({device: "it fell off the bus"} if is_aside else {})
    assert results(tmp_path / "c", device)[IDS[1]].counted == (0 if is_aside else QUICK.count)
    assert len(asked) == {1: 5, 3: 4, 99: 2}[answers]


@pytest.mark.full
@pytest.mark.usefixtures("hasty")
@mostly_full(("first", "order"), [("moves", "seq_cst device"), ("hangs", "relaxed device"), ("hangs", "")])
def test_what_is_no_witness_leaves_the_next_hang_to_be_confirmed(tmp_path, first, order):
    of_two, of_one = "000010_0-00101010", "00110100-0000"
    passes = passed_verdicts([of_two, of_one])
    assert passes[of_one] <= passes[of_two]
    assert [locations(id_) for id_ in (of_two, of_one)] == [2, 1]
    device, _ = fake(tmp_path / "fake", {of_two: first, of_one: "hangs"}, order=order)
    run(tmp_path / "c", settings(device, [of_two, of_one], launches=replace(QUICK, confirm_s=2, after_hang=0)))
    cells = "SELECT test, max(timeout) FROM attempt JOIN cell ON cell.id = cell WHERE purpose = '' GROUP BY test"
    assert dict(rows(tmp_path / "c", cells)) == {of_two: 2, of_one: 2}
    assert results(tmp_path / "c", device)[of_one].alone == 1


@pytest.mark.full
def test_compilers_and_canaries_have_the_mark_of_the_campaign(tmp_path, monkeypatch):
    compiler, marks = tmp_path / "compiler", tmp_path / "marks"
    compiler.write_text(f'#!/bin/sh\necho "compiler $SYNTH_ATTEMPT" >> {marks}\nexec g++ "$@"\n')
    compiler.chmod(0o755)
    monkeypatch.setenv("CXX", str(compiler))
    start = attempt.Child

    def recorded(command, environment, mark, folder):
        with marks.open("a") as file:
            file.write(f"program {mark}\n")
        return start(command, environment, mark, folder)

    monkeypatch.setattr(attempt, "Child", recorded)
    run(tmp_path / "c", settings("cpu", IDS[:1]))
    found = marks.read_text().splitlines()
    assert all(line.split()[1].startswith(f"{mark_of(tmp_path / 'c')}:") for line in found)
    assert {line.split()[0] for line in found} == {"compiler", "program"}
    assert child.MARK not in os.environ


def test_the_name_of_a_device_that_is_set_aside_is_said_once(tmp_path, monkeypatch):
    def refuse(device, *_):
        raise ResourceError(f"device {device.name}: it is another one")

    monkeypatch.setattr(presence, "answer_of", refuse)
    assert run(tmp_path / "c", settings("sim", IDS[:1])).aside == {"sim": "it is another one"}


class StopsCompilers(Watcher):
    """Stops a run as soon as a compiler has begun."""

    def __init__(self, begun):
        super().__init__()
        self.begun = begun

    def must_stop(self):
        return self.begun.exists()


@pytest.mark.full
def test_a_run_that_must_stop_does_not_wait_for_its_compiler_and_the_next_one_goes_on(tmp_path, monkeypatch):
    compiler, begun, is_free = (tmp_path / name for name in ("compiler", "begun", "free"))
    waits = f"[ -e {is_free} ] || {{ touch {begun}; sleep 1000 & sleep 1000; }}"
    compiler.write_text(f'#!/bin/sh\n[ "$1" = --version ] || {waits}\nexec g++ "$@"\n')
    compiler.chmod(0o755)
    monkeypatch.setenv("CXX", str(compiler))
    stopped = run(tmp_path / "c", settings("cpu", IDS[:1]), StopsCompilers(begun))
    assert (stopped.stopped, stopped.aside) == (True, {})
    assert marked_processes(mark_of(tmp_path / "c")) == []
    assert rows(tmp_path / "c", "SELECT * FROM attempt") == []
    begun.unlink()
    is_free.touch()
    run(tmp_path / "c")
    assert results(tmp_path / "c", "cpu")[IDS[0]].counted == QUICK.count


def test_a_disk_that_is_full_when_programs_are_made_ends_the_run(tmp_path, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Sim, "build", full)
    with pytest.raises(ResourceError, match=r"c/programs: No space left on device$"):
        run(tmp_path / "c", settings("sim", IDS[:1]))
