"""A program that renews: after a launch that hung, it starts anew what launched it, and launches the canary there."""

import json
import os
import sys

import pytest

import fake_device
from quick import mostly_full
from synth_devices.attempt import Session
from synth_devices.device import Build, Request

#: Other processes of the tests must have another one: whoever ends kills all that have its mark.
MARK = f"renewing {os.getpid()};"
HUNG = fake_device.line("0011", "hung", 1, quiet_s=0.5)
ENDED = fake_device.line("0011", "terminated", 1)
FAILED = fake_device.line("0011", "failed", 1, reason="broken")


def canary(line):
    return line | {"canary": True}


#: Prints what the next element of a list says for each request, and ends after it if the element is the last one.
SCRIPT = "import sys; [(sys.stdin.readline(), print(said, flush=True)) for said in {!r}]"


@pytest.fixture
def attempts(tmp_path):
    def run(*answers, number):
        said = ["\n".join(json.dumps(line) for line in answer) for answer in answers]
        build = Build(
            "web", {"0011": (sys.executable, "-c", SCRIPT.format(said))}, "", tmp_path, serves=True, renews=True
        )
        with Session(build, 30) as session:
            return [session.attempt(Request("0011", 1, 1), MARK) for _ in range(number)]

    return run


def test_after_the_canary_has_ended_the_program_serves_on_and_what_it_started_anew_counts_as_a_process(attempts):
    found = attempts([ENDED], [HUNG, canary(ENDED)], [ENDED], [ENDED], number=4)
    assert [attempted.launches[0].end for attempted in found] == ["ended", "given up", "ended", "ended"]
    assert [attempted.canary is not None for attempted in found] == [False, True, False, False]
    assert [attempted.is_first for attempted in found] == [True, False, True, False]
    assert len({attempted.pid for attempted in found}) == 1


@mostly_full("last", [[HUNG, canary(HUNG)], [HUNG], [FAILED]])
def test_otherwise_the_next_attempt_starts_another_program(attempts, last):
    found = attempts(last, number=2)
    assert [attempted.is_first for attempted in found] == [True, True]
    assert len({attempted.pid for attempted in found}) == 2
    assert [attempted.problem for attempted in found] == ["", ""]


def test_what_ends_after_it_was_started_anew_was_not_ready(attempts):
    found = attempts([HUNG, canary(ENDED)], number=2)
    assert [attempted.launches[0].end for attempted in found] == ["given up", "failed"]
