"""Files that are whole or not there: written under another name, synced, and put in place in one step.

    .out-0123456789abcdef.partial     being written
    out                               in place

A run that is killed may leave a `.partial`, as with folders, and a later run for the same place removes that once it is
a day old. Of two runs that end at the same place, the slower finds the other's file, and is refused unless it has
`force`.
"""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import TYPE_CHECKING

from synth_checker.errors import InputError
from synth_storage.folders import sync
from synth_storage.partial import partial_beside
from synth_storage.refusals import refusal
from synth_storage.reserved import refuse_reserved

if TYPE_CHECKING:
    from collections.abc import Callable

_EXPECTED = "a name for a new file"
#: How file systems say that a file has one name only.
_ONE_NAME = {errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK}


def put_bytes(path: Path, data: bytes, *, force: bool = False) -> None:
    """Make a file hold these bytes. Raises as `put_file` does."""

    def fill(new: Path) -> None:
        new.write_bytes(data)

    put_file(path, fill, force=force)


def check_file(path: Path, *, force: bool = False) -> None:
    """Look whether `put_file` could replace what is there now: to be asked before a long run.

    Raises:
        InputError: it could not.
    """
    try:
        place = _place(path, force=force)
        os.scandir(place.parent).close()
        if not os.access(place.parent, os.W_OK | os.X_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    except OSError as error:
        raise refusal(path, error, _EXPECTED) from error


def put_file(path: Path, fill: Callable[[Path], None], *, force: bool = False) -> None:
    """Make a file hold what `fill` writes into the new file whose name it is given, in the same folder.

    What is there already is replaced only with `force`, and only if it is a file.

    Raises:
        InputError: nothing can be put there.
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
    """Where a file is put: behind a symbolic link the file it names is replaced, not the link."""
    refuse_reserved(path)
    if str(path) == "-":  # a file so called would be hard to name, and nobody asks for one
        msg = "-: found the sign of standard output, expected the name of a file"
        raise InputError(msg)
    place = Path(os.path.realpath(path))
    _check(path, place, force=force)
    return place


def _check(path: Path, place: Path, *, force: bool) -> None:
    """Raise InputError where something is that may not be replaced."""
    if place.is_file() and not force:
        msg = f"{path}: found a file, expected a name for a new one (or --force)"
        raise InputError(msg)
    if place.exists() and not place.is_file():
        found = "a folder" if place.is_dir() else "a device or a pipe"
        msg = f"{path}: found {found}, expected a name for a new file"
        raise InputError(msg)


def put_new(new: Path, place: Path) -> None:
    """Put a file where there is none; FileExistsError where there is one. A rename would replace it."""
    try:
        os.link(new, place)
    except OSError as error:
        if error.errno not in _ONE_NAME:
            raise
        place.open("x").close()  # the name is ours now, though nothing is in the file until the next step
        new.replace(place)
