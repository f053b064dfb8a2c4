"""Animate a machine: walks by choice or at random, and the graph of all states."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from synth_checker.errors import InputError
from synth_checker.nearest import unknown
from synth_documents.graphs.graph import Edge, GraphDrawing, Node
from synth_machines.animation.abstraction import abstract_step
from synth_machines.animation.machine_steps import Animation
from synth_machines.animation.settings import setting_of
from synth_machines.components import MachineComponent
from synth_machines.evaluation.values import written_value

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from synth_machines.animation.machine_steps import IllDefinedPart, MachineStep, State
    from synth_machines.checked_components import CheckedMachine
    from synth_machines.projects import Project


def machine_of(project: Project, name: str | None) -> CheckedMachine:
    """Return the machine of a name, or the only one that no other refines.

    Raises:
        InputError: there is no such machine, there are several, or it is not valid.
    """
    machines = {
        component.name: component
        for component in project.components.values()
        if isinstance(component, MachineComponent)
    }
    if name is not None:
        if name not in machines and name not in project.problems:
            raise unknown("machine", name, machines)
        return project.machine(name)
    refined = {machine.refines for machine in machines.values()}
    last = [machine for machine in machines if machine not in refined]
    if len(last) != 1:
        shown = ", ".join(last) or "none"
        raise InputError(f"machine: found {shown}, expected one that no other refines; name one with --component")
    return project.machine(last[0])


def animation_of(machine: CheckedMachine, words: Sequence[str], limits: Sequence[str]) -> Animation:
    """Return the animation of a machine. `words` are words NAME=VALUE, and `limits` are words EVENT: PREDICATE.

    Raises:
        InputError: a word is not valid.
    """
    setting: dict[str, str] = {}
    for word in words:
        name, sign, text = word.partition("=")
        if not sign or name.strip() in setting:
            raise InputError(f"--set: found {word!r}, expected NAME=VALUE with each name once")
        setting[name.strip()] = text.strip()
    predicates: dict[str, list[str]] = {}
    for word in limits:
        label, sign, text = word.partition(":")
        if not sign:
            raise InputError(f"--limit: found {word!r}, expected EVENT: PREDICATE")
        predicates.setdefault(label.strip(), []).append(text)
    return Animation(machine, setting_of(machine, setting), predicates)


@dataclass(slots=True)
class RandomWalk:
    """A trace in the making. `options` are the steps that are possible next."""

    animation: Animation
    steps: list[MachineStep] = field(default_factory=list)
    options: list[MachineStep] = field(default_factory=list)
    findings: list[IllDefinedPart] = field(default_factory=list)
    violated: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        if not self.steps:
            self.options = self.animation.starts()

    @property
    def state(self) -> State:
        """The state after the last step; empty before the first."""
        return self.steps[-1].state if self.steps else ()

    def take(self, number: int) -> None:
        """Take one of the options."""
        self.steps.append(self.options[number])
        self.options, self.findings = self.animation.steps(self.state)
        self.violated = self.animation.violated(self.state)

    def abstract(self) -> str | None:
        """Return what the last step is in the abstract machine."""
        before = self.steps[-2].state if len(self.steps) > 1 else ()
        return abstract_step(self.animation, before, self.steps[-1])


def random_walk(animation: Animation, seed: int, most: int) -> Iterator[RandomWalk]:
    """Yield a walk after each of its steps, which are taken at random. It ends after `most` steps, or in a deadlock."""
    chance = random.Random(seed)  # noqa: S311  (no secret)
    walk = RandomWalk(animation)
    while walk.options and len(walk.steps) < most:
        walk.take(chance.randrange(len(walk.options)))
        yield walk


def state_graph(animation: Animation, most: int) -> GraphDrawing:
    """Return the graph of the states that are reached, at most `most` of them. A note says if there are more.

    A state in which no event can happen has a double box. A box also names the invariants that do not hold.
    """
    numbers: dict[State, int] = {}
    queue: list[State] = []
    is_whole = True
    starts = animation.starts()
    edges: dict[tuple[int, int], list[str]] = {}
    ends: set[int] = set()

    def number_of(state: State) -> int | None:
        nonlocal is_whole
        if state not in numbers:
            if len(numbers) >= most:
                is_whole = False
                return None
            numbers[state] = len(numbers)
            queue.append(state)
        return numbers[state]

    first = {number_of(step.state) for step in starts}
    for state in queue:  # grows
        steps, _ = animation.steps(state)
        if not steps:
            ends.add(numbers[state])
        for step in steps:
            if (target := number_of(step.state)) is not None:
                edges.setdefault((numbers[state], target), []).append(step.text)
    nodes = tuple(
        Node(f"s{number}", tuple(_lines(animation, state)), bold=number in first, double=number in ends)
        for state, number in numbers.items()
    )
    lines = tuple(
        Edge(source, target, texts[0] + (f" and {len(texts) - 1} more" if len(texts) > 1 else ""), "; ".join(texts))
        for (source, target), texts in edges.items()
    )
    title = f"The states of {animation.machine.name}"
    notes = () if is_whole else (f"The drawing ends after {most} states. There are more.",)
    return GraphDrawing(title, nodes, lines, notes=notes)


def state_lines(animation: Animation, state: State) -> Iterator[str]:
    """Yield a line for each variable with its value."""
    for name, value in zip(animation.machine.variables, state, strict=True):
        yield f"{name} = {written_value(value)}"


def _lines(animation: Animation, state: State) -> Iterator[str]:
    yield from state_lines(animation, state)
    if violated := animation.violated(state):
        yield f"violated: {', '.join(violated)}"
