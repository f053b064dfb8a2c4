"""The answer of `synth job status`: how far a job is, or that `synth` still samples its question."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from synth_jobs.job import Job
from synth_jobs.presence import WorkerRecord  # noqa: TC001  (for the JSON Schema)
from synth_jobs.progress import JobProgress, progress_of, samplers_at

if TYPE_CHECKING:
    from pathlib import Path


class SamplingAnswer(NamedTuple):
    """The answer while `synth` samples parts of a question, before it divides the question into shards."""

    question: str
    state: Literal["sampling"]
    workers: list[WorkerRecord]


StatusAnswer = SamplingAnswer | JobProgress


def status_of(folder: Path) -> StatusAnswer:
    """Return how far the job in a folder has come, from the files of the folder alone.

    Raises:
        InputError: the folder holds no job, or an unreadable one.
        ResourceError: a disk or device failed.
    """
    if sampled := samplers_at(folder):
        return SamplingAnswer(sampled[0].question, "sampling", sampled)
    return progress_of(Job(folder))
