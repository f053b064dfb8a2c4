"""The two kinds of exception: the user's fault and ours.

A `UserError` says in one line where, what was found and what was expected; the command line prints that line and
leaves with the code the class names. An `InternalError` is a defect of this program and keeps its traceback.
A library never prints and never ends the process; only `synth.cli` does.
"""

from __future__ import annotations

#: Characters of a word that a message repeats at most.
_SHOWN = 60


class UserError(Exception):
    """Something the caller can mend: a wrong word, file or program. `exit_code` is what a command leaves with."""

    exit_code = 2


class InputError(UserError):
    """A program, record, model or option that can't be read or is not allowed."""


class LimitError(InputError):
    """A program beyond the limits of the definitions, or beyond what the checker can hold. Never a wrong answer."""


class ResourceError(UserError):
    """Memory, disk, a process or a device failed."""

    exit_code = 3


class InternalError(Exception):
    """Two parts of this program disagree, or an invariant does not hold. Please report it."""


def excerpt(text: str) -> str:
    """A text as a message repeats it: of a long one the beginning, and how long it is."""
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}... ({len(text):,} characters)"
