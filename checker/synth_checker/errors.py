"""The two kinds of exception: `UserError` for a mistake of the user, and `InternalError` for a mistake in `synth`.

The message of a `UserError` says in one line where the mistake is, what was found and what was expected. The command
line prints that line and exits with the status that the class of the exception names. An `InternalError` is a defect of
`synth`, so its traceback is shown. Only `synth.cli` prints or ends the process; all other packages raise.
"""

from __future__ import annotations

import reprlib
from collections.abc import Iterable
from typing import cast

#: A message repeats at most so many characters of a word.
_SHOWN = 60


class UserError(Exception):
    """A mistake that the caller can correct: a wrong word, file or program.

    `exit_code` is the exit status of a command that ends with this error.
    """

    exit_code = 2


class InputError(UserError):
    """A program, record, model or option that cannot be read or is not allowed."""


class LimitError(InputError):
    """A program that exceeds a limit, either of the definitions or of what the checker can hold in memory.

    The checker raises this error instead of giving an answer that may be wrong.
    """


class ResourceError(UserError):
    """Memory, a disk, a process or a device has failed."""

    exit_code = 3


class InternalError(Exception):
    """A defect of `synth`: two of its parts disagree, or a condition that must always hold does not.

    Please report it.
    """


def check_type(what: str, value: object, kinds: type | tuple[type, ...], expected: str) -> None:
    """Raise InputError unless `value` is of one of the types `kinds`.

    `what` names the value in the message, and `expected` says in words what the value must be.
    """
    if not isinstance(value, kinds):
        try:
            shown = excerpt(reprlib.repr(value))
        except ValueError:  # Python refuses to write a number with thousands of digits
            shown = "a number with too many digits"
        raise InputError(f"{what}: found {shown}, which is of type {type(value).__name__}, expected {expected}")


def check_number(what: str, value: object, least: int, most: int | None = None) -> None:
    """Raise InputError unless `value` is a whole number from `least` to `most`.

    If `most` is None, there is no upper limit. `what` names the value in the message.
    """
    expected = f"at least {least}" if most is None else f"{least} to {most}"
    preposition = "of " if most is None else "from "
    check_type(what, value, () if isinstance(value, bool) else int, f"a number {preposition}{expected}")
    number = cast("int", value)
    if number < least or (most is not None and number > most):
        shown = str(number) if number.bit_length() <= 128 else f"a number with {number.bit_length():,} bits"
        raise InputError(f"{what}: found {shown}, expected {expected}")


def list_of_texts(what: str, words: object) -> list[str]:
    """Return the texts that an argument holds: the argument is either one text or any number of texts.

    `what` names the argument in the message of an error.

    Raises:
        InputError: the argument is something else.
    """
    if isinstance(words, str):
        return [words]
    check_type(what, words, Iterable, "one text, or a list of texts")
    texts = list(cast("Iterable[object]", words))
    for text in texts:
        check_type(what, text, str, "only texts")
    return cast("list[str]", texts)


def check_ids(ids: object) -> None:
    """Raise InputError unless `ids` is a collection of ids.

    In a list, tuple or set each member must be a text. The members of any other iterable are not looked at, because it
    may be too large, or may be readable only once.
    """
    if isinstance(ids, str | bytes) or not isinstance(ids, Iterable):
        check_type("ids", ids, (), "a list of ids")
    for id_ in ids if isinstance(ids, list | tuple | set | frozenset) else ():
        check_type("id", id_, str, "a text")


def quoted(word: str) -> str:
    """Return a word in quotes, for a message; for an empty word, return a phrase that guesses why it is empty."""
    return repr(excerpt(word)) if word else "an empty word (from a comma too many, or a variable that is not set?)"


def excerpt(text: str) -> str:
    """Return a text in the form that messages show: only the beginning of a long text, with the text's length."""
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}... ({len(text):,} characters)"
