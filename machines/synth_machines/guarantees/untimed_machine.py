"""A machine without its clock: what depends on time is left out, so that few states are left.

Variables that measure time grow without end. They also delay events: a block ends only when the clock has reached the
end of its threads. If time passes, such a delay ends. So the machine without time has the same runs, up to the moments
at which events happen. We leave out:

- the variables that are called times, and all actions that assign them,
- guards and invariants that read one of them; `Untimed.left_out` names the guards, so that a reader can judge them,
- events that then have no action, such as `tick`: they change nothing,
- parameters that then occur in no action, and of which no guard says more than that they are numbers.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from synth_machines.formulas.formula import FormulaConstant, FormulaName, FormulaOperation
from synth_machines.formulas.names import free_names

if TYPE_CHECKING:
    from collections.abc import Collection

    from synth_machines.checked_components import CheckedEvent, CheckedMachine
    from synth_machines.components import Action, LabelledPredicate


@dataclass(frozen=True, slots=True, eq=False)
class UntimedMachine:
    """A machine without time, and the guards that were left out, as EVENT/GUARD."""

    machine: CheckedMachine
    left_out: tuple[str, ...]


def untimed(machine: CheckedMachine, times: Collection[str]) -> UntimedMachine:
    """Return a machine without the variables that measure time. It refines nothing."""
    times = {name for name in times if name in machine.variables}
    events: list[CheckedEvent] = []
    left_out: list[str] = []
    for event in machine.events:
        actions = tuple(action for action in event.actions if not times.intersection(action.assignment.targets))
        if not actions and not event.is_initialisation:
            continue
        kept = [guard for guard in event.guards if not _mentions(guard, times)]
        left_out += [
            f"{event.label}/{guard.label}" for guard in event.guards if guard not in kept and not guard.is_theorem
        ]
        events.append(_with_actions(event, actions, kept))
    variables = tuple(variable for variable in machine.machine.variables if variable.name not in times)
    gone = {*times, *_abstract_variables(machine)} - {variable.name for variable in variables}
    invariants = tuple(all_invariant for all_invariant in machine.all_invariants if not _mentions(all_invariant, gone))
    changed = replace(
        machine,
        machine=replace(machine.machine, variables=variables, refines=None),
        abstract=None,
        invariants=invariants,
        all_invariants=invariants,
        types={name: kind for name, kind in machine.types.items() if name not in gone},
        variant=None,
        events=tuple(events),
    )
    return UntimedMachine(changed, tuple(left_out))


def _abstract_variables(machine: CheckedMachine) -> set[str]:
    above = machine.abstract
    return set() if above is None else {*above.variables, *_abstract_variables(above)}


def _mentions(labelled: LabelledPredicate, names: Collection[str]) -> bool:
    return any(name in names for name in free_names(labelled.predicate))


def _with_actions(event: CheckedEvent, actions: tuple[Action, ...], guards: list[LabelledPredicate]) -> CheckedEvent:
    used = {*free_names(*(value for action in actions for value in action.assignment.results))}
    used |= {name for guard in guards if not _is_number(guard) for name in free_names(guard.predicate)}
    parameters = tuple(name for name in event.parameters if name in used)
    dropped = set(event.parameters) - set(parameters)
    return replace(
        event,
        abstract=(),
        parameters=parameters,
        types={name: kind for name, kind in event.types.items() if name in parameters},
        guards=tuple(guard for guard in guards if not _mentions(guard, dropped)),
        witnesses=(),
        actions=actions,
    )


def _is_number(guard: LabelledPredicate) -> bool:
    """Return whether a guard says only that a name is a number."""
    match guard.predicate:
        case FormulaOperation("∈", (FormulaName(), FormulaConstant("ℕ" | "ℕ1" | "ℤ"))):
            return True
        case _:
            return False
