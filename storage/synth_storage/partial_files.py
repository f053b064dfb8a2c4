"""Names of files and folders that are being written, and how to recognise those that nobody writes any more.

    .out-0123456789abcdef.partial               beside `out`, which a user has named
    .WHAT,HOST,PID,0123456789abcdef.partial     in a folder of our own, by the process PID of the machine HOST

A name of the first kind belongs to something that a single run puts in place. A later run for the same place removes it
when nothing has been written there for a day. Names of the second kind are for folders in which many processes write
for a long time. The name says which process writes, and a user may ask to clean the folder. This removes the files of
processes that ran on this machine and have ended. It also removes any file to which nothing has been written for a day.
"""

from __future__ import annotations

import contextlib
import os
import platform
import re
import secrets
import shutil
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_SUFFIX = ".partial"
#: A file or folder that has not changed for so many seconds is abandoned.
_ABANDONED_S = 24 * 3600.0
#: How many bytes of a place's name the names beside it contain. They must not be too long for the file system.
_LONGEST_NAME = 80


def partial_beside(place: Path) -> Path:
    """Return a new path in the folder of a place, for a file or folder that will be renamed to that place.

    The function removes what killed runs for the same place have left in the folder.
    """
    _remove_abandoned(place)
    return place.with_name(f"{prefix_beside(place)}{secrets.token_hex(8)}{_SUFFIX}")


def prefix_beside(place: Path) -> str:
    """Return the beginning of all names that `partial_beside` may give to files beside a place."""
    return f".{os.fsencode(place.name)[:_LONGEST_NAME].decode('utf-8', 'ignore')}-"


def partial_name(what: str) -> str:
    """Return a new name for a file or folder that this process is about to write. `what` is part of the name."""
    return f".{what},{platform.node()},{os.getpid()},{secrets.token_hex(8)}{_SUFFIX}"


def abandoned_partials(folder: Path) -> Iterator[Path]:
    """Yield the partial files and folders in a folder that nobody writes any more."""
    with contextlib.suppress(OSError):
        for path in folder.glob(f".*{_SUFFIX}"):
            with contextlib.suppress(OSError):  # it has been removed meanwhile
                if _has_ended(path.name) or _silent_s(path) > _ABANDONED_S:
                    yield path


def _remove_abandoned(place: Path) -> None:
    """Remove files and folders that killed runs have left beside a place."""
    name = re.compile(re.escape(prefix_beside(place)) + r"[0-9a-f]{16}" + re.escape(_SUFFIX))
    with contextlib.suppress(OSError):  # a run must not fail because of the cleaning
        for path in place.parent.iterdir():
            if name.fullmatch(path.name) and _silent_s(path) > _ABANDONED_S:
                if path.is_dir():
                    shutil.rmtree(path, ignore_errors=True)
                else:
                    path.unlink(missing_ok=True)


def _has_ended(name: str) -> bool:
    """Return whether a name belongs to a process of this machine that has ended."""
    parts = name.split(",")
    if len(parts) != 4 or parts[1] != platform.node() or not parts[2].isdigit():
        return False
    try:
        os.kill(int(parts[2]), 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return False


def _silent_s(path: Path) -> float:
    """Return for how many seconds a file, or everything in a folder, has not changed."""
    return time.time() - max(path_.stat().st_mtime for path_ in (path, *path.rglob("*")))
