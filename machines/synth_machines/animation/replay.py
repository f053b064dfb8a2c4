"""Replay a trace: a list of events with parameters and chosen values.

Nothing is enumerated here. A step is looked at on its own: the guards must hold, and the actions must allow the chosen
values. So replaying is the slow and obvious twin of `machine_steps`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from synth_machines.animation.machine_steps import IllDefinedHereError
from synth_machines.components import INITIALISATION
from synth_machines.evaluation.values import UnboundedError
from synth_machines.formulas.names import prime

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from synth_machines.animation.machine_steps import Animation, State
    from synth_machines.evaluation.values import Evaluated


@dataclass(frozen=True, slots=True)
class TraceStep:
    """A step as a trace gives it."""

    event: str
    parameters: Mapping[str, Evaluated]
    chosen: Mapping[str, Evaluated]


class Rejection(NamedTuple):
    """Why a trace is no trace of the machine. `step` counts from 1, and `label` is that of a guard or an action."""

    step: int
    event: str
    label: str | None
    reason: str


def replayed(animation: Animation, trace: Sequence[TraceStep]) -> list[State] | Rejection:
    """Return the states after the steps of a trace, or the first step that the machine does not allow."""
    states: list[State] = []
    for number, step in enumerate(trace, start=1):
        after = _after(animation, states[-1] if states else None, step)
        if isinstance(after, _Refusal):
            return Rejection(number, step.event, after.label, after.reason)
        states.append(after)
    return states


@dataclass(frozen=True, slots=True)
class _Refusal:
    label: str | None
    reason: str


def _after(animation: Animation, state: State | None, step: TraceStep) -> State | _Refusal:
    """Return the state after a step, or why there is none. Before the first step there is no state."""
    machine = animation.machine
    event = animation.events.get(step.event)
    if event is None:
        return _Refusal(None, f"{machine.name} has no event of this name")
    if event.is_initialisation != (state is None):
        return _Refusal(None, f"{INITIALISATION} must be the first step, and only the first")
    if set(step.parameters) != set(event.parameters):
        names = ", ".join(event.parameters) or "none"
        return _Refusal(None, f"the parameters must be {names}")
    open_ = {
        name for action in event.actions if action.assignment.operator != "≔" for name in action.assignment.targets
    }
    if set(step.chosen) != open_:
        return _Refusal(None, f"the chosen values must be those of {', '.join(sorted(open_)) or 'no variable'}")
    values = {**animation.values(state or ()), **step.parameters}
    try:
        if (label := animation.failing_guard(event, values)) is not None:
            return _Refusal(label, "the guard does not hold")
        primed = {prime(name): values[name] for name in machine.variables if name in values}
        primed |= animation.assigned(event, values)
        primed |= {prime(name): value for name, value in step.chosen.items()}
        if (label := animation.failing_action(event, {**values, **primed})) is not None:
            return _Refusal(label, "the action does not allow the chosen values")
    except IllDefinedHereError as error:
        return _Refusal(error.label, f"ill-defined here: {error.what}")
    except UnboundedError as error:
        raise animation.unbounded(event, error) from None
    return tuple(primed[prime(name)] for name in machine.variables)
