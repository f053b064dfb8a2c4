"""How many tests jobs had found after which processor time (Figure 7 of the paper)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_documents.table import Table
from synth_jobs.discovery_curve import discovery_curve
from synth_jobs.job import Job

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

#: Times are rounded to so many digits after the point. A job notes no more.
_DIGITS = 4


def discovery_table(folders: Iterable[Path]) -> Table:
    """Return a table with a row for each shard that a job has committed, in the order of time.

    Raises:
        InputError: a folder holds no job that can be read, or a job has not committed any shard yet.
    """
    rows = []
    for folder in folders:
        job = Job(folder)
        rows += [
            (str(folder), job.question.name, round(cpu, _DIGITS), tests, round(share, 1))
            for cpu, tests, share in discovery_curve(job)
        ]
    return Table(
        "Tests found over time",
        ("job", "question", "processor time, s", "tests", "estimated work done, %"),
        tuple(rows),
        (
            "Each row after the first of a job is a shard: what the job had found when it committed the shard.",
            "Processor time is that of all processes together. It stands still while no process works.",
        ),
    )
