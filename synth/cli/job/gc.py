"""`synth job gc`: remove files that the folder of a job no longer needs."""

from __future__ import annotations

from typing import Annotated

import typer

from synth.cli.job.options import JobFolder
from synth.cli.shared.answer_print import print_json, print_lines

EXAMPLE = "Example: synth job gc 2x3.job --all"


def gc_command(
    folder: JobFolder,
    everything: Annotated[
        bool,
        typer.Option("--all", help="Remove the finished shards, too. The job must be done, and its corpus complete."),
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON object.")] = False,
) -> None:
    """Remove the files that killed processes have left in the folder of a job.

    Other processes may work on the job meanwhile.
    """
    from synth_jobs.garbage import clean
    from synth_jobs.job import Job
    from synth_jobs.views.work import removed_lines

    removed = clean(Job(folder), shards=everything)
    if as_json:
        print_json(removed)
    else:
        print_lines(removed_lines(folder, removed))
