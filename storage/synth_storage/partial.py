"""Names of what is on its way into a job's folder, and who left it there.

    .WHAT,HOST,PID,0123456789abcdef.partial

It is left over if its process was on this machine and has ended, or if nothing was written into it for a day: nobody
writes a shard or a merge of them and is silent for so long.
"""

from __future__ import annotations

import contextlib
import os
import platform
import secrets
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

#: What is expected where something in the folder of a job is to be changed.
WRITABLE = "a job folder that you may write to"
_SUFFIX = ".partial"
_ABANDONED_S = 24 * 3600.0


def partial_name(what: str) -> str:
    """A new name for what this process is about to write."""
    return f".{what},{platform.node()},{os.getpid()},{secrets.token_hex(8)}{_SUFFIX}"


def left_over(folder: Path) -> Iterator[Path]:
    """The files and folders of such names in a folder that nobody writes any more."""
    with contextlib.suppress(OSError):
        for path in folder.glob(f".*{_SUFFIX}"):
            with contextlib.suppress(OSError):  # it is gone meanwhile
                if _has_ended(path.name) or time.time() - path.stat().st_mtime > _ABANDONED_S:
                    yield path


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
