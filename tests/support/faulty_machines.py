"""Machines with one fault: a guard dropped, or another small change."""

from dataclasses import replace

from synth_machines.components import INITIALISATION, MachineComponent
from synth_machines.formulas.formula import FormulaConstant, FormulaName, FormulaOperation
from synth_machines.formulas.names import substitute


def without_guards(components):
    """Yield the machine, the event and the guard, and the components without that guard, for each guard."""
    for place, machine in enumerate(components):
        for number, event in enumerate(machine.events if isinstance(machine, MachineComponent) else ()):
            for guard in event.guards:
                guards = tuple(guard_ for guard_ in event.guards if guard_ is not guard)
                events = (*machine.events[:number], replace(event, guards=guards), *machine.events[number + 1 :])
                changed = [*components[:place], replace(machine, events=events), *components[place + 1 :]]
                yield f"{machine.name}/{event.label}/{guard.label}", changed


def mutants(components):
    """Yield what was changed, and the components with one change in a guard or an action of a machine.

    A guard or an action is dropped, or a constant or a comparison stands for another one.
    """
    yield from without_guards(components)
    for place, machine in enumerate(components):
        for number, event in enumerate(machine.events if isinstance(machine, MachineComponent) else ()):
            for at, changed in _changed_events(event):
                events = (*machine.events[:number], changed, *machine.events[number + 1 :])
                name = f"{machine.name}/{event.label}/{at}"
                yield name, [*components[:place], replace(machine, events=events), *components[place + 1 :]]


_EXCHANGED = [
    ("b_wait", "b_run"), ("b_run", "b_end"), ("b_end", "b_wait"), ("asleep", "ready"), ("ready", "running"),
    ("running", "finishing"), ("finishing", "ready"), ("accessible", "notaccessible"), ("notaccessible", "accessible"),
    ("waiting", "executing"), ("executing", "ending"), ("TRUE", "FALSE"), ("FALSE", "TRUE"),
]  # fmt: skip
_OPERATORS = {"=": "≠", "≠": "=", "∈": "∉", "∉": "∈", "<": "≤", "≤": "<"}


def _changed_events(event):
    for action in event.actions:
        if event.label != INITIALISATION:
            yield (
                f"{action.label} dropped",
                replace(event, actions=tuple(action_ for action_ in event.actions if action_ is not action)),
            )
        for word, value in _variants_of_values(action.assignment.values):
            changed = replace(action, assignment=replace(action.assignment, values=value))
            actions = tuple(changed if action_ is action else action_ for action_ in event.actions)
            yield f"{action.label} {word}", replace(event, actions=actions)
    for guard in event.guards:
        for word, predicate in _variants(guard.predicate):
            guards = tuple(
                replace(guard_, predicate=predicate) if guard_ is guard else guard_ for guard_ in event.guards
            )
            yield f"{guard.label} {word}", replace(event, guards=guards)


def _variants_of_values(values):
    for place, value in enumerate(values):
        for word, changed in _variants(value):
            yield word, (*values[:place], changed, *values[place + 1 :])


def _variants(formula):
    """Each way to change one word or the outermost sign of a formula."""
    for old, new in _EXCHANGED:
        changed = _renamed(formula, old, new)
        if changed != formula:
            yield f"{new} for {old}", changed
    if isinstance(formula, FormulaOperation) and formula.operator in _OPERATORS:
        yield f"{_OPERATORS[formula.operator]}", replace(formula, operator=_OPERATORS[formula.operator])


def _renamed(formula, old, new):
    match formula:
        case FormulaConstant(word) if word == old:
            return FormulaConstant(new)
        case _:
            return substitute(formula, {old: FormulaName(new)})
