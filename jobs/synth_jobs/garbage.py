"""Remove files that the folder of a job no longer needs.

These are remains of killed processes and, once the corpus is complete, the results of shards.
"""

from __future__ import annotations

import contextlib
import shutil
import stat
from typing import TYPE_CHECKING, NamedTuple

from synth_checker.errors import InputError
from synth_jobs.committed import SUFFIX
from synth_jobs.layout import FAILED, LEASES, WORKERS, WRITABLE
from synth_jobs.progress import finished_corpus
from synth_storage import leases
from synth_storage.partial_files import abandoned_partials
from synth_storage.refusals import as_user_errors

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from synth_jobs.job import Job


class RemovedFiles(NamedTuple):
    """How many files were removed, and how many bytes they had."""

    files: int
    bytes: int


def clean(job: Job, *, shards: bool = False) -> RemovedFiles:
    """Remove the remains of killed processes and, if `shards` is true, the results of shards; count what was removed.

    Raises:
        InputError: the folder has no complete corpus although `shards` is true, or a file is not removable.
        ResourceError: a disk or device failed.
    """
    if shards and finished_corpus(job) is None:
        raise InputError(
            f"{job.folder}: this job has no complete corpus yet, so its shards are still needed; finish the job "
            "first, with synth job resume"
        )
    files = size = 0
    for path in list(_needless(job, shards=shards)):
        for file in [path, *path.rglob("*")]:
            with contextlib.suppress(FileNotFoundError):  # another process may have removed it
                if stat.S_ISREG((status := file.stat()).st_mode):
                    files, size = files + 1, size + status.st_size
        with as_user_errors(path, WRITABLE):
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink(missing_ok=True)
    return RemovedFiles(files, size)


def _needless(job: Job, *, shards: bool) -> Iterator[Path]:
    for folder in (job.folder, job.results, job.folder / FAILED, job.folder / LEASES, job.folder / WORKERS):
        yield from abandoned_partials(folder)
    yield from leases.finished_leases(job.folder / LEASES, job.committed()[0])
    if shards:
        yield from job.results.glob(f"*{SUFFIX}")
