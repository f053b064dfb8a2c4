"""Test Ctrl-C during long work: the command ends at once, with exit code 130 and one line."""

import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from long_work import LARGE, counting
from processes import (
    PATIENCE_S,
    SOON_S,
    allow,
    in_session,
    interrupted_after,
    processes_of,
    processor_seconds,
    wait_for,
)
from synth_search.suites.cover import smallest_cover

#: Seconds of a processor until a command is in the middle of its work.
AT_WORK_S = 0.7
full = pytest.mark.full
COMMANDS = {
    "check": ["check", LARGE],
    "check --certify": ["check", counting(7, 4), "--certify"],
    "explain": ["explain", counting(6, 5), "--model", "fair.strong"],
    "show": ["show", LARGE],
    "lts": ["lts", counting(6, 5)],
    "shrink": ["shrink", counting(6, 5)],
    "sim run": ["sim", "run", "0011-00_0", "--instances", "1", "--launches", "1000000000"],
}


def stopped_by(number, words):
    """What becomes of a command after a signal in the middle of its work: exit code and standard error.

    The system kills one that goes on with its work.
    """
    command = [Path(sys.executable).with_name("synth"), *words]
    with in_session(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        assert wait_for(lambda: processor_seconds(process.pid) > AT_WORK_S)
        assert process.poll() is None
        allow(process.pid, SOON_S)
        process.send_signal(number)
        _, told = process.communicate(timeout=2 * PATIENCE_S)
        assert not processes_of(process.pid)
        return process.returncode, told


@pytest.mark.full
@pytest.mark.parametrize(
    "command", [name if name in {"check", "shrink", "sim run"} else pytest.param(name, marks=full) for name in COMMANDS]
)
def test_ctrl_c_ends_a_command_at_once(command):
    code, told = stopped_by(signal.SIGINT, COMMANDS[command])
    assert code == 130
    assert told.splitlines()[-1] == "synth: interrupted"


@pytest.mark.full
def test_sigterm_ends_a_command_at_once():
    """By the signal itself, which a shell calls 143."""
    code, told = stopped_by(signal.SIGTERM, COMMANDS["check"])
    assert code == -signal.SIGTERM
    assert "interrupted" not in told


@pytest.mark.full
def test_ctrl_c_ends_a_solver_at_once():
    """While it works on a cover: in the main thread PySAT does not hear it until the solver has ended."""
    draw = random.Random(3)
    reaches = [sum(1 << goal for goal in draw.sample(range(120), 3)) for _ in range(400)]
    with interrupted_after(AT_WORK_S):
        smallest_cover(reaches, [1] * len(reaches))
