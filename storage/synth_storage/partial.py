"""Names of files and folders that are being written, and which of these nobody writes any more.

    .out-0123456789abcdef.partial               beside `out`, which a user has named
    .WHAT,HOST,PID,0123456789abcdef.partial     in a folder of our own, by the process PID of the machine HOST

A name of the first kind is for what a single run puts in place. A later run for the same place removes it once nothing
was written there for a day. Names of the second kind are for folders in which many processes write for long. These are
cleaned when a user asks for it, so the name says who writes: of a process of this machine that has ended, what is
left can be removed at once. All other names can be removed after a day, too.
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
#: Nobody writes a file or a folder and is silent for so long, in seconds.
_ABANDONED_S = 24 * 3600.0
#: Bytes of the place's name in the names beside it, which must not be too long for the file system.
_LONGEST_NAME = 80


def partial_beside(place: Path) -> Path:
    """A new name beside a place for what will be moved there. It also removes what killed runs left there."""
    _remove_abandoned(place)
    return place.with_name(f"{prefix_beside(place)}{secrets.token_hex(8)}{_SUFFIX}")


def prefix_beside(place: Path) -> str:
    """How the names beside a place begin."""
    return f".{os.fsencode(place.name)[:_LONGEST_NAME].decode('utf-8', 'ignore')}-"


def partial_name(what: str) -> str:
    """A new name for what this process is about to write."""
    return f".{what},{platform.node()},{os.getpid()},{secrets.token_hex(8)}{_SUFFIX}"


def left_over(folder: Path) -> Iterator[Path]:
    """The partial files and folders in a folder that nobody writes any more."""
    with contextlib.suppress(OSError):
        for path in folder.glob(f".*{_SUFFIX}"):
            with contextlib.suppress(OSError):  # it is gone meanwhile
                if _has_ended(path.name) or _silent_s(path) > _ABANDONED_S:
                    yield path


def _remove_abandoned(place: Path) -> None:
    """Remove what killed runs have left beside a place."""
    name = re.compile(re.escape(prefix_beside(place)) + r"[0-9a-f]{16}" + re.escape(_SUFFIX))
    with contextlib.suppress(OSError):  # tidying up must not keep anyone from working
        for path in place.parent.iterdir():
            if name.fullmatch(path.name) and _silent_s(path) > _ABANDONED_S:
                if path.is_dir():
                    shutil.rmtree(path, ignore_errors=True)
                else:
                    path.unlink(missing_ok=True)


def _has_ended(name: str) -> bool:
    """Whether a name is that of a process of this machine that is no more."""
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
    """For how many seconds nothing has been written into a file, or in a folder."""
    return time.time() - max(one.stat().st_mtime for one in (path, *path.rglob("*")))
