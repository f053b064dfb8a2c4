"""What each process did: a file of its own, to which it appends a line when a shard is committed.

    logs/HOST-PID.jsonl   {"when":1795212345.678,"shard":"000017","seconds":12.3,"cpu":12.1,"tests":4711,"kept":12}

Logs say how fast a job goes and who works on it; what is done they don't decide. A line that a killed process has left
half-written is passed over.
"""

from __future__ import annotations

import json
import os
import platform
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from synth_storage.refusals import as_user_errors

if TYPE_CHECKING:
    from pathlib import Path

_SUFFIX = ".jsonl"


@dataclass(frozen=True, slots=True)
class Entry:
    """A shard that was committed: by whom, when (seconds since 1970), how long it took, and what it has."""

    worker: str
    when: float
    shard: str
    seconds: float
    cpu: float
    tests: int
    kept: int

    @property
    def host(self) -> str:
        """The machine that it was done on."""
        return self.worker.rpartition("-")[0]


def append(  # noqa: PLR0913
    folder: Path, shard: str, *, seconds: float, cpu: float, tests: int, kept: int
) -> None:
    """Append a line to the log of this process.

    Raises:
        ResourceError: writing failed.
    """
    path = folder / f"{platform.node()}-{os.getpid()}{_SUFFIX}"
    fields = {
        "when": round(time.time(), 3),
        "shard": shard,
        "seconds": round(seconds, 4),
        "cpu": round(cpu, 4),
        "tests": tests,
        "kept": kept,
    }
    line = json.dumps(fields, separators=(",", ":")) + "\n"
    with as_user_errors(path), path.open("ab", buffering=0) as file:
        file.write(line.encode())


def entries(folder: Path) -> list[Entry]:
    """What all processes did, in the order of time; of a shard that was done twice, the first."""
    found: dict[str, Entry] = {}
    for path in folder.glob(f"*{_SUFFIX}"):
        for line in _lines(path):
            try:
                entry = Entry(path.name.removesuffix(_SUFFIX), **json.loads(line))
                before = found.get(entry.shard)
                if before is None or entry.when < before.when:
                    found[entry.shard] = entry
            except (ValueError, TypeError):
                continue
    return sorted(found.values(), key=lambda entry: entry.when)


def _lines(path: Path) -> list[bytes]:
    try:
        return path.read_bytes().splitlines()
    except OSError:
        return []
