"""When a run should stop before it is done: an interrupt, a time limit, a memory limit, a fault.

Signals are only noted. Whoever works looks at `reason` between two steps and waits on the object itself, which becomes
readable when a signal arrives, so that nothing is ever torn apart half-way.

A signal that was ignored when the command began stays ignored: that is how `nohup` keeps a command alive when its
terminal closes, and how a shell keeps Ctrl-C from a command in the background.
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
#: How often memory is measured, and one looks for a file.
_LOOK_S = 0.25


class Reason(enum.Enum):
    """Why a run stopped, in words, and the exit code that says so."""

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
    """Watches for reasons to stop while it is entered as a context.

        made                 signals do what they always do, and no time runs
          |  with stop:
          v
        watching             `reason` is None; signals are noted, and `look` compares time, memory and `asked`
          |  a signal, `look` or `note_fault`
          v
        stopping             `reason` is the first that came, and stays; whoever works ends its step and takes no other
          |  the end of `with`, which comes from watching, too, when all is done
          v
        left                 signals do what they did before; `reason`, `fault` and `exit_code` still tell

    `time_limit` is in seconds from then on; `memory` in bytes of resident memory, for each process. Who puts a file at
    `asked`, from wherever it can be seen, asks to stop. `on_look` is called whenever somebody looks. Without `signals`
    they do what they did before.
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
        """The exit code of a run that was stopped; None where none was, or where a limit came when all was done.

        Who sends a signal has asked to end, whatever was done by then.
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
        """Readable once a signal has arrived."""
        return self._read

    def look(self, pids: Iterable[int] = ()) -> Reason | None:
        """The reason to stop, if there is one now; measures this process and the given ones."""
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
        """Make a fault the reason to stop, unless there is one."""
        if self.reason is None:
            self.reason, self.fault = Reason.FAULT, fault

    def patience(self) -> float | None:
        """How long one may wait before looking again, in seconds; None for as long as one likes."""
        times = [] if self._deadline is None else [max(0.0, self._deadline - time.monotonic())]
        looks = self._memory is not None or self._asked is not None
        return min([*times, _LOOK_S] if looks else times, default=None)

    def wait(self, seconds: float) -> None:
        """Wait for so many seconds; less where there is a reason to stop."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0 and self.look() is None:
            patience = self.patience()
            select.select([self], [], [], left if patience is None else min(left, patience))

    def _note(self, number: int, _frame: object) -> None:
        if self.reason is None:
            self.reason = _SIGNALS[signal.Signals(number)]
            os.write(self._write, b"!")


def is_ignored(number: signal.Signals) -> bool:
    """Whether this process ignores a signal, because whoever started it wanted that."""
    return signal.getsignal(number) is signal.SIG_IGN


def resident_memory(pid: int) -> int:
    """The resident memory of a process in bytes, 0 if it is gone. Reads /proc, so Linux only."""
    with contextlib.suppress(OSError):
        return int(Path(f"/proc/{pid}/statm").read_text("ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return 0


def parse_memory(text: str) -> int:
    """Read `500M` or `2G` as bytes. Raises InputError."""
    match = re.fullmatch(r"([0-9]+)([KMGT]?)i?B?", text.strip(), re.IGNORECASE)
    if match is None or int(match[1]) == 0:
        msg = f"memory: found {text!r}, expected a size such as 500M or 2G"
        raise InputError(msg)
    if not Path("/proc/self/statm").exists():
        msg = f"memory: found {text!r}, expected no limit on a system without /proc"
        raise InputError(msg)
    return int(match[1]) * _MEMORY_UNITS[match[2].upper()]


def parse_time(text: str, what: str = "time limit") -> float:
    """Read `90`, `90s`, `10m` or `1h30m` as seconds. Raises InputError, which begins with what the time is."""
    word = text.strip().lower()
    parts = re.findall(r"([0-9]+(?:\.[0-9]+)?)([smhd]?)", word)
    seconds = sum(float(number) * _TIME_UNITS[unit or "s"] for number, unit in parts)
    if "".join(number + unit for number, unit in parts) != word or not seconds:
        msg = f"{what}: found {text!r}, expected a time such as 90s, 10m or 1h30m"
        raise InputError(msg)
    return seconds
