"""The mathematical language of files from before Rodin 1.0, where `id`, `prj1` and `prj2` have an operand.

There, `id(S)` is the identity on a set S, and `prj1(r)` and `prj2(r)` are the projections of the pairs in a relation r.
Today this is `S ◁ id`, `r ◁ prj1` and `r ◁ prj2`, and `id(x)` is x. Source: "Changes to the Mathematical Language of
Event-B" in the wiki of Event-B. Files say of which version they are.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from synth_machines.components import Context
from synth_machines.formulas.formula import Binding, Constant, Operation

if TYPE_CHECKING:
    from synth_machines.components import Assignment, Component, Event, Labelled
    from synth_machines.formulas.formula import Formula

#: The last versions of contexts and machines with the old language.
_LAST_CONTEXT, _LAST_MACHINE = 1, 3


def upgraded_component(component: Component, version: int) -> Component:
    """Return a component of a file of some version, with formulas in the language of today."""
    if version > (_LAST_CONTEXT if isinstance(component, Context) else _LAST_MACHINE):
        return component
    if isinstance(component, Context):
        return replace(component, axioms=_all(component.axioms))
    variant = component.variant and replace(component.variant, expression=upgraded(component.variant.expression))
    return replace(
        component, invariants=_all(component.invariants), variant=variant, events=tuple(map(_event, component.events))
    )


def upgraded(formula: Formula) -> Formula:
    """Return a formula of the old language in that of today."""
    match formula:
        case Operation("()", (Constant("id" | "prj1" | "prj2") as function, argument)):
            return Operation("◁", (upgraded(argument), function))
        case Operation(operator, operands):
            return Operation(operator, tuple(map(upgraded, operands)))
        case Binding(condition=condition, value=value):
            return replace(formula, condition=upgraded(condition), value=None if value is None else upgraded(value))
        case _:
            return formula


def _all(labelled: tuple[Labelled, ...]) -> tuple[Labelled, ...]:
    return tuple(
        replace(labelled_predicate, predicate=upgraded(labelled_predicate.predicate)) for labelled_predicate in labelled
    )


def _event(event: Event) -> Event:
    actions = tuple(replace(action, assignment=_assignment(action.assignment)) for action in event.actions)
    return replace(event, guards=_all(event.guards), witnesses=_all(event.witnesses), actions=actions)


def _assignment(assignment: Assignment) -> Assignment:
    argument = None if assignment.argument is None else upgraded(assignment.argument)
    return replace(assignment, values=tuple(map(upgraded, assignment.values)), argument=argument)
