"""Check actions: they assign variables of the machine, each once, and values of the right type."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from synth_checker.errors import InputError
from synth_checker.nearest import unknown
from synth_machines.components import INITIALISATION
from synth_machines.formulas.formula import Operation
from synth_machines.formulas.names import free_names, prime
from synth_machines.formulas.types import PowerType
from synth_machines.static_checks.refusals import about, refuse_twice

if TYPE_CHECKING:
    from collections.abc import Sequence

    from synth_machines.components import Action, Assignment, Machine
    from synth_machines.formulas.inference import Scope


def read_action(machine: Machine, event: str, action: Action, scope: Scope) -> Action:
    """Take what an action says about types; `typed_action` finishes it.

    Raises:
        InputError: the action is not valid.
    """
    assignment = action.assignment
    with about(machine.name, event, action.label, part=action):
        variables = [variable.name for variable in machine.variables]
        for target in assignment.targets:
            if target not in variables:
                raise unknown("variable", target, variables, "a variable of this machine")
        refuse_twice(assignment.targets, what="variable")
        if event == INITIALISATION:
            _refuse_reading(assignment, variables)
        return replace(action, assignment=_read(assignment, scope))


def _refuse_reading(assignment: Assignment, variables: Sequence[str]) -> None:
    read = free_names(*assignment.values, *([assignment.argument] if assignment.argument else []))
    for name in (*read, *(assignment.targets if assignment.argument else ())):
        if name in variables:
            raise InputError(f"found {name}, which has no value before {INITIALISATION}, expected only constants")


def _read(assignment: Assignment, scope: Scope) -> Assignment:
    kinds = [scope.types[target] for target in assignment.targets]
    if assignment.operator == ":∣":
        inner = scope.inner({prime(name): scope.types[name] for name in assignment.targets})
        return replace(assignment, values=(inner.predicate(assignment.values[0]),))
    if assignment.operator == ":∈":
        return replace(assignment, values=(scope.expression(assignment.values[0], PowerType(kinds[0])),))
    if assignment.argument is None:
        return replace(assignment, values=tuple(map(scope.expression, assignment.values, kinds)))
    # The types of the argument and of the value follow from that of the function.
    match scope.expression(assignment.results[0], kinds[0]):
        case Operation("<+", (_, Operation("{,}", (Operation("↦", (argument, value)),)))):
            return replace(assignment, values=(value,), argument=argument)
    raise AssertionError


def typed_action(component: str, event: str, action: Action, scope: Scope) -> Action:
    """Fill in the types of an action that `read_action` returned."""
    assignment = action.assignment
    with about(component, event, action.label, part=action):
        argument = None if assignment.argument is None else scope.typed(assignment.argument)
        return replace(
            action, assignment=replace(assignment, values=tuple(map(scope.typed, assignment.values)), argument=argument)
        )
