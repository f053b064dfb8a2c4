"""Folders that are whole or not there: filled under another name, synced, and put in place by one rename.

Where the file system can exchange two names, replacing an older folder is one step, too; elsewhere the older folder is
put aside first, and back if anything fails.
"""

from __future__ import annotations

import ctypes
import os
import secrets
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from synth_checker.errors import InputError, ResourceFault

if TYPE_CHECKING:
    from collections.abc import Callable

_CURRENT_FOLDER = -100  # AT_FDCWD of <fcntl.h>
_EXCHANGE = 2  # RENAME_EXCHANGE of <linux/fs.h>


def put_folder(
    folder: Path, fill: Callable[[Path], None], *, force: bool, is_ours: Callable[[Path], bool], kind: str
) -> None:
    """Make a folder hold exactly what `fill` writes into the empty folder it is given.

    The folder must be new or empty; with `force` one for which `is_ours` holds is replaced. `kind` says in messages
    what the folder should have been.

    Raises:
        InputError: the folder can't be used.
        ResourceFault: writing failed.
    """
    place = folder.resolve()  # behind a symbolic link the folder it names is replaced, not the link
    new = place.parent / f".{place.name[:80]}-{secrets.token_hex(8)}.partial"
    try:
        _check_free(folder, place, force=force, is_ours=is_ours, kind=kind)
        new.mkdir(parents=True)
        fill(new)
        for path in (*new.rglob("*"), new):
            _sync(path)
        _put(new, place)
        _sync(place.parent)
    except (FileExistsError, FileNotFoundError, NotADirectoryError, PermissionError) as error:
        msg = f"{folder}: {error.strerror}, expected a place for a new folder"
        raise InputError(msg) from error
    except OSError as error:
        msg = f"{folder}: {error.strerror or error}"
        raise ResourceFault(msg) from error
    finally:
        shutil.rmtree(new, ignore_errors=True)


def _check_free(folder: Path, place: Path, *, force: bool, is_ours: Callable[[Path], bool], kind: str) -> None:
    if not place.exists():
        return
    if not place.is_dir():
        msg = f"{folder}: found a file, expected a new or empty folder"
        raise InputError(msg)
    if Path.cwd().is_relative_to(place):
        msg = f"{folder}: found the current folder or one that holds it, expected a folder that can be replaced"
        raise InputError(msg)
    if not any(place.iterdir()):
        return
    if not is_ours(place):
        msg = f"{folder}: found files of others, expected a new or empty folder or {kind}"
        raise InputError(msg)
    if not force:
        msg = f"{folder}: found {kind}, expected a new or empty folder (or --force)"
        raise InputError(msg)


def _put(new: Path, place: Path) -> None:
    if not place.exists():
        new.rename(place)
    elif not _exchange(new, place):
        old = new.with_suffix(".replaced")
        place.rename(old)
        try:
            new.rename(place)
        except BaseException:
            old.rename(place)
            raise
        shutil.rmtree(old, ignore_errors=True)


def _exchange(one: Path, other: Path) -> bool:
    """Exchange two names in one step; whether this system can."""
    try:
        rename = ctypes.CDLL(None).renameat2
    except AttributeError:
        return False
    return bool(rename(_CURRENT_FOLDER, os.fsencode(one), _CURRENT_FOLDER, os.fsencode(other), _EXCHANGE) == 0)


def _sync(path: Path) -> None:
    """Make a file's content, or the names in a folder, last."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
