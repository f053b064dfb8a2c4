"""`--notify`: a command of the user's, run when work on a job has ended, however it ended.

The shell runs it, with what happened in its environment:

    SYNTH_JOB          the folder of the job, from the root
    SYNTH_STATE        complete, stopped (by a signal, a limit or a request) or failed
    SYNTH_EXIT_CODE    the exit code of the command
    SYNTH_MESSAGE      how far the job is, or what went wrong, in one line

It reads nothing, what it prints goes to standard error, and it has a minute. Its failure is told and changes nothing.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from synth.views.readable import shown
from synth_checker.errors import UserError
from synth_storage.refusals import is_of_a_resource

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

Notify: TypeAlias = Annotated[
    str | None,
    typer.Option(
        help="Have the shell run this at the end, also after a failure; SYNTH_STATE and others say how it ended.",
        metavar="CMD",
    ),
]
#: How long it may take, in seconds.
_LONGEST_S = 60.0
#: The exit codes of what was stopped: by a limit or a request, or by a signal.
_STOPPED = {75, 129, 130, 143}


def run_and_notify(command: str | None, folder: Path, work: Callable[[], int]) -> int:
    """Work on the job in a folder, and run the command afterwards; gives the exit code of the work.

    Raises what the work raises.
    """
    if command is None:
        return work()
    try:
        code = work()
    except BaseException as error:
        _notify(command, folder, _code_of(error), " ".join(str(error).split()) or type(error).__name__)
        raise
    _notify(command, folder, code, _how_far(folder))
    return code


def _code_of(error: BaseException) -> int:
    """The exit code of a command that ends with an error."""
    if isinstance(error, UserError):
        return error.exit_code
    return 3 if isinstance(error, MemoryError) or is_of_a_resource(error) else 70


def _how_far(folder: Path) -> str:
    from synth.jobs.driving import state_of
    from synth.jobs.job import Job

    try:
        driven = state_of(Job(folder))
    except UserError as error:
        return str(error)
    aside = f", {driven.set_aside} set aside after failing" if driven.set_aside else ""
    return f"{driven.done} of {driven.shards} shards done{aside}"


def _notify(command: str, folder: Path, code: int, message: str) -> None:
    state = "complete" if code == 0 else "stopped" if code in _STOPPED else "failed"
    told = {"JOB": str(folder.absolute()), "STATE": state, "EXIT_CODE": str(code), "MESSAGE": message}
    environment = {**os.environ, **{f"SYNTH_{name}": value for name, value in told.items()}}
    sys.stderr.flush()
    try:
        process = subprocess.Popen(  # noqa: S602  (the user's own words, for the user's own shell)
            command,
            shell=True,
            stdin=subprocess.DEVNULL,
            stdout=sys.stderr.fileno(),
            env=environment,
            start_new_session=True,  # so that all of it can be ended
        )
    except (OSError, ValueError) as error:
        wrong = str(error)
    else:
        wrong = _wrong_with(process)
    if wrong:
        typer.echo(f"synth: --notify: {shown(command)}: {wrong}; it changes nothing about the job", err=True)


def _wrong_with(process: subprocess.Popen[bytes]) -> str:
    """What is wrong with the end of a command; empty if nothing is."""
    try:
        code = process.wait(_LONGEST_S)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        return f"no end after {_LONGEST_S:g} s"
    return f"exit code {code}" if code > 0 else f"signal {-code}" if code else ""
