"""`synth job status`."""

from __future__ import annotations

import typer

from synth.cli.job.options import JobFolder

EXAMPLE = "Example: synth job status 3x6.job"


def status_command(
    folder: JobFolder,
) -> int:
    """Say how far a job is."""
    from synth.jobs.driving import state_of
    from synth.jobs.job import Job

    driven = state_of(Job(folder))
    typer.echo(f"{driven.done} of {driven.shards} shards done, {driven.set_aside} set aside")
    return 0
