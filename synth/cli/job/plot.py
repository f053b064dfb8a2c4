"""`synth job plot`: draw the progress of a job."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from synth.cli.job.options import JobFolder
from synth.cli.shared.output_files import put_text

EXAMPLE = "Example: synth job plot 2x3.job --out 2x3.svg"


def plot_command(
    folder: JobFolder,
    out: Annotated[
        Path | None, typer.Option(help="The SVG file to write.  [default: standard output]", metavar="FILE")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the file if it exists.")] = False,
) -> None:
    """Draw how many tests a job has found, and which part of its work is done, over the processor time spent.

    This command needs Matplotlib, which the extra `plot` installs.
    """
    from synth_jobs.job import Job
    from synth_jobs.plot import drawing

    put_text(drawing(Job(folder)), out, force=force)
