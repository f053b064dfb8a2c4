"""The executor `slurm-array`: each task of a Slurm job array is a worker on its own (`synth job work`).

No process of `synth` hands out the shards. The executor writes a batch script into the folder of the job and gives it
to `sbatch`. From then on the tasks claim shards in that folder, which all nodes must see. A process that waits for the
tasks looks at the folder, and now and then at the queue of Slurm. The tasks do not need that process.

Slurm may end a task early, at its time limit or because other jobs have priority. The task then gives back its shard;
the option `--signal=B:TERM@20` leaves it some seconds for that. If Slurm does not put the task back into the queue, the
task asks Slurm to do so.
"""

from __future__ import annotations

import contextlib
import os
import shlex
import subprocess
import sys
import time
from typing import TYPE_CHECKING

from synth_checker.errors import InputError, ResourceError, UserError
from synth_jobs.committed import DamagedError
from synth_jobs.job import Job
from synth_jobs.shard_run import Receipt
from synth_storage.files import put_bytes
from synth_storage.refusals import as_user_errors, reason
from synth_workers.execution import processes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from synth_workers.stop import Stop

#: The default number of tasks of an array, if there are as many shards.
USUAL_JOBS = 32
#: In the folder of a job: the folder for this executor, the file of the batch script, and the file with the job number.
FOLDER, SCRIPT, NUMBER = "slurm", "array.sh", "array"
#: Seconds between two looks at the folder of results, and at the queue, which serves other users, too.
_LOOK_S, _ASK_S = 1.0, 15.0
#: How many seconds to wait for cancelled tasks. Some end only when Slurm kills them.
_END_S = 60.0


class SlurmArrayExecutor:
    """The executor that has the tasks of a Slurm array do shards.

    `jobs` is the number of tasks. `slurm_option` has further options of sbatch, such as `partition=main` or
    `exclusive`.

    Raises:
        InputError: `jobs` is less than 1, or an option is not valid.
    """

    name = "slurm-array"
    processes = 0  # each task has a file that reports its work

    def __init__(self, jobs: int | None, slurm_option: Sequence[str] = ()) -> None:
        self._jobs, self._options = None if jobs is None else processes(jobs), slurm_option
        for option in slurm_option:
            if not option or option.startswith("-") or not option.isprintable():
                raise InputError(
                    f"slurm option: found {option!r}, expected one of sbatch's without the dashes, such as time=8:00:00"
                )

    def run(self, folder: Path, names: Sequence[str], stop: Stop) -> Iterator[Receipt]:
        """Have shards done by the tasks of an array, and yield a receipt for each.

        Raises:
            UserError: a fault that would stop every shard, such as a full disk.
        """
        job = Job(folder)
        number = self.submit(folder, names)
        looked_at, remaining = time.monotonic(), dict.fromkeys(names)
        try:
            while remaining and not stop.look():
                stop.wait(_LOOK_S)
                is_queued = True
                if time.monotonic() - looked_at > _ASK_S:
                    is_queued, looked_at = bool(_states(number)), time.monotonic()
                for receipt in _receipts(job, remaining):
                    del remaining[receipt.name]
                    yield receipt
                for failed in job.failures.all().values():
                    if failed.set_aside:
                        remaining.pop(failed.name, None)
                if remaining and not is_queued:
                    raise ResourceError(
                        f"slurm-array: Slurm's job {number} has ended, but {len(remaining)} shards are not done; "
                        f"the output of its tasks is in {folder / FOLDER}"
                    )
        finally:
            _cancel(number)
            with contextlib.suppress(OSError):
                (folder / FOLDER / NUMBER).unlink(missing_ok=True)

    def submit(self, folder: Path, names: Sequence[str]) -> str:
        """Give Slurm the array of a job without waiting for it, and return the number of the Slurm job.

        Raises:
            InputError: the folder of the job is not writable.
            ResourceError: Slurm is missing, or refuses the array.
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
    """Return the batch script of an array: its options, and the command that each of its tasks runs.

    Raises:
        InputError: the name of the folder has characters that sbatch does not accept.
    """
    if "\\" in str(folder) or not str(folder).isprintable():
        raise InputError(
            f"slurm-array: the folder {str(folder)!r} has backslashes or control characters in its name; rename it"
        )
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
    """Return whether tasks of an array for a job may still start, as far as this machine can ask Slurm."""
    try:
        number = (folder / FOLDER / NUMBER).read_text("ascii").strip()
        return bool(_states(number))
    except (OSError, ValueError):
        return False
    except ResourceError:  # Slurm can't be asked from this machine
        return True


def requeue() -> bool:
    """Ask Slurm to put the task of this process back into the queue; return whether this function has asked.

    The function does not ask if the task is in the queue already, or if somebody has cancelled it.

    Raises:
        ResourceError: Slurm refuses.
    """
    array, task = os.environ.get("SLURM_ARRAY_JOB_ID"), os.environ.get("SLURM_ARRAY_TASK_ID")
    if array is None or task is None or _states(f"{array}_{task}") != ["RUNNING"]:
        return False
    _asked("scontrol", "requeue", f"{array}_{task}")
    return True


def _word(text: str) -> str:
    """Return a text as a single word that sbatch reads in a script."""
    return '"' + text.replace('"', '\\"') + '"'


def _receipts(job: Job, names: dict[str, None]) -> list[Receipt]:
    """Return receipts for those of the shards that are committed by now."""
    there, receipts = job.there(), []
    for name in names:
        if name in there:
            try:
                counts = job.counts(name)
            except DamagedError:  # an earlier, damaged result of a shard that a task does again
                continue
            if counts is not None:
                receipts.append(Receipt(name, counts.tests))
    return receipts


def _states(number: str) -> list[str]:
    """Return the states of the tasks of an array that have not ended.

    UNKNOWN stands for all if Slurm does not answer.
    """
    ran = _run("squeue", "--noheader", "--format=%T", f"--jobs={number}")
    if ran.returncode and "Invalid job id" not in ran.stderr:
        return ["UNKNOWN"]
    return ran.stdout.split()


def _cancel(number: str) -> None:
    """Cancel the tasks of an array, and wait until none is running."""
    if not _states(number):
        return
    _run("scancel", number)
    end = time.monotonic() + _END_S
    while _states(number) and time.monotonic() < end:
        time.sleep(_LOOK_S / 4)


def _asked(*words: str) -> str:
    """Run a command of Slurm and return its output; raise ResourceError if it fails."""
    ran = _run(*words)
    if ran.returncode:
        said = " ".join(ran.stderr.split()) or f"exit code {ran.returncode}"
        raise ResourceError(f"slurm-array: the command {words[0]} failed: {said}")
    return ran.stdout


def _run(*words: str) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(words, capture_output=True, text=True, check=False)  # noqa: S603  (no shell, our words)
    except OSError as error:
        raise ResourceError(
            f"slurm-array: cannot run the command {words[0]}: {reason(error)}; use a machine that has Slurm's commands"
        ) from error
