"""Check events: what they refine, extend and assign, and which names their guards, actions and witnesses may use."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from synth_checker.errors import InputError
from synth_checker.nearest import check_known
from synth_machines.checked_components import CheckedEvent
from synth_machines.components import INITIALISATION
from synth_machines.formulas.equality import canonical
from synth_machines.formulas.inference import Scope
from synth_machines.formulas.names import free_names, prime
from synth_machines.static_checks.actions import read_action, typed_action
from synth_machines.static_checks.contexts import read_all, refuse_primes, typed_all
from synth_machines.static_checks.refusals import errors_in, refuse_twice
from synth_machines.static_checks.witnesses import checked_witnesses

if TYPE_CHECKING:
    from collections.abc import Mapping

    from synth_machines.checked_components import CheckedMachine
    from synth_machines.components import MachineComponent, MachineEvent
    from synth_machines.formulas.types import Type
    from synth_machines.omissions import Omissions


@dataclass(frozen=True, slots=True)
class EventContext:
    """Where an event stands: its machine, and the abstract machine.

    `types` are those of constants and of the machine's variables, and `known` also has the abstract variables.
    `omissions` takes what is wrong with a guard: without it, less is known, and the event does the same.
    """

    machine: MachineComponent
    abstract: CheckedMachine | None
    types: Mapping[str, Type]
    known: Mapping[str, Type]
    omissions: Omissions


def checked_event(event: MachineEvent, around: EventContext) -> CheckedEvent:
    """Return an event, checked.

    Raises:
        InputError: something in the event is not valid.
    """
    machine, abstract, types, omissions = around.machine, around.abstract, around.types, around.omissions
    with errors_in(machine.name, event.label, part=event):
        refined = _abstract_events(event, abstract)
        extended = refined[0] if event.is_extended else None
        own = [parameter.name for parameter in event.parameters]
        refuse_primes(own)
        refuse_twice(own, around.known)
        inherited = extended.types if extended else {}
        refuse_twice(own, inherited, "parameter")
        refuse_twice((guard.label for guard in (*(extended.guards if extended else ()), *event.guards)), what="label")
        refuse_twice(
            (action.label for action in (*(extended.actions if extended else ()), *event.actions)), what="label"
        )
        if event.label == INITIALISATION and (event.parameters or event.guards):
            raise InputError("found a parameter or guard, expected only actions")
    scope = Scope({**types, **inherited})
    scope.add(own)
    guards_read = read_all(machine.name, event.guards, scope, omissions)
    actions = [read_action(machine, event.label, action, scope) for action in event.actions]
    with errors_in(machine.name, event.label, part=event):
        scope.finish(own)
    guards = typed_all(machine.name, guards_read, scope, omissions)
    all_actions = (
        *(extended.actions if extended else ()),
        *(typed_action(machine.name, event.label, action, scope) for action in actions),
    )
    parameters = (*(extended.parameters if extended else ()), *own)
    of_parameters = {name: scope.types[name] for name in parameters}
    witnesses, notes = checked_witnesses(machine, event, refined, {**around.known, **of_parameters}, of_parameters)
    checked = CheckedEvent(
        event,
        refined,
        parameters,
        of_parameters,
        (*(extended.guards if extended else ()), *guards),
        witnesses,
        all_actions,
        notes,
    )
    with errors_in(machine.name, event.label, part=event):
        refuse_twice(checked.assigned, what="assigned variable")
        _check_inherited(checked, extended, types)
    return checked


def _abstract_events(event: MachineEvent, abstract: CheckedMachine | None) -> tuple[CheckedEvent, ...]:
    """Return the abstract events. INITIALISATION refines that of the abstract machine without saying so."""
    labels = event.refines
    if event.label == INITIALISATION:
        labels = () if abstract is None else (INITIALISATION,)
        if any(label != INITIALISATION for label in event.refines):
            raise InputError(f"found refines {event.refines[0]}, expected {INITIALISATION}")
    if abstract is None:
        if labels or event.is_extended:
            raise InputError("found an abstract event, expected none, because the machine refines no machine")
        return ()
    known = {event.label: event for event in abstract.events}
    for label in labels:
        check_known("abstract event", label, known)
    if event.is_extended and len(labels) != 1:
        raise InputError(f"found {len(labels)} extended events, expected one")
    events = tuple(known[label] for label in labels)
    for event_ in events[1:]:
        if _canonical_actions(event_) != _canonical_actions(events[0]):
            raise InputError(
                f"found {events[0].label} and {event_.label} with different actions, expected equal actions"
            )
    return events


def _canonical_actions(event: CheckedEvent) -> frozenset[object]:
    """Return what is equal for events with equal actions, in whatever order."""
    return frozenset(
        (action.assignment.operator, action.assignment.targets, tuple(map(canonical, action.assignment.results)))
        for action in event.actions
    )


def _check_inherited(checked: CheckedEvent, extended: CheckedEvent | None, types: Mapping[str, Type]) -> None:
    """Refuse an extended event that uses a variable which has vanished."""
    if extended is None:
        return
    names = set(types) | set(checked.parameters)
    used = [guard.predicate for guard in extended.guards]
    used += [value for action in extended.actions for value in action.assignment.results]
    primed = {prime(name) for name in names}
    lost = [name for name in (*free_names(*used), *extended.assigned) if name not in names | primed]
    if lost:
        raise InputError(f"found {lost[0]} in what is extended, expected a variable of this machine")
