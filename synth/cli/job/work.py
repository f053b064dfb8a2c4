"""`synth job work`: run a worker that does shards of a job until none is left."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from synth.cli.job.notify import Notify, run_and_notify
from synth.cli.job.options import AsJson, JobFolder, telling_status
from synth.cli.shared.answer_print import print_lines
from synth.cli.shared.progress_bar import progress_bar
from synth.cli.shared.question_options import Memory, TimeLimit, limits
from synth_workers.stop import Reason, parse_time

if TYPE_CHECKING:
    from pathlib import Path

    from synth_workers.stop import Stop

EXAMPLE = "Example: synth job work 2x3.job --time-limit 55m"


def work_command(
    folder: JobFolder,
    memory: Memory = None,
    time_limit: TimeLimit = None,
    lease: Annotated[
        str,
        typer.Option(help="If this worker is silent for so long, other workers take over its shards.", metavar="TIME"),
    ] = "2m",
    requeue: Annotated[
        bool,
        typer.Option("--requeue", help="For Slurm scripts: put this task back into the queue if Slurm ends it."),
    ] = False,
    notify: Notify = None,
    as_json: AsJson = False,
) -> int:
    """Do shards of a job, one at a time, until none is left.

    This command is a worker: the scheduler of a cluster can start any number of them for a job, on all machines that
    see the folder of the job. No two workers do the same shard. No worker writes the corpus; synth job resume does that
    when all shards are done.
    """
    from synth_jobs.layout import STOP

    lease_s, watch = parse_time(lease, "lease"), limits(time_limit, memory, folder / STOP)
    return telling_status(
        folder,
        lambda: run_and_notify(notify, folder, lambda: _work(folder, watch, lease_s, requeue=requeue)),
        as_json=as_json,
    )


def _work(folder: Path, watch: Stop, lease_s: float, *, requeue: bool) -> int:
    """Do shards, print how many, and return the exit code."""
    from synth_jobs.driver import state_of
    from synth_jobs.executors import slurm_array
    from synth_jobs.job import Job
    from synth_jobs.views.work import work_lines
    from synth_jobs.worker import work
    from synth_workers.execution import Oversight

    job = Job(folder)
    with watch as stop:
        with progress_bar(job.question.name, "shard", done=len(job.there())) as bar:
            done = work(job, Oversight(stop, bar), lease_s)
        state = state_of(job)
        why = None if stop.reason is None else stop.reason.words
        is_queued = None
        if requeue and not state.complete and stop.reason in {Reason.TERMINATION, Reason.TIME}:
            is_queued = slurm_array.requeue()
        print_lines(work_lines(folder, state, done, why, is_queued=is_queued), to_stderr=why is not None)
        code = stop.exit_code(complete=state.complete)
        return code if code is not None else 0 if state.complete else 3
