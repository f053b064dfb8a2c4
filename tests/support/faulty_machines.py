"""Machines with one guard dropped."""

from dataclasses import replace

from synth_machines.components import Machine


def without_guards(components):
    """Yield the machine, the event and the guard, and the components without that guard, for each guard."""
    for place, machine in enumerate(components):
        for number, event in enumerate(machine.events if isinstance(machine, Machine) else ()):
            for guard in event.guards:
                guards = tuple(one for one in event.guards if one is not guard)
                events = (*machine.events[:number], replace(event, guards=guards), *machine.events[number + 1 :])
                changed = [*components[:place], replace(machine, events=events), *components[place + 1 :]]
                yield f"{machine.name}/{event.label}/{guard.label}", changed
