"""Files that are either complete or absent: each is written under another name, synced, and then renamed.

    .out-0123456789abcdef.partial     being written
    out                               the complete file

A run that is killed may leave a `.partial` file. A later run for the same place removes it when it is a day old. If two
runs write the same file, the one that finishes later finds the file of the other, and is refused unless it has `force`.
"""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import TYPE_CHECKING

from synth_checker.errors import InputError
from synth_storage.folders import beginning, sync
from synth_storage.partial_files import partial_beside
from synth_storage.refusals import refusal
from synth_storage.reserved_names import refuse_reserved

if TYPE_CHECKING:
    from collections.abc import Callable

_EXPECTED = "a name for a new file"
#: The most bytes of a text that `read_small` reads.
_SMALL = 1 << 26
#: The error numbers by which a file system says that it has no hard links.
_ONE_NAME = {errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK}


def read_small(path: Path, expected: str, most: int = _SMALL) -> str:
    """Return the text of a file that is small, such as a description. It may begin with a byte order mark.

    `expected` says in messages what the file should be, and `most` is how many bytes it may have.

    Raises:
        InputError: the file cannot be read, is too large, is not UTF-8, or is a pipe into which nobody writes.
    """
    try:
        data = beginning(path, most + 1)
        if len(data) > most:
            raise InputError(f"{path}: found more than {most >> 20} MB, expected {expected}")
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: byte {error.start + 1} is not UTF-8, expected {expected}") from error
    except OSError as error:
        raise refusal(path, error, expected) from error


def put_bytes(path: Path, data: bytes, *, force: bool = False) -> None:
    """Write a file with these bytes. With `force`, this replaces an earlier file.

    Raises:
        InputError: this path does not allow a file.
        ResourceError: writing failed.
    """

    def fill(new: Path) -> None:
        new.write_bytes(data)

    put_file(path, fill, force=force)


def check_file(path: Path, *, force: bool = False) -> None:
    """Raise an error now if `put_file` could not write this file, so that a long run does not fail only at its end.

    Raises:
        InputError: `put_file` could not write it.
    """
    try:
        place = _place(path, force=force)
        os.scandir(place.parent).close()
        if not os.access(place.parent, os.W_OK | os.X_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    except OSError as error:
        raise refusal(path, error, _EXPECTED) from error


def put_file(path: Path, fill: Callable[[Path], None], *, force: bool = False) -> None:
    """Write a file: `fill` gets the path of a new file in the same folder, and writes its content.

    This replaces an existing file only with `force`, and never replaces anything else.

    Raises:
        InputError: this path does not allow a file.
        ResourceError: writing failed.
    """
    try:
        place = _place(path, force=force)
        new = partial_beside(place)
        try:
            fill(new)
            sync(new)
            if force:
                new.replace(place)
            else:
                put_new(new, place)
            sync(place.parent)
        except FileExistsError:  # another run was faster
            _check(path, place, force=force)
            raise
        finally:
            new.unlink(missing_ok=True)
    except OSError as error:
        raise refusal(path, error, _EXPECTED) from error


def _place(path: Path, *, force: bool) -> Path:
    """Return the real path of a file: the target of a symbolic link is replaced, and not the link."""
    refuse_reserved(path)
    if str(path) == "-":  # a file of this name would be hard to use, and nobody wants one
        raise InputError("-: this stands for standard output, which is not allowed here; give the name of a file")
    place = Path(os.path.realpath(path))
    _check(path, place, force=force)
    return place


def _check(path: Path, place: Path, *, force: bool) -> None:
    """Raise InputError if there is something that must not be replaced."""
    if place.is_file() and not force:
        raise InputError(f"{path}: this file exists; give a new name, or --force to replace it")
    if place.exists() and not place.is_file():
        kind = "a folder" if place.is_dir() else "a device or a pipe"
        raise InputError(f"{path}: found {kind}, expected a name for a new file")


def put_new(new: Path, place: Path) -> None:
    """Give a written file its final name if that name is free; otherwise raise FileExistsError.

    A rename would replace an existing file, so this makes a hard link instead.
    """
    try:
        os.link(new, place)
    except OSError as error:
        if error.errno not in _ONE_NAME:
            raise
        place.open("x").close()  # the name is ours now, though nothing is in the file until the next step
        new.replace(place)
