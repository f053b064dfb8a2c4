"""The parameters of commands as functions: from the arguments and options of the command line (`synth.calls`)."""

from __future__ import annotations

import keyword
from functools import cache
from typing import TYPE_CHECKING, NamedTuple, cast

if TYPE_CHECKING:
    from collections.abc import Mapping

    from typer.core import TyperArgument, TyperOption

    from synth.cli.shared.command_class import SynthCommand, SynthGroup

#: Options that no function has: those of the terminal, and `--json`, which each call adds.
_OF_TERMINAL = {"--help", "--json", "--install-completion", "--show-completion"}


class CommandCall(NamedTuple):
    """A command as a function: its words, and the option that the second argument by position stands for, if any."""

    words: tuple[str, ...]
    option: str = ""


#: Functions whose name or module differs from that of the command. `banks` and `equals` are `verify` with that option.
ELSEWHERE: Mapping[str, Mapping[str, CommandCall]] = {
    "kernel": {
        "verify": CommandCall(("verify",)),
        "banks": CommandCall(("verify",), "banks"),
        "equals": CommandCall(("verify",), "equals"),
    },
    "device": {"probe": CommandCall(("probe",))},
}


class CommandParameter(NamedTuple):
    """A parameter of a function: its name in Python, and the argument or option of the command line."""

    name: str
    param: TyperArgument | TyperOption
    is_argument: bool

    @property
    def names(self) -> list[str]:
        """All names that it has, of which the stub shows the first."""
        if self.is_argument:
            return [self.name]
        return [python_name(name.removeprefix("--")) for name in self.param.opts if name.startswith("--")]


def calls_of(group: str) -> dict[str, CommandCall]:
    """Return the functions of a group of commands by their names, or those of the commands without a group."""
    from synth.cli import command_line
    from synth.cli.shared.command_list import COMMANDS

    if not group:
        return {python_name(name): CommandCall((name,)) for name in COMMANDS}
    below = cast("SynthGroup", command_line(group).commands[group])
    own = {python_name(name): CommandCall((group, name)) for name in below.commands}
    return own | dict(ELSEWHERE.get(group, {}))


def parameters_of(call: CommandCall) -> list[CommandParameter]:
    """Return the parameters of a function: first the arguments of its command, and then its options."""
    params = [
        cast("TyperArgument | TyperOption", param)
        for param in command_of(call.words).params
        if not cast("TyperArgument | TyperOption", param).hidden
    ]
    arguments = [
        CommandParameter(param.name, param, is_argument=True) for param in params if param.param_type_name == "argument"
    ]
    options = [
        CommandParameter(python_name(long_name(param).removeprefix("--")), param, is_argument=False)
        for param in params
        if param.param_type_name == "option" and not _OF_TERMINAL & set(param.opts)
    ]
    return [*arguments, *options]


def prints_json(words: tuple[str, ...]) -> bool:
    """Return whether a command can print JSON."""
    return any("--json" in param.opts for param in command_of(words).params)


@cache
def command_of(words: tuple[str, ...]) -> SynthCommand:
    """Return the command of some words, such as `("kernel", "need")`."""
    from synth.cli import command_line

    command: object = command_line(words[0])
    for word in words:
        command = cast("SynthGroup", command).commands[word]
    return cast("SynthCommand", command)


def long_name(param: TyperArgument | TyperOption) -> str:
    """Return the name of an option on the command line, such as `--time-limit`."""
    names = [name for name in param.opts if name.startswith("--")]
    return names[0]


def python_name(name: str) -> str:
    """Return a name of the command line as Python has it: `from_` for `from`."""
    name = name.replace("-", "_")
    return f"{name}_" if keyword.iskeyword(name) else name
