"""The command line of a call: the whole, with another value of one option, or some of its options."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from collections.abc import Container, Iterator

#: Options that say where an answer goes. A second call would have to replace the file of the first.
_PLACES = {"out", "force"}


def call_again(ctx: typer.Context, threads: int) -> str:
    """Return the command line of a call with another value of its option --threads, and without --out."""
    names = {param.name or "" for param in ctx.command.params} - {*_PLACES, "threads"}
    return shlex.join([*ctx.command_path.split(), *given_words(ctx, names), "--threads", str(threads)])


def given_words(ctx: typer.Context, names: Container[str]) -> list[str]:
    """Return the words of some arguments and options, by the names of their parameters, as far as they were given."""
    words: list[str] = []
    for param in ctx.command.params:
        source = ctx.get_parameter_source(param.name or "")
        if source is not None and source.name == "COMMANDLINE" and param.name in names:
            words += _words(ctx, param.name or "", param.opts[-1] if param.param_type_name == "option" else "")
    return words


def _words(ctx: typer.Context, name: str, option: str) -> Iterator[str]:
    value = ctx.params[name]
    for word in value if isinstance(value, list | tuple) else [value]:
        if option:
            yield option
        if word is not True:
            yield str(word)
