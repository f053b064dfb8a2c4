"""Processes as the system sees them, for tests that no process is left behind. Linux only."""

import contextlib
import os
import signal
import subprocess
import time
from pathlib import Path

PATIENCE_S = 30  # for what must happen, however busy the machine


@contextlib.contextmanager
def in_session(command, **options):
    """Start a command as the leader of a session of its own; whatever is left of that at the end is killed."""
    process = subprocess.Popen(command, start_new_session=True, text=True, **options)
    try:
        with process:
            try:
                yield process
            finally:
                for pid in processes_of(process.pid):
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(pid, signal.SIGKILL)
    finally:
        process.poll()


def processes_of(session):
    """The processes of a session that are not yet dead; a zombie is."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # gone meanwhile
            state, _parent, _group, of_session = stat.read_text().rpartition(")")[2].split()[:4]
            if int(of_session) == session and state not in "ZX":
                found.append(int(stat.parent.name))
    return found


def wait_for(condition, seconds=PATIENCE_S):
    """Whether a condition comes true within a time."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True
