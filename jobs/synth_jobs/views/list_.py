"""The text of `synth job list`: a table with a row for each job."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_documents.columns import plain_table
from synth_documents.phrases import shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from synth_documents.lines import Lines
    from synth_jobs.job_list import ListedJob
    from synth_jobs.progress import JobProgress


def lines(jobs: Sequence[ListedJob]) -> Lines:
    """Yield a table of jobs, or nothing if there is no job."""
    table = plain_table("job", "question", "shards", "state", "tests")
    for job in jobs:
        shards, tests = ("", "0") if job.progress is None else _counts(job.progress)
        table.add_row(shown(str(job.folder)), job.question, shards, job.state, tests)
    if jobs:
        yield table


def _counts(progress: JobProgress) -> tuple[str, str]:
    return f"{progress.done}/{progress.shards}", str(progress.tests)
