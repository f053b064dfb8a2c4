"""The check of a device: its tests end on every device that works, and it finds what is wrong with others."""

import json
import os
import sys

import pytest

import fake_device
from fake_gpus import put_compiler, put_devices
from synth_campaigns.claims import passed_verdicts
from synth_checker.errors import ResourceError
from synth_checker.models import library, verdict_names
from synth_checker.programs.normal import program_of_id
from synth_devices.attempt import Session
from synth_devices.catalogue import load_device
from synth_devices.device import Build, Request
from synth_devices.health import KNOWN, health_of

*WITHOUT_LOOPS, LOCK = KNOWN
#: Other processes of the tests must have another one: whoever ends kills all that have its mark.
MARK = f"health {os.getpid()};"
GPU = {"driver": "Small GPU, driver 7", "device": {"name": "Small GPU"}}


@pytest.fixture
def health(tmp_path, monkeypatch):
    """A function that checks a fake device with given keys."""
    put_compiler("cuda", tmp_path / "bin", monkeypatch)

    def check(expected="", **more):
        put_devices([GPU | more], monkeypatch)
        return health_of(load_device("cuda"), tmp_path / "check", expected)

    return check


def test_three_tests_have_no_loop_and_the_lock_ends_where_threads_that_started_go_on():
    passed = passed_verdicts(KNOWN)
    every = set(verdict_names(library()))
    for id_ in WITHOUT_LOOPS:
        assert all(instruction.target > place for _, place, instruction in program_of_id(id_).instructions())
        assert passed[id_] == every
    assert len(WITHOUT_LOOPS) == 3
    assert every - passed[LOCK] == {"unfair", "HSA.weak", "HSA.strong"}


@pytest.mark.full
def test_a_device_that_works_is_healthy(health):
    found = health()
    assert found.healthy
    assert found.driver == GPU["driver"]
    assert [(test.test, test.end) for test in found.tests] == [(id_, "ended") for id_ in KNOWN]


@pytest.mark.full
@pytest.mark.parametrize(
    ("wrong", "problem"),
    [
        ({"result": "hung", "quiet_s": 9}, "given up, expected ended"),
        ({"result": "left early"}, "left early, expected ended"),
        ({"result": "lost", "code": "-4", "reason": "taken away"}, "lost, expected ended: taken away"),
        ({"result": "failed", "reason": "out of memory"}, "crashed, expected ended: out of memory"),
        ({"driver": "llvmpipe"}, "the device said that it is 'llvmpipe', after 'Small GPU, driver 7'"),
    ],
)
def test_what_is_wrong_with_a_test_is_said(health, wrong, problem):
    found = health(tests={LOCK: wrong})
    assert not found.healthy
    assert len(found.problems) == 1
    assert problem in found.problems[0]


@pytest.mark.full
def test_a_device_that_does_not_even_store_is_not_healthy(health):
    found = health(result="left early")
    assert found.problems == ("Small GPU, driver 7: says that it has run a test of one store, but has not",)
    assert not found.tests


@pytest.mark.full
def test_another_device_than_expected_is_not_healthy_and_nothing_is_launched_on_it(health):
    assert health("small gpu").healthy
    found = health("Radeon")
    assert found.problems == ("the device says that it is 'Small GPU, driver 7', expected 'Radeon' in it",)
    assert not found.tests


@pytest.mark.full
def test_a_device_that_is_not_there_has_no_health(health):
    with pytest.raises(ResourceError, match="no such device today"):
        health(reason="no such device today")


def test_a_program_that_ends_after_an_answer_has_crashed_and_one_that_never_answered_has_failed(tmp_path):
    answer = json.dumps(fake_device.line("0011", "terminated", 1))
    script = f"import sys; sys.stdin.readline(); print({answer!r}, flush=True); sys.stdin.readline(); sys.exit(1)"
    build = Build("web", {"0011": (sys.executable, "-c", script)}, "", tmp_path, serves=True)
    with Session(build) as session:
        ends = [session.attempt(Request("0011", 1, 1), MARK).launches[0].end for _ in range(2)]
    assert ends == ["ended", "crashed"]
    build = Build("web", {"0011": (sys.executable, "-c", "raise SystemExit('broken')")}, "", tmp_path, serves=True)
    with Session(build) as session:
        assert session.attempt(Request("0011", 1, 1), MARK).launches[0].end == "failed"
