"""Check machines: variables and invariants, the variant, and that events refine those of the abstract machine."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from synth_checker.errors import InputError
from synth_machines.checked_components import CheckedMachine
from synth_machines.components import INITIALISATION, Action, Assignment
from synth_machines.formulas.formula import TRUTH, is_predicate
from synth_machines.formulas.inference import Scope, type_of
from synth_machines.formulas.types import INTEGER, PowerType
from synth_machines.static_checks.contexts import declared_names, joined_contexts, typed_with, without_repeated_labels
from synth_machines.static_checks.events import EventContext, checked_event
from synth_machines.static_checks.refusals import errors_in, refuse_twice

if TYPE_CHECKING:
    from collections.abc import Sequence

    from synth_machines.checked_components import CheckedContext, CheckedEvent
    from synth_machines.components import MachineComponent
    from synth_machines.formulas.formula import Formula
    from synth_machines.formulas.types import Type
    from synth_machines.omissions import Omissions


def checked_machine(
    machine: MachineComponent, abstract: CheckedMachine | None, seen: Sequence[CheckedContext], omissions: Omissions
) -> CheckedMachine:
    """Return a machine, checked; `abstract` is the one that it refines, and `seen` are the contexts that it sees.

    Raises:
        InputError: something in the machine is not valid, and `omissions` does not take it.
    """
    types, carriers, axioms = joined_contexts(machine.name, seen)
    for name, kind in _abstract_constants(abstract).items():
        # What the abstract machine sees, this one sees, too, as in Rodin.
        if types.setdefault(name, kind) != kind:
            raise InputError(f"{machine.name}: found the name {name} in two contexts, expected different names")
    before = () if abstract is None else abstract.all_invariants
    # A name means one thing along the whole chain of refinement: the invariants of abstract machines are hypotheses.
    with errors_in(machine.name):
        refuse_twice(types, () if abstract is None else (*abstract.variables, *abstract.hidden))
    taken = (*types, *(abstract.hidden if abstract else ()))
    variables = declared_names(machine.name, machine.variables, taken, omissions)
    different = without_repeated_labels(machine.name, machine.invariants, omissions)
    old = _abstract_variables(abstract)
    scope = Scope({**types, **old})
    new = [name for name in variables if name not in old]
    invariants = typed_with(machine.name, new, different, scope, omissions)
    if len(typed := [variable for variable in machine.variables if variable.name in scope.types]) < len(
        machine.variables
    ):
        machine = replace(machine, variables=tuple(typed))
    if abstract is not None:
        axioms = tuple({id(axiom): axiom for axiom in (*abstract.axioms, *axioms)}.values())
        carriers = tuple(dict.fromkeys((*abstract.carriers, *carriers)))
    known = {**(abstract.types if abstract else {}), **scope.types}
    of_events = {name: known[name] for name in (*types, *(variable.name for variable in machine.variables))}
    events = _events(EventContext(machine, abstract, of_events, known, omissions))
    variant = None
    with omissions.part():
        variant = _variant(machine, of_events)
    before_it = (*seen, *([abstract] if abstract else ()))
    return CheckedMachine(
        machine,
        abstract,
        axioms,
        invariants,
        (*before, *invariants),
        variant,
        events,
        known,
        carriers,
        tuple(_notes(machine, abstract, events)),
        tuple(omissions.found),
        not omissions.found and all(machine.is_whole for machine in before_it),
    )


def _events(around: EventContext) -> tuple[CheckedEvent, ...]:
    events: dict[str, CheckedEvent] = {}
    for event in around.machine.events:
        with around.omissions.part():
            with errors_in(around.machine.name):
                refuse_twice([event.label], events, "event")
            events[event.label] = checked_event(event, around)
    is_left_out = INITIALISATION not in events and any(event.label == INITIALISATION for event in around.machine.events)
    with around.omissions.part():
        return tuple(events.values()) if is_left_out else _initialised(around.machine, tuple(events.values()))
    return tuple(events.values())


def _abstract_variables(abstract: CheckedMachine | None) -> dict[str, Type]:
    return {} if abstract is None else {name: abstract.types[name] for name in abstract.variables}


def _abstract_constants(abstract: CheckedMachine | None) -> dict[str, Type]:
    if abstract is None:
        return {}
    variables = {*abstract.variables, *abstract.hidden}
    return {name: kind for name, kind in abstract.types.items() if name not in variables}


def _variant(machine: MachineComponent, types: dict[str, Type]) -> Formula | None:
    if machine.variant is None:
        return None
    with errors_in(machine.name, "variant", part=machine.variant):
        if is_predicate(machine.variant.expression):
            raise InputError("found a predicate, expected an integer or a set")
        scope = Scope(types)
        expression = scope.typed(scope.expression(machine.variant.expression))
        kind = type_of(expression, types)
        if kind != INTEGER and not isinstance(kind, PowerType):
            raise InputError("found neither an integer nor a set, expected one of them")
        return expression


def _initialised(machine: MachineComponent, events: Sequence[CheckedEvent]) -> tuple[CheckedEvent, ...]:
    """Return the events with an INITIALISATION that assigns all variables.

    Those that it does not assign get any value, as in Rodin.
    """
    first = next((event for event in events if event.is_initialisation), None)
    if first is None:
        raise InputError(f"{machine.name}: found no event {INITIALISATION}, expected one")
    missing = tuple(variable.name for variable in machine.variables if variable.name not in first.assigned)
    if not missing:
        return tuple(events)
    action = Action("GEN", Assignment(":∣", missing, (TRUTH,)))
    note = f"{INITIALISATION} does not assign {', '.join(missing)}; any value is taken"
    changed = replace(first, actions=(*first.actions, action), notes=(*first.notes, note))
    return tuple(changed if event is first else event for event in events)


def _notes(machine: MachineComponent, abstract: CheckedMachine | None, events: Sequence[CheckedEvent]) -> list[str]:
    """Return what is doubtful: events that nothing refines, and convergent events without a variant."""
    notes = []
    if abstract is not None:
        refined = {id(abstract_event) for event in events for abstract_event in event.abstract}
        unrefined = [event.label for event in abstract.events if id(event) not in refined]
        notes += [f"no event refines {label} of {abstract.name}: it can't happen any more" for label in unrefined]
    for event in events:
        notes += event.notes
        is_convergent = event.status == "convergent" and not any(
            abstract_event.status == "convergent" for abstract_event in event.abstract
        )
        if is_convergent and machine.variant is None:
            notes.append(f"{event.label} is convergent, but the machine has no variant")
    return notes
