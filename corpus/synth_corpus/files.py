"""Files that are whole or not there: written under another name, synced, and put in place by one rename."""

from __future__ import annotations

import errno
import os
import secrets
from pathlib import Path
from typing import TYPE_CHECKING

from synth_checker.errors import InputError, ResourceError
from synth_corpus.folders import reason

if TYPE_CHECKING:
    from collections.abc import Callable

#: What the system has run out of, or a device that fails; all else is the fault of the place.
_RESOURCES = {errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ENOSPC}


def put_file(path: Path, fill: Callable[[Path], None], *, force: bool = False) -> None:
    """Make a file hold what `fill` writes into the new file whose name it is given, in the same folder.

    What is there already is replaced only with `force`, and only if it is a file.

    Raises:
        InputError: nothing can be put there.
        ResourceError: writing failed.
    """
    try:
        place = Path(os.path.realpath(path))  # behind a symbolic link the file it names is replaced, not the link
        if place.exists() and not (force and place.is_file()):
            found = "a file" if place.is_file() else "no file"
            msg = f"{path}: found {found}, expected a name for a new one{' (or --force)' if place.is_file() else ''}"
            raise InputError(msg)
        new = place.with_name(f".{secrets.token_hex(8)}.partial")
        try:
            fill(new)
            handle = os.open(new, os.O_RDONLY)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)
            new.replace(place)
        finally:
            new.unlink(missing_ok=True)
    except OSError as error:
        msg = f"{path}: {reason(error)}"
        if error.errno in _RESOURCES:
            raise ResourceError(msg) from error
        msg = f"{msg}, expected a name for a new file"
        raise InputError(msg) from error
