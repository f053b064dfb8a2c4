"""Decide when a run stops before its work is done: at an interrupt, a time limit, a memory limit or a fault.

A signal is only noted. The run looks at `reason` between two steps of its work, so no step is cut in the middle. While
a run waits, it waits for the `Stop` object too, which becomes readable as a file when a signal arrives.

A signal that the process ignored from its start stays ignored. `nohup` uses this to keep a command alive when its
terminal closes, and a shell uses it to keep Ctrl-C from a command in the background.
"""

from __future__ import annotations

import contextlib
import enum
import os
import re
import select
import signal
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Self

from synth_checker.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from types import FrameType

    from synth_checker.errors import ResourceError

_MEMORY_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
_TIME_UNITS = {"s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
#: Seconds between two measurements of memory, and between two looks for the file that asks a run to stop.
_LOOK_S = 0.25


class Reason(enum.Enum):
    """A reason why a run stopped: a few words for messages, and the exit code of the command."""

    INTERRUPT = ("interrupted", 130)
    TERMINATION = ("terminated", 143)
    HANGUP = ("hung up", 129)
    TIME = ("time limit reached", 75)
    MEMORY = ("memory limit reached", 75)
    ASKED = ("asked to stop", 75)
    FAULT = ("a resource failed", 3)

    def __init__(self, words: str, exit_code: int) -> None:
        self.words = words
        self.exit_code = exit_code


_SIGNALS = {signal.SIGINT: Reason.INTERRUPT, signal.SIGTERM: Reason.TERMINATION}
if hasattr(signal, "SIGHUP"):  # a closed terminal; not every system has it
    _SIGNALS[signal.SIGHUP] = Reason.HANGUP


class Stop:
    """A context manager that watches for reasons to stop a run.

        made                 signals act as usual, and the time limit does not run
          |  with stop:
          v
        watching             `reason` is None; signals are noted; `look` checks time, memory and the file `asked`
          |  a signal, `look` or `note_fault`
          v
        stopping             `reason` is the first reason found, and stays; workers end their step and begin no other
          |  the end of `with`, which may also follow on "watching", when all work is done
          v
        left                 signals act as they did before; `reason`, `fault` and `exit_code` keep their values

    `time_limit` is in seconds from the start of the context. `memory` is the most bytes of resident memory that a
    process may use. A file that appears at the path `asked` is a request to stop. `look` calls `on_look` each time.
    With `signals=False`, the context does not touch signals.
    """

    def __init__(
        self,
        time_limit: float | None = None,
        memory: int | None = None,
        asked: Path | None = None,
        *,
        signals: bool = True,
    ) -> None:
        self.reason: Reason | None = None
        self.fault: ResourceError | None = None
        self.on_look: Callable[[], None] | None = None
        self._time_limit = time_limit
        self._memory = memory
        self._asked = asked
        self._signals = signals
        self._deadline: float | None = None
        self._before: dict[signal.Signals, Callable[[int, FrameType | None], object] | int | None] = {}
        self._read, self._write = -1, -1

    def exit_code(self, *, complete: bool) -> int | None:
        """Return the exit code that tells why the run stopped, or None if there is none to tell.

        The result is None if nothing stopped the run, or if the run hit a limit but had done all its work by then.
        After a signal, the result is always the exit code for that signal, even if all work was done.
        """
        if self.reason is None or (complete and self.reason in {Reason.TIME, Reason.MEMORY, Reason.ASKED}):
            return None
        return self.reason.exit_code

    def __enter__(self) -> Self:
        self._read, self._write = os.pipe()
        if self._time_limit is not None:
            self._deadline = time.monotonic() + self._time_limit
        if self._signals and threading.current_thread() is threading.main_thread():  # no other thread may set handlers
            for number in _SIGNALS:
                if not is_ignored(number):
                    self._before[number] = signal.signal(number, self._note)
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)
        os.close(self._read)
        os.close(self._write)

    def fileno(self) -> int:
        """Return a file descriptor that becomes readable when a signal arrives."""
        return self._read

    def look(self, pids: Iterable[int] = ()) -> Reason | None:
        """Return the reason to stop, or None if there is none now.

        If there is a limit of memory, this measures the memory of the present process and of the processes `pids`.
        """
        if self.on_look is not None:
            self.on_look()
        if self.reason is None and self._deadline is not None and time.monotonic() >= self._deadline:
            self.reason = Reason.TIME
        if self.reason is None and self._memory is not None:
            largest = max((resident_memory(pid) for pid in (os.getpid(), *pids)), default=0)
            if largest > self._memory:
                self.reason = Reason.MEMORY
        if self.reason is None and self._asked is not None and self._asked.exists():
            self.reason = Reason.ASKED
        return self.reason

    def note_fault(self, fault: ResourceError) -> None:
        """Make a failed resource the reason to stop, unless there is a reason already."""
        if self.reason is None:
            self.reason, self.fault = Reason.FAULT, fault

    def patience(self) -> float | None:
        """Return for how many seconds a caller may wait before it calls `look` again, or None for no limit."""
        times = [] if self._deadline is None else [max(0.0, self._deadline - time.monotonic())]
        looks = self._memory is not None or self._asked is not None
        return min([*times, _LOOK_S] if looks else times, default=None)

    def wait(self, seconds: float) -> None:
        """Wait for some seconds, or until there is a reason to stop."""
        end = time.monotonic() + seconds
        while (remaining_s := end - time.monotonic()) > 0 and self.look() is None:
            patience = self.patience()
            select.select([self], [], [], remaining_s if patience is None else min(remaining_s, patience))

    def _note(self, number: int, _frame: object) -> None:
        if self.reason is None:
            self.reason = _SIGNALS[signal.Signals(number)]
            os.write(self._write, b"!")


def is_ignored(number: signal.Signals) -> bool:
    """Return whether this process ignores a signal. The program that started this process can arrange that."""
    return signal.getsignal(number) is signal.SIG_IGN


def resident_memory(pid: int) -> int:
    """Return the resident memory of a process in bytes, or 0 if the process is gone.

    It reads `/proc`, so it works on Linux only.
    """
    with contextlib.suppress(OSError):
        return int(Path(f"/proc/{pid}/statm").read_text("ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return 0


def parse_memory(text: str) -> int:
    """Read a size in bytes from a text such as `500M` or `2G`.

    Raises:
        InputError: the text is no size, or the system has no `/proc` in which to measure memory.
    """
    match = re.fullmatch(r"([0-9]+)([KMGT]?)i?B?", text.strip(), re.IGNORECASE)
    if match is None or int(match[1]) == 0:
        raise InputError(f"memory: found {text!r}, expected a size such as 500M or 2G")
    if not Path("/proc/self/statm").exists():
        raise InputError(
            f"memory: {text!r} cannot be a limit here, because this system has no /proc in which to measure memory"
        )
    return int(match[1]) * _MEMORY_UNITS[match[2].upper()]


def parse_time(text: str, what: str = "time limit") -> float:
    """Read a number of seconds from a text such as `90`, `90s`, `10m` or `1h30m`.

    `what` names the option or argument in the error message.

    Raises:
        InputError: the text is no time above 0.
    """
    word = text.strip().lower()
    parts = re.findall(r"([0-9]+(?:\.[0-9]+)?)([smhd]?)", word)
    seconds = sum(float(number) * _TIME_UNITS[unit or "s"] for number, unit in parts)
    if "".join(number + unit for number, unit in parts) != word or not seconds:
        raise InputError(f"{what}: found {text!r}, expected a time such as 90s, 10m or 1h30m")
    return seconds
