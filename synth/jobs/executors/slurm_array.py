"""The executor `slurm-array`: the tasks of a Slurm job array, each a worker that needs nobody (`synth job work`).

There is no scheduler process of ours: a batch script is written into the job's folder and given to `sbatch`, and from
then on the tasks claim shards in that folder, which all nodes must see. Whoever waits for them only looks at the
folder, and now and then at the queue; they don't need it.

A task that Slurm ends before the work is done, at its time limit or because others come first, gives back what it
holds, for which `--signal=B:TERM@20` gives it some seconds. Unless Slurm queues it again on its own, it asks for that.
"""

from __future__ import annotations

import contextlib
import os
import shlex
import subprocess
import sys
import time
from typing import TYPE_CHECKING

from synth.jobs.committed import DamagedError
from synth.jobs.job import Job
from synth.jobs.running import Receipt
from synth.work.execution import processes
from synth_checker.errors import InputError, ResourceError, UserError
from synth_storage.files import put_bytes
from synth_storage.refusals import as_user_errors, reason

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from synth.work.stopping import Stop

#: Tasks of an array, unless there are fewer shards or another number is asked for.
USUAL_JOBS = 32
#: Where the script and what the tasks say lie in a job's folder.
FOLDER, SCRIPT, NUMBER = "slurm", "array.sh", "array"
#: How often the folder of the shards is looked at, and the queue, which others need, too; in seconds.
_LOOK_S, _ASK_S = 1.0, 15.0
#: How long is waited for tasks that were cancelled, in seconds: some end only when Slurm kills them.
_END_S = 60.0


class SlurmArrayExecutor:
    """An array of so many tasks; `slurm_option` are more options of sbatch, such as `partition=main` or `exclusive`.

    Raises:
        InputError: fewer than one task, or no such option.
    """

    name = "slurm-array"
    processes = 0  # each task says itself that it is at work

    def __init__(self, jobs: int | None, slurm_option: Sequence[str] = ()) -> None:
        self._jobs, self._options = None if jobs is None else processes(jobs), slurm_option
        for option in slurm_option:
            if not option or option.startswith("-") or not option.isprintable():
                msg = f"slurm option: found {option!r}, expected one of sbatch without the dashes, such as time=8:00:00"
                raise InputError(msg)

    def run(self, folder: Path, names: Sequence[str], stop: Stop) -> Iterator[Receipt]:
        """Have shards done by the tasks of an array. Raises as `synth.jobs.executors.Executor` says."""
        job = Job(folder)
        number = self.submit(folder, names)
        asked, left = time.monotonic(), dict.fromkeys(names)
        try:
            while left and not stop.look():
                stop.wait(_LOOK_S)
                is_queued = True
                if time.monotonic() - asked > _ASK_S:
                    is_queued, asked = bool(_states(number)), time.monotonic()
                for receipt in _receipts(job, left):
                    del left[receipt.name]
                    yield receipt
                for failed in job.failures.all().values():
                    if failed.is_set_aside:
                        left.pop(failed.name, None)
                if left and not is_queued:
                    msg = f"slurm-array: found {len(left)} shards left when job {number} had ended, expected none; "
                    raise ResourceError(f"{msg}{folder / FOLDER} has what its tasks said")
        finally:
            _cancel(number)
            with contextlib.suppress(OSError):
                (folder / FOLDER / NUMBER).unlink(missing_ok=True)

    def submit(self, folder: Path, names: Sequence[str]) -> str:
        """Give Slurm the array of a job, and wait for nothing; gives its number.

        Raises:
            InputError: its script can't be put into the folder.
            ResourceError: there is no Slurm, or it refuses.
        """
        tasks = self._jobs if self._jobs is not None else min(USUAL_JOBS, len(names))
        place = folder.resolve() / FOLDER
        with as_user_errors(place, "a folder for the script of an array"):
            place.mkdir(exist_ok=True)
        put_bytes(place / SCRIPT, batch_script(folder.resolve(), tasks, self._options).encode(), force=True)
        number = _asked("sbatch", "--parsable", str(place / SCRIPT)).partition(";")[0].strip()
        try:
            put_bytes(place / NUMBER, f"{number}\n".encode(), force=True)
        except UserError:
            _cancel(number)
            raise
        return number


def batch_script(folder: Path, tasks: int, options: Sequence[str] = ()) -> str:
    """The script of an array: its options, and the worker that is each of its tasks.

    Raises:
        InputError: the folder has a name that sbatch can't be told.
    """
    if "\\" in str(folder) or not str(folder).isprintable():
        msg = f"slurm-array: found the folder {str(folder)!r}, expected one without backslashes and control characters"
        raise InputError(msg)
    said = f"{str(folder / FOLDER).replace('%', '%%')}/%A_%a.out"
    ours = [
        f"job-name={_word(folder.name)}",
        f"array=1-{tasks}",
        "ntasks=1",
        "requeue",
        "signal=B:TERM@20",
        "open-mode=append",
        f"output={_word(said)}",
    ]
    lines = "".join(f"#SBATCH --{option}\n" for option in (*ours, *options))
    command = shlex.join([sys.executable, "-P", "-m", "synth", "job", "work", "--requeue", str(folder)])
    return f"#!/bin/sh\n{lines}exec {command}\n"


def may_be_queued(folder: Path) -> bool:
    """Whether tasks of an array that was made for a job may still be to come, as far as can be asked here."""
    try:
        number = (folder / FOLDER / NUMBER).read_text("ascii").strip()
        return bool(_states(number))
    except (OSError, ValueError):
        return False
    except ResourceError:  # Slurm can't be asked from this machine
        return True


def requeue() -> bool:
    """Have Slurm queue the task that this process is once more; whether it was asked to.

    It is not where Slurm has done so already, or where somebody has cancelled the task.

    Raises:
        ResourceError: Slurm refuses.
    """
    array, task = os.environ.get("SLURM_ARRAY_JOB_ID"), os.environ.get("SLURM_ARRAY_TASK_ID")
    if array is None or task is None or _states(f"{array}_{task}") != ["RUNNING"]:
        return False
    _asked("scontrol", "requeue", f"{array}_{task}")
    return True


def _word(text: str) -> str:
    """A word as sbatch reads it in a script."""
    return '"' + text.replace('"', '\\"') + '"'


def _receipts(job: Job, left: dict[str, None]) -> list[Receipt]:
    """Those of some shards that are committed by now."""
    there, found = job.there(), []
    for name in left:
        if name in there:
            try:
                counts = job.counts(name)
            except DamagedError:  # it was there before, and is being done again
                continue
            if counts is not None:
                found.append(Receipt(name, counts.tests))
    return found


def _states(number: str) -> list[str]:
    """The states of the tasks of an array that have not ended; one, UNKNOWN, if Slurm does not answer."""
    ran = _run("squeue", "--noheader", "--format=%T", f"--jobs={number}")
    if ran.returncode and "Invalid job id" not in ran.stderr:
        return ["UNKNOWN"]
    return ran.stdout.split()


def _cancel(number: str) -> None:
    """Have no task of an array be left at work."""
    if not _states(number):
        return
    _run("scancel", number)
    end = time.monotonic() + _END_S
    while _states(number) and time.monotonic() < end:
        time.sleep(_LOOK_S / 4)


def _asked(*words: str) -> str:
    """What a command of Slurm says. Raises ResourceError unless it succeeds."""
    ran = _run(*words)
    if ran.returncode:
        said = " ".join(ran.stderr.split()) or f"exit code {ran.returncode}"
        msg = f"slurm-array: {said}, expected {words[0]} to be obeyed"
        raise ResourceError(msg)
    return ran.stdout


def _run(*words: str) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(words, capture_output=True, text=True, check=False)  # noqa: S603  (no shell, our words)
    except OSError as error:
        msg = f"slurm-array: {words[0]}: {reason(error)}, expected a machine from which Slurm can be asked"
        raise ResourceError(msg) from error
