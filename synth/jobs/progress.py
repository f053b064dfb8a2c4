"""How far a job has come, and how long it still takes: from its folder alone, by whoever sees that.

What is done, the committed shards say. How long the rest takes is the estimate that was made when the job began, split
by split, corrected by what its shards that are done have taken and were estimated to take; where none is done, by what
all have. Logs tell who has committed something lately, and so how many processes that is divided among, and how much
of a processor each of them gets.
"""

from __future__ import annotations

import time
from collections import defaultdict
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING

from synth.jobs import logs
from synth.jobs.job import LOGS
from synth_checker.errors import InputError
from synth_corpus.store import Corpus

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from synth.jobs.committed import Counts
    from synth.jobs.job import Failed, Job
    from synth.jobs.logs import Entry
    from synth.jobs.shards import Shard
    from synth_corpus.manifest import Manifest

#: A process is taken to be at work until it has been silent for so long, in seconds, or in times its longest shard.
_SILENT_S, _SILENT_SHARDS = 60.0, 4
#: The latest shards of those at work, by which it is told how fast they are.
_LATEST = 50


@dataclass(frozen=True, slots=True)
class SplitProgress:
    """The work of a split, and of all with the same sizes in any order: the part that is done, and seconds left."""

    split: str
    share: float
    cpu_seconds_left: float


@dataclass(frozen=True, slots=True)
class WorkerProgress:
    """What a process has done: shards, tests found in them, processor seconds; and for how long it has been silent."""

    worker: str
    shards: int
    tests: int
    cpu_seconds: float
    silent_seconds: float
    at_work: bool


@dataclass(frozen=True, slots=True)
class JobProgress:
    """How far a job has come.

    Shards done, of how many, their tests and those that are kept; processor seconds that were spent on them, and how
    many are left by estimate; how many seconds that takes those who are at work, None where nobody is. `state` is
    `complete`; `done` while the corpus is not in the folder, where it is still to be written or lies elsewhere;
    `incomplete`; or, where all are asked to stop, `stopping` while some are at work and then `stopped`.
    """

    state: str
    shards: int
    done: int
    tests: int
    kept: int
    cpu_seconds: float
    cpu_seconds_left: float
    seconds_left: float | None
    splits: tuple[SplitProgress, ...]
    workers: tuple[WorkerProgress, ...]
    failed: tuple[Failed, ...]
    damaged: tuple[str, ...]

    @property
    def at_work(self) -> int:
        """How many processes are at work."""
        return sum(worker.at_work for worker in self.workers)


def progress_of(job: Job) -> JobProgress:
    """How far a job has come by now. Raises UserError where the job can't be read."""
    done, damaged = job.committed()
    entries = logs.entries(job.folder / LOGS)
    finished = finished_corpus(job)
    if finished is not None:  # whose shards may have been removed
        done_names = set(job.shards)
        tests, kept = finished.found.get("tests", finished.tests), finished.tests
    else:
        done_names = set(done)
        tests, kept = sum(one.tests for one in done.values()), sum(one.kept for one in done.values())
    splits = _splits(job, done_names, entries)
    workers = _workers(entries, time.time())
    left = sum(split.cpu_seconds_left for split in splits)
    at_work = {worker.worker for worker in workers if worker.at_work}
    latest = [entry for entry in entries if entry.worker in at_work][-_LATEST:]
    return JobProgress(
        state=_state(job, done, finished, len(at_work)),
        shards=len(job.shards),
        done=len(done_names),
        tests=tests,
        kept=kept,
        cpu_seconds=sum(entry.cpu for entry in entries),
        cpu_seconds_left=left,
        seconds_left=left * _wall_of_cpu(latest) / len(at_work) if at_work else None,
        splits=splits,
        workers=workers,
        failed=tuple(one for one in job.failed().values() if one.name not in done_names),
        damaged=tuple(map(str, damaged)),
    )


def finished_corpus(job: Job) -> Manifest | None:
    """The manifest of the complete answer, if that lies in the job's folder."""
    try:
        found = Corpus(job.corpus).manifest
    except InputError:
        return None
    return found if found.complete and found.question == job.question else None


def _state(job: Job, done: Mapping[str, Counts], finished: Manifest | None, at_work: int) -> str:
    if finished is not None:
        return "complete"
    if len(done) == len(job.shards):
        return "done"
    if job.stop.exists():
        return "stopping" if at_work else "stopped"
    return "incomplete"


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
    """The estimated processor seconds of shards, by split."""
    found: defaultdict[str, float] = defaultdict(float)
    for shard in shards:
        for split, seconds in shard.work.items():
            found[split] += seconds
    return found


def _ratio(one: float, other: float, otherwise: float) -> float:
    return one / other if other else otherwise


def _wall_of_cpu(entries: Sequence[Entry]) -> float:
    """How long a process takes for a second of a processor: more where there are more processes than processors.

    The median of shards, one of which may have been done by a process that was stopped meanwhile.
    """
    taken = [entry.seconds / entry.cpu for entry in entries if entry.cpu > 0]
    return median(taken) if taken else 1.0


def _workers(entries: Iterable[Entry], now: float) -> tuple[WorkerProgress, ...]:
    of_worker: dict[str, list[Entry]] = {}
    for entry in entries:
        of_worker.setdefault(entry.worker, []).append(entry)
    return tuple(_worker(name, its, now) for name, its in sorted(of_worker.items()))


def _worker(name: str, its: list[Entry], now: float) -> WorkerProgress:
    silent = max(0.0, now - its[-1].when)
    return WorkerProgress(
        worker=name,
        shards=len(its),
        tests=sum(entry.tests for entry in its),
        cpu_seconds=sum(entry.cpu for entry in its),
        silent_seconds=silent,
        at_work=silent < max(_SILENT_S, _SILENT_SHARDS * max(entry.seconds for entry in its)),
    )
