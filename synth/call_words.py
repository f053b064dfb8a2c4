"""The words of the command line for the values of a call from Python (`synth.calls`)."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple, cast

from synth.call_parameters import long_name, parameters_of, prints_json
from synth_checker.errors import InputError, check_type
from synth_checker.nearest import unknown

if TYPE_CHECKING:
    from typer.core import TyperOption

    from synth.call_parameters import CommandCall, CommandParameter


class CallWords(NamedTuple):
    """The words of a call, and what comes of it: an answer, or a text in a format that was asked for."""

    words: list[str]
    gives_answer: bool


def words_of(call: CommandCall, arguments: tuple[object, ...], options: Mapping[str, object]) -> CallWords:
    """Return the words of the command line for the arguments of a call.

    Raises:
        InputError: an argument is unknown, given twice, or of a type that no word stands for.
    """
    parameters = parameters_of(call)
    by_position = [parameter for parameter in parameters if parameter.is_argument]
    if call.option:
        by_position.append(next(parameter for parameter in parameters if parameter.name == call.option))
    if len(arguments) > len(by_position):
        names = ", ".join(parameter.name for parameter in by_position) or "none"
        raise InputError(f"found {len(arguments)} arguments by position, expected at most {len(by_position)}: {names}")
    by_name = {name: parameter for parameter in parameters for name in parameter.names}
    values = {parameter.name: value for parameter, value in zip(by_position, arguments, strict=False)}
    for name, value in options.items():
        if name not in by_name:
            raise unknown("argument", name, list(by_name))
        if by_name[name].name in values:
            raise InputError(f"{name}: found twice")
        values[by_name[name].name] = value
    option_words = [word for name, value in values.items() for word in _option_words(by_name[name], value)]
    argument_words = [
        word for name, value in values.items() if by_name[name].is_argument for word in _texts(name, value)
    ]
    gives_answer = prints_json(call.words) and not _asks_for_text(call, values)
    after = ["--", *argument_words] if argument_words else []
    return CallWords([*call.words, *option_words, *["--json"] * gives_answer, *after], gives_answer)


def _asks_for_text(call: CommandCall, values: Mapping[str, object]) -> bool:
    """Return whether a call asks for a text in a format of its own. `--format` of an import is about its input."""
    form = None if call.words == ("corpus", "import") else values.get("format")
    return form not in {None, "json", "jsonl"} or bool(values.get("metrics"))


def _option_words(parameter: CommandParameter, value: object) -> list[str]:
    """Return the words of one option; none for an argument, or for an option that is not given."""
    if parameter.is_argument or value is None:
        return []
    param, name = cast("TyperOption", parameter.param), parameter.name
    if param.is_flag:
        check_type(name, value, bool, "True or False")
        names: list[str] = param.opts if value else param.secondary_opts
        return names[:1]
    if param.metavar == "TIME" and isinstance(value, int | float) and not isinstance(value, bool):
        value = f"{value:.6f}s"
    if param.metavar == "SIZE" and isinstance(value, float) and value.is_integer():
        value = int(value)
    texts = _texts(name, value)
    if not param.multiple and param.metavar == "N,...":
        texts = [",".join(texts)]
    if len(texts) > 1 and not param.multiple:
        raise InputError(f"{name}: found {len(texts)} values, expected one")
    return [f"{long_name(param)}={text}" for text in texts]


def _texts(name: str, value: object) -> list[str]:
    """Return what stands for a value on the command line: a text, several, or NAME=VALUE for each key."""
    if value is None:
        return []
    if isinstance(value, Mapping):
        return [f"{key}={_text_of(name, inner)}" for key, inner in value.items()]
    if isinstance(value, Iterable) and not isinstance(value, str | bytes) and not hasattr(value, "instructions"):
        return [_text_of(name, inner) for inner in value]
    return [_text_of(name, value)]


def _text_of(name: str, value: object) -> str:
    """Return the text of one value: of a program, its id; of a model, how the command line writes it."""
    if isinstance(value, str | os.PathLike):
        return os.fsdecode(value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        try:
            return str(value)
        except ValueError:  # Python refuses to write thousands of digits
            raise InputError(f"{name}: found a number with too many digits") from None
    from synth_checker.models import word_of
    from synth_checker.models.model import Model
    from synth_checker.programs.normal import written_out
    from synth_checker.programs.program import Program

    if isinstance(value, Model):
        return word_of(value)
    check_type(name, value, Program, "a text, a number, a path, a program or a model")
    return written_out(cast("Program", value))
