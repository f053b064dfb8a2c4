"""`synth job work`: one process that does shards of a job until none is left."""

from __future__ import annotations

import typer

from synth.cli.job.options import JobFolder
from synth.cli.options import Memory, TimeLimit, limits

EXAMPLE = "Example: synth job work 2x3.job --time-limit 55m"


def work_command(folder: JobFolder, memory: Memory = None, time_limit: TimeLimit = None) -> int:
    """Do shards of a job, in this process, until none is left; the corpus is left to synth job resume.

    For the schedulers of clusters: any number of these may work on a job, wherever its folder can be seen.
    """
    from synth.cli.streams import shown
    from synth.jobs.job import Job
    from synth.jobs.working import work

    job = Job(folder)
    with limits(time_limit, memory, job.stop) as stop:
        done = f"{work(job, stop)} shards of {shown(str(folder))} done by this process"
        if stop.reason is None:
            typer.echo(f"{done}; none is left to it")
            return 0
        typer.echo(f"synth: {stop.reason.words}; {done}", err=True)
        return stop.reason.exit_code
