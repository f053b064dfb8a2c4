"""List the jobs that lie in a folder or below it, and how far each has come."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from synth_checker.errors import InputError, UserError
from synth_jobs.job import Job
from synth_jobs.layout import is_job
from synth_jobs.progress import StatusState, progress_of, samplers_at

if TYPE_CHECKING:
    from collections.abc import Iterator


class ListedJob(NamedTuple):
    """A job: the name of its question, its state, its shards and how many of them are done, and its tests so far.

    While `synth` samples the question, the job has no shards yet.
    """

    folder: str
    question: str
    state: StatusState
    shards: int = 0
    done: int = 0
    tests: int = 0


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
            yield ListedJob(str(job_folder), sampled[0].question, "sampling")
        elif is_job(job_folder):
            below.clear()  # no job lies inside another job
            try:
                job = Job(job_folder)
                progress = progress_of(job)
                counts = progress.shards, progress.done, progress.tests
                listed = ListedJob(str(job_folder), job.question.name, progress.state, *counts)
            except UserError as error:  # the other jobs follow
                yield error
            else:
                yield listed
