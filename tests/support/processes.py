"""Look at processes as the system sees them, for tests that no process is left behind. Linux only."""

import contextlib
import ctypes
import faulthandler
import fcntl
import math
import os
import pty
import resource
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
#: Seconds of a processor in which what is told to stop has stopped. Work that does not listen takes more.
SOON_S = 4


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
def ending(seconds=2 * PATIENCE_S):
    """End the process of the tests, and show where it was, if it is still in this context after so many seconds.

    For what would otherwise wait for as good as ever, in whatever thread or language.
    """
    faulthandler.dump_traceback_later(seconds, exit=True, file=sys.__stderr__)
    try:
        yield
    finally:
        faulthandler.cancel_dump_traceback_later()


def allow(pid, seconds):
    """Let the system kill a process when it has used so many more seconds of a processor; return the limits before.

    They pass more slowly where others are at work, too.
    """
    allowed = math.ceil(processor_seconds(pid) + seconds)
    return resource.prlimit(pid, resource.RLIMIT_CPU, (allowed, resource.RLIM_INFINITY))


def processor_seconds(pid):
    user, system = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


@contextlib.contextmanager
def interrupted_after(seconds):
    """Expect that the work in this context, which would take minutes, ends by an interrupt after so many seconds."""

    def interrupt(_number, _frame):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    limits = allow(os.getpid(), seconds + SOON_S)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    except KeyboardInterrupt:
        pass
    else:
        raise AssertionError
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        resource.prlimit(os.getpid(), resource.RLIMIT_CPU, limits)


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
