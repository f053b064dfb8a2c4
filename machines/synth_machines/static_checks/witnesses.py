"""Check witnesses: one for each abstract parameter and each abstract value that an event does not have itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_checker.errors import InputError
from synth_machines.components import LabelledPredicate
from synth_machines.formulas.formula import TRUTH
from synth_machines.formulas.inference import Scope
from synth_machines.formulas.names import prime
from synth_machines.omissions import Omissions
from synth_machines.static_checks.contexts import read_all, typed_all
from synth_machines.static_checks.refusals import errors_in, refuse_twice

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from synth_machines.checked_components import CheckedEvent
    from synth_machines.components import MachineComponent, MachineEvent
    from synth_machines.formulas.types import Type


def checked_witnesses(
    machine: MachineComponent,
    event: MachineEvent,
    refined: Sequence[CheckedEvent],
    types: Mapping[str, Type],
    parameters: Mapping[str, Type],
) -> tuple[tuple[LabelledPredicate, ...], tuple[str, ...]]:
    """Return the witnesses of an event, and notes about those that are missing or that nothing needs.

    `refined` are the abstract events. `types` are those of all constants and variables, and of the event's
    `parameters`. A missing witness is ⊤, as in Rodin.

    Raises:
        InputError: a witness is not valid.
    """
    needed = _types_needed(machine, event, refined, types, parameters)
    with errors_in(machine.name, event.label, part=event):
        refuse_twice((witness.label for witness in event.witnesses), what="witness")
    primed = {prime(name): kind for name, kind in types.items()}
    scope = Scope({**types, **primed, **needed})
    needed_witnesses = [witness for witness in event.witnesses if witness.label in needed]
    strict = Omissions(are_allowed=False)
    typed = typed_all(machine.name, read_all(machine.name, needed_witnesses, scope, strict), scope, strict)
    labels = {witness.label for witness in event.witnesses}
    missing = [label for label in needed if label not in labels]
    notes = [f"{event.label} has no witness for {label}; ⊤ is taken" for label in missing]
    notes += [f"{event.label} needs no witness for {label}" for label in labels if label not in needed]
    return (*typed, *(LabelledPredicate(label, TRUTH) for label in missing)), tuple(notes)


def _types_needed(
    machine: MachineComponent,
    event: MachineEvent,
    refined: Sequence[CheckedEvent],
    types: Mapping[str, Type],
    parameters: Mapping[str, Type],
) -> dict[str, Type]:
    """Return the types of what needs a witness, by the label of the witness."""
    variables = {variable.name for variable in machine.variables}
    types_needed: dict[str, Type] = {}
    for abstract in refined:
        for name, kind in abstract.types.items():
            if name not in parameters:
                types_needed[name] = kind
            elif parameters[name] != kind:
                with errors_in(machine.name, event.label, part=event):
                    raise InputError(f"found another type of the parameter {name} than in the abstract event")
        for action in abstract.actions:
            if action.assignment.operator != "≔":
                targets = action.assignment.targets
                types_needed |= {prime(name): types[name] for name in targets if name not in variables}
    return types_needed
