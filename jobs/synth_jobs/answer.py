"""The answer of `synth job status`, and its JSON: how far a job is, or that `synth` still samples its question."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypedDict

from synth_jobs.job import Job
from synth_jobs.progress import JobState, progress_of, samplers_at

if TYPE_CHECKING:
    from pathlib import Path

    from synth_jobs.presence import WorkerRecord
    from synth_jobs.progress import JobProgress, StatusState


@dataclass(frozen=True, slots=True)
class StatusAnswer:
    """The folder of a job, its question, the processes that work on it, and how far it has come.

    `progress` is None while `synth` samples the question.
    """

    folder: Path
    question: str
    workers: tuple[WorkerRecord, ...]
    progress: JobProgress | None

    @property
    def state(self) -> StatusState:
        """The state of the job, one of `synth_jobs.progress.STATES`."""
        return "sampling" if self.progress is None else self.progress.state


class WorkerFields(TypedDict):
    """A process that works on a job, as its file describes it."""

    worker: str
    doing: str
    processes: int
    shards: int
    tests: int
    done: int
    units: int
    silent_seconds: float


class SplitFields(TypedDict):
    """The part of the work of a split that is done, and the estimated processor seconds that are left."""

    split: str
    share: float
    cpu_seconds_left: float


class FailedFields(TypedDict):
    """A shard that has failed: how many tries there were, the last error, and whether no further try will follow."""

    name: str
    tries: int
    error: str
    set_aside: bool


class SamplingFields(TypedDict):
    """The answer while `synth` samples parts of a question, before it divides the question into shards."""

    question: str
    state: Literal["sampling"]
    workers: list[WorkerFields]


class ProgressFields(TypedDict):
    """How far a job has come; `seconds_left` is null if no process does shards."""

    question: str
    state: JobState
    shards: int
    done: int
    tests: int
    kept: int
    cpu_seconds: float
    cpu_seconds_left: float
    seconds_left: float | None
    splits: list[SplitFields]
    workers: list[WorkerFields]
    failed: list[FailedFields]
    damaged: list[str]


StatusFields = SamplingFields | ProgressFields


def status_of(folder: Path) -> StatusAnswer:
    """Return how far the job in a folder has come, from the files of the folder alone.

    Raises:
        InputError: the folder holds no job, or an unreadable one.
        ResourceError: a disk or device failed.
    """
    sampled = samplers_at(folder)
    if sampled:
        return StatusAnswer(folder, sampled[0].question, tuple(sampled), None)
    job = Job(folder)
    progress = progress_of(job)
    return StatusAnswer(folder, job.question.name, progress.workers, progress)


def status_fields(answer: StatusAnswer) -> StatusFields:
    """Return the state of a job as the JSON object that `synth job status --json` prints."""
    workers, progress = list(map(_worker, answer.workers)), answer.progress
    if progress is None:
        return {"question": answer.question, "state": "sampling", "workers": workers}
    return {
        "question": answer.question,
        "state": progress.state,
        "shards": progress.shards,
        "done": progress.done,
        "tests": progress.tests,
        "kept": progress.kept,
        "cpu_seconds": progress.cpu_seconds,
        "cpu_seconds_left": progress.cpu_seconds_left,
        "seconds_left": progress.seconds_left,
        "splits": [
            {"split": split.split, "share": split.share, "cpu_seconds_left": split.cpu_seconds_left}
            for split in progress.splits
        ],
        "workers": workers,
        "failed": [
            {"name": failed.name, "tries": failed.tries, "error": failed.error, "set_aside": failed.is_set_aside}
            for failed in progress.failed
        ],
        "damaged": list(progress.damaged),
    }


def _worker(present: WorkerRecord) -> WorkerFields:
    return {
        "worker": present.worker,
        "doing": present.doing,
        "processes": present.processes,
        "shards": present.shards,
        "tests": present.tests,
        "done": present.done,
        "units": present.units,
        "silent_seconds": present.silent_seconds,
    }
