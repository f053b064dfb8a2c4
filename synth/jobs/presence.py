"""Who is at work on a job just now: a small file each in the job's folder, written again every quarter of a minute.

    workers/HOST-PID.json   {"doing":"searching","processes":2,"shards":12,"tests":4711,...}

Whoever works on a job writes its file when it begins and removes it at its end. A process that is killed can't do that,
so a file alone proves nothing. On the machine that looks, the system knows whether the process is there. Of another
machine, a process is taken to be at work until its file has been left alone for two minutes, because NFS may show a
folder as it was a minute ago.

How long ago a file was written is told by one clock, that of whatever holds the folder: its time is compared with the
time of a file made just now. So the clocks of machines may differ. In a folder that can't be written, the clock of
whoever looks has to do.

There is no thread that writes, because processes are forked: `Stop.look`, which whoever works calls several times a
second, calls `Presence.beat`.
"""

from __future__ import annotations

import contextlib
import functools
import json
import os
import platform
import time
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Self, TypedDict, Unpack

from synth.jobs.layout import WORKERS, WRITABLE
from synth_storage.partial import partial_name
from synth_storage.refusals import as_user_errors

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth.work.stopping import Stop

SAMPLING, SEARCHING, WRITING = "sampling", "searching", "writing the corpus"
#: How often a file is written again, where it says something new and otherwise; and after what time without that its
#: process is taken to have ended; in seconds.
_NEWS_S, _BEAT_S, SILENT_S = 2.0, 15.0, 120.0
_SUFFIX = ".json"


@dataclass(frozen=True, slots=True)
class Present:
    """A process that is at work, by what it says of itself.

    It does `doing`, with so many processes that do shards; 0 where it waits for others, which say that themselves.
    Since `since`, in seconds since 1970 by its own clock, it has had so many `shards` done, with so many `tests`. While
    it is `sampling`, `done` of `units` units have a sample. `system`, `pid` and `started` say which process of which
    running system it is; they are empty where the system doesn't tell.
    """

    worker: str
    question: str
    doing: str
    processes: int = 0
    shards: int = 0
    tests: int = 0
    done: int = 0
    units: int = 0
    since: float = 0.0
    system: str = ""
    pid: int = 0
    started: str = ""
    silent_seconds: float = 0.0

    @property
    def host(self) -> str:
        """The machine that it is on."""
        return self.worker.rpartition("-")[0]


class _Changes(TypedDict, total=False):
    """The fields of `Present` that change."""

    doing: str
    processes: int
    shards: int
    tests: int
    done: int
    units: int


class Presence:
    """The file of this process among those at work in a folder, while it is entered as a context."""

    def __init__(self, folder: Path, stop: Stop, question: str, doing: str, processes: int = 0) -> None:
        self._folder, self._stop = folder / WORKERS, stop
        pid = os.getpid()
        self._now = Present(
            worker=f"{platform.node()}-{pid}",
            question=question,
            doing=doing,
            processes=processes,
            since=time.time(),
            system=_this_system(),
            pid=pid,
            started=_start_of(pid),
        )
        self._written, self._has_news = -float("inf"), False

    def __enter__(self) -> Self:
        """Write the file.

        Raises:
            InputError: the folder can't be written.
            ResourceError: what it lies on failed.
        """
        with as_user_errors(self._folder, WRITABLE):
            self._folder.mkdir(exist_ok=True)
            self._write()
        _remove_ended(self._folder)
        self._stop.on_look = self.beat
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.on_look = None
        with contextlib.suppress(OSError):
            self._place().unlink(missing_ok=True)

    def note(self, **changes: Unpack[_Changes]) -> None:
        """Say something else from now on: at once if that is what is done, or else with the next beat."""
        before, self._now = self._now, replace(self._now, **changes)
        self._has_news = self._has_news or self._now != before
        if self._now.doing != before.doing:
            self._written = -float("inf")
        self.beat()

    def beat(self) -> None:
        """Write the file again if it is time for that; a failure is no reason to end the work."""
        if time.monotonic() - self._written >= (_NEWS_S if self._has_news else _BEAT_S):
            with contextlib.suppress(OSError):
                self._folder.mkdir(exist_ok=True)  # the folder of a job takes the place of where it was sampled
                self._write()

    def _write(self) -> None:
        self._written, self._has_news = time.monotonic(), False
        new = self._folder / partial_name(self._now.worker)
        try:
            new.write_text(json.dumps(asdict(self._now)) + "\n", "utf-8")
            new.replace(self._place())
        finally:
            new.unlink(missing_ok=True)

    def _place(self) -> Path:
        return self._folder / f"{self._now.worker}{_SUFFIX}"


def at_work(folder: Path) -> list[Present]:
    """Who is at work on the job in a folder just now."""
    found = list(_files(folder / WORKERS))
    elsewhere = any(not one.system or one.system != _this_system() for _, one, _ in found)
    now = _time_there(folder / WORKERS) if elsewhere else time.time()
    alive = []
    for _, one, written in found:
        silent = max(0.0, now - written)
        is_here = _is_here(one)
        if is_here or (is_here is None and silent < SILENT_S):
            alive.append(replace(one, silent_seconds=silent))
    return alive


def _files(folder: Path) -> Iterator[tuple[Path, Present, float]]:
    """The files in a folder: what each says, and when it was written."""
    for path in sorted(folder.glob(f"[!.]*{_SUFFIX}")):
        with contextlib.suppress(OSError, ValueError, TypeError), path.open("rb") as file:
            one, written = Present(**json.load(file)), os.fstat(file.fileno()).st_mtime
            if all(type(getattr(one, field.name)).__name__ == field.type for field in fields(one)):
                yield path, one, written


def _remove_ended(folder: Path) -> None:
    """Remove the files of processes of this machine that have ended."""
    for path, one, _ in list(_files(folder)):
        if _is_here(one) is False:
            with contextlib.suppress(OSError):
                path.unlink(missing_ok=True)


def _is_here(one: Present) -> bool | None:
    """Whether a process is there; None if it is on another machine, or this one doesn't tell."""
    if not one.system or one.system != _this_system():
        return None
    return _start_of(one.pid) == one.started


@functools.cache
def _this_system() -> str:
    """Names the system that is running here, and the processes that can be seen in it; empty where it has no names."""
    with contextlib.suppress(OSError):
        boot = Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
        return f"{boot} {Path('/proc/self/ns/pid').readlink()}"
    return ""


def _start_of(pid: int) -> str:
    """When a process was started, in ticks of the system's own; empty where it is gone. Process numbers come again."""
    with contextlib.suppress(OSError):
        state, *fields = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()
        return fields[18] if state not in "ZX" else ""
    return ""


def _time_there(folder: Path) -> float:
    """What time it is by the clock of whatever holds a folder, or here, where nothing can be written."""
    new = folder / partial_name("now")
    try:
        with new.open("xb") as file:
            return os.fstat(file.fileno()).st_mtime
    except OSError:
        return time.time()
    finally:
        with contextlib.suppress(OSError):
            new.unlink(missing_ok=True)
