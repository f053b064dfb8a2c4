"""List the jobs that lie in a folder or below it, and how far each has come."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from synth_checker.errors import InputError, UserError
from synth_jobs.answer import sampling_at
from synth_jobs.job import Job
from synth_jobs.layout import is_job
from synth_jobs.progress import progress_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth_jobs.answer import StatusAnswer


class ListedJob(NamedTuple):
    """A job by its folder, and how far it has come."""

    folder: Path
    status: StatusAnswer


def jobs_below(folder: Path) -> Iterator[ListedJob | UserError]:
    """Yield the jobs in a folder and in folders below it, and an error for each job that is unreadable.

    Raises:
        InputError: there is no such folder.
    """
    if not folder.is_dir():
        msg = f"{folder}: there is no such folder; give a folder with jobs"
        raise InputError(msg)
    for place, below, _ in os.walk(folder):
        below.sort()
        job_folder = Path(place)
        if (sampling := sampling_at(job_folder)) is not None:
            yield ListedJob(job_folder, sampling)
        elif is_job(job_folder):
            below.clear()  # no job lies inside another job
            try:
                progress = progress_of(Job(job_folder))
            except UserError as error:  # the other jobs follow
                yield error
            else:
                yield ListedJob(job_folder, progress)
