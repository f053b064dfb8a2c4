"""`--detach` for the executor `local`: start `synth job resume` in a session of its own, which outlives the terminal.

The command with `--detach` starts `synth job resume` as a new process. The output of the new process goes into a file
in the folder of the job. The command waits until the new process works on the job, and then exits. If the new process
ends before it works on the job, the command prints the output of the new process, and exits with the same exit code.
"""

from __future__ import annotations

import subprocess
import sys
import time
from typing import TYPE_CHECKING

import typer

from synth_documents.phrases import shown
from synth_storage.refusals import as_user_errors

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from synth_jobs.job import Job

#: The file for the output of a detached process, in the folder of the job.
LOG = "log.txt"
#: Seconds between two looks whether the process works on the job yet.
_LOOK_S = 0.05


def detach(job: Job, options: Mapping[str, object]) -> int:
    """Start a process that does the rest of a job, with some options of `synth job resume`; return the exit code.

    Raises:
        InputError: the folder of the job is not writable.
        ResourceError: a disk or device failed, or no process can be started.
    """
    from synth_jobs.layout import WRITABLE

    place, log = shown(str(job.folder)), job.folder / LOG
    words = [f"--{name.replace('_', '-')}={value}" for name, value in options.items() if value is not None]
    command = [sys.executable, "-P", "-m", "synth", "job", "resume", *words, "--", str(job.folder.resolve())]
    with as_user_errors(log, WRITABLE), log.open("ab") as file:
        before = file.tell()
        process = subprocess.Popen(  # noqa: S603  (no shell, our words)
            command, stdin=subprocess.DEVNULL, stdout=file, stderr=file, start_new_session=True
        )
    try:
        code = _early_exit_code(process, job.folder)
    except KeyboardInterrupt:
        process.terminate()
        raise
    if code is not None:
        typer.echo(log.read_bytes()[before:], nl=False, err=bool(code))
        return code
    process.returncode = 0  # otherwise Popen would warn that the process is still running
    typer.echo(
        f"process {process.pid} works on {place}; it needs no terminal, and writes its messages to {place}/{LOG}"
    )
    typer.echo(f"synth job status --watch {place} shows its progress; synth job stop {place} stops it")
    return 0


def _early_exit_code(process: subprocess.Popen[bytes], folder: Path) -> int | None:
    """Return the exit code of a process that has ended, or None as soon as it works on the job."""
    from synth_jobs.presence import at_work

    while (code := process.poll()) is None:
        if any(present.pid == process.pid for present in at_work(folder)):
            return None
        time.sleep(_LOOK_S)
    return code if code >= 0 else 128 - code  # as a shell does for a command that a signal has ended
