"""The files and folders in the folder of a job, and how to tell such a folder from others.

    3x7-minimal.job/
        job.json         the question, the engine, and the checksum of
        shards.jsonl     the list of the shards, made once
        shards/          the results of shards; they alone decide which shards are done
        logs/            the work of each process, HOST-PID.jsonl
        failed/          the shards that have failed, NAME.json
        stop             while this file is there, all processes stop
        workers/         the processes that work on the job now, HOST-PID.json
        leases/          claims of processes on shards
        corpus/          the answer, when all shards are done

No file names a place or a machine. So users can move and copy the folder, and every machine that sees it can work on
it.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from synth_storage.folder_description import is_of_kind
from synth_storage.folders import FolderKind

if TYPE_CHECKING:
    from pathlib import Path

ABOUT, SHARDS, COMMITTED, LOGS, FAILED, STOP, WORKERS, LEASES, CORPUS = (
    *("job.json", "shards.jsonl", "shards", "logs", "failed", "stop", "workers", "leases", "corpus"),
)
#: What messages say they expect, if something in the folder of a job can't be changed.
WRITABLE = "a job folder that you may write to"
#: The number of the format that this release writes and reads.
FORMAT = 1
KIND = "synth job"
LONGEST_ABOUT = 1 << 24


def is_job(folder: Path) -> bool:
    """Return whether a folder holds a job, of any format; a folder that is unreadable does not."""
    try:
        return is_of_kind(folder / ABOUT, KIND, LONGEST_ABOUT)
    except OSError:
        return False


def is_unmade(folder: Path) -> bool:
    """Return whether a folder holds only the files of processes that are about to make a job there."""
    try:
        return {entry.name for entry in os.scandir(folder)} - {STOP} == {WORKERS}
    except OSError:
        return False


#: The kind of folder in which a job can be made: one in which its question was sampled.
UNMADE = FolderKind("a job", is_unmade)
