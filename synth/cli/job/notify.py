"""`--notify`: run a command of the user when the work on a job has ended, with success or not.

The shell runs the command. Its environment says what happened:

    SYNTH_JOB          the absolute path of the folder of the job
    SYNTH_STATE        complete, stopped (by a signal, a limit or a request) or failed
    SYNTH_EXIT_CODE    the exit code of the command of synth
    SYNTH_MESSAGE      how far the job is, or what went wrong, in one line

The command gets no input, its output goes to standard error, and it may take a minute. If it fails, `synth` prints a
message and keeps its own exit code.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from synth_checker.errors import UserError
from synth_documents.phrases import shown
from synth_storage.refusals import is_of_a_resource

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

Notify: TypeAlias = Annotated[
    str | None,
    typer.Option(
        help="A shell command to run at the end, even after a failure. Environment variables such as SYNTH_STATE tell "
        "it what happened.",
        metavar="CMD",
    ),
]
#: How many seconds the command may take.
_LONGEST_S = 60.0
#: The exit codes of work that was stopped by a limit, a request or a signal.
_STOPPED = {75, 129, 130, 143}


def run_and_notify(command: str | None, folder: Path, work: Callable[[], int]) -> int:
    """Do the work on the job in a folder, then run the command of the user; return the exit code of the work.

    An exception of the work also reaches the caller.
    """
    if command is None:
        return work()
    try:
        code = work()
    except BaseException as error:
        _notify(command, folder, _code_of(error), " ".join(str(error).split()) or type(error).__name__)
        raise
    _notify(command, folder, code, _progress_words(folder))
    return code


def _code_of(error: BaseException) -> int:
    """Return the exit code of a command that ends with an error."""
    if isinstance(error, UserError):
        return error.exit_code
    return 3 if isinstance(error, MemoryError) or is_of_a_resource(error) else 70


def _progress_words(folder: Path) -> str:
    from synth_jobs.driver import state_of
    from synth_jobs.job import Job

    try:
        driven = state_of(Job(folder))
    except UserError as error:
        return str(error)
    aside = f", {driven.set_aside} set aside after failing" if driven.set_aside else ""
    return f"{driven.done} of {driven.shards} shards done{aside}"


def _notify(command: str, folder: Path, code: int, message: str) -> None:
    state = "complete" if code == 0 else "stopped" if code in _STOPPED else "failed"
    variables = {"JOB": str(folder.absolute()), "STATE": state, "EXIT_CODE": str(code), "MESSAGE": message}
    environment = {**os.environ, **{f"SYNTH_{name}": value for name, value in variables.items()}}
    sys.stderr.flush()
    try:
        process = subprocess.Popen(  # noqa: S602  (the user wrote this command for this shell)
            command,
            shell=True,
            stdin=subprocess.DEVNULL,
            stdout=sys.stderr.fileno(),
            env=environment,
            start_new_session=True,  # so that its children can be ended with it
        )
    except (OSError, ValueError) as error:
        wrong = str(error)
    else:
        wrong = _failure_of(process)
    if wrong:
        typer.echo(f"synth: --notify: the command {shown(command)} failed: {wrong}; the job is not affected", err=True)


def _failure_of(process: subprocess.Popen[bytes]) -> str:
    """Wait for a command, and return what went wrong with it, or an empty text."""
    try:
        code = process.wait(_LONGEST_S)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        return f"it did not end within {_LONGEST_S:g} s"
    return f"exit code {code}" if code > 0 else f"signal {-code}" if code else ""
