"""The text of `synth machine animate` and `synth machine replay`: steps with what they change, and what is wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_documents.phrases import count, shown
from synth_machines.evaluation.values import written_value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth_machines.answers.animation import RandomWalk
    from synth_machines.answers.traces import ReplayAnswer


def option_lines(walk: RandomWalk) -> Iterator[str]:
    """Yield a line for each step that can be chosen, with its number."""
    yield from (f"  {number} {step.text}" for number, step in enumerate(walk.options, start=1))
    yield "the number of a step, or q?"


def walk_lines(walk: RandomWalk) -> Iterator[str]:
    """Yield the last step of a walk, what it is in the abstract machine, the values that changed, and what is wrong."""
    step = walk.steps[-1]
    abstract = walk.abstract()
    yield f"{len(walk.steps)} {step.text}" + (f" refines {abstract}" if abstract and abstract != step.text else "")
    before = walk.steps[-2].state if len(walk.steps) > 1 else None
    for place, name in enumerate(walk.animation.machine.variables):
        if before is None or before[place] != step.state[place]:
            yield f"  {name} = {written_value(step.state[place])}"
    yield from (f"  invariant {label} does not hold" for label in walk.violated)
    yield from (f"  {finding.text}" for finding in walk.findings)
    if not walk.options:
        yield "  deadlock: no event can happen"


def replay_lines(answer: ReplayAnswer) -> Iterator[str]:
    """Yield a line that says whether a trace is one of the machine."""
    if answer.accepted:
        yield f"{answer.machine} allows all {count(answer.steps, 'step')}"
    else:
        where = f": {answer.label}" if answer.label else ""
        yield f"step {answer.step}: {shown(str(answer.event))}{where}: {answer.reason}"
