"""Show which processes work on a job: each keeps a small file in the folder of the job and writes it every 15 seconds.

    workers/HOST-PID.json   {"doing":"searching","processes":2,"shards":12,"tests":4711,...}

A process writes its file when it begins to work on a job, and removes it at its end. A killed process can't do that, so
a file alone proves nothing. For a process of this machine, the system says whether it is alive. A process of another
machine counts as alive until its file is two minutes old, because NFS may show a folder as it was a minute ago.

The clock of the file system alone says how old a file is: a process compares the time of the file with the time of a
new file. So the clocks of machines may differ. In a folder that is not writable, the clock of this machine has to do.

The code that does the work calls `Stop.look` several times a second. `Stop.look` calls `Presence.beat`, which writes
the file when it is time. There is no thread that writes the file, because processes fork, and a fork has no copies of
threads.
"""

from __future__ import annotations

import contextlib
import functools
import json
import os
import platform
import time
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Self, TypedDict, Unpack

from synth_jobs.layout import WORKERS, WRITABLE
from synth_storage.answer_json import HIDDEN
from synth_storage.partial_files import partial_name
from synth_storage.refusals import as_user_errors

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth_workers.stop import Stop

SAMPLING, SEARCHING, WRITING = "sampling", "searching", "writing the corpus"
#: Three times in seconds: the time between two writes of a file with news, the time between two writes without news,
#: and the age of a file after which its process counts as ended.
_NEWS_S, _BEAT_S, SILENT_S = 2.0, 15.0, 120.0
_SUFFIX = ".json"


@dataclass(frozen=True, slots=True)
class WorkerRecord:
    """A process that works on a job, as its file describes it.

    - `doing` is its present activity. `processes` is the number of its own processes that do shards. It is 0 if other
      processes do the shards, each with a file of its own.
    - `shards` and `tests` count the shards that it has done and their tests, since the time `since`. `since` is in
      seconds since 1970 by the clock of its machine.
    - While it samples a question, `done` of `units` units have a sample.
    - `system`, `pid` and `started` identify the process and the running system. They are empty if the system gives no
      such names.
    - `silent_seconds` is the age of the file.
    """

    worker: str
    question: str = field(metadata=HIDDEN)
    doing: str
    processes: int = 0
    shards: int = 0
    tests: int = 0
    done: int = 0
    units: int = 0
    since: float = field(default=0.0, metadata=HIDDEN)
    system: str = field(default="", metadata=HIDDEN)
    pid: int = field(default=0, metadata=HIDDEN)
    started: str = field(default="", metadata=HIDDEN)
    silent_seconds: float = 0.0

    @property
    def host(self) -> str:
        """The name of the machine on which the process runs."""
        return self.worker.rpartition("-")[0]


class _Changes(TypedDict, total=False):
    """The fields of `WorkerRecord` that can change."""

    doing: str
    processes: int
    shards: int
    tests: int
    done: int
    units: int


class Presence:
    """A context manager that keeps the file of this process among those that work on the job in a folder."""

    def __init__(self, folder: Path, stop: Stop, question: str, doing: str, processes: int = 0) -> None:
        self._folder, self._stop = folder / WORKERS, stop
        pid = os.getpid()
        self._now = WorkerRecord(
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
            InputError: the folder is not writable.
            ResourceError: a disk or device failed.
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
        """Change some fields of the file of this process (see `WorkerRecord`).

        If `doing` changes, this method writes the file at once. Other changes appear in the file when `beat` writes it.
        """
        before, self._now = self._now, replace(self._now, **changes)
        self._has_news = self._has_news or self._now != before
        if self._now.doing != before.doing:
            self._written = -float("inf")
        self.beat()

    def beat(self) -> None:
        """Write the file again if it is time for that. The work goes on if writing fails."""
        if time.monotonic() - self._written >= (_NEWS_S if self._has_news else _BEAT_S):
            with contextlib.suppress(OSError):
                self._folder.mkdir(
                    exist_ok=True
                )  # the folder of the job may just have replaced the one in which it was sampled
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


def at_work(folder: Path) -> list[WorkerRecord]:
    """Return the processes that work on the job in a folder at present."""
    workers = list(_files(folder / WORKERS))
    elsewhere = any(not other.system or other.system != _this_system() for _, other, _ in workers)
    now = _time_there(folder / WORKERS) if elsewhere else time.time()
    alive = []
    for _, present, written in workers:
        silent = max(0.0, now - written)
        is_here = _is_here(present)
        if is_here or (is_here is None and silent < SILENT_S):
            alive.append(replace(present, silent_seconds=silent))
    return alive


def _files(folder: Path) -> Iterator[tuple[Path, WorkerRecord, float]]:
    """Yield the files in a folder, what each says, and when it was written."""
    for path in sorted(folder.glob(f"[!.]*{_SUFFIX}")):
        with contextlib.suppress(OSError, ValueError, TypeError), path.open("rb") as file:
            present, written = WorkerRecord(**json.load(file)), os.fstat(file.fileno()).st_mtime
            if all(type(getattr(present, part.name)).__name__ == part.type for part in fields(present)):
                yield path, present, written


def _remove_ended(folder: Path) -> None:
    """Remove the files of processes of this machine that have ended."""
    for path, present, _ in list(_files(folder)):
        if _is_here(present) is False:
            with contextlib.suppress(OSError):
                path.unlink(missing_ok=True)


def _is_here(present: WorkerRecord) -> bool | None:
    """Return whether a process is alive, or None if it is on another machine or this system can't tell."""
    if not present.system or present.system != _this_system():
        return None
    return _start_of(present.pid) == present.started


@functools.cache
def _this_system() -> str:
    """Return a name for the running system and the processes visible in it, or an empty text if it has none."""
    with contextlib.suppress(OSError):
        boot = Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
        return f"{boot} {Path('/proc/self/ns/pid').readlink()}"
    return ""


def _start_of(pid: int) -> str:
    """Return the start time of a process in ticks of the system, or an empty text if it is gone.

    Together with the process number this identifies a process, because systems use process numbers again.
    """
    with contextlib.suppress(OSError):
        state, *fields = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()
        return fields[18] if state not in "ZX" else ""
    return ""


def _time_there(folder: Path) -> float:
    """Return the time by the clock of the file system of a folder.

    If the folder is not writable, by this machine's clock.
    """
    new = folder / partial_name("now")
    try:
        with new.open("xb") as file:
            return os.fstat(file.fileno()).st_mtime
    except OSError:
        return time.time()
    finally:
        with contextlib.suppress(OSError):
            new.unlink(missing_ok=True)
