"""List the jobs that lie in a folder or below it, and how far each has come."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from synth_checker.errors import InputError, UserError
from synth_jobs.job import Job
from synth_jobs.layout import is_job
from synth_jobs.progress import progress_of, samplers_at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth_jobs.progress import JobProgress, StatusState


@dataclass(frozen=True, slots=True)
class ListedJob:
    """A job, the name of its question, and how far it has come.

    `progress` is None while `synth` samples the question.
    """

    folder: Path
    question: str
    progress: JobProgress | None

    @property
    def state(self) -> StatusState:
        """The state of the job: that of its `JobProgress`, or `sampling`."""
        return "sampling" if self.progress is None else self.progress.state


def jobs_below(folder: Path) -> Iterator[ListedJob | UserError]:
    """Yield the jobs in a folder and in folders below it, and an error for each job that is unreadable.

    Raises:
        InputError: there is no such folder.
    """
    if not folder.is_dir():
        raise InputError(f"{folder}: there is no such folder; give a folder with jobs")
    for place, below, _ in os.walk(folder):
        below.sort()
        job_folder = Path(place)
        sampled = samplers_at(job_folder)
        if sampled:
            yield ListedJob(job_folder, sampled[0].question, None)
        elif is_job(job_folder):
            below.clear()  # no job lies inside another job
            try:
                job = Job(job_folder)
                listed = ListedJob(job_folder, job.question.name, progress_of(job))
            except UserError as error:  # the other jobs follow
                yield error
            else:
                yield listed
