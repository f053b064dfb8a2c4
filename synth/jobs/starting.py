"""A new job: its question is sampled, cut into shards accordingly, and written down.

While it is sampled its folder holds only who does that (`synth.jobs.presence`), so that others see it and can ask to
stop. What is left of that by a process that was killed makes way for the next start.
"""

from __future__ import annotations

import contextlib
import random
from dataclasses import replace
from typing import TYPE_CHECKING

from synth.engines.choosing import engine_for
from synth.jobs.estimating import Sampler
from synth.jobs.job import Job
from synth.jobs.layout import STOP, UNMADE, WORKERS, is_unmade
from synth.jobs.presence import SAMPLING, Presence, at_work
from synth.jobs.shards import shards_of, usual_seconds
from synth_storage.folders import check_place
from synth_storage.refusals import as_user_errors

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from synth.work.execution import Oversight
    from synth_checker.question import Question

#: How long is sampled before a job begins, besides one sample of each unit: a part of the time it takes, in seconds at
#: most so many.
_SHARE, _LONGEST_S = 0.005, 2.0


def start_job(  # noqa: PLR0913, PLR0917  (as many things as a job is made of)
    folder: Path,
    question: Question,
    engine: str,
    solver: str | None,
    shard_seconds: float | None,
    how: Oversight,
) -> Job | None:
    """Make a job in a new or empty folder; None if there is a reason to stop before it is made.

    Progress is told how many units have a sample, and of how many.

    Raises:
        InputError: the folder can't be used, or there is no such engine or solver.
        LimitError: the question is too large for the engine.
        ResourceError: writing failed.
    """
    check_place(folder, UNMADE, force=True)
    made = engine_for(question, engine, solver)
    rng = random.Random(0)  # noqa: S311  (a sample, and the same shards wherever times are the same)
    with _place_for(folder), Presence(folder, how.stop, question.name, SAMPLING) as presence:

        def sampled(done: int, units: int, tests: int) -> None:
            presence.note(done=done, units=units)
            how.progress(done, units, tests)

        sampler = Sampler(question, made, rng)
        estimates = sampler.estimates(replace(how, progress=sampled))
        sampler.refine(estimates, min(_LONGEST_S, _SHARE * sum(one.seconds for one in estimates)), how.stop)
        if how.stop.look():
            return None
        seconds = usual_seconds(estimates) if shard_seconds is None else shard_seconds
        return Job.create(folder, question, made, shards_of(made, estimates, seconds), seconds)


@contextlib.contextmanager
def _place_for(folder: Path) -> Iterator[None]:
    """A folder in which to say that a job is about to be made; removed at the end, unless it has become one."""
    if is_unmade(folder) and not at_work(folder):
        with contextlib.suppress(OSError):
            (folder / STOP).unlink(missing_ok=True)  # it asked somebody who was killed
    is_new = not folder.exists()
    with as_user_errors(folder, "a place for a new folder"):
        folder.mkdir(parents=True, exist_ok=True)
    try:
        yield
    finally:
        with contextlib.suppress(OSError):  # somebody has removed it, or put something else there
            if is_unmade(folder) and not at_work(folder):
                (folder / STOP).unlink(missing_ok=True)
                (folder / WORKERS).rmdir()
                if is_new:
                    folder.rmdir()
