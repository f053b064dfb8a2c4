"""Test Ctrl-C during long work: the command ends within a second, with exit code 130 and one line."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from long_work import LARGE, counting
from processes import in_session, processes_of, wait_for
from synth.suites.covering import smallest_cover

#: Seconds of a processor until a command is in the middle of its work, and until it has ended, on a busy machine.
AT_WORK_S, SOON_S = 0.7, 3.0
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


def processor_seconds(pid):
    user, system = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def stopped_by(number, words):
    """What becomes of a command after a signal in the middle of its work: exit code, standard error, seconds."""
    command = [Path(sys.executable).with_name("synth"), *words]
    with in_session(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        assert wait_for(lambda: processor_seconds(process.pid) > AT_WORK_S)
        assert process.poll() is None
        process.send_signal(number)
        sent = time.monotonic()
        _, told = process.communicate()
        assert not processes_of(process.pid)
        return process.returncode, told, time.monotonic() - sent


@pytest.mark.parametrize(
    "command", [name if name in {"check", "shrink", "sim run"} else pytest.param(name, marks=full) for name in COMMANDS]
)
def test_ctrl_c_ends_a_command_at_once(command):
    code, told, seconds = stopped_by(signal.SIGINT, COMMANDS[command])
    assert code == 130
    assert told.splitlines()[-1] == "synth: interrupted"
    assert seconds < SOON_S


def test_sigterm_ends_a_command_at_once():
    """By the signal itself, which a shell calls 143."""
    code, told, seconds = stopped_by(signal.SIGTERM, COMMANDS["check"])
    assert code == -signal.SIGTERM
    assert "interrupted" not in told
    assert seconds < SOON_S


def test_ctrl_c_ends_a_solver_at_once():
    """While it works on a cover: in the main thread PySAT does not hear it until the solver has ended."""
    draw = random.Random(3)
    reaches = [sum(1 << goal for goal in draw.sample(range(120), 3)) for _ in range(400)]

    def press(*_):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, press)
    try:
        signal.setitimer(signal.ITIMER_REAL, AT_WORK_S)
        begun = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            smallest_cover(reaches, [1] * len(reaches))
        assert time.monotonic() - begun < AT_WORK_S + SOON_S
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
