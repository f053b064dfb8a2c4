"""Start a job: sample its question, divide it into shards by the estimates, and write its folder.

During sampling, the folder holds only the file of the process that does this (`synth_jobs.presence`). So other
processes see that process and can ask it to stop. If it is killed, the next start of the job removes the file that it
has left.
"""

from __future__ import annotations

import contextlib
import random
from dataclasses import replace
from typing import TYPE_CHECKING

from synth_jobs.estimate import Sampler
from synth_jobs.job import Job
from synth_jobs.layout import STOP, UNMADE, WORKERS, is_unmade
from synth_jobs.presence import SAMPLING, Presence, at_work
from synth_jobs.shards import shards_of, usual_seconds
from synth_search.engines.choice import engine_for
from synth_storage.folders import check_place
from synth_storage.refusals import as_user_errors

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from synth_checker.question import Question
    from synth_workers.execution import Oversight

#: After one sample of each unit, sampling goes on for this share of the estimated time of the job, and at most for so
#: many seconds.
_SHARE, _LONGEST_S = 0.005, 20.0


def start_job(  # noqa: PLR0913, PLR0917  (a job needs all of these)
    folder: Path,
    question: Question,
    engine: str,
    solver: str | None,
    shard_seconds: float | None,
    how: Oversight,
) -> Job | None:
    """Make a job in a new or empty folder; return None if there is a reason to stop before it is made.

    `shard_seconds` is how many processor seconds a shard may take; None leaves that to `synth`. The progress report has
    the number of units with a sample, and the number of all units.

    Raises:
        InputError: the folder is not usable, or there is no such engine or solver.
        LimitError: the question is too large for the engine.
        ResourceError: writing failed.
    """
    check_place(folder, UNMADE, force=True)
    chosen = engine_for(question, engine, solver)
    rng = random.Random(0)  # noqa: S311  (a sample; equal times give equal shards)
    with _place_for(folder), Presence(folder, how.stop, question.name, SAMPLING) as presence:

        def sampled(done: int, units: int, tests: int) -> None:
            presence.note(done=done, units=units)
            how.progress(done, units, tests)

        sampler = Sampler(question, chosen, rng)
        estimates = sampler.estimates(replace(how, progress=sampled))
        sampler.refine(estimates, min(_LONGEST_S, _SHARE * sum(estimate.seconds for estimate in estimates)), how.stop)
        if how.stop.look():
            return None
        seconds = usual_seconds(estimates) if shard_seconds is None else shard_seconds
        return Job.create(folder, question, chosen, shards_of(chosen, estimates, seconds), seconds)


@contextlib.contextmanager
def _place_for(folder: Path) -> Iterator[None]:
    """Make a folder that shows that a job is about to be made; remove it at the end, unless it has become a job."""
    if is_unmade(folder) and not at_work(folder):
        with contextlib.suppress(OSError):
            (folder / STOP).unlink(missing_ok=True)  # the process that it asked to stop was killed
    is_new = not folder.exists()
    with as_user_errors(folder, "a place where a new folder can be made"):
        folder.mkdir(parents=True, exist_ok=True)
    try:
        yield
    finally:
        with contextlib.suppress(OSError):  # another process may have removed it, or put something else there
            if is_unmade(folder) and not at_work(folder):
                (folder / STOP).unlink(missing_ok=True)
                (folder / WORKERS).rmdir()
                if is_new:
                    folder.rmdir()
