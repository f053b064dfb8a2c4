"""The device `amber`, with a program that talks as Amber does."""

import os

import pytest

from emitted import SPINS_FOR_EVER, a_test
from synth_backends.target import Choices
from synth_checker.child import marked_processes
from synth_checker.errors import InputError, ResourceError
from synth_devices.attempt import Session
from synth_devices.catalogue import load_device
from synth_devices.device import Request
from synth_devices.device_list import list_devices
from synth_devices.identification import answer_of

ENDS = "0011-0011"
#: It hangs at scripts that have a loop which is never left.
STAND_IN = """#!/bin/sh
for script; do :; done
printf 'deviceName: made here\\napiVersion: 1.1.2\\ndriverVersion: 3\\n'
echo '4: ComputeCommand'
[ -f "$script" ] && grep -q '^# id {spins}' "$script" && sleep 60
echo '5: CompareBufferCommand'
"""


@pytest.fixture
def amber(tmp_path, monkeypatch):
    program = tmp_path / "my amber"
    program.write_text(STAND_IN.format(spins=SPINS_FOR_EVER), "utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("AMBER", f"'{program}' --option")
    return load_device("amber")


@pytest.mark.full
def test_launches_of_amber_end_or_are_given_up_and_nothing_is_left(amber, tmp_path):
    build = amber.build([a_test(ENDS), a_test(SPINS_FOR_EVER)], Choices("plain", 1), tmp_path / "build")
    mark = f"amber-{os.getpid()};"
    with Session(build) as session:
        ended = session.attempt(Request(ENDS, 2, 60), mark)
        hung = session.attempt(Request(SPINS_FOR_EVER, 2, 1), mark)
    assert not marked_processes(mark)
    assert [launch.end for launch in ended.launches] == ["ended", "ended"]
    assert [(launch.end, launch.quiet_s) for launch in hung.launches] == [("given up", None)]
    assert hung.launches[0].seconds > 0
    assert hung.canary["result"] == "terminated"
    assert ended.driver == hung.driver == "made here, Vulkan 1.1.2, driver 3"
    assert (ended.line["target"], ended.line["order"]) == ("amber", "acq_rel device")


def test_without_amber_one_line_says_how_to_get_it(monkeypatch, tmp_path):
    monkeypatch.setenv("AMBER", "no-amber")
    with pytest.raises(ResourceError, match=r"no-amber not found: build https://github.com/google/amber, or set AMBER"):
        answer_of(load_device("amber"), tmp_path)


#: It has two devices, and says what it is by the number after -D. As Amber does, it refuses another number.
TWO_DEVICES = """#!/bin/sh
while [ "$1" != -D ]; do shift; done
case $2 in
0) echo 'deviceName: Big GPU';;
1) echo 'deviceName: Small GPU';;
*) echo "there is no device $2"; exit 1;;
esac
printf 'apiVersion: 1.1.2\\ndriverVersion: 3\\n4: ComputeCommand\\n5: CompareBufferCommand\\n'
"""


def number_of(name, folder):
    build = load_device(name).build([a_test(ENDS)], Choices("plain", 1), folder)
    return build.programs[ENDS][-1]


@pytest.mark.full
def test_amber_is_pinned_by_what_a_device_says_and_refused_if_several_fit(tmp_path, monkeypatch):
    program = tmp_path / "two"
    program.write_text(TWO_DEVICES, "utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("AMBER", str(program))
    both = "Big GPU, Vulkan 1.1.2, driver 3; Small GPU, Vulkan 1.1.2, driver 3"
    assert number_of("amber:small", tmp_path) == "1"
    assert answer_of(load_device("amber:Big"), tmp_path / "asked")["driver"] == both.partition(";")[0]
    with pytest.raises(InputError) as several:
        number_of("amber", tmp_path)
    assert str(several.value).startswith(f"device amber: found 2 that fit: {both}; expected one: write amber:TEXT")
    with pytest.raises(ResourceError) as none:
        number_of("amber:llvmpipe", tmp_path)
    assert str(none.value) == f"device amber:llvmpipe: found {both}, expected 'llvmpipe' in one of these lines"
    names = [device.device for device in list_devices(["amber"], lambda *_: None)]
    assert names == ["amber:Big GPU", "amber:Small GPU"]


def test_an_amber_that_answers_for_every_number_has_one_device(amber, tmp_path):
    """`amber` is such a one: it does not look at the number."""
    assert [member.number for member in amber.members(tmp_path)] == [0]
