"""`synth job stop`: stop all processes that work on a job."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth.cli.job.options import AsJson, JobFolder, telling_status
from synth.cli.shared.answer_print import print_lines

if TYPE_CHECKING:
    from pathlib import Path

EXAMPLE = "Example: synth job stop 2x3.job"


def stop_command(
    folder: JobFolder,
    as_json: AsJson = False,
) -> int:
    """Ask all processes that work on a job, on whatever machine, to stop after their current step.

    They look for this request several times a second. Results of finished shards stay, and synth job resume continues
    the job. If no process works on the job, nothing changes.
    """
    return telling_status(folder, lambda: _stop(folder), as_json=as_json)


def _stop(folder: Path) -> int:
    from synth_jobs.driver import ask_to_stop, state_of
    from synth_jobs.executors.slurm_array import may_be_queued
    from synth_jobs.job import Job
    from synth_jobs.presence import at_work
    from synth_jobs.progress import samplers_at
    from synth_jobs.views.work import stop_lines, unmade_stop_lines

    if samplers_at(folder):
        ask_to_stop(folder)
        print_lines(unmade_stop_lines(folder))
        return 0
    driven = state_of(Job(folder))
    is_asked = bool(at_work(folder)) or may_be_queued(folder)
    if is_asked:
        ask_to_stop(folder)
    print_lines(stop_lines(folder, driven, is_asked=is_asked))
    return 0
