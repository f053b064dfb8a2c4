"""Folders that are whole or not there: filled under another name, synced, and put in place by one rename.

    .out-0123456789abcdef.partial     being filled, or replaced and on its way out: nothing that anyone needs
    out                               in place
    .out-0123456789abcdef.replaced    the older folder, put aside where names can't be exchanged
    .out-lock                         there while one is put in place, and held by `flock`

A run that is killed leaves the old folder or the new one in place, and may leave a `.partial` beside it; a later run
for the same place removes that once it is a day old. Where the file system can't exchange two names, replacing takes
two renames: if a run is killed just between them, the older folder stays where it was put aside, and nothing removes
it.

Of several runs that end at the same place, one looks what lies there and replaces it while the others wait: what it put
there is what they then find, and may be refused for. The lock is the run's and ends with it; a file that a killed run
leaves locks nobody out, and goes with the next run. Where the file system has no locks, the runs don't wait.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import fcntl
import hashlib
import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from synth_checker.errors import InputError
from synth_storage.partial import partial_beside, prefix_beside
from synth_storage.refusals import as_user_errors
from synth_storage.reserved import refuse_reserved

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

_CURRENT_FOLDER = -100  # AT_FDCWD of <fcntl.h>
_EXCHANGE = 2  # RENAME_EXCHANGE of <linux/fs.h>
_REPLACED = ".replaced"


@dataclass(frozen=True, slots=True)
class FolderKind:
    """What a folder holds, as messages call it, and how to tell: only a folder of its own kind is ever replaced."""

    name: str
    is_held_by: Callable[[Path], bool]


def check_place(folder: Path, kind: FolderKind, *, force: bool = False) -> None:
    """Look whether `put_folder` could put a folder there now: to be asked before a long run.

    Raises:
        InputError: it could not.
    """
    with as_user_errors(folder, "a place for a new folder"):
        _check(folder, _place(folder), kind, force=force)


def put_folder(folder: Path, fill: Callable[[Path], None], kind: FolderKind, *, force: bool = False) -> None:
    """Make a folder hold exactly what `fill` writes into the empty folder it is given.

    The folder must be new or empty; with `force` one of the same kind is replaced.

    Raises:
        InputError: the folder can't be used.
        ResourceError: writing failed.
    """
    with as_user_errors(folder, "a place for a new folder"):
        place = _place(folder)
        _check(folder, place, kind, force=force)
        new = partial_beside(place)
        try:
            new.mkdir(parents=True)
            fill(new)
            _sync_all((*new.rglob("*"), new))
            with _locked(place):
                if not _renamed(new, place):
                    _check(folder, place, kind, force=force)  # again: another run may have been faster
                    _replace(new, place)
            sync(place.parent)
        finally:
            shutil.rmtree(new, ignore_errors=True)


def beginning(path: Path, size: int) -> bytes:
    """The first bytes of a file, which may be a huge one of somebody else's.

    Raises:
        OSError: it can't be read.
    """
    with path.open("rb") as file:
        return file.read(size)


def sha256_of(path: Path) -> str:
    """The checksum of a file, in hexadecimal digits.

    Raises:
        OSError: it can't be read.
    """
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


#: Files that are synced at once: of thousands a disk takes many together in the time of one.
_AT_ONCE = 16


def _sync_all(paths: Sequence[Path]) -> None:
    from concurrent.futures import ThreadPoolExecutor  # at whose end no thread is left: processes may be forked next

    with ThreadPoolExecutor(_AT_ONCE) as pool:
        for synced in [pool.submit(sync, path) for path in paths]:
            synced.result()


def sync(path: Path) -> None:
    """Make a file's content, or the names in a folder, last.

    Raises:
        OSError: it can't be done.
    """
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in {errno.EINVAL, errno.ENOTSUP}:  # some file systems can't do that with folders
            raise
    finally:
        os.close(handle)


def write_texts(folder: Path, files: Mapping[str, str]) -> None:
    """Write files (relative path -> text) into a folder, as UTF-8 with the same line ends on every system."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8", newline="\n")


def _place(folder: Path) -> Path:
    """Behind a symbolic link the folder it names is replaced, not the link."""
    return Path(os.path.realpath(folder))  # Path.resolve raises what is no OSError where links form a circle


def _check(folder: Path, place: Path, kind: FolderKind, *, force: bool) -> None:
    refuse_reserved(folder)
    parent = next(parent for parent in (*place.parents, place) if parent.exists())
    if not parent.is_dir() or not os.access(parent, os.W_OK | os.X_OK):
        msg = f"{folder}: found {parent}, in which nothing can be made, expected a place for a new folder"
        raise InputError(msg)
    try:
        place.stat()  # Path.exists keeps some of what is wrong with a name to itself, which depends on Python's version
    except FileNotFoundError:
        return
    if not place.is_dir():
        msg = f"{folder}: found a file, expected a new or empty folder"
        raise InputError(msg)
    if Path.cwd().is_relative_to(place):
        msg = f"{folder}: found the current folder or one that holds it, expected a folder that can be replaced"
        raise InputError(msg)
    if place.is_mount():
        msg = f"{folder}: found the root of a file system, expected a folder that can be replaced"
        raise InputError(msg)
    if not any(place.iterdir()):
        return
    if not kind.is_held_by(place):
        msg = f"{folder}: found files of others, expected a new or empty folder or {kind.name}"
        raise InputError(msg)
    if not force:
        msg = f"{folder}: found {kind.name}, expected a new or empty folder (or --force)"
        raise InputError(msg)


@contextlib.contextmanager
def _locked(place: Path) -> Iterator[None]:
    """As long as this lasts, no other run puts anything into the place; waits until it is so."""
    name = place.with_name(f"{prefix_beside(place)}lock")
    while True:
        handle = os.open(name, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            _lock(handle)
            if not _names(name, handle):  # the run that we waited for has removed it
                continue
            try:
                yield
            finally:
                name.unlink(missing_ok=True)
            return
        finally:
            os.close(handle)


def _lock(handle: int) -> None:
    """Wait for the lock of a file, where there are locks."""
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
    except OSError as error:
        if error.errno not in {errno.ENOLCK, errno.ENOSYS, errno.ENOTSUP}:
            raise


def _names(name: Path, handle: int) -> bool:
    """Whether a name is still that of an open file."""
    try:
        return os.path.samestat(name.stat(), os.fstat(handle))
    except FileNotFoundError:
        return False


def _renamed(new: Path, place: Path) -> bool:
    """Put a folder where there is none, or an empty one; whether that could be done."""
    try:
        new.rename(place)
    except OSError as error:
        if error.errno not in {errno.ENOTEMPTY, errno.EEXIST}:
            raise
        return False
    return True


def _replace(new: Path, place: Path) -> None:
    """Put a folder in the place of another, which gets the name of the first."""
    if _exchange(new, place):
        return
    old = new.with_suffix(_REPLACED)
    try:
        place.rename(old)
        new.rename(place)
    except BaseException:
        if old.exists() and not place.exists():
            old.rename(place)
        raise
    with contextlib.suppress(OSError):
        old.rename(new)


def _exchange(one: Path, other: Path) -> bool:
    """Exchange two names in one step; whether this system can."""
    try:
        rename = ctypes.CDLL(None).renameat2
    except AttributeError:
        return False
    return bool(rename(_CURRENT_FOLDER, os.fsencode(one), _CURRENT_FOLDER, os.fsencode(other), _EXCHANGE) == 0)
