"""Open files that somebody named, and wait for no pipe into which nobody writes.

    mkfifo tests.txt; synth check tests.txt         refused after a second
    synth check <(generate)                         read until `generate` ends

The system would wait for the first process that opens the other end of a named pipe, without end if there is none. Here
such a process has a second, so that both may be started at once. Once somebody has opened that end, reading waits for
what they write, as with standard input.
"""

from __future__ import annotations

import errno
import os
import select
import stat
import time
from pathlib import Path
from typing import BinaryIO

#: For how many seconds a named pipe is waited for into which nobody writes.
PATIENCE_S = 1.0
_LOOK_S = 0.01


def open_for_reading(path: Path) -> BinaryIO:
    """Return a file that is open for reading.

    Raises:
        OSError: it cannot be opened, is a folder, or is a pipe into which nobody writes.
    """
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    try:
        is_pipe = stat.S_ISFIFO(os.fstat(handle).st_mode)
        if is_pipe and Path(os.path.realpath(path)).exists():  # the pipe of <(...) has no name
            _wait_for_writer(path, handle)
        os.set_blocking(handle, True)
        return os.fdopen(handle, "rb")
    except BaseException:
        os.close(handle)
        raise


def _wait_for_writer(path: Path, handle: int) -> None:
    """Wait until somebody has opened the other end of a pipe that has a name.

    The system says only of a pipe that once had a writer that it has none now. So this process is one for a moment.
    """
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_NONBLOCK))
    except OSError:  # without the right to write, nothing is known
        return
    poll = select.poll()
    poll.register(handle, select.POLLIN)
    until = time.monotonic() + PATIENCE_S
    while any(events & select.POLLHUP and not events & select.POLLIN for _, events in poll.poll(0)):
        if time.monotonic() > until:
            raise OSError(errno.ENXIO, "nobody writes into this pipe", str(path))
        time.sleep(_LOOK_S)
