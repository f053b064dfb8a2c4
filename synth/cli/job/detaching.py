"""`--detach` for the executor `local`: a `synth job resume` in a session of its own, which outlives its terminal.

What it says goes into the job's folder. The command that starts it waits until it is at work, or has ended before that:
then what it said, and its exit code, are those of the command.
"""

from __future__ import annotations

import subprocess
import sys
import time
from typing import TYPE_CHECKING

import typer

from synth.views.readable import shown
from synth_storage.refusals import as_user_errors

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from synth.jobs.job import Job

#: What a detached process says, in the job's folder.
LOG = "log.txt"
#: How often is looked whether it is at work, in seconds.
_LOOK_S = 0.05


def detach(job: Job, options: Mapping[str, object]) -> int:
    """Start a process that does what is left of a job, with such options of `synth job resume`; gives the exit code.

    Raises:
        InputError: its folder can't be written.
        ResourceError: what it lies on failed, or no process can be started.
    """
    from synth.jobs.layout import WRITABLE

    place, log = shown(str(job.folder)), job.folder / LOG
    words = [f"--{name.replace('_', '-')}={value}" for name, value in options.items() if value is not None]
    command = [sys.executable, "-P", "-m", "synth", "job", "resume", *words, "--", str(job.folder.resolve())]
    with as_user_errors(log, WRITABLE), log.open("ab") as file:
        before = file.tell()
        process = subprocess.Popen(  # noqa: S603  (no shell, our words)
            command, stdin=subprocess.DEVNULL, stdout=file, stderr=file, start_new_session=True
        )
    try:
        code = _ended_before_work(process, job.folder)
    except KeyboardInterrupt:
        process.terminate()
        raise
    if code is not None:
        typer.echo(log.read_bytes()[before:], nl=False, err=bool(code))
        return code
    process.returncode = 0  # it goes on, which Popen would warn of
    typer.echo(f"process {process.pid} works on {place}; it needs no terminal, and says what it does in {place}/{LOG}")
    typer.echo(f"synth job status --watch {place} follows it; synth job stop {place} stops it")
    return 0


def _ended_before_work(process: subprocess.Popen[bytes], folder: Path) -> int | None:
    """The exit code of a process that has ended; None once it is at work on a job."""
    from synth.jobs.presence import at_work

    while (code := process.poll()) is None:
        if any(one.pid == process.pid for one in at_work(folder)):
            return None
        time.sleep(_LOOK_S)
    return code if code >= 0 else 128 - code  # as a shell has it where a signal has ended a command
