"""The two kinds of exception: the user's fault and ours.

A `UserError` says in one line where, what was found and what was expected; the command line prints that line and
exits with the status that the class names. An `InternalError` is a defect of this program and keeps its traceback.
A library never prints and never ends the process; only `synth.cli` does.
"""

from __future__ import annotations

import reprlib
from collections.abc import Iterable
from typing import cast

#: Characters of a word that a message repeats at most.
_SHOWN = 60


class UserError(Exception):
    """Something the caller can mend: a wrong word, file or program. `exit_code` is the exit status of a command."""

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


def check_type(what: str, found: object, kinds: type | tuple[type, ...], expected: str) -> None:
    """Raise InputError unless a value is of one of some types; `expected` says in words what it is to be."""
    if not isinstance(found, kinds):
        shown = excerpt(reprlib.repr(found))
        msg = f"{what}: found {shown}, which is of type {type(found).__name__}, expected {expected}"
        raise InputError(msg)


def several(what: str, given: object) -> list[str]:
    """The texts that an argument holds, which is one text or any number of them.

    Raises:
        InputError: it is something else.
    """
    if isinstance(given, str):
        return [given]
    check_type(what, given, Iterable, "a text, or several")
    texts = list(cast("Iterable[object]", given))
    for text in texts:
        check_type(what, text, str, "texts only")
    return cast("list[str]", texts)


def check_ids(given: object) -> None:
    """Raise InputError unless these are ids; of what may be too large or read only once, each is not looked at."""
    if isinstance(given, str | bytes) or not isinstance(given, Iterable):
        check_type("ids", given, (), "a list of ids")
    for id_ in given if isinstance(given, list | tuple | set | frozenset) else ():
        check_type("id", id_, str, "a text")


def quoted(word: str) -> str:
    """A word as a message repeats it; of an empty one, of what it may have come."""
    return repr(excerpt(word)) if word else "an empty word (from a comma too many, or a variable that is not set?)"


def excerpt(text: str) -> str:
    """A text as a message repeats it: of a long one the beginning, and how long it is."""
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}... ({len(text):,} characters)"
