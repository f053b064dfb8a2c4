"""Write components as text, in the form of Camille or in the order of CamilleX."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal, TypeAlias

from synth_checker.errors import InputError, quoted
from synth_machines.components import Context
from synth_machines.formulas.printer import shown
from synth_machines.formulas.tokens import RESERVED, is_plain
from synth_machines.texts.assignments import shown_assignment
from synth_machines.texts.keywords import KEYWORDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from synth_machines.components import Action, Component, Event, Identifier, Labelled, Machine

Style: TypeAlias = Literal["camille", "camillex"]
_LABEL = re.compile(r"[^\s`]\S*(?<!:)")
_NAME = re.compile(r"[^\W\d]\w*")
_QUOTED_LABEL = re.compile(r"[^`\n]+")


def written_components(components: Iterable[Component], style: Style = "camille") -> str:
    """Return components as text, with empty lines between them.

    Raises:
        InputError: a label can't be written.
    """
    return "\n".join(written(component, style) for component in components)


def written(component: Component, style: Style = "camille") -> str:
    """Return a component as text. It raises the same error as `written_components`."""
    lines = _context(component) if isinstance(component, Context) else _machine(component, style)
    return "".join(f"{line}\n" for line in lines)


def quote(name: str) -> str:
    """Return a name, between backticks if it is a key word."""
    return f"`{name}`" if name.lower() in KEYWORDS else name


def _title(name: str) -> str:
    """Return the name of an event or a component, which may have any letters."""
    if "`" in name or not is_plain(name):
        raise InputError(f"name: found {quoted(name)}, expected one without line breaks and backticks")
    return quote(name) if _NAME.fullmatch(name) and name not in RESERVED else f"`{name}`"


def _with_comment(line: str, comment: str) -> Iterator[str]:
    """Yield a line with its comment: behind it, or before it if the comment has several lines."""
    indent = line[: len(line) - len(line.lstrip())]
    if "\n" in comment:
        yield from (f"{indent}// {text}".rstrip() for text in comment.splitlines())
        yield line
    else:
        yield f"{line} // {comment}" if comment else line


def _identifiers(word: str, found: tuple[Identifier, ...], indent: str = "") -> Iterator[str]:
    if any(identifier.comment for identifier in found):
        yield f"{indent}{word}"
        for labelled_predicate in found:
            yield from _with_comment(f"{indent}  {quote(labelled_predicate.name)}", labelled_predicate.comment)
    elif found:
        yield f"{indent}{word} {' '.join(quote(identifier.name) for identifier in found)}"


def _names(word: str, names: Iterable[str]) -> str:
    return f"{word} {' '.join(map(_title, names))}"


def _label(label: str) -> str:
    if _LABEL.fullmatch(label):
        return f"@{label}"
    if _QUOTED_LABEL.fullmatch(label):
        return f"@`{label}`"
    raise InputError(f"label: found {quoted(label)}, expected one without line breaks and backticks")


def _labelled(labelled: Labelled, indent: str) -> Iterator[str]:
    theorem = "theorem " if labelled.is_theorem else ""
    yield from _with_comment(
        f"{indent}{theorem}{_label(labelled.label)} {shown(labelled.predicate, quote=quote)}", labelled.comment
    )


def _section(word: str, found: tuple[Labelled, ...], indent: str = "") -> Iterator[str]:
    if found:
        yield f"{indent}{word}"
    for labelled_predicate in found:
        yield from _labelled(labelled_predicate, f"{indent}  ")


def _context(context: Context) -> Iterator[str]:
    yield from _with_comment(f"context {_title(context.name)}", context.comment)
    if context.extends:
        yield _names("extends", context.extends)
    yield from _identifiers("sets", context.sets)
    yield from _identifiers("constants", context.constants)
    yield from _section("axioms", context.axioms)
    yield "end"


def _machine(machine: Machine, style: Style) -> Iterator[str]:
    yield from _with_comment(f"machine {_title(machine.name)}", machine.comment)
    if machine.refines is not None:
        yield _names("refines", [machine.refines])
    if machine.sees:
        yield _names("sees", machine.sees)
    yield from _identifiers("variables", machine.variables)
    yield from _section("invariants", machine.invariants)
    if machine.variant is not None:
        yield from _with_comment(f"variant {shown(machine.variant.expression, quote=quote)}", machine.variant.comment)
    if machine.events:
        yield "events"
    for event in machine.events:
        yield from _event(event, style)
    yield "end"


def _event(event: Event, style: Style) -> Iterator[str]:
    before = f"{event.status} " if style == "camillex" and event.status != "ordinary" else ""
    yield from _with_comment(f"  {before}event {_title(event.label)}", event.comment)
    if event.refines:
        yield f"  {_names('extends' if event.is_extended else 'refines', event.refines)}"
    if style == "camille" and event.status != "ordinary":
        yield f"    status {event.status}"
    yield from _identifiers("any", event.parameters, "    ")
    yield from _section("where", event.guards, "    ")
    if style == "camille":
        yield from _section("with", event.witnesses, "    ")
    yield from _actions(event.actions)
    if style == "camillex":
        yield from _section("with", event.witnesses, "    ")
    yield "  end"


def _actions(actions: tuple[Action, ...]) -> Iterator[str]:
    if actions:
        yield "    then"
    for action in actions:
        line = f"      {_label(action.label)} {shown_assignment(action.assignment, quote=quote)}"
        yield from _with_comment(line, action.comment)
