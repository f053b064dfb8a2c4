"""What a step of a refined machine is in the abstract machine, by its witnesses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_machines.evaluation.values import IllDefinedError, UnboundedError, written_value
from synth_machines.formulas.formula import BoundName, conjunction
from synth_machines.formulas.names import prime

if TYPE_CHECKING:
    from synth_machines.animation.machine_steps import Animation, MachineStep, State
    from synth_machines.checked_components import CheckedEvent
    from synth_machines.evaluation.values import Evaluated


def abstract_step(animation: Animation, before: State, step: MachineStep) -> str | None:
    """Return the abstract event of a step with its parameters, or None for a new event.

    A parameter that a witness does not make known has the value `?`. A merge has several abstract events.
    """
    event = animation.events[step.event]
    if not event.abstract:
        return None
    values = {**animation.values(before), **dict(step.parameters)}
    values |= {prime(name): value for name, value in zip(animation.machine.variables, step.state, strict=True)}
    values = _with_witnesses(animation, event, values)
    return " or ".join(_event_text(abstract_event, values) for abstract_event in event.abstract)


def _with_witnesses(animation: Animation, event: CheckedEvent, values: dict[str, Evaluated]) -> dict[str, Evaluated]:
    """Return values with those of what witnesses stand for, if they allow just one."""
    wanted = [witness for witness in event.witnesses if witness.label not in values]
    types = {
        **animation.machine.types,
        **{name: kind for abstract_event in event.abstract for name, kind in abstract_event.types.items()},
    }
    bound = tuple(
        BoundName(wanted_witness.label, types.get(wanted_witness.label.removesuffix("'"))) for wanted_witness in wanted
    )
    condition = conjunction([wanted_witness.predicate for wanted_witness in wanted])
    evaluator = animation.setting.evaluator
    try:
        solutions = [
            values_ for values_ in evaluator.tried(bound, condition, values) if evaluator.holds(condition, values_)
        ]
    except (IllDefinedError, UnboundedError, KeyError):
        return values
    return solutions[0] if len(solutions) == 1 else values


def _event_text(event: CheckedEvent, values: dict[str, Evaluated]) -> str:
    named = ", ".join(f"{name} = {written_value(values[name]) if name in values else '?'}" for name in event.parameters)
    return f"{event.label}({named})" if named else event.label
