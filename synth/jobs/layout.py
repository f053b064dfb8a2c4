"""What lies where in the folder of a job, and how to tell such a folder from others.

    3x7-minimal.job/
        job.json         the question, the engine, and the checksum of
        shards.jsonl     the list of the shards, made once
        shards/          the committed ones: the only truth
        logs/            what each process did, HOST-PID.jsonl
        failed/          the shards that were tried in vain, NAME.json
        stop             while it is there, all processes stop
        workers/         who is at work just now, HOST-PID.json
        leases/          who does what just now, where workers claim shards
        corpus/          the answer, when all shards are there

Nothing in it names a place or a machine, so it can be moved and copied, and whoever sees it can work on it.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from synth_storage.described import says_kind
from synth_storage.folders import FolderKind

if TYPE_CHECKING:
    from pathlib import Path

ABOUT, SHARDS, COMMITTED, LOGS, FAILED, STOP, WORKERS, LEASES, CORPUS = (
    *("job.json", "shards.jsonl", "shards", "logs", "failed", "stop", "workers", "leases", "corpus"),
)
#: What messages expect where something in the folder of a job can't be changed.
WRITABLE = "a job folder that you may write to"
#: The format that this release writes and reads.
FORMAT = 1
KIND = "synth job"
LONGEST_ABOUT = 1 << 24


def is_job(folder: Path) -> bool:
    """Whether a folder is that of a job, of whatever format; one that can't be looked into is none."""
    try:
        return says_kind(folder / ABOUT, KIND, LONGEST_ABOUT)
    except OSError:
        return False


def is_unmade(folder: Path) -> bool:
    """Whether a folder holds only what those write who are about to make a job there."""
    try:
        return {entry.name for entry in os.scandir(folder)} - {STOP} == {WORKERS}
    except OSError:
        return False


#: Where a job can be put: the place of one that is not made yet.
UNMADE = FolderKind("a job", is_unmade)
