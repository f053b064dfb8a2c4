"""Claims on pieces of work, in a folder that many machines see, without any server.

    leases/000017.1     who held the piece 000017 first, and a dot for each time that this was renewed
    leases/000017.2     who took it over

To claim a piece is to give a file that is already written a name that is not there yet, which one process alone can do,
over NFS too (link(2)). A worker that is killed at any moment so leaves a lease that says how long it lasts, or none;
where there are no hard links it may leave an empty one, which lasts as long as is usual. Until the piece is done
no such name is removed, so each of its numbers is given once, to one process.

The holder of the highest number appends a dot now and then; whoever sees no new dot for as long as the first line
promises, or the word that the holder has given it back, may claim the next number, and one gets it.

How long that has been is measured by whoever watches, on a clock that only goes forward, from one look at the file to
another: no times of two machines are compared, and no clock that jumps, of a worker or a file server, does harm. So a
lease that was left behind is waited for once more by a worker that has only now come.

Leases spare work and decide nothing: a worker that was stopped for longer than it promised, and woken, finds its piece
done by another, or does the same. While nobody works, all of the folder may be removed.

The usual way, renaming files from `todo/` to `lease/` to `done/`, needs a file for each piece from the start, loses the
piece of a file that is lost, and compares ages by the clock of the file server.
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
from synth_storage.partial import partial_name
from synth_storage.refusals import as_user_errors

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterator
    from pathlib import Path

#: For how long a lease holds that is not renewed, in seconds. NFS may show files as they were a minute ago.
USUAL_S = 120.0
#: How often, in that time, a lease is renewed, and those of others are looked at.
_RENEWALS, _LOOKS = 4, 8
_RENEWED = b"."
_RETURNED = b"returned\n"
_NAME = re.compile(r"(?P<piece>[^.].*)\.(?P<number>[1-9][0-9]*)")
_PROMISE = re.compile(rb"[^\n]* (?P<seconds>[0-9]+(?:\.[0-9]+)?) s\n")


class _Seen(NamedTuple):
    """A lease as it was seen, and for how long it has been like that, as far as can be told: two times of our clock."""

    number: int
    text: bytes
    first: float
    last: float

    @property
    def is_free(self) -> bool:
        """Whether another may claim the piece."""
        promise = _PROMISE.match(self.text)  # none in what is empty
        seconds = float(promise["seconds"]) if promise else USUAL_S
        return self.text.endswith(_RETURNED) or self.last - self.first >= seconds


class Leases:
    """The leases of a process in a folder, which is made if it isn't there. They last `seconds` unless renewed.

    While this is entered as a context they are renewed; at the end those that are still held are given back.
    """

    def __init__(self, folder: Path, seconds: float = USUAL_S, clock: Callable[[], float] = time.monotonic) -> None:
        self._folder, self._seconds, self._clock = folder, seconds, clock
        self._held: dict[str, int] = {}
        self._seen: dict[str, _Seen] = {}
        self._looked = -float("inf")
        self._lock = threading.Lock()  # no dot after the word that a lease is returned
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
            with contextlib.suppress(ResourceError):  # then others wait until it is too old
                self.give_back(name)

    @property
    def patience(self) -> float:
        """After how many seconds it is worth to ask again for pieces that others hold."""
        return self._seconds / _LOOKS

    def claim(self, name: str) -> bool:
        """Whether the piece is ours from now on.

        One that was done and has no leases any more can be had: look for its result afterwards, and `finish` it.

        Raises:
            ResourceError: the folder can't be read or written.
        """
        if self._clock() - self._looked >= self.patience:
            self._look()
        seen = self._seen.get(name)
        if seen is not None and seen.is_free:  # it may have been renewed since: whoever slept has woken
            self._look()
            seen = self._seen.get(name)
        if seen is None:
            return self._create(name, 1)
        return seen.is_free and self._create(name, seen.number + 1)

    def renew(self) -> None:
        """Say that all leases are still held."""
        with self._lock:
            for name, number in self._held.items():
                with contextlib.suppress(OSError):  # finished by another; or the next dot gets through
                    self._append(name, number, _RENEWED)

    def give_back(self, name: str) -> None:
        """Let another claim a piece that is not done.

        Raises:
            ResourceError: the folder can't be written.
        """
        with self._lock:
            number, now = self._held.pop(name), self._clock()
            self._seen[name] = _Seen(number, _RETURNED, now, now)  # this process, too, may claim it again at once
            with as_user_errors(self._place(name, number)), contextlib.suppress(FileNotFoundError):
                self._append(name, number, _RETURNED)

    def finish(self, name: str) -> None:
        """Forget a piece that is done.

        Raises:
            ResourceError: the folder can't be written.
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
                    made = True
                except FileExistsError:  # or so says a server whose first answer was lost: see open(2)
                    made = written.stat().st_nlink == 2
                if made:
                    with self._lock:
                        self._held[name] = number
            finally:
                written.unlink(missing_ok=True)
        return made

    def _append(self, name: str, number: int, text: bytes) -> None:
        file = os.open(self._place(name, number), os.O_APPEND | os.O_WRONLY)  # which makes no new file
        try:
            os.write(file, text)
        finally:
            os.close(file)

    def _look(self) -> None:
        """See which leases there are, and how long each has been as it is."""
        with as_user_errors(self._folder):
            seen = {}
            for name, number in newest(self._folder).items():
                last = self._clock()  # before it is read, and `first` after that: never longer than it was
                try:
                    text = self._place(name, number).read_bytes()  # opening it, NFS asks what there is now
                except FileNotFoundError:
                    continue
                before = self._seen.get(name)
                unchanged = before is not None and (before.number, before.text) == (number, text)
                first = before.first if before is not None and unchanged else self._clock()
                seen[name] = _Seen(number, text, first, last)
        self._seen, self._looked = seen, self._clock()

    def _renew_now_and_then(self) -> None:
        while not self._ended.wait(self._seconds / _RENEWALS):
            self.renew()

    def _place(self, name: str, number: int) -> Path:
        return self._folder / f"{name}.{number}"


def newest(folder: Path) -> dict[str, int]:
    """The pieces that have leases in a folder, each with the highest number of one. Raises OSError."""
    found: dict[str, int] = {}
    for entry in os.scandir(folder):
        match = _NAME.fullmatch(entry.name)
        if match:
            found[match["piece"]] = max(found.get(match["piece"], 0), int(match["number"]))
    return found


def left_over(folder: Path, done: Container[str]) -> Iterator[Path]:
    """The files in a folder of leases that are of pieces that are done."""
    if folder.is_dir():
        for entry in os.scandir(folder):
            match = _NAME.fullmatch(entry.name)
            if match and match["piece"] in done:
                yield folder / entry.name
