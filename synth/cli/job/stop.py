"""`synth job stop`: an end for now, for all who work on a job."""

from __future__ import annotations

import typer

from synth.cli.job.options import JobFolder
from synth.views.words import shown

EXAMPLE = "Example: synth job stop 2x3.job"


def stop_command(
    folder: JobFolder,
) -> int:
    """Ask all processes that work on a job, on whatever machine, to stop after their current step.

    They look for it several times a second, as soon as they see the folder as it is now. What is committed stays; synth
    job resume goes on. If nobody is at work, nothing changes.
    """
    from synth.jobs.driving import ask_to_stop, state_of
    from synth.jobs.executors.slurm_array import may_be_queued
    from synth.jobs.job import Job
    from synth.jobs.presence import at_work
    from synth.jobs.progress import sampled_at

    if sampled_at(folder):
        ask_to_stop(folder)
        typer.echo(f"{shown(str(folder))} is asked to stop; no job is made")
        return 0
    driven = state_of(Job(folder))
    done = f"{driven.done} of {driven.shards} shards done"
    if at_work(folder) or may_be_queued(folder):
        ask_to_stop(folder)
        typer.echo(f"{shown(str(folder))} is asked to stop; {done}")
    else:
        typer.echo(f"nobody is at work on {shown(str(folder))}; {done}")
    return 0
