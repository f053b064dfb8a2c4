"""Writes docs/look-up/cli.md and docs/look-up/api.md: commands and names of `import synth`, from the code itself.

The commands come from typer's tree of them, the names from `synth/__init__.pyi` with their signatures and docstrings.
`make reference` runs this, and a test compares what it would write with what is there.
"""

from __future__ import annotations

import dataclasses
import enum
import functools
import inspect
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import synth
from synth.cli import command_line
from synth.cli.shared.vocabulary import fill_in_kinds

if TYPE_CHECKING:
    from collections.abc import Iterator

DOCS = Path(__file__).parent
MADE = "<!-- Written by `make reference`; edit the code and not this file. -->"
_WIDTH = 100


def cli() -> str:
    """The text of docs/look-up/cli.md."""
    command = command_line()
    context = command.make_context("synth", [], resilient_parsing=True)
    head = ["# Reference of the command line", MADE, "`synth --help` and `synth COMMAND --help` say the same."]
    return "\n\n".join([*head, *_command(command, context)]) + "\n"


def _command(command: Any, context: Any) -> Iterator[str]:  # noqa: ANN401  (typer's click is its own)
    """The sections of a command and of all below it."""
    yield f"## {context.command_path}"
    yield f"    {' '.join([context.command_path, *command.collect_usage_pieces(context)])}"
    yield from (_words(part) for part in inspect.cleandoc(command.help or "").split("\n\n"))
    for kind in ("argument", "option"):
        params = (param for param in command.get_params(context) if param.param_type_name == kind)
        records = [record for param in params if (record := param.get_help_record(context))]
        rows = [
            f"| {_cell_code(re.sub(r' <[^<>]+>$', '', name))} | {_cell(fill_in_kinds(text))} |"
            for name, text in records
            if name != "-h, --help"
        ]
        if rows:
            yield "\n".join([f"| {kind} | |", "|---|---|", *rows])
    for part in (command.epilog or "").split("\n\n"):
        if part.startswith("\b\n"):
            yield "\n".join(f"    {line}".rstrip() for line in part[2:].splitlines())
        elif part:
            yield f"Example: `{part.removeprefix('Example: ')}`"
    for name, below in getattr(command, "commands", {}).items():
        inner = below.make_context(name, [], parent=context, resilient_parsing=True)
        yield from _command(below, inner)


def _words(text: str) -> str:
    return text.replace("<", "&lt;")


def _cell_code(text: str) -> str:
    """Code in a table, where a bar would end the cell."""
    return f"`{text}`".replace("|", "\\|")


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*")


def api() -> str:
    """The text of docs/look-up/api.md."""
    found = {name: getattr(synth, name) for name in sorted(synth.__all__, key=str.lower)}
    modules = {name: found.pop(name) for name in list(found) if inspect.ismodule(found[name])}
    classes = {name: value for name, value in found.items() if inspect.isclass(value)}
    faults = {name: class_ for name, class_ in classes.items() if issubclass(class_, Exception)}
    parts = ["# Reference of `import synth`", MADE, "[python.md](../do/python.md) shows how they go together."]
    for title, some in (
        ("Functions", {name: value for name, value in found.items() if name not in classes}),
        ("Classes", {name: class_ for name, class_ in classes.items() if name not in faults}),
        ("Exceptions", faults),
    ):
        parts.append(f"## {title}")
        for name, value in some.items():
            parts += [f"### {name}", *(_function(name, value) if name not in classes else _class(name, value))]
    parts += ["## Commands", *_commands(modules)]
    return "\n\n".join(parts) + "\n"


def _commands(modules: dict[str, Any]) -> Iterator[str]:
    """The functions that are commands, by their modules."""
    page = "[python.md](../do/python.md#commands)"
    yield f"Each command is a function with the same options. {page} says how to call them."
    rows = [
        f"| `synth.{name}` | {', '.join(f'`{function}`' for function in module.__all__)} |"
        for name, module in modules.items()
    ]
    yield "\n".join(["| module | functions |", "|---|---|", *rows])


def _function(name: str, function: Any) -> Iterator[str]:  # noqa: ANN401  (anything that can be called)
    yield _code(_signature(name, function))
    yield from _docstring(function)


def _class(name: str, kind: type) -> Iterator[str]:
    """A class: how one is made, what it is, and what it has. Of an enumeration nothing is made: it has members."""
    if "__init__" in vars(kind) and not dataclasses.is_dataclass(kind) and not issubclass(kind, (Exception, enum.Enum)):
        yield _code(_signature(name, kind))
    yield from _docstring(kind)
    if issubclass(kind, Exception):
        return
    if issubclass(kind, enum.Enum):
        rows = [f"| `{name}.{member.name}` | {_cell_code(repr(member.value))} |" for member in kind]
        yield "\n".join(["| member | value |", "|---|---|", *rows])
    ours = [base for base in reversed(kind.__mro__) if base.__module__.partition(".")[0].startswith("synth")]
    fields = {field: said for base in ours for field, said in vars(base).get("__annotations__", {}).items()}
    rows = [f"| `{field}` | {_cell_code(_type(said))} |" for field, said in fields.items() if field[0] != "_"]
    if rows:
        yield "\n".join(["| field | type |", "|---|---|", *rows])
    members = {field: _member(field, var) for base in ours for field, var in vars(base).items() if field[0] != "_"}
    if any(members.values()):
        yield "\n".join(filter(None, members.values()))


def _member(name: str, found: object) -> str:
    """A property or a method of a class; empty for a field."""
    found = getattr(found, "__func__", found)
    if isinstance(found, (property, functools.cached_property)):
        function = found.fget if isinstance(found, property) else found.func
        said = f"{name}: {_type(inspect.get_annotations(function).get('return', ''))}"
    elif inspect.isfunction(found):
        function, said = found, _signature(name, found)
    else:
        return ""
    about = " ".join((inspect.getdoc(function) or "").partition("\n\n")[0].split())
    return f"- `{' '.join(said.split()).replace('( ', '(').replace(', )', ')')}`: {about}"


def _signature(name: str, called: Any) -> str:  # noqa: ANN401  (anything that can be called)
    """A call as it is defined, over several lines where it is long; a default that is code is shown as `...`."""
    signature = inspect.signature(called)
    shown = []
    star = False
    for parameter in signature.parameters.values():
        if parameter.name == "self":
            continue
        if parameter.kind is parameter.KEYWORD_ONLY and not star:
            star = True
            shown.append("*")
        default = "..." if callable(parameter.default) else repr(parameter.default)
        typed = f"{parameter.name}: {_type(parameter.annotation)}"
        shown.append(typed if parameter.default is parameter.empty else f"{typed} = {default}")
    gives = "" if inspect.isclass(called) else f" -> {_type(signature.return_annotation)}"
    line = f"{name}({', '.join(shown)}){gives}"
    return line if len(line) <= _WIDTH else "\n".join([f"{name}(", *(f"    {part}," for part in shown), f"){gives}"])


def _type(said: object) -> str:
    said = getattr(said, "__forward_arg__", said)
    return said if isinstance(said, str) else inspect.formatannotation(said)


def _code(text: str) -> str:
    return f"```text\n{text}\n```"


def _docstring(one: object) -> Iterator[str]:
    """The paragraphs of a docstring, with what is raised as a list."""
    text, _, raises = (inspect.getdoc(one) or "").partition("\n\nRaises:\n")
    yield _words(text)
    if raises:
        each = re.sub(r"\n\s{5,}", " ", raises)
        yield "Raises:"
        yield "\n".join(re.sub(r"^\s*(\w+): ", r"- `\1`: ", line) for line in each.splitlines())


def main() -> None:
    """Write both."""
    for name, made in (("look-up/cli.md", cli()), ("look-up/api.md", api())):
        (DOCS / name).write_text(made, "utf-8")


if __name__ == "__main__":
    main()
