"""`synth job gc`: a smaller folder."""

from __future__ import annotations

from typing import Annotated

import typer

from synth.cli.job.options import JobFolder
from synth.cli.printing import print_lines

EXAMPLE = "Example: synth job gc 2x3.job --all"


def gc_command(
    folder: JobFolder,
    everything: Annotated[
        bool, typer.Option("--all", help="The shards, too, once the complete corpus is in the folder.")
    ] = False,
) -> None:
    """Remove what killed processes have left in the folder of a job; it may be at work."""
    from synth.jobs.cleaning import clean
    from synth.jobs.job import Job
    from synth.views.job_work import removed_lines

    print_lines(removed_lines(folder, clean(Job(folder), shards=everything)))
