"""`synth job start`: make a question into a job in a folder, and work on it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from synth.cli.job.executors import (
    DaskAddress,
    DaskCluster,
    Detach,
    ExecutorName,
    SlurmOptions,
    check_detached,
    executor_of,
    start_detached,
)
from synth.cli.job.notify import Notify, run_and_notify
from synth.cli.job.options import AsJson, Out, check_one_in, check_seconds, telling_status, work_on
from synth.cli.shared.progress_bar import progress_bar
from synth.cli.shared.question_options import (
    Bounds,
    Engine,
    Jobs,
    Locations,
    Memory,
    Minimal,
    Models,
    Solver,
    TimeLimit,
    UniqueBehaviour,
    UpTo,
    Values,
    Without,
    limits,
    question_of,
    sameness,
)
from synth_checker.errors import InputError
from synth_documents.phrases import shown
from synth_search.engines.choice import AUTO

if TYPE_CHECKING:
    from synth_checker.question import Question
    from synth_jobs.job import Job
    from synth_workers.stop import Stop

EXAMPLE = "Example: synth job start --bounds 2x3 --minimal --time-limit 8h 2x3.job"


def start_command(
    bounds: Bounds,
    folder: Annotated[
        Path | None, typer.Argument(metavar="DIR", help="The folder of the job.  [default: BOUNDS.job]")
    ] = None,
    locations: Locations = 2,
    values: Values = 2,
    without: Without = None,
    model: Models = None,
    minimal: Minimal = False,
    unique_behaviour: UniqueBehaviour = False,
    up_to: UpTo = None,
    engine: Engine = "auto",
    solver: Solver = None,
    executor: ExecutorName = "local",
    jobs: Jobs = None,
    shard_seconds: Annotated[
        float | None,
        typer.Option(
            help="About how long a shard may take.  [default: a 64th of the job, from 1 to 30 s]", metavar="SECONDS"
        ),
    ] = None,
    one_in: Annotated[
        int | None,
        typer.Option(help="Do only one in N shards, evenly chosen, and say what the whole job will cost.", metavar="N"),
    ] = None,
    out: Out = None,
    memory: Memory = None,
    time_limit: TimeLimit = None,
    dask_address: DaskAddress = None,
    dask_cluster: DaskCluster = None,
    slurm_option: SlurmOptions = None,
    detach: Detach = False,
    notify: Notify = None,
    as_json: AsJson = False,
) -> int:
    """Enumerate tests as a job, which is done in parts (shards). Each result is saved at once, so a stop loses little.

    If the same job is in the folder already, this continues it. A stopped job can continue on any machine.
    """
    from synth_jobs.layout import STOP

    check_seconds("shard seconds", shard_seconds)
    check_one_in(one_in, executor, detach=detach)
    options = {"out": out, "memory": memory, "time_limit": time_limit, "notify": notify}
    if detach:
        check_detached(executor, **options)
    same = sameness(up_to, unique_behaviour)
    question = question_of(bounds, locations, values, without, model, minimal=minimal, up_to=same)
    place = folder if folder is not None else Path(f"{question.name}.job")
    run_by = executor_of(executor, jobs, dask_address, dask_cluster, slurm_option, detach=detach)
    watch = limits(time_limit, memory, place / STOP)

    def start() -> int:
        with watch as stop:
            job = _job_at(place, question, engine, solver, shard_seconds, stop)
            if job is None:
                typer.echo(f"synth: {stop.reason.words if stop.reason else ''}; no job was made", err=True)
                return stop.exit_code(complete=False) or 0
            if not detach:
                return work_on(job, run_by, jobs, stop, out, one_in)
            if (reason := stop.look()) is not None:
                typer.echo(
                    f"synth: {reason.words}; the job {shown(str(place))} is made, but no process works on it",
                    err=True,
                )
                return reason.exit_code
        return start_detached(job, run_by, jobs=jobs, **options)

    return telling_status(place, start if detach else lambda: run_and_notify(notify, place, start), as_json=as_json)


def _job_at(
    place: Path, question: Question, engine: str, solver: str | None, shard_seconds: float | None, stop: Stop
) -> Job | None:
    """Return the job of that question in a folder, or make it.

    Return None if there is a reason to stop before it is made.
    """
    from synth_jobs.driver import clear_stop
    from synth_jobs.job import Job
    from synth_jobs.layout import is_job
    from synth_jobs.start import start_job
    from synth_workers.execution import Oversight

    if not is_job(place):
        try:
            with progress_bar(f"{question.name}: running samples before the job starts") as bar:
                return start_job(place, question, engine, solver, shard_seconds, Oversight(stop, bar))
        except InputError:
            if not is_job(place):  # another process was faster
                raise
    job = Job(place)
    if job.question != question:
        raise InputError(
            f"{place}: found a job with other bounds or options ({job.question.name}), expected {question.name}; "
            "use a new folder"
        )
    if engine not in {AUTO, job.engine_name} or solver not in {None, job.solver}:
        other = f"a job with engine {job.engine_name}, solver {job.solver}"
        raise InputError(f"{place}: found {other}, expected engine {engine}, solver {solver}; use a new folder")
    if shard_seconds is not None and round(shard_seconds, 3) != job.shard_seconds:
        raise InputError(
            f"{place}: found a job with shards of about {job.shard_seconds:.12g} s, expected {shard_seconds:.12g} s; "
            "use a new folder"
        )
    clear_stop(job)
    typer.echo(f"synth: {shown(str(place))} already holds this job; its remaining shards are done now", err=True)
    return job
