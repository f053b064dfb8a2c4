"""Leases: files by which processes claim pieces of work, in a folder that many machines can see, without a server.

    leases/000017.1     the first holder of the piece 000017, and a dot for each renewal
    leases/000017.2     the next holder, who took the piece over

**Claiming.** To claim a piece, a process writes a file and gives it a name that must not exist yet. Only one process
can succeed with that, even over NFS (link(2)). So a worker that is killed at any moment leaves either a lease that says
how long it lasts, or nothing. On a file system without hard links it may leave an empty lease, which lasts the usual
time. No lease is removed before its piece is done. So each number of a lease is given only once, to one process.

**Renewing.** The holder of the lease with the highest number appends a dot to it now and then. The first line of a
lease says how long it lasts. Another process may claim the piece under the next number if it sees no new dot for that
time, or if the holder has written into its lease that it gives the piece back.

**Clocks.** The process that waits measures this time on its own monotonic clock, from one look at the file to another.
So no times of two machines are compared, and a clock that jumps, on a worker or a file server, does no harm. A worker
that starts late waits the full time for a lease that was left behind.

Leases avoid double work, but correctness does not depend on them. Suppose that a worker is suspended for longer than
its lease lasts. When it continues, it finds that another worker has done its piece, or it does the same piece with the
same result. While no worker runs, the whole folder may be removed.

The usual method renames files from `todo/` to `lease/` to `done/`. It has three disadvantages: it needs a file for each
piece from the start, a lost file loses its piece, and it compares ages by the clock of the file server.
"""

from __future__ import annotations

import contextlib
import os
import platform
import re
import threading
import time
from typing import TYPE_CHECKING, NamedTuple, Self

from synth_checker.errors import ResourceError
from synth_storage.files import put_new
from synth_storage.partial_files import partial_name
from synth_storage.refusals import as_user_errors

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterator
    from pathlib import Path

#: How many seconds a lease lasts that is not renewed. NFS may show files as they were a minute ago.
USUAL_S = 120.0
#: How many times during that period a lease is renewed, and how many times the leases of others are read.
_RENEWALS, _LOOKS = 4, 8
_RENEWED = b"."
_RETURNED = b"returned\n"
_NAME = re.compile(r"(?P<piece>[^.].*)\.(?P<number>[1-9][0-9]*)")
_PROMISE = re.compile(rb"[^\n]* (?P<seconds>[0-9]+(?:\.[0-9]+)?) s\n")


class _LeaseSighting(NamedTuple):
    """A lease as this process saw it, and the first and the last time at which it looked like that, by our clock."""

    number: int
    text: bytes
    first: float
    last: float

    @property
    def is_free(self) -> bool:
        """Whether another may claim the piece."""
        promise = _PROMISE.match(self.text)  # an empty lease has none
        seconds = float(promise["seconds"]) if promise else USUAL_S
        return self.text.endswith(_RETURNED) or self.last - self.first >= seconds


class Leases:
    """The leases that a process holds in a folder. The folder is created if it does not exist.

    A lease lasts `seconds` unless it is renewed. The object is a context manager: inside, a thread renews the leases,
    and at the end all leases that are still held are given back.

    Raises:
        ResourceError: creating the folder failed.
    """

    def __init__(self, folder: Path, seconds: float = USUAL_S, clock: Callable[[], float] = time.monotonic) -> None:
        self._folder, self._seconds, self._clock = folder, seconds, clock
        self._held: dict[str, int] = {}
        self._sightings: dict[str, _LeaseSighting] = {}
        self._looked = -float("inf")
        self._lock = threading.Lock()  # no dot may follow after a lease was given back
        self._ended = threading.Event()
        self._renewing = threading.Thread(target=self._renew_now_and_then, name="synth-leases", daemon=True)
        with as_user_errors(folder):
            folder.mkdir(exist_ok=True)

    def __enter__(self) -> Self:
        self._renewing.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._renewing.join()
        for name in list(self._held):
            with contextlib.suppress(ResourceError):  # then others wait until the lease has expired
                self.give_back(name)

    @property
    def patience(self) -> float:
        """The number of seconds after which a worker should try again to claim work that other workers hold."""
        return self._seconds / _LOOKS

    def claim(self, name: str) -> bool:
        """Try to claim a piece of work, and return whether this process holds it now.

        A piece can also be claimed when it is done and its leases have been removed. So after a claim, a worker must
        look whether the piece has a result already, and in that case call `finish`.

        Raises:
            ResourceError: reading or writing the folder failed.
        """
        if self._clock() - self._looked >= self.patience:
            self._look()
        seen = self._sightings.get(name)
        if seen is not None and seen.is_free:  # it may have been renewed since, if its holder was suspended
            self._look()
            seen = self._sightings.get(name)
        if seen is None:
            return self._create(name, 1)
        return seen.is_free and self._create(name, seen.number + 1)

    def renew(self) -> None:
        """Renew all leases that this process holds."""
        with self._lock:
            for name, number in self._held.items():
                with contextlib.suppress(OSError):  # another process has finished it, or the next dot will succeed
                    self._append(name, number, _RENEWED)

    def give_back(self, name: str) -> None:
        """Give back a piece that is not done, so that another process can claim it.

        Raises:
            ResourceError: writing to the folder failed.
        """
        with self._lock:
            number, now = self._held.pop(name), self._clock()
            self._sightings[name] = _LeaseSighting(
                number, _RETURNED, now, now
            )  # this process, too, may claim it again at once
            with as_user_errors(self._place(name, number)), contextlib.suppress(FileNotFoundError):
                self._append(name, number, _RETURNED)

    def finish(self, name: str) -> None:
        """Remove the leases of a piece that is done.

        Raises:
            ResourceError: writing to the folder failed.
        """
        with self._lock:
            for number in range(self._held.pop(name), 0, -1):
                with as_user_errors(self._place(name, number)):
                    self._place(name, number).unlink(missing_ok=True)

    def _create(self, name: str, number: int) -> bool:
        place, written = self._place(name, number), self._folder / partial_name(name)
        with as_user_errors(place):
            try:
                written.write_text(f"{platform.node()}-{os.getpid()} {self._seconds} s\n", "utf-8")
                try:
                    put_new(written, place)
                    is_linked = True
                except FileExistsError:  # an NFS server may say so although it made the link: see open(2)
                    is_linked = written.stat().st_nlink == 2
                if is_linked:
                    with self._lock:
                        self._held[name] = number
            finally:
                written.unlink(missing_ok=True)
        return is_linked

    def _append(self, name: str, number: int, text: bytes) -> None:
        file = os.open(self._place(name, number), os.O_APPEND | os.O_WRONLY)  # this creates no new file
        try:
            os.write(file, text)
        finally:
            os.close(file)

    def _look(self) -> None:
        """Read which leases there are, and update for how long each has not changed."""
        with as_user_errors(self._folder):
            seen = {}
            for name, number in newest_leases(self._folder).items():
                last = self._clock()  # before reading, and `first` after it, so that no time is overestimated
                try:
                    text = self._place(name, number).read_bytes()  # NFS reads the current content on opening
                except FileNotFoundError:
                    continue
                before = self._sightings.get(name)
                unchanged = before is not None and (before.number, before.text) == (number, text)
                first = before.first if before is not None and unchanged else self._clock()
                seen[name] = _LeaseSighting(number, text, first, last)
        self._sightings, self._looked = seen, self._clock()

    def _renew_now_and_then(self) -> None:
        while not self._ended.wait(self._seconds / _RENEWALS):
            self.renew()

    def _place(self, name: str, number: int) -> Path:
        return self._folder / f"{name}.{number}"


def newest_leases(folder: Path) -> dict[str, int]:
    """Return the highest number of a lease for each piece that has leases in a folder.

    Raises:
        OSError: reading the folder failed.
    """
    numbers: dict[str, int] = {}
    for entry in os.scandir(folder):
        match = _NAME.fullmatch(entry.name)
        if match:
            numbers[match["piece"]] = max(numbers.get(match["piece"], 0), int(match["number"]))
    return numbers


def finished_leases(folder: Path, done: Container[str]) -> Iterator[Path]:
    """Yield the leases in a folder that belong to pieces which are done."""
    if folder.is_dir():
        for entry in os.scandir(folder):
            match = _NAME.fullmatch(entry.name)
            if match and match["piece"] in done:
                yield folder / entry.name
