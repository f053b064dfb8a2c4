"""Options in groups, given to a command by a decorator. Typer reads the signature that the decorator writes.

A command gets the options of a group as one value. So options that several commands share are written once
(`takes_options`), and a command with many options reads as the list of its groups (`takes_groups`).
"""

from __future__ import annotations

import functools
import inspect
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeVar, get_type_hints

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_Result = TypeVar("_Result")
#: The values of options by their names.
OptionValues: TypeAlias = "Mapping[str, Any]"
#: The default of a parameter that has none.
NEEDED = inspect.Parameter.empty


class SharedOption(NamedTuple):
    """The type of an option or an argument as Typer reads it, and its default."""

    annotation: object
    default: object = None


def takes_options(
    argument: SharedOption, options: Mapping[str, SharedOption], value_of: Callable[..., object]
) -> Callable[[Callable[..., _Result]], Callable[..., _Result]]:
    """Return a decorator that gives a command an argument and options.

    `value_of` makes one value of what was given. The decorated function gets it as its first parameter. Its other
    parameters are options of its own. In the help, required ones come first, then the shared ones, and then the rest.
    """

    def decorate(function: Callable[..., _Result]) -> Callable[..., _Result]:
        @functools.wraps(function)
        def command(source: object, **values: object) -> _Result:
            return function(value_of(source, {name: values.pop(name) for name in options}), **values)

        first, *own = inspect.signature(function).parameters.values()
        hints = get_type_hints(function, localns={str(first.annotation): object}, include_extras=True)
        further = [
            _parameter(parameter.name, SharedOption(hints[parameter.name], parameter.default)) for parameter in own
        ]
        must = [parameter for parameter in further if parameter.default is NEEDED]
        shared = [_parameter(name, option) for name, option in options.items()]
        parameters = [
            _parameter("source", argument),
            *must,
            *shared,
            *(parameter for parameter in further if parameter not in must),
        ]
        command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        command.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
        return command

    return decorate


def takes_groups(function: Callable[..., _Result]) -> Callable[..., _Result]:
    """Give a command the options of groups: the fields of each NamedTuple that is the type of a parameter.

    The help lists them where the parameter stands, in the order of the fields.
    """
    hints = get_type_hints(function, include_extras=True)
    own = inspect.signature(function).parameters.values()
    groups = {parameter.name: hints[parameter.name] for parameter in own if hasattr(hints[parameter.name], "_fields")}

    @functools.wraps(function)
    def command(**values: object) -> _Result:
        for name, group in groups.items():
            values[name] = group(*(values.pop(field) for field in group._fields))
        return function(**values)

    parameters = [
        _parameter(name, option)
        for parameter in own
        for name, option in (
            options_of(groups[parameter.name])
            if parameter.name in groups
            else {parameter.name: SharedOption(hints[parameter.name], parameter.default)}
        ).items()
    ]
    command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    command.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return command


def options_of(group: type[NamedTuple]) -> dict[str, SharedOption]:
    """Return the options that are the fields of a class of named tuples, in their order."""
    hints = get_type_hints(group, include_extras=True)
    return {name: SharedOption(hints[name], group._field_defaults.get(name, NEEDED)) for name in group._fields}


def _parameter(name: str, shared: SharedOption) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=shared.default, annotation=shared.annotation)
