"""Look at processes as the system sees them, for tests that no process is left behind. Linux only."""

import contextlib
import ctypes
import fcntl
import os
import pty
import signal
import subprocess
import sys
import termios
import time
from pathlib import Path

from synth import cli

#: The command line, for a process of its own.
SYNTH = Path(sys.executable).with_name("synth")
PATIENCE_S = 30  # for what must happen, however busy the machine


@contextlib.contextmanager
def in_session(command, **options):
    """Start a command as the leader of a session of its own, and kill what is left of the session at the end."""
    process = subprocess.Popen(command, start_new_session=True, text=True, **options)
    try:
        with process:
            try:
                yield process
            finally:
                kill_session(process.pid)
    finally:
        process.poll()


@contextlib.contextmanager
def in_terminal(command, **options):
    """Start a command in a terminal of its own; return the process and the user's end of the terminal.

    Closing that end closes the terminal: the system then sends SIGHUP to the command.
    """
    user, terminal = pty.openpty()
    termios.tcsetwinsize(terminal, (30, 100))

    def own_terminal():
        fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)

    files = {"stdin": terminal, "stdout": terminal, "stderr": terminal, **options}
    with os.fdopen(user, "rb", buffering=0) as screen, in_session(command, preexec_fn=own_terminal, **files) as process:
        os.close(terminal)
        yield process, screen


def processes_of(session):
    """Return the processes of a session that are not dead; a zombie counts as dead."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # gone meanwhile
            state, _parent, _group, of_session = stat.read_text().rpartition(")")[2].split()[:4]
            if int(of_session) == session and state not in "ZX":
                found.append(int(stat.parent.name))
    return found


def kill_session(session):
    """Kill all processes of a session that are left."""
    for pid in processes_of(session):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def wait_for(condition, seconds=PATIENCE_S):
    """Return whether a condition comes true within some seconds."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


@contextlib.contextmanager
def interrupted_after(seconds):
    """Expect that the work in this context takes longer than that, and ends by an interrupt within a second."""

    def interrupt(_number, _frame):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    start = time.process_time()
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    except KeyboardInterrupt:
        assert time.process_time() - start < seconds + 1
    else:
        raise AssertionError
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextlib.contextmanager
def running(words, folder):
    """Run the command line in a fork of this process, which leads a session of its own."""
    sys.stdout.flush()
    parent = os.fork()
    if not parent:
        code = 99  # if it does not even begin
        try:
            os.setsid()
            os.chdir(folder)
            with Path(os.devnull).open("w") as nowhere:
                sys.stdout = sys.stderr = nowhere
                cli.main(words)
        except SystemExit as left:
            code = left.code
        finally:
            os._exit(code)
    try:
        yield parent
    finally:
        kill_session(parent)


def end_of(parent):
    """Return the exit code of the command, or a negative number if a signal has ended it."""
    ended = []

    def has_ended():
        pid, status = os.waitpid(parent, os.WNOHANG)
        ended.extend([os.waitstatus_to_exitcode(status)] if pid else [])
        return pid

    assert wait_for(has_ended)
    return ended[0]


CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH, PR_CAPBSET_DROP = 1, 2, 24  # of <linux/capability.h> and <linux/prctl.h>


def without_power():
    """Give up the power of root to ignore permissions, for a process that is about to start."""
    for power in (CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH):
        ctypes.CDLL(None).prctl(PR_CAPBSET_DROP, power, 0, 0, 0)


def zombies():
    """Processes that have ended, and for which this one has not waited."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, parent, *_ = stat.read_text().rpartition(")")[2].split()
        except OSError:  # gone meanwhile
            continue
        found += [stat.parent.name] if state == "Z" and int(parent) == os.getpid() else []
    return found
