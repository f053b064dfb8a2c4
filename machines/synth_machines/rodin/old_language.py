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


def upgraded_component(one: Component, version: int) -> Component:
    """Return a component of a file of some version, with formulas in the language of today."""
    if version > (_LAST_CONTEXT if isinstance(one, Context) else _LAST_MACHINE):
        return one
    if isinstance(one, Context):
        return replace(one, axioms=_all(one.axioms))
    variant = one.variant and replace(one.variant, expression=upgraded(one.variant.expression))
    return replace(one, invariants=_all(one.invariants), variant=variant, events=tuple(map(_event, one.events)))


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
    return tuple(replace(one, predicate=upgraded(one.predicate)) for one in labelled)


def _event(one: Event) -> Event:
    actions = tuple(replace(action, assignment=_assignment(action.assignment)) for action in one.actions)
    return replace(one, guards=_all(one.guards), witnesses=_all(one.witnesses), actions=actions)


def _assignment(one: Assignment) -> Assignment:
    argument = None if one.argument is None else upgraded(one.argument)
    return replace(one, values=tuple(map(upgraded, one.values)), argument=argument)
