"""Predict what a whole job costs from some of its shards, which are done, and stand evenly among all.

The estimates of a plan come from small samples. Some whole shards cost what they cost in the job, but for what they
would have learned from their neighbours. The prediction is the ratio estimate of surveys (Cochran, *Sampling
Techniques*, 1977, chapter 6): what the shards took and found is scaled by the estimated work of all shards. Its
interval is Student's at 90 %, as in `plan`.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from synth_jobs import logs
from synth_jobs.layout import LOGS
from synth_jobs.plan import Prediction, student_half_width

if TYPE_CHECKING:
    from collections.abc import Sequence

    from synth_jobs.job import Job


class TrialResult(NamedTuple):
    """What some shards of a job took, and what follows for all shards.

    `done` of `shards` shards were estimated to take `planned` processor seconds, and took `taken`. The predictions are
    for the whole job.
    """

    done: int
    shards: int
    planned: float
    taken: float
    cpu_seconds: Prediction
    tests: Prediction
    kept: Prediction


def every_nth_shard(number: int, job: Job) -> list[str]:
    """Return one in `number` of the shards of a job, at equal distances; at least two, if the job has two."""
    names = list(job.shards)
    step = max(1, min(number, len(names) // 2))
    return names[(step - 1) // 2 :: step]


def trial_result(job: Job, names: Sequence[str]) -> TrialResult:
    """Return what some shards took that are done, and what follows for the whole job. There must be at least two.

    Raises:
        InputError: the job is unreadable.
        ResourceError: a disk or device failed.
    """
    entries = {entry.shard: entry for entry in logs.entries(job.folder / LOGS)}
    done = [(job.shards[name].seconds, entries[name]) for name in names if name in entries]
    works, whole = [work for work, _ in done], sum(shard.seconds for shard in job.shards.values())

    def predicted(values: Sequence[float]) -> Prediction:
        return _ratio_estimate(values, works, whole, len(job.shards))

    return TrialResult(
        done=len(done),
        shards=len(job.shards),
        planned=sum(works),
        taken=sum(entry.cpu for _, entry in done),
        cpu_seconds=predicted([entry.cpu for _, entry in done]),
        tests=predicted([entry.tests for _, entry in done]),
        kept=predicted([entry.kept for _, entry in done]),
    )


def _ratio_estimate(values: Sequence[float], works: Sequence[float], whole: float, shards: int) -> Prediction:
    """Scale the sum of some values from the work that gave them to the whole work, that of so many shards."""
    scale = whole / sum(works)
    ratio = sum(values) / sum(works)
    squares = sum((value - ratio * work) ** 2 for value, work in zip(values, works, strict=True))
    number = len(values)
    margin = student_half_width(number - 1) * scale * math.sqrt(number * squares / (number - 1) * (1 - number / shards))
    mean = ratio * whole
    return Prediction(mean, max(sum(values), mean - margin), mean + margin)
