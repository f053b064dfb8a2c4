"""`synth job list`: the jobs under a folder."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from synth.cli.printing import plain_console, print_table
from synth.views.words import shown
from synth_checker.errors import InputError, UserError

EXAMPLE = "Example: synth job list ."


def list_command(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Where to look.")] = Path(),
) -> int:
    """List the jobs that lie in a folder or in folders below it, and how far each has come."""
    from synth.jobs.job import Job, is_job
    from synth.jobs.progress import progress_of, sampled_at
    from synth.views.tables import plain_table

    if not folder.is_dir():
        msg = f"{folder}: found no folder, expected one with jobs"
        raise InputError(msg)
    code = 0
    table = plain_table("job", "question", "shards", "state", "tests")
    for place, below, _ in os.walk(folder):
        below.sort()
        found = Path(place)
        sampled = sampled_at(found)
        if sampled:
            table.add_row(shown(str(found)), sampled[0].question, "", "sampling", "0")
        if sampled or not is_job(found):
            continue
        below.clear()  # a job holds no other
        try:
            job = Job(found)
            progress = progress_of(job)
        except UserError as error:  # the others are shown
            typer.echo(f"synth: {shown(str(error))}", err=True)
            code = error.exit_code
            continue
        shards = f"{progress.done}/{progress.shards}"
        table.add_row(shown(str(found)), job.question.name, shards, progress.state, str(progress.tests))
    if table.row_count:
        print_table(plain_console(), table)
    return code
