"""`synth job list`: list the jobs below a folder."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from synth.cli.shared.answer_print import print_json, print_lines
from synth.cli.shared.streams import warn

EXAMPLE = "Example: synth job list ."


def list_command(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder in which to look for jobs.")] = Path(),
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON array with an object for each job.")] = False,
) -> int:
    """List the jobs that lie in a folder or in folders below it, and show how far each has come."""
    from synth_jobs.job_list import ListedJob, jobs_below
    from synth_jobs.views.list_ import lines

    code = 0
    jobs: list[ListedJob] = []
    for listed in jobs_below(folder):
        if isinstance(listed, ListedJob):
            jobs.append(listed)
        else:
            warn([str(listed)])
            code = listed.exit_code
    if as_json:
        print_json(jobs)
    else:
        print_lines(lines(jobs))
    return code
