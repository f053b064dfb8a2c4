"""Folders that are either complete or absent: each is filled under another name, synced, and renamed in one step.

    .out-0123456789abcdef.partial     a new folder that is being filled, or an older one that is being removed
    out                               the complete folder
    .out-0123456789abcdef.replaced    the older folder, on a file system that cannot exchange names, for a moment
    .out-lock                         a lock file, held by `flock` while a folder is renamed to `out`

If a run is killed, either the old or the new folder is in place, and a `.partial` may be left beside it. A later run
for the same place removes that when it is a day old. On a file system that cannot exchange two names, replacing takes
two renames. If a run is killed between them, the older folder keeps its temporary name, and nothing removes it.

If several runs finish for the same place at once, one of them checks and replaces what is there, while the others wait.
Then the others find the folder of the first run, and may be refused. A lock ends with its run. So a lock file that a
killed run leaves does not block anyone, and the next run removes it. On a file system without locks, the runs do not
wait.
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
from synth_storage.open_file import open_for_reading
from synth_storage.partial_files import partial_beside, prefix_beside
from synth_storage.refusals import as_user_errors
from synth_storage.reserved_names import refuse_reserved

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

_CURRENT_FOLDER = -100  # AT_FDCWD of <fcntl.h>
_EXCHANGE = 2  # RENAME_EXCHANGE of <linux/fs.h>
_REPLACED = ".replaced"


@dataclass(frozen=True, slots=True)
class FolderKind:
    """A kind of folder: its name in messages, and a function that recognises it.

    One folder replaces another only if both have the same kind.
    """

    name: str
    is_held_by: Callable[[Path], bool]


def check_place(folder: Path, kind: FolderKind, *, force: bool = False) -> None:
    """Raise an error now if `put_folder` could not put a folder at this place, so that no long run fails at its end.

    Raises:
        InputError: `put_folder` could not put it there.
    """
    with as_user_errors(folder, "a place for a new folder"):
        _check(folder, _place(folder), kind, force=force)


def put_folder(folder: Path, fill: Callable[[Path], None], kind: FolderKind, *, force: bool = False) -> None:
    """Write a folder: `fill` gets the path of a new, empty folder, and writes its content.

    The place must be new or an empty folder. With `force`, this replaces a folder of the same kind.

    Raises:
        InputError: the place does not allow this folder.
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
    """Return the first bytes of a file, at most `size`, so that a huge file does not fill the memory.

    Raises:
        OSError: reading the file failed, or it is a pipe into which nobody writes.
    """
    with open_for_reading(path) as file:
        return file.read(size)


def sha256_of(path: Path) -> str:
    """Return the SHA-256 of a file, in hexadecimal digits.

    Raises:
        OSError: reading the file failed.
    """
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


#: The number of files that are synced at the same time. A disk syncs many files together in the time of one.
_AT_ONCE = 16


def _sync_all(paths: Sequence[Path]) -> None:
    from concurrent.futures import ThreadPoolExecutor  # its threads end, as processes may be forked afterwards

    with ThreadPoolExecutor(_AT_ONCE) as pool:
        for synced in [pool.submit(sync, path) for path in paths]:
            synced.result()


def sync(path: Path) -> None:
    """Force the content of a file, or the names in a folder, to the disk.

    Raises:
        OSError: the system cannot do that.
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
    """Write files, given as a dict from relative path to text, into a folder. They are UTF-8 with LF as line end."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8", newline="\n")


def _place(folder: Path) -> Path:
    """Return the real path of a folder: the target of a symbolic link is replaced, and not the link."""
    return Path(os.path.realpath(folder))  # if links form a circle, Path.resolve raises something else than an OSError


def _check(folder: Path, place: Path, kind: FolderKind, *, force: bool) -> None:
    refuse_reserved(folder)
    parent = next(parent for parent in (*place.parents, place) if parent.exists())
    if not parent.is_dir() or not os.access(parent, os.W_OK | os.X_OK):
        raise InputError(
            f"{folder}: nothing can be created in {parent}; choose a place in which you may create a folder"
        )
    try:
        place.stat()  # Path.exists hides some errors, which ones depends on the version of Python
    except FileNotFoundError:
        return
    if not place.is_dir():
        raise InputError(f"{folder}: this is a file, expected a new or empty folder")
    if Path.cwd().is_relative_to(place):
        raise InputError(
            f"{folder}: this folder is or contains the current folder, so it cannot be replaced; choose another folder"
        )
    if place.is_mount():
        raise InputError(
            f"{folder}: this is the root of a file system, which cannot be replaced; choose another folder"
        )
    if not any(place.iterdir()):
        return
    if not kind.is_held_by(place):
        raise InputError(f"{folder}: the folder contains other files, expected a new or empty folder, or {kind.name}")
    if not force:
        raise InputError(f"{folder}: found {kind.name}, expected a new or empty folder; give --force to replace it")


@contextlib.contextmanager
def _locked(place: Path) -> Iterator[None]:
    """Lock a place: wait until no other run puts anything there, and keep other runs from doing so."""
    name = place.with_name(f"{prefix_beside(place)}lock")
    while True:
        handle = os.open(name, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            _lock(handle)
            if not _leads_to(name, handle):  # the run that we waited for has removed it
                continue
            try:
                yield
            finally:
                name.unlink(missing_ok=True)
            return
        finally:
            os.close(handle)


def _lock(handle: int) -> None:
    """Wait for the lock of a file, if the file system has locks."""
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
    except OSError as error:
        if error.errno not in {errno.ENOLCK, errno.ENOSYS, errno.ENOTSUP}:
            raise


def _leads_to(name: Path, handle: int) -> bool:
    """Return whether a path still leads to an open file."""
    try:
        return os.path.samestat(name.stat(), os.fstat(handle))
    except FileNotFoundError:
        return False


def _renamed(new: Path, place: Path) -> bool:
    """Rename a folder to a place that is free or an empty folder, and return whether that was possible."""
    try:
        new.rename(place)
    except OSError as error:
        if error.errno not in {errno.ENOTEMPTY, errno.EEXIST}:
            raise
        return False
    return True


def _replace(new: Path, place: Path) -> None:
    """Exchange two folders, so that the new one gets the place of the old one."""
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


def _exchange(first: Path, other: Path) -> bool:
    """Exchange two names in one step, and return whether this system can do that."""
    try:
        rename = ctypes.CDLL(None).renameat2
    except AttributeError:
        return False
    return bool(rename(_CURRENT_FOLDER, os.fsencode(first), _CURRENT_FOLDER, os.fsencode(other), _EXCHANGE) == 0)
