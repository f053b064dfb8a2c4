"""The course of a job: how many tests it had found after which processor time, and which part of its work was done.

This is what Figure 7 of the paper shows, except for the clock. Processor time stands still while no process works. So
a job that was stopped, moved and resumed looks like one that was not.
"""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from synth_checker.errors import InputError
from synth_jobs import logs
from synth_jobs.layout import LOGS

if TYPE_CHECKING:
    from synth_jobs.job import Job


class Moment(NamedTuple):
    """A moment of a job, when a shard was committed.

    - `cpu` is the processor time in seconds that the job had spent.
    - `tests` is how many tests it had found.
    - `share` is which part of its estimated work was done, in percent.
    """

    cpu: float
    tests: int
    share: float


def discovery_curve(job: Job) -> list[Moment]:
    """Return the moments of a job, the first one before its first shard.

    Raises:
        InputError: no shard is in the logs yet.
    """
    entries = [entry for entry in logs.entries(job.folder / LOGS) if entry.shard in job.shards]
    if not entries:
        raise InputError(f"{job.folder}: no shard is done yet, so there is nothing to draw")
    work = sum(shard.seconds for shard in job.shards.values()) or 1.0
    spent = accumulate((entry.cpu for entry in entries), initial=0.0)
    tests = accumulate((entry.tests for entry in entries), initial=0)
    share = accumulate((100 * job.shards[entry.shard].seconds / work for entry in entries), initial=0.0)
    return list(map(Moment, spent, tests, share))
