"""What `synth job status` says: how far a job has come, or that its question is sampled; and its JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypedDict

from synth.jobs.job import Job
from synth.jobs.progress import JobState, progress_of, sampled_at

if TYPE_CHECKING:
    from pathlib import Path

    from synth.jobs.presence import Present
    from synth.jobs.progress import JobProgress, StatusState


@dataclass(frozen=True, slots=True)
class StatusAnswer:
    """A folder, its question, who is at work, and how far the job has come; None while its question is sampled."""

    folder: Path
    question: str
    workers: tuple[Present, ...]
    progress: JobProgress | None

    @property
    def state(self) -> StatusState:
        """How the job is, as `JobProgress` says, or that its question is sampled."""
        return "sampling" if self.progress is None else self.progress.state


class WorkerFields(TypedDict):
    """A process that is at work, by what it says of itself."""

    worker: str
    doing: str
    processes: int
    shards: int
    tests: int
    done: int
    units: int
    silent_seconds: float


class SplitFields(TypedDict):
    """The part of the work of a split that is done, and how much is left."""

    split: str
    share: float
    cpu_seconds_left: float


class FailedFields(TypedDict):
    """A shard that was tried in vain: how often, what happened the last time, and whether it is given up."""

    name: str
    tries: int
    error: str
    set_aside: bool


class SamplingFields(TypedDict):
    """A question of which parts are sampled, so that it can be cut into shards."""

    question: str
    state: Literal["sampling"]
    workers: list[WorkerFields]


class ProgressFields(TypedDict):
    """How far a job has come; `seconds_left` is null where nobody does shards."""

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
    """How far the job in a folder has come, seen from its folder alone.

    Raises:
        InputError: there is no job, or it can't be read.
        ResourceError: what it lies on failed.
    """
    sampled = sampled_at(folder)
    if sampled:
        return StatusAnswer(folder, sampled[0].question, tuple(sampled), None)
    job = Job(folder)
    progress = progress_of(job)
    return StatusAnswer(folder, job.question.name, progress.workers, progress)


def status_fields(answer: StatusAnswer) -> StatusFields:
    """What `synth job status` says, as JSON has it."""
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
            {"split": one.split, "share": one.share, "cpu_seconds_left": one.cpu_seconds_left}
            for one in progress.splits
        ],
        "workers": workers,
        "failed": [
            {"name": one.name, "tries": one.tries, "error": one.error, "set_aside": one.is_set_aside}
            for one in progress.failed
        ],
        "damaged": list(progress.damaged),
    }


def _worker(one: Present) -> WorkerFields:
    return {
        "worker": one.worker,
        "doing": one.doing,
        "processes": one.processes,
        "shards": one.shards,
        "tests": one.tests,
        "done": one.done,
        "units": one.units,
        "silent_seconds": one.silent_seconds,
    }
