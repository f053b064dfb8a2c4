"""How far a job has come, and how long it still takes: from its folder alone, by whoever sees that.

What is done, the committed shards say. How long the rest takes is the estimate that was made when the job began, split
by split, corrected by what its shards that are done have taken and were estimated to take; where none is done, by what
all have. That is divided among the processes that are at work just now, by what these say of themselves
(`synth.jobs.presence`), and by how much of a processor each of them gets, by the logs of their machines. Times of two
machines are never compared, so clocks that differ do no harm.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from synth.jobs import logs
from synth.jobs.layout import LOGS, is_unmade
from synth.jobs.presence import SEARCHING, at_work
from synth_checker.errors import InputError
from synth_corpus.store import Corpus

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from synth.jobs.committed import Counts
    from synth.jobs.failures import Failed
    from synth.jobs.job import Job
    from synth.jobs.logs import Entry
    from synth.jobs.presence import Present
    from synth.jobs.shards import Shard
    from synth_corpus.manifest import Manifest

#: The latest shards of a machine, by which it is told how fast its processes are.
_LATEST = 50
#: How a job is; see `JobProgress`.
JobState: TypeAlias = Literal["running", "writing", "stopping", "stopped", "incomplete", "done", "complete"]
#: The same, and how a folder is that is not a job yet.
StatusState: TypeAlias = Literal["sampling"] | JobState
STATES: tuple[StatusState, ...] = ("sampling", *get_args(JobState))


@dataclass(frozen=True, slots=True)
class SplitProgress:
    """The work of a split, and of all with the same sizes in any order: the part that is done, and seconds left."""

    split: str
    share: float
    cpu_seconds_left: float


@dataclass(frozen=True, slots=True)
class JobProgress:
    """How far a job has come.

    Shards done, of how many, their tests and those that are kept; processor seconds that were spent on them, and how
    many are left by estimate; how many seconds that takes those who are at work, None where nobody does shards. `state`
    is `running` while somebody is at work, and `incomplete` where nobody is; `stopping` and `stopped` instead where all
    are asked to stop; `writing` while somebody writes the corpus; `done` where that is still to be written, or lies
    elsewhere than in the folder; or `complete`.
    """

    state: JobState
    shards: int
    done: int
    tests: int
    kept: int
    cpu_seconds: float
    cpu_seconds_left: float
    seconds_left: float | None
    splits: tuple[SplitProgress, ...]
    workers: tuple[Present, ...]
    failed: tuple[Failed, ...]
    damaged: tuple[str, ...]

    @property
    def at_work(self) -> int:
        """How many processes do shards."""
        return sum(worker.processes for worker in self.workers)


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
    workers = at_work(job.folder)
    left = sum(split.cpu_seconds_left for split in splits)
    return JobProgress(
        state=_state(job, done, finished, workers),
        shards=len(job.shards),
        done=len(done_names),
        tests=tests,
        kept=kept,
        cpu_seconds=sum(entry.cpu for entry in entries),
        cpu_seconds_left=left,
        seconds_left=_seconds(left, len(job.shards) - len(done_names), workers, entries),
        splits=splits,
        workers=tuple(workers),
        failed=tuple(one for one in job.failures.all().values() if one.name not in done_names),
        damaged=tuple(map(str, damaged)),
    )


def sampled_at(folder: Path) -> list[Present]:
    """Who samples a question in a folder that is to be a job, and is none yet."""
    return at_work(folder) if is_unmade(folder) else []


def finished_corpus(job: Job) -> Manifest | None:
    """The manifest of the complete answer, if that lies in the job's folder."""
    try:
        found = Corpus(job.corpus).manifest
    except InputError:
        return None
    return found if found.complete and found.question == job.question else None


def _state(job: Job, done: Mapping[str, Counts], finished: Manifest | None, workers: Sequence[Present]) -> JobState:
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
    """The estimated processor seconds of shards, by split."""
    found: defaultdict[str, float] = defaultdict(float)
    for shard in shards:
        for split, seconds in shard.work.items():
            found[split] += seconds
    return found


def _ratio(one: float, other: float, otherwise: float) -> float:
    return one / other if other else otherwise


def _seconds(left: float, shards: int, workers: Sequence[Present], entries: Sequence[Entry]) -> float | None:
    """How many seconds so many processor seconds in so many shards take those who are at work; None if none does."""
    searching = [worker for worker in workers if worker.doing == SEARCHING and worker.processes]
    if not searching:
        return None
    processes = sum(worker.processes for worker in searching)
    speed = sum(worker.processes / _wall_of_cpu(worker, entries) for worker in searching)
    busy = min(1.0, shards / processes)  # no shard is done by two
    return left / (speed * busy) if left else 0.0


def _wall_of_cpu(worker: Present, entries: Sequence[Entry]) -> float:
    """How long a process takes for a second of a processor: more where there are more processes than processors.

    By the shards that its machine has done since it began, by the same clock. It is the median, for one of these may
    have been done by a process that was stopped meanwhile.
    """
    its = [entry for entry in entries if entry.host == worker.host and entry.when >= worker.since and entry.cpu > 0]
    taken = [entry.seconds / entry.cpu for entry in its[-_LATEST:]]
    return median(taken) if taken else 1.0
