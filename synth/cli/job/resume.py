"""`synth job resume`: do the rest of a job."""

from __future__ import annotations

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
from synth.cli.job.options import AsJson, JobFolder, Out, telling_status, work_on
from synth.cli.shared.question_options import Jobs, Memory, TimeLimit, limits

EXAMPLE = "Example: synth job resume 2x3.job --jobs 2"


def resume_command(
    folder: JobFolder,
    executor: ExecutorName = "local",
    jobs: Jobs = None,
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
    """Continue a job that was stopped, for whatever reason, even if its folder has moved since.

    Finished shards are not done again. Shards that were set aside after failing get new tries.
    """
    from synth_jobs.driver import clear_stop
    from synth_jobs.job import Job
    from synth_jobs.layout import STOP

    options = {"out": out, "memory": memory, "time_limit": time_limit, "notify": notify}
    if detach:
        check_detached(executor, **options)
    run_by = executor_of(executor, jobs, dask_address, dask_cluster, slurm_option, detach=detach)
    watch = limits(time_limit, memory, folder / STOP)

    def resume() -> int:
        job = Job(folder)
        clear_stop(job)
        if detach:
            return start_detached(job, run_by, jobs=jobs, **options)
        with watch as stop:
            return work_on(job, run_by, jobs, stop, out)

    return telling_status(folder, resume if detach else lambda: run_and_notify(notify, folder, resume), as_json=as_json)
