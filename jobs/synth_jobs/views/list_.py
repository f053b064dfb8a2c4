"""The text of `synth job list`: a table with a row for each job."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_documents.columns import plain_table
from synth_documents.phrases import shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from synth_documents.lines import Lines
    from synth_jobs.job_list import ListedJob


def lines(jobs: Sequence[ListedJob]) -> Lines:
    """Yield a table of jobs, or nothing if there is no job."""
    table = plain_table("job", "question", "shards", "state", "tests")
    for job in jobs:
        shards = f"{job.done}/{job.shards}" if job.shards else ""
        table.add_row(shown(job.folder), job.question, shards, job.state, str(job.tests))
    if jobs:
        yield table
