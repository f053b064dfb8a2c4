"""`synth job work`: one process that does shards of a job until none is left."""

from __future__ import annotations

import typer

from synth.cli.job.options import JobFolder
from synth.cli.options import Memory, TimeLimit, limits

EXAMPLE = "Example: synth job work 3x6.job --time-limit 55m"


def work_command(folder: JobFolder, memory: Memory = None, time_limit: TimeLimit = None) -> int:
    """Do shards of a job, in this process, until none is left; the corpus is left to synth job resume.

    For the schedulers of clusters: any number of these may work on a job, wherever its folder can be seen.
    """
    from synth.cli.streams import shown
    from synth.jobs.job import Job
    from synth.jobs.working import work

    job = Job(folder)
    with limits(time_limit, memory, job.stop) as stop:
        done = work(job, stop)
        why = f"synth: {stop.reason.words}; " if stop.reason is not None else "synth: nothing is left to do; "
        typer.echo(f"{why}this process has done {done} shards of {shown(str(folder))}", err=True)
        return stop.exit_code(complete=False) or 0
