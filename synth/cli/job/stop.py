"""`synth job stop`: an end for now, for all who work on a job."""

from __future__ import annotations

import typer

from synth.cli.job.options import JobFolder

EXAMPLE = "Example: synth job stop 2x3.job"


def stop_command(
    folder: JobFolder,
) -> int:
    """Ask all processes that work on a job, on whatever machine, to stop after their current step.

    They look for it several times a second, as soon as they see the folder as it is now. What is committed stays; synth
    job resume goes on.
    """
    from synth.cli.streams import shown
    from synth.jobs.driving import ask_to_stop, state_of
    from synth.jobs.job import Job

    job = Job(folder)
    ask_to_stop(job)
    driven = state_of(job)
    typer.echo(f"{shown(str(folder))} is asked to stop; {driven.done} of {driven.shards} shards done")
    return 0
