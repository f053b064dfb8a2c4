"""Write contexts and machines as the XML files of Rodin, and whole projects.

The same component always gives the same bytes. The children of an element have the names `_1`, `_2` and so on.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from synth_checker.errors import InputError, quoted
from synth_machines.components import INITIALISATION, Context
from synth_machines.formulas.printer import shown
from synth_machines.rodin.words import (
    CONTEXT_FILE,
    CONTEXT_SUFFIX,
    CONVERGENCE,
    CORE,
    MACHINE_FILE,
    MACHINE_SUFFIX,
    plain_comment,
)
from synth_machines.texts.assignments import shown_assignment

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from synth_machines.components import Action, Component, Event, Identifier, Labelled, Machine

_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n'
#: The letters that XML can't hold, even as references.
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_FILE_NAME = re.compile(r"[^\W\d][\w .+-]*")
_PROJECT = """<?xml version="1.0" encoding="UTF-8"?>
<projectDescription>
\t<name>{}</name>
\t<comment></comment>
\t<projects>
\t</projects>
\t<buildSpec>
\t\t<buildCommand>
\t\t\t<name>org.rodinp.core.rodinbuilder</name>
\t\t\t<arguments>
\t\t\t</arguments>
\t\t</buildCommand>
\t</buildSpec>
\t<natures>
\t\t<nature>org.rodinp.core.rodinnature</nature>
\t</natures>
</projectDescription>
"""


def project_files(components: Iterable[Component], name: str) -> dict[str, str]:
    """Return the files of a Rodin project, by their names. `name` is that of the project.

    Raises:
        InputError: XML, or the name of a file, can't hold something.
    """
    files = {".project": _PROJECT.format(_escaped(name))}
    for component in components:
        if not _FILE_NAME.fullmatch(component.name):
            raise InputError(f"component: found {quoted(component.name)}, expected a name that a file can have")
        suffix = CONTEXT_SUFFIX if isinstance(component, Context) else MACHINE_SUFFIX
        files[f"{component.name}{suffix}"] = written_component(component)
    return files


def written_component(component: Component) -> str:
    """Return a component as XML.

    Raises:
        InputError: a comment has a letter that XML can't hold.
    """
    is_context = isinstance(component, Context)
    tag, version = (CONTEXT_FILE, "3") if is_context else (MACHINE_FILE, "5")
    written = {"configuration": f"{CORE}fwd", **_comment(component.comment)}
    attributes = "".join(f' {CORE}{key}="{_escaped(value)}"' for key, value in written.items())
    children = _context(component) if isinstance(component, Context) else _machine(component)
    lines = [f'{_HEAD}<{tag}{attributes} version="{version}">', *_elements(children), f"</{tag}>", ""]
    return "\n".join(lines)


class _Child:
    """An element with attributes and children. Their tags and keys are without the prefix."""

    def __init__(self, tag: str, attributes: dict[str, str], children: Iterable[_Child] = ()) -> None:
        self.tag = tag
        self.attributes = attributes
        self.children = tuple(children)


def _elements(children: Iterable[_Child]) -> Iterator[str]:
    for number, child in enumerate(children, start=1):
        keys = "".join(f' {CORE}{key}="{_escaped(value)}"' for key, value in sorted(child.attributes.items()))
        start = f'<{CORE}{child.tag} name="_{number}"{keys}'
        if child.children:
            yield f"{start}>"
            yield from _elements(child.children)
            yield f"</{CORE}{child.tag}>"
        else:
            yield f"{start}/>"


def _escaped(text: str) -> str:
    if found := _FORBIDDEN.search(text):
        raise InputError(f"XML: found the character U+{ord(found[0]):04X}, expected one that XML can hold")
    return escape(text, {'"': "&quot;", "\n": "&#10;", "\t": "&#9;", "\r": "&#13;"})


def _comment(comment: str) -> dict[str, str]:
    plain = plain_comment(comment)
    return {"comment": plain} if plain else {}


def _identifiers(tag: str, found: Iterable[Identifier]) -> Iterator[_Child]:
    for component_part in found:
        yield _Child(tag, {"identifier": component_part.name, **_comment(component_part.comment)})


def _targets(tag: str, names: Iterable[str]) -> Iterator[_Child]:
    for name in names:
        yield _Child(tag, {"target": name})


def _labelled(tag: str, found: Iterable[Labelled]) -> Iterator[_Child]:
    for component_part in found:
        theorem = {"theorem": "true"} if component_part.is_theorem else {}
        written = {"label": component_part.label, "predicate": shown(component_part.predicate, rodin=True)}
        yield _Child(tag, {**written, **theorem, **_comment(component_part.comment)})


def _context(context: Context) -> Iterator[_Child]:
    yield from _targets("extendsContext", context.extends)
    yield from _identifiers("carrierSet", context.sets)
    yield from _identifiers("constant", context.constants)
    yield from _labelled("axiom", context.axioms)


def _machine(machine: Machine) -> Iterator[_Child]:
    yield from _targets("refinesMachine", [machine.refines] if machine.refines is not None else [])
    yield from _targets("seesContext", machine.sees)
    yield from _identifiers("variable", machine.variables)
    yield from _labelled("invariant", machine.invariants)
    if machine.variant is not None:
        expression = shown(machine.variant.expression, rodin=True)
        yield _Child("variant", {"expression": expression, **_comment(machine.variant.comment)})
    yield from map(_event, machine.events)


def _event(event: Event) -> _Child:
    extended = "true" if event.is_extended else "false"
    written = {"label": event.label, "convergence": CONVERGENCE[event.status], "extended": extended}
    return _Child("event", {**written, **_comment(event.comment)}, _parts_of(event))


def _parts_of(event: Event) -> Iterator[_Child]:
    yield from _targets("refinesEvent", () if event.label == INITIALISATION else event.refines)
    yield from _identifiers("parameter", event.parameters)
    yield from _labelled("guard", event.guards)
    yield from _labelled("witness", event.witnesses)
    yield from map(_action, event.actions)


def _action(action: Action) -> _Child:
    written = {"label": action.label, "assignment": shown_assignment(action.assignment, rodin=True)}
    return _Child("action", {**written, **_comment(action.comment)})
