"""Read contexts and machines from the XML files of Rodin.

Elements and attributes of Rodin's plug-ins are ignored: their names do not begin with `org.eventb.core.`. An element of
Rodin itself that this reader does not know is refused. Files of old versions are read, too: there a theorem is an
element of its own, and an *inherited* event is an extended one that adds nothing.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from synth_checker.errors import InputError, quoted
from synth_checker.nearest import unknown
from synth_machines.components import INITIALISATION, Action, Context, Event, Identifier, Labelled, Machine, Variant
from synth_machines.formulas.reading import read_expression, read_predicate
from synth_machines.formulas.tokens import tokens_of
from synth_machines.rodin.words import CONTEXT_FILE, CONVERGENCE, CORE, MACHINE_FILE, plain_comment
from synth_machines.rodin.xml import read_xml
from synth_machines.texts.assignments import read_assignment

if TYPE_CHECKING:
    from collections.abc import Callable

    from synth_machines.components import Component
    from synth_machines.rodin.xml import Element

    _Read = TypeVar("_Read")

_STATUSES = {number: status for status, number in CONVERGENCE.items()}
_KNOWN = {
    CONTEXT_FILE: ("extendsContext", "carrierSet", "constant", "axiom", "theorem"),
    MACHINE_FILE: ("refinesMachine", "seesContext", "variable", "invariant", "theorem", "variant", "event"),
    f"{CORE}event": ("refinesEvent", "parameter", "guard", "witness", "action"),
}


def read_component(data: bytes, name: str) -> Component:
    """Return the component of a file; `name` is that of the file without its ending.

    Raises:
        InputError: the file holds something else; the message says in which line.
    """
    root = read_xml(data)
    if root.tag == CONTEXT_FILE:
        return _context(root, name)
    if root.tag == MACHINE_FILE:
        return _machine(root, name)
    raise root.fail(f"found {quoted(root.tag)}, expected {CONTEXT_FILE} or {MACHINE_FILE}")


def _parts(element: Element, word: str) -> list[Element]:
    return list(element.inside(CORE + word))


def _check_children(element: Element) -> None:
    known = [CORE + word for word in _KNOWN[element.tag]]
    for child in element.children:
        if child.tag.startswith(CORE) and child.tag not in known:
            raise unknown(f"line {child.line}: element", child.tag, known)


def _comment(element: Element) -> str:
    return plain_comment(element.attributes.get(f"{CORE}comment", ""))


def _label(element: Element) -> str:
    label = element.needed(f"{CORE}label")
    if not label or not label.isprintable() or "`" in label:
        raise element.fail(f"found the label {quoted(label)}, expected letters that can be printed, and no backtick")
    return label


def _formula(element: Element, attribute: str, read: Callable[[str], _Read]) -> _Read:
    text = element.needed(CORE + attribute)
    try:
        return read(text)
    except InputError as error:
        label = element.attributes.get(f"{CORE}label")
        where = f"{quoted(label)}: " if label else ""
        raise type(error)(f"line {element.line}: {where}in the {attribute}, {error}") from None


def _flag(element: Element, attribute: str) -> bool:
    found = element.attributes.get(CORE + attribute, "false")
    if found not in {"true", "false"}:
        raise element.fail(f"found {attribute} {quoted(found)}, expected true or false")
    return found == "true"


def _identifier(element: Element) -> Identifier:
    name = element.needed(f"{CORE}identifier").strip()
    tokens = tokens_of(name)
    if tokens[0].kind != "name" or tokens[0].text != name:
        raise element.fail(f"found the identifier {quoted(name)}, expected a name")
    return Identifier(name, _comment(element), element.line)


def _labelled(element: Element) -> Labelled:
    predicate = _formula(element, "predicate", read_predicate)
    return Labelled(_label(element), predicate, _flag(element, "theorem"), _comment(element), element.line)


def _with_theorems(root: Element, word: str) -> tuple[Labelled, ...]:
    """Return axioms or invariants, and after them the theorems of an old file, which stand apart there."""
    theorems = (replace(_labelled(one), is_theorem=True) for one in _parts(root, "theorem"))
    return (*map(_labelled, _parts(root, word)), *theorems)


def _targets(element: Element, word: str) -> tuple[str, ...]:
    return tuple(child.needed(f"{CORE}target").strip() for child in _parts(element, word))


def _context(root: Element, name: str) -> Context:
    _check_children(root)
    return Context(
        name,
        _targets(root, "extendsContext"),
        tuple(map(_identifier, _parts(root, "carrierSet"))),
        tuple(map(_identifier, _parts(root, "constant"))),
        _with_theorems(root, "axiom"),
        _comment(root),
        root.line,
    )


def _machine(root: Element, name: str) -> Machine:
    _check_children(root)
    refined = _targets(root, "refinesMachine")
    variants = _parts(root, "variant")
    for found, what in ((refined, "refined machine"), (variants, "variant")):
        if len(found) > 1:
            raise root.fail(f"found {len(found)} {what}s, expected at most one")
    return Machine(
        name,
        refined[0] if refined else None,
        _targets(root, "seesContext"),
        tuple(map(_identifier, _parts(root, "variable"))),
        _with_theorems(root, "invariant"),
        _variant(variants[0]) if variants else None,
        tuple(map(_event, _parts(root, "event"))),
        _comment(root),
        root.line,
    )


def _variant(element: Element) -> Variant:
    return Variant(_formula(element, "expression", read_expression), _comment(element), element.line)


def _event(element: Element) -> Event:
    _check_children(element)
    label = _label(element)
    convergence = element.attributes.get(f"{CORE}convergence", "0")
    if convergence not in _STATUSES:
        raise element.fail(f"found the convergence {quoted(convergence)}, expected {', '.join(_STATUSES)}")
    is_inherited = _flag(element, "inherited")
    is_extended = _flag(element, "extended") or is_inherited
    refines = _targets(element, "refinesEvent") or ((label,) if is_inherited else ())
    if label == INITIALISATION:
        # It refines that of the abstract machine, and Rodin does not write this down.
        refines = (INITIALISATION,) if is_extended else ()
    return Event(
        label,
        _STATUSES[convergence],
        refines,
        is_extended,
        tuple(map(_identifier, _parts(element, "parameter"))),
        tuple(map(_labelled, _parts(element, "guard"))),
        tuple(map(_labelled, _parts(element, "witness"))),
        tuple(map(_action, _parts(element, "action"))),
        _comment(element),
        element.line,
    )


def _action(element: Element) -> Action:
    assignment = _formula(element, "assignment", read_assignment)
    return Action(_label(element), assignment, _comment(element), element.line)
