"""The classes of all commands and groups: how they list themselves, explain their options, and refuse unknown words.

The list of a group has the whole summary of each command. A help text names the words that an option takes
(`vocabulary`).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import typer
from typer.core import TyperCommand, TyperGroup

from synth.cli.shared.streams import say
from synth.cli.shared.vocabulary import fill_in_kinds
from synth_checker.nearest import abbreviated, hint

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from typer._click import Command as AnyCommand
    from typer._click import Context, HelpFormatter

    #: The name of a command, its line in the list of its group, the function that runs it, and an example.
    Row = tuple[str, str, Callable[..., Any], str]

#: The new names of commands, by their group and the name that they had. The old names answer for one release.
RENAMED = {
    ("corpus", "verify"): "validate",
    ("device", "check"): "health",
    ("machine", "check"): "validate",
}
#: The type that typer writes after the name of an argument.
_TYPE = re.compile(r" <[^<>]+>$")
#: So many options that a word abbreviates are named.
_MOST_MEANT = 3


class SynthCommand(TyperCommand):
    """A command, whose help texts say what each option takes."""

    def get_short_help_str(self, limit: int = 0) -> str:  # noqa: ARG002  (typer gives one)
        """Return the whole summary of the command."""
        return _summary(self)

    def format_options(self, ctx: Context, formatter: HelpFormatter) -> None:
        """Write the meaning of each argument and option, and the words that it takes.

        Names of Python types are left out. Options with a panel have a section of their own, behind the others.
        """
        sections: dict[str, list[tuple[str, str]]] = {"Arguments": [], "Options": []}
        for param in self.get_params(ctx):
            record = param.get_help_record(ctx)
            if record is not None:
                name, text = record
                title = getattr(param, "rich_help_panel", None) or f"{param.param_type_name.capitalize()}s"
                sections.setdefault(title, []).append((_TYPE.sub("", name), fill_in_kinds(text)))
        for title, records in sections.items():
            if records:
                with formatter.section(title):
                    formatter.write_dl(records)


class SynthGroup(TyperGroup):
    """A command that has commands below it. Called without any of them, it prints its help.

    The commands of a section, if there are any, are listed below its name.
    """

    #: The names of the commands of each section.
    sections: Mapping[str, Iterable[str]] = {}

    def parse_args(self, ctx: Context, args: list[str]) -> list[str]:
        """Take the words of the command line; none at all ask for help."""
        return super().parse_args(ctx, args or ["--help"])

    def format_commands(self, ctx: Context, formatter: HelpFormatter) -> None:
        """Write a line for each command."""
        listed = {name for names in self.sections.values() for name in names}
        others = [name for name in self.list_commands(ctx) if name not in listed and not self.commands[name].hidden]
        width = max(map(len, (*listed, *others)))
        for title, names in {**self.sections, "Commands" if not listed else "Help": others}.items():
            rows = [
                (f"{name:{width}}", self.commands[name].get_short_help_str()) for name in names if name in self.commands
            ]
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)

    def get_short_help_str(self, limit: int = 0) -> str:  # noqa: ARG002  (typer gives one)
        """Return the whole summary of the group."""
        return _summary(self)

    def resolve_command(self, ctx: Context, args: list[str]) -> tuple[str | None, AnyCommand | None, list[str]]:
        """Find the command that the first word names; the message about an unknown word suggests a similar command."""
        word = args[0]
        if (name := RENAMED.get((ctx.info_name or "", word))) is not None:
            if not ctx.resilient_parsing:
                say(f"synth: {ctx.info_name} {word} is now {ctx.info_name} {name}; the next release drops the old name")
            return super().resolve_command(ctx, [name, *args[1:]])
        if word not in self.commands and not word.startswith("-") and not ctx.resilient_parsing:
            old_names = [old for group, old in RENAMED if group == ctx.info_name]
            ctx.fail(f"No such command {word!r}{hint(word, [*self.commands, *old_names])}.")
        return super().resolve_command(ctx, args)


def add_commands(app: typer.Typer, *rows: Row, classes: dict[str, type[SynthCommand]] | None = None) -> None:
    """Add commands to a group, in the order in which it lists them.

    `classes` names commands with a class of their own.
    """
    for name, short_help, function, example in rows:
        app.command(name, cls=(classes or {}).get(name, SynthCommand), short_help=short_help, epilog=example)(function)


def group(about: str, example: str, *rows: Row, classes: dict[str, type[SynthCommand]] | None = None) -> typer.Typer:
    """Return a group of commands below `synth`."""
    app = typer.Typer(cls=SynthGroup, rich_markup_mode=None, help=about, epilog=example)
    add_commands(app, *rows, classes=classes)
    return app


def _summary(command: AnyCommand) -> str:
    return command.short_help or (command.help or "").partition("\n\n")[0]


def message_of(error: typer.TyperException) -> str:
    """Return the message about a wrong call; for an unknown option, it suggests a similar one."""
    context, option = getattr(error, "ctx", None), getattr(error, "option_name", None)
    if context is None or option is None or not hasattr(error, "possibilities"):
        return error.format_message()
    option_names = [
        name for param in context.command.get_params(context) for name in (*param.opts, *param.secondary_opts)
    ]
    words = [name for name in option_names if name.startswith("--") and "_" not in name]
    meant = abbreviated(option, words)
    if not meant:
        return f"No such option: {option}{hint(option, words)}"
    return f"No such option: {option}" + f" (did you mean {' or '.join(meant)}?)" * (len(meant) <= _MOST_MEANT)
