"""The signatures of commands as functions: the types of Python for the words of the command line (`synth.calls`).

A path may be a string or a `Path`, and a program may be a `Program`. An option that repeats takes one value or several,
and one of the form NAME=VALUE takes a dictionary, too. A time may be a number of seconds, and a size one of bytes.
"""

from __future__ import annotations

from inspect import Parameter, Signature
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING, cast, get_args, get_origin, get_type_hints

from synth.call_parameters import command_of, parameters_of, prints_json

if TYPE_CHECKING:
    from synth.call_parameters import CommandCall, CommandParameter

#: Options that also take numbers, by what the help calls their values.
_NUMBERS = {"TIME": " | float", "SIZE": " | int", "N|A..B": " | int", "N,...": " | int | Sequence[int]"}


def signature_of(call: CommandCall, result: str | None = None) -> Signature:
    """Return the signature of a function, with its result if that is given. Its annotations are strings."""
    command = command_of(call.words)
    hints = get_type_hints(command.callback)
    parameters = parameters_of(call)
    by_position = [parameter for parameter in parameters if parameter.is_argument or parameter.name == call.option]
    others = [parameter for parameter in parameters if parameter not in by_position]
    others.sort(key=lambda parameter: not parameter.param.required)
    return Signature(
        [
            *(_parameter(parameter, hints, by_name=False) for parameter in by_position),
            *(_parameter(parameter, hints, by_name=True) for parameter in others),
        ],
        return_annotation=Signature.empty if result is None else result,
    )


def _parameter(parameter: CommandParameter, hints: dict[str, object], *, by_name: bool) -> Parameter:
    param = parameter.param
    hint = hints[param.name or ""]
    parts = [part for part in get_args(hint) if part is not NoneType]
    whole = parts[0] if parts and get_origin(hint) is not list else hint
    is_list = get_origin(whole) is list
    inner = cast("type", get_args(whole)[0] if is_list else whole)
    text = "str | PathLike[str]" if inner is Path else inner.__name__
    if parameter.is_argument and "ID" in (param.metavar or "").split("|"):
        text = "str | PathLike[str] | Program"
    if text == "str":
        text += _NUMBERS.get(param.metavar or "", "")
    if is_list:
        text += f" | Iterable[{text}]" + " | Mapping[str, object]" * ("=" in (param.metavar or ""))
    kind = Parameter.KEYWORD_ONLY if by_name else Parameter.POSITIONAL_OR_KEYWORD
    if param.required:
        return Parameter(parameter.name, kind, annotation=text)
    default = str(param.default) if isinstance(param.default, Path) else param.default
    if default is None or default in ([], ()):
        return Parameter(parameter.name, kind, annotation=f"{text} | None", default=None)
    return Parameter(parameter.name, kind, annotation=text, default=default)


def result_of(call: CommandCall) -> tuple[str, set[type]]:
    """Return the type of what a function gives, as a text, and the classes that it names."""
    from synth.schema import ANSWERS, MANY, OF_FILES

    name = "-".join([*call.words, call.option] if call.option else call.words)
    kind = (ANSWERS | OF_FILES).get(name)
    if kind is None or not prints_json(call.words):
        return ("object" if prints_json(call.words) else "str | None"), set()
    is_list = get_origin(kind) is list
    inner = get_args(kind)[0] if is_list else kind
    parts = cast("tuple[type, ...]", get_args(inner) or (inner,))
    text = " | ".join(part.__name__ for part in parts)
    return (f"builtins.list[{text}]" if is_list or "-".join(call.words) in MANY else text), set(parts)
