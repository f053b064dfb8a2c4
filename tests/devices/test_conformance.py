"""What holds of every device: how launches end that end, how one ends that never does, and what is left behind.

A new device is a line of `DEVICES`.
"""

import os
import re
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import NamedTuple

import pytest

from emitted import SPINS_FOR_EVER, a_test, opencl_context
from processes import zombies
from shaders import SWIFTSHADER, chromium, webgpu_device
from synth_backends.target import Choices
from synth_checker.child import marked_processes
from synth_checker.errors import InputError, ResourceError
from synth_devices.attempt import Session
from synth_devices.catalogue import KINDS, load_device
from synth_devices.device import Request
from synth_devices.identification import answer_of
from synth_devices.remote_devices import ELSEWHERE

#: A test without loops: it ends on every device.
ENDS = "0011-0011"
#: Seconds for what must end, however busy the machine.
PATIENCE_S = 60


class Facts(NamedTuple):
    """How a device is tested: what must be there, variables that select it, and a part of what it says it is."""

    name: str
    driver: str
    environment: dict[str, str] = {}  # noqa: RUF012  (nobody changes it)
    is_there: object = None


POCL = {"POCL_DEVICES": "pthread", "POCL_MAX_PTHREAD_COUNT": "2"}
SWIFT = {"VK_ICD_FILENAMES": str(SWIFTSHADER), "VK_DRIVER_FILES": str(SWIFTSHADER)}
DEVICES = {
    "sim": Facts("sim", "simulated scheduler"),
    "cpu": Facts("cpu", "std::jthread"),
    "opencl": Facts("opencl:PoCL", "PoCL", POCL, opencl_context),
    "vulkan": Facts("vulkan", "SwiftShader", SWIFT, webgpu_device),
    "vulkan-glsl": Facts("vulkan-glsl", "SwiftShader", SWIFT, webgpu_device),
    "webgpu": Facts("webgpu:SwiftShader", "SwiftShader", SWIFT, webgpu_device),
    "browser": Facts("browser:swiftshader", "swiftshader", {}, chromium),
}
#: Devices of this list are tested with the quick tests. The others take longer to start.
QUICK = ("sim",)
#: Devices that are tested elsewhere: for a command, `tests/campaigns` has fakes; for the others, `test_by_driver.py`
#: and `test_amber.py`.
TESTED_ELSEWHERE = {"amber", "command", "cuda", "hip"}


@pytest.fixture(
    scope="module",
    params=[pytest.param(kind, marks=[] if kind in QUICK else [pytest.mark.full]) for kind in DEVICES],
)
def subject(request, tmp_path_factory):
    """A device with two tests that have been built, under a mapping with many instances."""
    facts = DEVICES[request.param]
    if facts.is_there is not None:
        facts.is_there()
    with pytest.MonkeyPatch.context() as patch:
        for name, value in facts.environment.items():
            patch.setenv(name, value)
        device = load_device(facts.name)
        folder = tmp_path_factory.mktemp(request.param)
        build = device.build([a_test(ENDS), a_test(SPINS_FOR_EVER)], Choices("chunked", 5), folder)
        yield SimpleNamespace(kind=request.param, facts=facts, device=device, build=build, folder=folder)


def attempted(subject, test, launches=1, timeout=PATIENCE_S, build=None):
    """What comes of an attempt in a program of its own. Nothing of it may be left."""
    mark = f"conformance-{os.getpid()};"
    before = set(zombies())  # those of other tests
    with Session(build or subject.build) as session:
        found = session.attempt(Request(test, launches, timeout), mark)
    assert not marked_processes(mark)
    assert set(zombies()) <= before
    assert found.is_gone
    return found


def test_all_devices_are_tested_here_or_elsewhere():
    assert set(DEVICES) | TESTED_ELSEWHERE | set(ELSEWHERE) >= set(KINDS)


def test_nothing_is_missing_and_the_device_says_what_it_is(subject):
    assert subject.device.missing() == ""
    line = answer_of(load_device(subject.facts.name), subject.folder / "asked")
    assert subject.facts.driver in line["driver"]
    assert line["order"] in {"seq_cst", "seq_cst system", "seq_cst device", "acq_rel device", "relaxed device"}
    assert not [text for text in line["device"].values() if os.uname().nodename in text.split()]


def test_launches_that_end_are_told_as_ended_with_their_seconds(subject):
    found = attempted(subject, ENDS, launches=3)
    assert [launch.end for launch in found.launches] == ["ended"] * 3
    assert all(launch.seconds > 0 for launch in found.launches)
    assert (found.problem, found.is_clean, found.canary) == ("", True, None)
    assert (found.line["instances"], found.line["mapping"], found.line["threads"]) == (5, "chunked", 2)
    assert found.line["target"] == subject.device.target == subject.build.target


@pytest.mark.full
def test_a_launch_that_can_never_end_is_given_up_and_the_device_works_afterwards(subject):
    found = attempted(subject, SPINS_FOR_EVER, launches=3, timeout=1)
    (launch,) = found.launches
    assert (launch.end, found.problem) == ("given up", "")
    assert not subject.device.shows_flags or subject.device.decides or 0 < launch.quiet_s <= launch.seconds
    assert sum(launch.finished.values()) == (5 if subject.device.shows_flags else 0)
    assert not any(threads[0] == "1" for threads in launch.finished)  # thread 0 can't finish
    if not subject.device.decides:
        assert found.canary["result"] == "terminated"
    assert attempted(subject, ENDS).is_clean


@pytest.mark.full
def test_the_device_always_says_the_same_of_itself(subject):
    found = [attempted(subject, ENDS), attempted(subject, SPINS_FOR_EVER, timeout=1), attempted(subject, ENDS)]
    assert len({attempt.driver for attempt in found}) == 1
    assert len({tuple(attempt.line["device"].items()) for attempt in found}) == 1
    assert subject.facts.driver in found[0].driver


def test_the_same_tests_and_choices_are_the_same_build_and_others_another(subject):
    def built(name, choices):
        tests = [a_test(SPINS_FOR_EVER), a_test(ENDS)]
        folder = subject.folder / name
        folder.mkdir()
        return subject.device.build(tests, choices, folder)

    assert re.fullmatch("[0-9a-f]{64}", subject.build.digest)
    assert built("again", Choices("chunked", 5)).digest == subject.build.digest
    if subject.kind in QUICK:  # compiling takes long
        assert built("other", Choices("chunked", 4)).digest != subject.build.digest


def test_a_folder_may_be_named_from_the_one_in_which_the_process_is(subject, monkeypatch):
    monkeypatch.chdir(subject.folder)
    (subject.folder / "relative").mkdir()
    tests = [a_test(ENDS)]
    build = load_device(subject.facts.name).build(tests, Choices("chunked", 5), Path("relative"))
    assert attempted(subject, ENDS, build=build).is_clean


def test_a_test_that_the_program_does_not_have_is_refused(subject):
    (program, *_) = subject.build.programs.values()
    found = attempted(subject, "0111", build=replace(subject.build, programs={"0111": program}))
    (launch,) = found.launches
    assert launch.end in {"failed", "crashed"}
    assert "0111" in launch.reason


def test_a_device_that_is_not_there_is_refused_in_one_line(subject, tmp_path):
    with pytest.raises((InputError, ResourceError), match="no such") as caught:
        answer_of(load_device(f"{subject.kind}:no such"), tmp_path / "asked")
    assert "\n" not in str(caught.value)
