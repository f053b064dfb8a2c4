"""The commands as functions: each option is an argument, and the answer is the object that `--json` prints.

A call goes through the command line of the command, so both always mean the same. `synth/*.pyi` has the signatures,
which `make reference` writes from the options. What a command says beside its answer goes to the logger `synth`.

    >>> import synth
    >>> synth.sim.show("linear").implied
    ('LOBE.strong',)
"""

from __future__ import annotations

import contextlib
import io
import json
import logging
import threading
from functools import cache
from typing import TYPE_CHECKING

from synth.call_parameters import CommandCall, calls_of, command_of
from synth.call_words import words_of
from synth_checker.errors import InputError, InternalError, LimitError, ResourceError, UserError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_LOG = logging.getLogger("synth")
_ONE_AT_A_TIME = threading.RLock()
#: The exit codes of a command that a signal has stopped.
_SIGNALS = {129, 130, 143}
#: The exit code of a command that a limit has stopped.
_LIMIT = 75


class UnexpectedAnswerError(UserError):
    """Raised if an answer is not the one that the argument `expect` names; `answer` is that answer."""

    exit_code = 1

    def __init__(self, message: str, answer: object) -> None:
        super().__init__(message)
        self.answer = answer


@cache
def function_of(group: str, name: str) -> Callable[..., object]:
    """Return the function of a command. Its signature has no result, because to name it loads all answers.

    Raises:
        KeyError: there is no such command.
    """
    from synth.call_signatures import signature_of

    call = calls_of(group)[name]

    def function(*arguments: object, **options: object) -> object:
        return answer_of(call, arguments, options)

    function.__name__ = function.__qualname__ = name
    function.__module__ = f"synth.{group}" if group else "synth.commands"
    function.__doc__ = command_of(call.words).help
    function.__signature__ = signature_of(call)  # type: ignore[attr-defined]
    return function


def functions_of(group: str) -> tuple[list[str], Callable[[str], object]]:
    """Return the names of the functions of a group of commands, and the `__getattr__` of its module."""
    names = sorted(calls_of(group))

    def get(name: str) -> object:
        if name not in names:
            raise AttributeError(f"module 'synth.{group or 'commands'}' has no attribute {name!r}")
        return function_of(group, name)

    return names, get


def answer_of(call: CommandCall, arguments: tuple[object, ...], options: Mapping[str, object]) -> object:
    """Run a command in this process, and return its answer.

    That is the object, or the list of objects, that `--json` would print. A command that prints something else gives
    its text, and one that prints nothing gives None.

    Raises:
        InputError: an argument or an input is wrong.
        LimitError: an input is too large, or a limit has stopped the command before it had an answer.
        ResourceError: a resource or a device failed.
        UnexpectedAnswerError: the answer is not the one that `expect` names.
        KeyboardInterrupt: Ctrl-C has stopped the command before it had an answer.
    """
    import typer

    from synth.cli import Interrupted, run_words
    from synth.cli.shared.answer_print import collected_answers
    from synth.cli.shared.command_class import message_of

    words, gives_answer = words_of(call, arguments, options)
    output, errors = _text_stream(), _text_stream()
    # Standard output is that of the whole process, so calls of several threads come one after the other.
    with (
        _ONE_AT_A_TIME,
        collected_answers() as answers,
        contextlib.redirect_stdout(output),
        contextlib.redirect_stderr(errors),
    ):
        try:
            code = run_words(words)
        except Interrupted:
            raise KeyboardInterrupt from None
        except typer.TyperException as error:
            raise InputError(" ".join(message_of(error).split())) from error
    said = _text(errors).splitlines()
    for line in said:
        _LOG.log(logging.WARNING if line.startswith("synth: ") else logging.INFO, line)
    text = _text(output)
    message = said[-1].removeprefix("synth: ") if said else "the command failed"
    if code == InputError.exit_code:
        raise InputError(message)
    if gives_answer and not answers and text:
        answers = _read_json(text)
    if not answers and not text:
        _raise_without_answer(code, message)
    answer = _whole_answer(call, answers) if gives_answer else text or None
    if code == 1 and options.get("expect") is not None:
        raise UnexpectedAnswerError(f"expect: found another answer than {options['expect']!r}", answer)
    return answer


def _raise_without_answer(code: int, message: str) -> None:
    if code in _SIGNALS:
        raise KeyboardInterrupt
    if code == ResourceError.exit_code:
        raise ResourceError(message)
    if code == _LIMIT:
        raise LimitError(message)


def _whole_answer(call: CommandCall, answers: list[object]) -> object:
    """Return the answers of a command that gives several, or the only one of another command."""
    from synth.schema import MANY

    if len(answers) == 1 and isinstance(answers[0], list):
        return answers[0]
    if "-".join(call.words) in MANY:
        return answers
    if len(answers) > 1:
        raise InternalError(f"synth {' '.join(call.words)}: found {len(answers)} answers, expected one")
    return answers[0] if answers else None


def _text_stream() -> io.TextIOWrapper:
    """Return a stream as standard output is: some texts are written to it as bytes."""
    return io.TextIOWrapper(io.BytesIO(), encoding="utf-8", errors="backslashreplace", write_through=True)


def _text(stream: io.TextIOWrapper) -> str:
    stream.flush()
    buffer = stream.buffer
    assert isinstance(buffer, io.BytesIO)  # noqa: S101  (`_text_stream` made it)
    return buffer.getvalue().decode("utf-8", "replace")


def _read_json(text: str) -> list[object]:
    """Return the JSON values that a text has, as a whole or one a line."""
    with contextlib.suppress(ValueError):
        return [json.loads(text)]
    return [json.loads(line) for line in text.splitlines()]
