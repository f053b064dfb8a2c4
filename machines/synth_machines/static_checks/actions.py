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
    one = action.assignment
    with about(machine.name, event, action.label, part=action):
        variables = [variable.name for variable in machine.variables]
        for target in one.targets:
            if target not in variables:
                raise unknown("variable", target, variables, "a variable of this machine")
        refuse_twice(one.targets, what="variable")
        if event == INITIALISATION:
            _refuse_reading(one, variables)
        return replace(action, assignment=_read(one, scope))


def _refuse_reading(one: Assignment, variables: Sequence[str]) -> None:
    read = free_names(*one.values, *([one.argument] if one.argument else []))
    for name in (*read, *(one.targets if one.argument else ())):
        if name in variables:
            raise InputError(f"found {name}, which has no value before {INITIALISATION}, expected only constants")


def _read(one: Assignment, scope: Scope) -> Assignment:
    kinds = [scope.types[target] for target in one.targets]
    if one.operator == ":∣":
        inner = scope.inner({prime(name): scope.types[name] for name in one.targets})
        return replace(one, values=(inner.predicate(one.values[0]),))
    if one.operator == ":∈":
        return replace(one, values=(scope.expression(one.values[0], PowerType(kinds[0])),))
    if one.argument is None:
        return replace(one, values=tuple(map(scope.expression, one.values, kinds)))
    # The types of the argument and of the value follow from that of the function.
    match scope.expression(one.results[0], kinds[0]):
        case Operation("<+", (_, Operation("{,}", (Operation("↦", (argument, value)),)))):
            return replace(one, values=(value,), argument=argument)
    raise AssertionError


def typed_action(component: str, event: str, action: Action, scope: Scope) -> Action:
    """Fill in the types of an action that `read_action` returned."""
    one = action.assignment
    with about(component, event, action.label, part=action):
        argument = None if one.argument is None else scope.typed(one.argument)
        return replace(action, assignment=replace(one, values=tuple(map(scope.typed, one.values)), argument=argument))
