"""The commands as functions: each option is an argument, and the answer is the object that `--json` prints.

A call goes through the command line of the command, so both always mean the same. `synth/*.pyi` has the signatures,
which `make reference` writes from the options. What a command says beside its answer goes to the logger `synth`.

    >>> import synth
    >>> synth.sim.show("linear").implied
    ['LOBE.strong']
"""

from __future__ import annotations

import contextlib
import io
import json
import logging
import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, cast

from synth.call_parameters import (
    CommandCall,
    CommandParameter,
    calls_of,
    command_of,
    long_name,
    parameters_of,
    prints_json,
)
from synth_checker.errors import InputError, ResourceError, list_of_texts

if TYPE_CHECKING:
    from collections.abc import Callable
    from inspect import Signature

    from typer.core import TyperOption


_LOG = logging.getLogger("synth")
#: The exit codes of a command that a signal has stopped.
_SIGNALS = {129, 130, 143}


class CommandFunction:
    """A command as a function. Its signature is made when somebody asks for it, because that loads all answers."""

    def __init__(self, group: str, name: str) -> None:
        self._call = calls_of(group)[name]
        self.__name__ = self.__qualname__ = name
        self.__module__ = f"synth.{group}" if group else "synth.commands"
        self.__doc__ = command_of(self._call.words).help

    def __call__(self, *arguments: object, **options: object) -> object:
        """Run the command, and return its answer."""
        return answer_of(self._call, arguments, options)

    def __repr__(self) -> str:
        return f"<function {self.__module__}.{self.__name__}>"

    @property
    def __signature__(self) -> Signature:
        from synth.call_signatures import signature_of

        return signature_of(self._call)


def functions_of(group: str) -> tuple[list[str], Callable[[str], object]]:
    """Return the names of the functions of a group of commands, and what a module gives for a name."""
    names = sorted(calls_of(group))

    def get(name: str) -> object:
        if name not in names:
            raise AttributeError(f"module 'synth.{group}' has no attribute {name!r}")
        return CommandFunction(group, name)

    return names, get


def answer_of(call: CommandCall, arguments: tuple[object, ...], options: Mapping[str, object]) -> object:
    """Run a command in this process, and return its answer.

    That is the object, or the list of objects, that `--json` would print. A command that prints something else gives
    its text, and one that prints nothing gives None.

    Raises:
        InputError: an argument or an input is wrong.
        LimitError: an input is too large.
        ResourceError: a resource or a device failed.
    """
    import typer

    from synth.cli import Interrupted, run_words
    from synth.cli.shared.answer_print import collected_answers
    from synth.cli.shared.command_class import message_of
    from synth.schema import MANY

    words = [*call.words, *_words(call, arguments, options)]
    output, errors = _text_stream(), _text_stream()
    with collected_answers() as answers, contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
        try:
            code = run_words(words)
        except Interrupted:
            raise KeyboardInterrupt from None
        except typer.TyperException as error:
            raise InputError(" ".join(message_of(error).split())) from error
    said = _text(errors).splitlines()
    for line in said:
        _LOG.info(line)
    text = _text(output)
    if not answers and text:
        values = _read_json(text)
        if values is None:
            return text
        answers = values
    if not answers and code in _SIGNALS:
        raise KeyboardInterrupt
    if not answers and code in {2, 3}:
        message = said[-1].removeprefix("synth: ") if said else "the command failed"
        raise InputError(message) if code == 2 else ResourceError(message)
    if "-".join(call.words) in MANY:
        return answers
    return answers[0] if answers else None


def _text_stream() -> io.TextIOWrapper:
    """Return a stream as standard output is: some texts are written to it as bytes."""
    return io.TextIOWrapper(io.BytesIO(), encoding="utf-8", errors="backslashreplace", write_through=True)


def _text(stream: io.TextIOWrapper) -> str:
    stream.flush()
    buffer = stream.buffer
    assert isinstance(buffer, io.BytesIO)  # noqa: S101  (`_text_stream` made it)
    return buffer.getvalue().decode("utf-8", "replace")


def _read_json(text: str) -> list[object] | None:
    """Return the JSON values that a text has, as a whole or one a line; None if it is something else."""
    try:
        return [json.loads(text)]
    except ValueError:
        pass
    try:
        return [json.loads(line) for line in text.splitlines()]
    except ValueError:
        return None


def _words(call: CommandCall, arguments: tuple[object, ...], options: Mapping[str, object]) -> list[str]:
    """Return the words of the command line for the arguments of a call."""
    parameters = parameters_of(call)
    by_position = [parameter for parameter in parameters if parameter.is_argument]
    if call.option:
        by_position.append(next(parameter for parameter in parameters if parameter.name == call.option))
    if len(arguments) > len(by_position):
        names = ", ".join(parameter.name for parameter in by_position) or "none"
        raise InputError(f"found {len(arguments)} arguments by position, expected at most {len(by_position)}: {names}")
    values = {parameter.name: value for parameter, value in zip(by_position, arguments, strict=False)}
    for name, value in options.items():
        if name in values:
            raise InputError(f"{name}: found twice, by position and by name")
        values[name] = value
    by_name = {name: parameter for parameter in parameters for name in parameter.names}
    for name in values:
        if name not in by_name:
            from synth_checker.nearest import unknown

            raise unknown("argument", name, list(by_name))
    option_words = [word for name, value in values.items() for word in _option_words(by_name[name], value)]
    argument_words = [word for name, value in values.items() if by_name[name].is_argument for word in _texts(value)]
    if prints_json(call.words) and not _wants_other_output(call, values):
        option_words.append("--json")
    return [*option_words, *(["--", *argument_words] if argument_words else [])]


def _wants_other_output(call: CommandCall, values: Mapping[str, object]) -> bool:
    """Return whether a call asks for a text in a format of its own. That of an import is the format of its input."""
    return (values.get("format") is not None and call.words != ("corpus", "import")) or bool(values.get("metrics"))


def _option_words(parameter: CommandParameter, value: object) -> list[str]:
    """Return the words of one option; none for an argument, or for an option that is not given."""
    if parameter.is_argument or value is None:
        return []
    param = cast("TyperOption", parameter.param)
    if param.is_flag:
        if not isinstance(value, bool):
            raise InputError(f"{parameter.name}: found {value!r}, expected True or False")
        names: list[str] = param.opts if value else param.secondary_opts
        return names[:1]
    if param.metavar == "TIME" and isinstance(value, int | float):
        value = f"{value}s"
    texts = _texts(value)
    if not param.multiple and param.metavar == "N,...":
        texts = [",".join(texts)]
    if len(texts) > 1 and not param.multiple:
        raise InputError(f"{parameter.name}: found {len(texts)} values, expected one")
    return [f"{long_name(param)}={text}" for text in texts]


def _texts(value: object) -> list[str]:
    """Return what stands for a value on the command line: a text, several, or NAME=VALUE for each key."""
    if value is None:
        return []
    if isinstance(value, Mapping):
        return [f"{name}={_text_of(inner)}" for name, inner in value.items()]
    if isinstance(value, Iterable) and not isinstance(value, str | bytes) and not hasattr(value, "instructions"):
        return [_text_of(inner) for inner in value]
    return [_text_of(value)]


def _text_of(value: object) -> str:
    """Return the text of one value: of a program, its id; of a model, how the command line writes it."""
    if isinstance(value, str | os.PathLike):
        return os.fsdecode(value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    from synth_checker.models import word_of
    from synth_checker.models.model import Model
    from synth_checker.programs.normal import written_out
    from synth_checker.programs.program import Program

    if isinstance(value, Program):
        return written_out(value)
    if isinstance(value, Model):
        return word_of(value)
    list_of_texts("an argument", [value])  # raises an error that names the type
    raise AssertionError(value)
