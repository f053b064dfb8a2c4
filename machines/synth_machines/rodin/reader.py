"""Read contexts and machines from the XML files of Rodin.

Elements and attributes of Rodin's plug-ins are ignored: their names do not begin with `org.eventb.core.`. An element of
Rodin itself that this reader does not know is refused. Files of old versions are read, too. There, a theorem is an
element of its own, and a parameter of an event is a variable. An *inherited* event is an extended one that adds
nothing. `old_language` tells about formulas.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from synth_checker.errors import InputError, quoted
from synth_checker.nearest import unknown
from synth_machines.components import (
    INITIALISATION,
    Action,
    Context,
    Identifier,
    LabelledPredicate,
    MachineComponent,
    MachineEvent,
    MachineVariant,
)
from synth_machines.formulas.parser import read_expression, read_predicate
from synth_machines.formulas.tokens import is_plain, tokens_of
from synth_machines.omissions import Omissions
from synth_machines.rodin.old_language import upgraded_component
from synth_machines.rodin.words import CONTEXT_FILE, CONVERGENCE, CORE, MACHINE_FILE, plain_comment
from synth_machines.rodin.xml import read_xml
from synth_machines.texts.assignments import read_assignment

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from synth_machines.components import Component
    from synth_machines.rodin.xml import XmlElement

    _Read = TypeVar("_Read")

_STATUSES = {number: status for status, number in CONVERGENCE.items()}
_KNOWN = {
    CONTEXT_FILE: ("extendsContext", "carrierSet", "constant", "axiom", "theorem"),
    MACHINE_FILE: ("refinesMachine", "seesContext", "variable", "invariant", "theorem", "variant", "event"),
    f"{CORE}event": ("refinesEvent", "parameter", "variable", "guard", "witness", "action"),
}


def read_component(data: bytes, name: str, *, partly: bool = False) -> Component:
    """Return the component of a file; `name` is that of the file without its ending.

    With `partly`, a part that can't be read is left out, and `left_out` says why.

    Raises:
        InputError: the file holds something else; the message says in which line.
    """
    root = read_xml(data)
    omissions = Omissions(are_allowed=partly)
    if root.tag == CONTEXT_FILE:
        return upgraded_component(_context(root, name, omissions), _version(root))
    if root.tag == MACHINE_FILE:
        return upgraded_component(_machine(root, name, omissions), _version(root))
    raise root.fail(f"found {quoted(root.tag)}, expected {CONTEXT_FILE} or {MACHINE_FILE}")


def _version(root: XmlElement) -> int:
    version = root.attributes.get("version", "0")
    if not re.fullmatch("[0-9]{1,3}", version):
        raise root.fail(f"found the version {quoted(version)}, expected a number")
    return int(version)


def _parts(element: XmlElement, word: str) -> list[XmlElement]:
    return list(element.inside(CORE + word))


def _read_all(
    elements: Iterable[XmlElement], read: Callable[[XmlElement], _Read], omissions: Omissions
) -> tuple[_Read, ...]:
    """Return what elements hold, without those that can't be read."""
    parts = []
    for element in elements:
        with omissions.part():
            parts.append(read(element))
    return tuple(parts)


def _check_children(element: XmlElement, omissions: Omissions) -> None:
    """Refuse elements of Rodin that this reader does not know. Those of plug-ins have longer names."""
    known = [CORE + word for word in _KNOWN[element.tag]]
    for child in element.children:
        with omissions.part():
            word = child.tag.removeprefix(CORE)
            if child.tag.startswith(CORE) and "." not in word and child.tag not in known:
                raise unknown(f"line {child.line}: element", child.tag, known)


def _comment(element: XmlElement) -> str:
    return plain_comment(element.attributes.get(f"{CORE}comment", ""))


def _label(element: XmlElement) -> str:
    label = element.needed(f"{CORE}label")
    if not label or not is_plain(label):
        raise element.fail(f"found the label {quoted(label)}, expected letters that can be printed")
    return label


def _formula(element: XmlElement, attribute: str, read: Callable[[str], _Read]) -> _Read:
    text = element.needed(CORE + attribute)
    try:
        return read(text)
    except InputError as error:
        label = element.attributes.get(f"{CORE}label")
        where = f"{quoted(label)}: " if label else ""
        raise type(error)(f"line {element.line}: {where}in the {attribute}, {error}") from None


def _flag(element: XmlElement, attribute: str) -> bool:
    flag = element.attributes.get(CORE + attribute, "false")
    if flag not in {"true", "false"}:
        raise element.fail(f"found {attribute} {quoted(flag)}, expected true or false")
    return flag == "true"


def _identifier(element: XmlElement) -> Identifier:
    name = element.needed(f"{CORE}identifier").strip()
    tokens = tokens_of(name)
    if tokens[0].kind != "name" or tokens[0].text != name:
        raise element.fail(f"found the identifier {quoted(name)}, expected a name")
    return Identifier(name, _comment(element), element.line)


def _labelled(element: XmlElement) -> LabelledPredicate:
    predicate = _formula(element, "predicate", read_predicate)
    return LabelledPredicate(_label(element), predicate, _flag(element, "theorem"), _comment(element), element.line)


def _theorem(element: XmlElement) -> LabelledPredicate:
    return replace(_labelled(element), is_theorem=True)


def _with_theorems(root: XmlElement, word: str, omissions: Omissions) -> tuple[LabelledPredicate, ...]:
    """Return axioms or invariants, and after them the theorems of an old file, which stand apart there."""
    labelled = _read_all(_parts(root, word), _labelled, omissions)
    return (*labelled, *_read_all(_parts(root, "theorem"), _theorem, omissions))


def _target(element: XmlElement) -> str:
    return element.needed(f"{CORE}target").strip()


def _targets(element: XmlElement, word: str) -> tuple[str, ...]:
    return tuple(map(_target, _parts(element, word)))


def _context(root: XmlElement, name: str, omissions: Omissions) -> Context:
    _check_children(root, omissions)
    return Context(
        name,
        _read_all(_parts(root, "extendsContext"), _target, omissions),
        _read_all(_parts(root, "carrierSet"), _identifier, omissions),
        _read_all(_parts(root, "constant"), _identifier, omissions),
        _with_theorems(root, "axiom", omissions),
        _comment(root),
        root.line,
        tuple(omissions.found),
    )


def _machine(root: XmlElement, name: str, omissions: Omissions) -> MachineComponent:
    _check_children(root, omissions)
    refined = _targets(root, "refinesMachine")
    if len(refined) > 1:
        raise root.fail(f"found {len(refined)} refined machines, expected at most one")
    variables = _read_all(_parts(root, "variable"), _identifier, omissions)
    invariants = _with_theorems(root, "invariant", omissions)
    variants = _read_all(_parts(root, "variant"), _variant, omissions)
    with omissions.part():
        if len(variants) > 1:
            number, variants = len(variants), ()
            raise root.fail(f"found {number} variants, expected at most one")
    events = _read_all(_parts(root, "event"), partial(_event, omissions=omissions), omissions)
    return MachineComponent(
        name,
        refined[0] if refined else None,
        _read_all(_parts(root, "seesContext"), _target, omissions),
        variables,
        invariants,
        variants[0] if variants else None,
        events,
        _comment(root),
        root.line,
        tuple(omissions.found),
    )


def _variant(element: XmlElement) -> MachineVariant:
    return MachineVariant(_formula(element, "expression", read_expression), _comment(element), element.line)


def _event(element: XmlElement, omissions: Omissions) -> MachineEvent:
    """Return an event. Only a guard can be left out: without another part, the event would be another one."""
    label = _label(element)
    try:
        return _event_of(element, label, omissions)
    except InputError as error:
        raise type(error)(f"event {quoted(label)}: {error}") from None


def _event_of(element: XmlElement, label: str, omissions: Omissions) -> MachineEvent:
    _check_children(element, Omissions(are_allowed=False))
    convergence = element.attributes.get(f"{CORE}convergence", "0")
    if convergence not in _STATUSES:
        raise element.fail(f"found the convergence {quoted(convergence)}, expected {', '.join(_STATUSES)}")
    is_inherited = _flag(element, "inherited")
    is_extended = _flag(element, "extended") or is_inherited
    refines = _targets(element, "refinesEvent") or ((label,) if is_inherited else ())
    if label == INITIALISATION:
        # It refines that of the abstract machine, and Rodin does not write this down.
        refines = (INITIALISATION,) if is_extended else ()
    return MachineEvent(
        label,
        _STATUSES[convergence],
        refines,
        is_extended,
        # In old files, the parameters of an event are called variables.
        tuple(map(_identifier, [*_parts(element, "parameter"), *_parts(element, "variable")])),
        _read_all(_parts(element, "guard"), _labelled, omissions),
        tuple(map(_labelled, _parts(element, "witness"))),
        tuple(map(_action, _parts(element, "action"))),
        _comment(element),
        element.line,
    )


def _action(element: XmlElement) -> Action:
    assignment = _formula(element, "assignment", read_assignment)
    return Action(_label(element), assignment, _comment(element), element.line)
