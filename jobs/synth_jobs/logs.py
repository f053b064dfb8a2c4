"""The logs of a job: each process has a file, to which it appends a line when it commits a shard.

    logs/HOST-PID.jsonl   {"when":1795212345.678,"shard":"000017","seconds":12.3,"cpu":12.1,"tests":4711,"kept":12}

Logs say how fast a job goes and who works on it. They do not decide which shards are done. A reader skips an incomplete
line, which a killed process may have left.
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
    """A line of a log: which shard was committed, by which process, when, how long it took, and how many tests it has.

    `when` is in seconds since 1970, `seconds` is the elapsed time, and `cpu` the processor time in seconds.
    """

    worker: str
    when: float
    shard: str
    seconds: float
    cpu: float
    tests: int
    kept: int

    @property
    def host(self) -> str:
        """The name of the machine that did the shard."""
        return self.worker.rpartition("-")[0]


def append(  # noqa: PLR0913
    folder: Path, shard: str, *, seconds: float, cpu: float, tests: int, kept: int
) -> None:
    """Append a line about a shard to the log of this process.

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
    """Return the log entries of all processes in order of time. Those of the same time are in the order of the shards.

    If a shard was done twice, the result has only its first entry.
    """
    by_shard: dict[str, Entry] = {}
    for path in folder.glob(f"*{_SUFFIX}"):
        for line in _lines(path):
            try:
                entry = Entry(path.name.removesuffix(_SUFFIX), **json.loads(line))
                before = by_shard.get(entry.shard)
                if before is None or entry.when < before.when:
                    by_shard[entry.shard] = entry
            except (ValueError, TypeError):
                continue
    return sorted(by_shard.values(), key=lambda entry: (entry.when, entry.shard))


def _lines(path: Path) -> list[bytes]:
    try:
        return path.read_bytes().splitlines()
    except OSError:
        return []
