"""The transition system of a launch as a drawing or for other tools, alone or with the promises of a model.

A state has the elements of memory that some step changes, and where each thread stands. The threads of a launch are
numbered from 0, workgroup by workgroup. With a model, a state also has the threads that are promised a step. The
formats are those of `synth lts`.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from synth_checker.certificates.product import MAX_STATES
from synth_checker.errors import InputError, LimitError
from synth_documents.phrases import listed
from synth_kernels.needs.answer import unset_in
from synth_kernels.needs.steps import effect_words, element_name
from synth_kernels.progress.launch_constants import place_text
from synth_kernels.progress.launch_steps import step
from synth_kernels.progress.verdicts import product
from synth_litmus.lts import NO_PROMISE, lts_of_product

if TYPE_CHECKING:
    from synth_checker.models import Form
    from synth_kernels.needs import JudgedLaunch, Needs
    from synth_kernels.progress.steps import ThreadState
    from synth_litmus.lts import Lts


class DrawnLaunch:
    """A launch whose states, given by their numbers, can be written as text."""

    def __init__(self, judged: JudgedLaunch, name: str) -> None:
        self.space = judged.space
        self.machine = judged.space.machine
        self.title = f"{name}, {judged.workgroups} workgroups"
        first, *others = (memory for memory, _ in self.space.states)
        self._changing = [place for place, value in enumerate(first) if any(other[place] != value for other in others)]

    def memory(self, state: int) -> dict[str, int | str]:
        """Return the elements of memory that some step changes."""
        memory, _ = self.space.states[state]
        values = ((element_name(self.machine, place), memory[place]) for place in self._changing)
        return {name: value if isinstance(value, int) else str(value) for name, value in values}

    def places(self, state: int) -> list[str]:
        """Return where each thread stands."""
        return [self._place(local) for local in self.space.states[state][1]]

    def _place(self, local: ThreadState) -> str:
        if local.status == "ended":
            return "ended"
        where = place_text(self.machine.place(self.machine.line_of(local)))
        return f"waits at {where}" if local.status == "waiting" else where

    def lines(self, state: int) -> list[str]:
        """Return the memory, and the place of each thread."""
        memory = ", ".join(f"{name} = {value}" for name, value in self.memory(state).items())
        return [*([memory] if memory else []), *(f"T{n} {place}" for n, place in enumerate(self.places(state)))]

    def told(self, state: int, thread: int) -> str:
        """Return where the next step of a thread stands, and what it does."""
        return f"{self.places(state)[thread]}: {self.label(state, thread)}"

    def label(self, state: int, thread: int) -> str:
        """Return what a thread does in its next step."""
        return effect_words(self.machine, step(self.machine, self.space.states[state], thread).deed)


def lts_of_launch(needs: Needs, forms: tuple[Form, ...]) -> Lts[int]:
    """Return the transition system of the only launch of a kernel, beside the model asked about, if there is one.

    Raises:
        InputError: variables that are not set decide something.
        LimitError: the launch has too many states, or the model does not take so many workgroups.
    """
    judged, *others = needs.launches
    if others:
        names = dict.fromkeys(variable.name for each in needs.launches for variable in unset_in(each))
        raise InputError(
            f"{needs.kernel.name}: {listed(list(names))} decides something, and is not set, so there is no one drawing"
        )
    if len(judged.space.states) > MAX_STATES:
        raise LimitError(f"states: the launch has {len(judged.space.states):,}, expected at most {MAX_STATES:,}")
    model = next(iter(needs.query.known_models), None)
    joint = product(judged.space, model or NO_PROMISE)
    return lts_of_product(DrawnLaunch(judged, needs.kernel.name), model, forms, joint)


def write_json(lts: Lts[int]) -> str:
    """Return the transition system of a launch as a JSON object. The first state is the start.

    A state is given by its place in the list `states`. Its `threads` say where each thread stands. With a model, `owed`
    are the threads that are promised a step.
    """
    drawn = lts.system
    assert isinstance(drawn, DrawnLaunch)  # noqa: S101  (lts_of_launch makes no other)
    threads = range(len(drawn.machine.threads))
    states = []
    for state_pair, owed in zip(lts.product.states, lts.product.fair, strict=True):
        state: dict[str, object] = {
            "memory": drawn.memory(state_pair.system),
            "threads": drawn.places(state_pair.system),
        }
        if lts.model is not None:
            state["owed"] = [thread for thread in threads if owed >> thread & 1]
        states.append(state)
    steps = []
    for transition in lts.transitions:
        step = {
            **transition._asdict(),
            "does": drawn.label(lts.product.states[transition.source].system, transition.thread),
        }
        if lts.model is None:
            del step["for_ever"]
        steps.append(step)
    fields = {
        "kernel": lts.title,
        "model": None if lts.model is None else lts.model.name,
        "threads": [{"group": list(group), "local": list(local)} for group, local in drawn.machine.threads],
        "states": states,
        "transitions": steps,
    }
    return json.dumps(fields, separators=(",", ":")) + "\n"
