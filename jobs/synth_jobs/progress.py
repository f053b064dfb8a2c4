"""Tell how far a job has come and how long it still takes, from the files of its folder alone.

The results of shards say what is done. The job began with an estimate for each split. The finished shards of a split
took more or less time than their estimates, and this module corrects the estimate by that ratio. If a split has no
finished shard, this module takes the ratio of all finished shards. This module divides the time that is left among the
processes that work on the job now (`synth_jobs.presence`). The logs of their machines say how much of a processor each
process gets. It never compares the times of two machines, so their clocks may differ.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from synth_checker.errors import InputError
from synth_corpus.store import Corpus
from synth_jobs import logs
from synth_jobs.failures import FailedShard  # noqa: TC001  (for the JSON Schema)
from synth_jobs.layout import LOGS, is_unmade
from synth_jobs.presence import SEARCHING, WorkerRecord, at_work

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from synth_corpus.manifest import Manifest
    from synth_jobs.committed import ShardCounts
    from synth_jobs.job import Job
    from synth_jobs.logs import Entry
    from synth_jobs.shards import Shard

#: How many of the latest shards of a machine tell how fast its processes are.
_LATEST = 50
#: The states of a job; `JobProgress` explains them.
JobState: TypeAlias = Literal["running", "writing", "stopping", "stopped", "incomplete", "done", "complete"]
#: The states of a job, and `sampling`, the state of a folder that is not a job yet.
StatusState: TypeAlias = Literal["sampling"] | JobState
STATES: tuple[StatusState, ...] = ("sampling", *get_args(JobState))


@dataclass(frozen=True, slots=True)
class SplitProgress:
    """The work of a split, and of all splits with the same sizes in another order: the part done, and the time left.

    `share` is between 0 and 1, and `cpu_seconds_left` an estimate in processor seconds.
    """

    split: str
    share: float
    cpu_seconds_left: float


@dataclass(frozen=True, slots=True)
class JobProgress:
    """How far a job has come.

    - `question` is the name of its question.
    - `shards` and `done` count all shards and those that are done. `tests` and `kept` count the tests found and kept.
    - `cpu_seconds` is the processor time spent, and `cpu_seconds_left` the estimated processor time left.
    - `seconds_left` is the estimated time that the present processes need, or None if no process does shards.
    - `state` is `running` while a process works on the job, and `incomplete` while none does. After a request to stop
      it is `stopping` or `stopped` instead. It is `writing` while a process writes the corpus. It is `done` if the
      corpus is not written yet or lies outside the folder, and `complete` at the end.
    """

    question: str
    state: JobState
    shards: int
    done: int
    tests: int
    kept: int
    cpu_seconds: float
    cpu_seconds_left: float
    seconds_left: float | None
    splits: tuple[SplitProgress, ...]
    workers: tuple[WorkerRecord, ...]
    failed: tuple[FailedShard, ...]
    damaged: tuple[str, ...]

    @property
    def at_work(self) -> int:
        """The number of processes that do shards at present."""
        return sum(worker.processes for worker in self.workers)


def progress_of(job: Job) -> JobProgress:
    """Return how far a job has come by now.

    Raises:
        InputError: the job is unreadable.
        ResourceError: a disk or device failed.
    """
    done, damaged = job.committed()
    entries = logs.entries(job.folder / LOGS)
    finished = finished_corpus(job)
    if finished is not None:  # a user may have removed the shards of a finished job
        done_names = set(job.shards)
        tests, kept = finished.found.get("tests", finished.tests), finished.tests
    else:
        done_names = set(done)
        tests, kept = sum(counts.tests for counts in done.values()), sum(counts.kept for counts in done.values())
    splits = _splits(job, done_names, entries)
    workers = at_work(job.folder)
    cpu_seconds = sum(split.cpu_seconds_left for split in splits)
    return JobProgress(
        question=job.question.name,
        state=_state(job, done, finished, workers),
        shards=len(job.shards),
        done=len(done_names),
        tests=tests,
        kept=kept,
        cpu_seconds=sum(entry.cpu for entry in entries),
        cpu_seconds_left=cpu_seconds,
        seconds_left=_seconds(cpu_seconds, len(job.shards) - len(done_names), workers, entries),
        splits=splits,
        workers=tuple(workers),
        failed=tuple(failed for failed in job.failures.all().values() if failed.name not in done_names),
        damaged=tuple(map(str, damaged)),
    )


def samplers_at(folder: Path) -> list[WorkerRecord]:
    """Return the processes that sample a question in a folder that is not a job yet; none for any other folder."""
    return at_work(folder) if is_unmade(folder) else []


def finished_corpus(job: Job) -> Manifest | None:
    """Return the manifest of the complete corpus in the folder of a job, or None if there is none."""
    try:
        manifest = Corpus(job.corpus).manifest
    except InputError:
        return None
    return manifest if manifest.complete and manifest.question == job.question else None


def _state(
    job: Job, done: Mapping[str, ShardCounts], finished: Manifest | None, workers: Sequence[WorkerRecord]
) -> JobState:
    if finished is not None:
        return "complete"
    if len(done) == len(job.shards):
        return "writing" if workers else "done"
    if job.stop.exists():
        return "stopping" if workers else "stopped"
    return "running" if workers else "incomplete"


def _splits(job: Job, done: set[str], entries: Iterable[Entry]) -> tuple[SplitProgress, ...]:
    whole = _work(job.shards.values())
    open_ = _work(shard for shard in job.shards.values() if shard.name not in done)
    logged = [(entry, job.shards[entry.shard]) for entry in entries if entry.shard in done]
    foreseen = _work(shard for _, shard in logged)
    spent: defaultdict[str, float] = defaultdict(float)
    for entry, shard in logged:
        for split, seconds in shard.work.items():
            spent[split] += entry.cpu * _ratio(seconds, shard.seconds, 0.0)
    usual = _ratio(sum(spent.values()), sum(foreseen.values()), 1.0)
    return tuple(
        SplitProgress(
            split=split,
            share=1.0 - _ratio(open_[split], seconds, 0.0),
            cpu_seconds_left=open_[split] * _ratio(spent[split], foreseen[split], usual),
        )
        for split, seconds in whole.items()
    )


def _work(shards: Iterable[Shard]) -> defaultdict[str, float]:
    """Return the estimated processor seconds of some shards, by split."""
    seconds_of_split: defaultdict[str, float] = defaultdict(float)
    for shard in shards:
        for split, seconds in shard.work.items():
            seconds_of_split[split] += seconds
    return seconds_of_split


def _ratio(first: float, other: float, otherwise: float) -> float:
    return first / other if other else otherwise


def _seconds(
    cpu_seconds: float, shards: int, workers: Sequence[WorkerRecord], entries: Sequence[Entry]
) -> float | None:
    """Return how many seconds the present processes take for the processor seconds that are left.

    It is None if no process does shards.
    """
    searching = [worker for worker in workers if worker.doing == SEARCHING and worker.processes]
    if not searching:
        return None
    processes = sum(worker.processes for worker in searching)
    speed = sum(worker.processes / _wall_of_cpu(worker, entries) for worker in searching)
    busy = min(1.0, shards / processes)  # two processes never share a shard
    return cpu_seconds / (speed * busy) if cpu_seconds else 0.0


def _wall_of_cpu(worker: WorkerRecord, entries: Sequence[Entry]) -> float:
    """Return how many seconds a process needs for one second of processor time.

    It is more than one if a machine has more processes than processors. The shards that the machine has done since the
    process began decide it, all by the same clock. It is their median, because a process may have been suspended in
    between.
    """
    its = [entry for entry in entries if entry.host == worker.host and entry.when >= worker.since and entry.cpu > 0]
    taken = [entry.seconds / entry.cpu for entry in its[-_LATEST:]]
    return median(taken) if taken else 1.0
