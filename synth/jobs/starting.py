"""A new job: its question is sampled, cut into shards accordingly, and written down."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from synth.engines.engine import engine_for
from synth.jobs.estimating import Sampler
from synth.jobs.job import JOB, Job
from synth.jobs.shards import shards_of, usual_seconds
from synth_corpus.folders import check_place

if TYPE_CHECKING:
    from pathlib import Path

    from synth.stopping import Stop
    from synth_checker.question import Question

#: How long is sampled before a job begins, besides one sample of each unit: a part of the time it takes, in seconds at
#: most so many.
_SHARE, _LONGEST_S = 0.005, 2.0


def start_job(  # noqa: PLR0913, PLR0917  (as many things as a job is made of)
    folder: Path, question: Question, engine: str, solver: str | None, shard_seconds: float | None, stop: Stop
) -> Job | None:
    """Make a job in a new or empty folder; None if there is a reason to stop before it is made.

    Raises:
        InputError: the folder can't be used, or there is no such engine or solver.
        LimitError: the question is too large for the engine.
        ResourceError: writing failed.
    """
    check_place(folder, JOB)
    made = engine_for(question, engine, solver)
    rng = random.Random(0)  # noqa: S311  (a sample, and the same shards wherever times are the same)
    sampler = Sampler(question, made, rng)
    estimates = sampler.estimates(stop)
    sampler.refine(estimates, min(_LONGEST_S, _SHARE * sum(one.seconds for one in estimates)), stop)
    if stop.look():
        return None
    seconds = usual_seconds(estimates) if shard_seconds is None else shard_seconds
    return Job.create(folder, question, made, shards_of(made, estimates, seconds), seconds)
