"""Traces as JSON: what an animation prints, and what `synth machine replay` reads."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, NotRequired, TypedDict

from synth_checker.errors import InputError
from synth_machines.animation.replay import TraceStep
from synth_machines.answers.files import read_limited
from synth_machines.evaluation.values import written_value
from synth_storage import strict_json
from synth_storage.typed_json import checked

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from synth_machines.animation.machine_steps import Animation, MachineStep, Named
    from synth_machines.answers.animation import RandomWalk

#: A trace may have so many steps.
_MOST_STEPS = 100_000


class TraceStepFields(TypedDict):
    """A step: an event, its parameters, and the values that its actions chose. Values are written as formulas."""

    event: str
    parameters: dict[str, str]
    chosen: dict[str, str]


class TraceFields(TypedDict):
    """A trace of a machine in a setting, which gives sizes of carrier sets and values of constants.

    `end` says why the animation stopped: deadlock, limit (the number of steps that somebody asked for) or chosen.
    `violated` are invariants that do not hold after the last step, and `findings` what is ill-defined there.
    """

    machine: str
    setting: dict[str, str]
    steps: list[TraceStepFields]
    end: NotRequired[str]
    violated: NotRequired[list[str]]
    findings: NotRequired[list[str]]


class ReplayAnswer(NamedTuple):
    """What `synth machine replay --json` prints. If a trace is rejected, `step` counts from 1."""

    machine: str
    accepted: bool
    steps: int
    step: int | None = None
    event: str | None = None
    label: str | None = None
    reason: str | None = None


def step_fields(step: MachineStep) -> TraceStepFields:
    """Return a step as JSON."""
    return {"event": step.event, "parameters": _texts(step.parameters), "chosen": _texts(step.chosen)}


def _texts(named: Named) -> dict[str, str]:
    return {name: written_value(value) for name, value in named}


def trace_fields(animation: Animation, walk: RandomWalk | None, most: int) -> TraceFields:
    """Return a walk as JSON; None has no steps. `most` is the number of steps after which a walk ends."""
    steps = walk.steps if walk else []
    is_dead = walk is not None and not walk.options
    return {
        "machine": animation.machine.name,
        "setting": dict(animation.setting.texts),
        "steps": [step_fields(step) for step in steps],
        "end": "deadlock" if is_dead else "limit" if len(steps) >= most else "chosen",
        "violated": walk.violated if walk else [],
        "findings": [finding.text for finding in walk.findings] if walk else [],
    }


def read_trace(file: Path) -> TraceFields:
    """Return the trace of a file.

    Raises:
        InputError: the file holds something else.
    """
    try:
        data = strict_json.loads(read_limited(file, expected="a trace that `synth machine animate --out` wrote"))
    except (ValueError, RecursionError) as error:
        raise InputError(f"{file}: found no JSON ({error}), expected a trace of synth machine animate") from None
    trace = checked(data, TraceFields, str(file))
    if len(trace["steps"]) > _MOST_STEPS:
        raise InputError(f"{file}: found more than {_MOST_STEPS:,} steps, expected fewer")
    return trace


def trace_steps(animation: Animation, steps: Sequence[TraceStepFields]) -> list[TraceStep]:
    """Return the steps of a trace with values in place of texts.

    Raises:
        InputError: a value can't be read, or nothing of its name is there.
    """
    return [_trace_step(animation, number, step) for number, step in enumerate(steps, start=1)]


def _trace_step(animation: Animation, number: int, step: TraceStepFields) -> TraceStep:
    event = animation.events.get(step["event"])
    if event is None:
        return TraceStep(step["event"], {}, {})
    read = animation.setting.read
    types = animation.machine.types
    if set(step["parameters"]) - set(event.types) or set(step["chosen"]) - set(animation.machine.variables):
        return TraceStep(step["event"], dict.fromkeys(step["parameters"], 0), dict.fromkeys(step["chosen"], 0))
    try:
        parameters = {name: read(text, event.types[name]) for name, text in step["parameters"].items()}
        chosen = {name: read(text, types[name]) for name, text in step["chosen"].items()}
    except InputError as error:
        raise type(error)(f"step {number}: {error}") from None
    return TraceStep(step["event"], parameters, chosen)
