"""Start a process, such as a device or a solver, read a limited output from it, and kill it with all its children.

    with Child(command, environment) as child:
        child.ask(request)          # only if the process takes requests on standard input
        line = child.line(60.0)     # the next line of its standard output

The process may hang, crash, print without end, or leave further processes behind. So it gets a process group of its
own, and we kill the whole group. We do not wait for the end of a pipe, because some process that is left may keep the
pipe open.

On Linux, two more things hold. The system kills the process when this one ends, for whatever reason. And we find each
process that the process has started, even outside the group, by its *mark*: the value of a variable in its environment.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import selectors
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Protocol, Self, cast

from synth_checker.errors import ResourceError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

#: The name of the variable with the mark.
MARK = "SYNTH_ATTEMPT"
#: The most bytes that a process may write to standard output, from its start or from the last request on. After that
#: we stop reading.
MOST_OUTPUT = 1 << 20
#: How many bytes of standard error we keep.
KEPT = 4096
#: How many seconds a killed process has to go away.
PATIENCE_S = 5.0
_LOOK_S, _LOOK_LONGEST_S = 0.01, 0.2
_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36
_IS_LINUX = sys.platform == "linux"
_libc = ctypes.CDLL(None) if _IS_LINUX else None


#: Children that a signal did not kill. We keep them here, so that Python does not forget that they are ours.
_STUCK: list[Child] = []


class LineTimeoutError(Exception):
    """No line came in time."""


class InterruptError(Exception):
    """Somebody asked us to stop while we waited for a line."""


class OutputLimitError(Exception):
    """The process wrote more to standard output than `MOST_OUTPUT`."""


class Interrupt(Protocol):
    """Says when a wait for a process must end, although the process has said nothing yet."""

    def must_stop(self) -> bool:
        """Return whether the wait must end now. It is called several times a second."""
        ...

    def fileno(self) -> int:
        """Return the number of an open file, which becomes readable when the wait must end at once."""
        ...


@dataclass(frozen=True, slots=True)
class ExitStatus:
    """How a process ended: its exit code, or the number of the signal that ended it. Both are None while it runs."""

    code: int | None = None
    signal: int | None = None

    def __str__(self) -> str:
        """Return the end in words."""
        if self.signal is not None:
            return f"signal {self.signal}"
        return "no end" if self.code is None else f"exit code {self.code}"


class Child:
    """A running process with its process group. `mark` is the value of the variable `SYNTH_ATTEMPT`.

    As a context manager it kills the group at the end.

    Raises:
        ResourceError: starting the process failed.
    """

    def __init__(
        self, command: Sequence[str], environment: Mapping[str, str], mark: str, folder: Path | None = None
    ) -> None:
        adopt_orphans()
        parent = os.getpid()
        try:
            self._process = subprocess.Popen(  # noqa: S603  (what a device is started with)
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=folder,
                env={**environment, MARK: mark},
                start_new_session=True,
                preexec_fn=(lambda: _end_with_parent(parent)) if _IS_LINUX else None,  # noqa: PLW1509  (takes no lock)
            )
        except OSError as error:
            raise ResourceError(f"{command[0]}: {error.strerror}") from error
        self._stdin, self._stdout, self._stderr = self._pipes()
        self.mark = mark
        self.interrupt: Interrupt | None = None
        self.status = ExitStatus()
        self.said = b""
        self._unread = b""
        self._total = 0
        self._selector = selectors.DefaultSelector()
        for pipe in (self._stdout, self._stderr):
            os.set_blocking(pipe.fileno(), False)
            self._selector.register(pipe, selectors.EVENT_READ)

    @property
    def pid(self) -> int:
        """The number of the process, and of its group."""
        return self._process.pid

    def ask(self, request: str) -> None:
        """Write a request, which is one line, to the standard input of the process."""
        self._total = 0
        with contextlib.suppress(OSError):  # the process has ended, which the next reading of a line tells
            self._stdin.write(request.encode() + b"\n")
            self._stdin.flush()

    def ask_nothing_more(self) -> None:
        """Close the standard input of the process."""
        with contextlib.suppress(OSError):
            self._stdin.close()

    def line(self, seconds: float) -> str | None:
        """Return the next line of standard output, or None if the process has ended or closed its output.

        The last line need not have a line end.

        Raises:
            InterruptError: `interrupt` says that the wait must end.
            LateError: no line came in so many seconds.
            TooMuchError: the process wrote more than `MOST_OUTPUT` bytes.
        """
        end = time.monotonic() + seconds
        while b"\n" not in self._unread:
            remaining_s = end - time.monotonic()
            is_open = self._is_open()
            ready = self._wait(max(0.0, min(remaining_s, _LOOK_LONGEST_S))) if is_open else []
            for pipe in ready:
                self._read(pipe)
            if not is_open or (not ready and self._has_ended()):
                last, self._unread = self._unread, b""
                return last.decode("utf-8", "replace") if last else None
            if remaining_s <= 0 and not ready:
                raise LineTimeoutError
        line, _, self._unread = self._unread.partition(b"\n")
        return line.decode("utf-8", "replace")

    def end(self, seconds: float) -> None:
        """Wait at most so many seconds for the end of the process, read what it still says, and note how it ended."""
        end = time.monotonic() + seconds
        with contextlib.suppress(LineTimeoutError, OutputLimitError):
            while self.line(max(0.0, end - time.monotonic())) is not None:
                pass
        while not self._has_ended() and time.monotonic() < end:
            time.sleep(_LOOK_S)
        self._reap()

    def kill(self) -> bool:
        """Kill the group, and processes that have left it. Return whether all are gone within `PATIENCE_S` seconds.

        This sends the signal more than once, because a process may fork while the first signal is on its way.
        """
        end = time.monotonic() + PATIENCE_S
        others: set[int] = set()
        while not (is_gone := self._is_gone() and not others) and time.monotonic() < end:
            marked = marked_processes(self.mark)
            others |= {*marked} - {self.pid}
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, signal.SIGKILL)
            _kill_each(marked)
            time.sleep(_LOOK_S)
            others = {pid for pid in others if not _is_process_gone(pid)}
        if not is_gone:
            _STUCK.append(self)
        self._selector.close()
        for pipe in (self._stdin, self._stdout, self._stderr):
            with contextlib.suppress(OSError):
                pipe.close()
        return is_gone

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    def _pipes(self) -> tuple[IO[bytes], IO[bytes], IO[bytes]]:
        process = self._process
        return cast("tuple[IO[bytes], IO[bytes], IO[bytes]]", (process.stdin, process.stdout, process.stderr))

    def _wait(self, seconds: float) -> list[IO[bytes]]:
        """Wait until there is something to read, and return the pipes that have it."""
        with contextlib.ExitStack() as stack:
            if self.interrupt is not None:
                self._selector.register(self.interrupt, selectors.EVENT_READ)
                stack.callback(self._selector.unregister, self.interrupt)
            ready = [key.fileobj for key, _ in self._selector.select(seconds)]
        if self.interrupt is not None and (self.interrupt in ready or self.interrupt.must_stop()):
            raise InterruptError
        return cast("list[IO[bytes]]", ready)

    def _is_open(self) -> bool:
        return any(key.fileobj is self._stdout for key in self._selector.get_map().values())

    def _read(self, pipe: IO[bytes]) -> None:
        data = os.read(pipe.fileno(), 1 << 16)
        if not data:
            self._selector.unregister(pipe)
        elif pipe is self._stderr:
            self.said += data[: KEPT - len(self.said)]
        else:
            self._total += len(data)
            if self._total > MOST_OUTPUT:
                raise OutputLimitError
            self._unread += data

    def _has_ended(self) -> bool:
        """Whether the process has ended."""
        self._reap()
        return self._process.returncode is not None

    def _reap(self) -> None:
        """Take the exit status of each process of the group that has ended, and of each orphan of it."""
        code = self._process.poll()
        if code is not None:
            self.status = ExitStatus(signal=-code) if code < 0 else ExitStatus(code=code)
        with contextlib.suppress(ChildProcessError):
            while code is not None and os.waitpid(-self.pid, os.WNOHANG)[0]:
                pass

    def _is_gone(self) -> bool:
        self._reap()
        try:
            os.killpg(self.pid, 0)
        except ProcessLookupError:
            return not marked_processes(self.mark)
        except PermissionError:  # on a Mac, if all processes of the group have ended
            return True
        return False


@contextlib.contextmanager
def marking(mark: str) -> Iterator[None]:
    """Give a mark to all processes that this process starts meanwhile and that get no other, such as compilers."""
    before = os.environ.get(MARK)
    os.environ[MARK] = mark
    try:
        yield
    finally:
        os.environ.pop(MARK)
        if before is not None:
            os.environ[MARK] = before


def adopt_orphans() -> None:
    """On Linux, make this process the parent of all orphans among its descendants, so that it can reap them."""
    if _libc is not None:
        _libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def kill_marked(mark: str) -> None:
    """Kill all processes whose mark begins with `mark`, and reap those that are children of this process.

    This works on Linux only. On other systems it does nothing.
    """
    _kill_each(marked_processes(mark))


def _kill_each(pids: list[int]) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            os.waitpid(pid, os.WNOHANG)


def _is_process_gone(pid: int) -> bool:
    """Whether a process is gone, which is reaped if it is ours: that it becomes when its parent has ended."""
    with contextlib.suppress(ChildProcessError):
        os.waitpid(pid, os.WNOHANG)
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        pass
    return False


def marked_processes(mark: str) -> list[int]:
    """Return the ids of all running processes whose mark begins with `mark`. On systems other than Linux: none."""
    if not _IS_LINUX:
        return []
    wanted = f"{MARK}={mark}".encode()
    children = []
    for name in os.listdir("/proc"):  # noqa: PTH208  (paths take nearly twice as long, at each kill)
        if name.isdigit() and int(name) != os.getpid():
            with contextlib.suppress(OSError), open(f"/proc/{name}/environ", "rb") as file:  # noqa: PTH123
                text = file.read()
                if wanted in text and any(variable.startswith(wanted) for variable in text.split(b"\0")):
                    children.append(int(name))
    return children


def _end_with_parent(parent: int) -> None:
    """Ask Linux to kill this process if its parent ends. The parent may have ended before that."""
    if _libc is not None:
        _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os.kill(os.getpid(), signal.SIGKILL)
