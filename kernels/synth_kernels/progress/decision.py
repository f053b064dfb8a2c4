"""Whether a launch must end under several models at once, decided by the core.

The models run side by side as one, which the core asks for what it needs. The slow twin is `verdicts`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_checker._native import LaunchVerdicts
from synth_checker.certificates.certificate import ProductState
from synth_checker.certificates.lasso import lasso_of
from synth_checker.certificates.product import MAX_STATES
from synth_kernels.progress.verdicts import Hang, hang, hang_of, model_after, product

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from synth_checker.models import Form, Model
    from synth_kernels.progress.core_space import CoreSpace


class JointModels:
    """Models that run side by side: their states together are one, and have numbers from 0, which is the start."""

    def __init__(self, models: Sequence[Model], groups: int, tick: Callable[[int], None]) -> None:
        self.beside = [model.beside(groups) for model in models]
        self.tick = tick
        first = (0,) * len(models)
        self.states = [first]
        self._numbers = {first: 0}

    def after(self, state: int, group: int, ends: bool) -> int:  # noqa: FBT001  (the core asks by position)
        """Return the state after a step of a group."""
        states = zip(self.beside, self.states[state], strict=True)
        after = tuple((model.ends if ends else model.steps)[state][group] for model, state in states)
        number = self._numbers.setdefault(after, len(self.states))
        if number == len(self.states):
            self.states.append(after)
        return number

    def fair(self, state: int, live: int) -> list[int]:
        """Return the fair set of each model, as a bit mask."""
        return [
            model.fair[state_of][live] & live for model, state_of in zip(self.beside, self.states[state], strict=True)
        ]


class ModelVerdicts:
    """The verdicts of some models on a launch.

    Raises:
        LimitError: a model does not take so many workgroups.
    """

    def __init__(self, space: CoreSpace, models: Sequence[Model], tick: Callable[[int], None] = lambda _: None) -> None:
        self.space, self.models = space, tuple(models)
        self._together = JointModels(models, len(space.machine.groups), tick)
        self.stuck = space.stuck()
        self._core = LaunchVerdicts(space.core, self._together, len(models))
        self._failing = self._core.failing()

    def __len__(self) -> int:
        return len(self._core)

    def passes(self) -> dict[str, bool]:
        """Return for each verdict of the models whether the launch passes."""
        return {
            name: not self.stuck and not self._failing[2 * place + (form == "strong")]
            for place, model in enumerate(self.models)
            for name, form in zip(model.verdicts, model.forms, strict=True)
        }

    def hang(self, model: Model, form: Form) -> Hang | None:
        """Return an execution that keeps the promise of a model and does not end, or None if there is none.

        It is a short one. If there are many states, its part before the cycle is a shortest one to the set of states in
        which the model fails, and the cycle is a short one in this set.
        """
        if len(self) <= MAX_STATES:
            return hang(self.space, model, form)
        place = self.models.index(model)
        if self.stuck:
            threads, _ = self._core.way_to([node for state in self.stuck for node in self._core.nodes_of(state)])
            return Hang(tuple(threads), ())
        failing = self._failing[2 * place + (form == "strong")]
        if not failing:
            return None
        threads, _ = self._core.way_to(failing)
        inside = {ProductState(state, self._together.states[joint][place]) for state, joint in failing}
        states_of_both = product(self.space, model, inside | set(self._states_on(threads, place)))
        numbers = {number for number, state in enumerate(states_of_both.states) if state in inside}
        return hang_of(lasso_of(states_of_both, form, [numbers]))

    def _states_on(self, threads: Sequence[int], place: int) -> Iterator[ProductState[int]]:
        """Yield the states of the launch and of a model on a way from the start."""
        beside, space = self._together.beside[place], self.space
        state = ProductState(0, 0)
        yield state
        for thread in threads:
            after, group = space.successors[state.system][thread], space.machine.group_of[thread]
            state = ProductState(
                after, model_after(beside, state.model, group, space.live[state.system], space.live[after])
            )
            yield state
