"""Look for an execution after which the goal of an obligation does not hold.

A refutation is a state that the hypotheses allow. No execution need reach it. So states are visited in the order of
their distance from INITIALISATION, and in each of them the obligation is evaluated. If its event can happen there and
the goal is false, the execution so far is a *witness*. A state in which another hypothesis of the obligation is false
already counts only if no other is found: there an earlier step went wrong.

An obligation that is proved has no witness, so a witness of one is a defect of `synth`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from synth_machines.evaluation.values import IllDefinedError, UnboundedError
from synth_machines.formulas.formula import Bound, conjunction
from synth_machines.formulas.names import free_names
from synth_machines.obligations.obligation import is_named

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from synth_machines.animation.machine_steps import Animation, State, Step
    from synth_machines.evaluation.values import Evaluated
    from synth_machines.formulas.formula import Formula
    from synth_machines.obligations.obligation import Obligation


@dataclass(frozen=True, slots=True)
class Witness:
    """An execution, and the values of parameters for which the goal of an obligation is false after it.

    `before` are the steps. If the obligation is about an event, this event comes next, with `parameters`; it may have
    no step, for example because its action is ill-defined. `broken` are hypotheses that are false in the last state.
    """

    before: tuple[Step, ...]
    event: str | None
    parameters: tuple[tuple[str, Evaluated], ...]
    broken: tuple[str, ...] = ()

    @property
    def steps(self) -> int:
        """The number of steps, with that of the obligation's event."""
        return len(self.before) + (self.event is not None)


class Exploration:
    """The states that are reached, nearest first, with the step that leads to each. They are found when asked for.

    It ends after `depth` steps and after `most` states; `is_cut` says that it ended at `most`. It also ends when
    `must_stop` says so, which is asked before each state; then `is_stopped`.
    """

    def __init__(
        self, animation: Animation, depth: int, most: int, must_stop: Callable[[], bool] = lambda: False
    ) -> None:
        self.animation = animation
        self.is_cut = False
        self.is_stopped = False
        self._must_stop = must_stop
        self._found = self._search(depth, most)
        self._known: list[tuple[Step, ...]] = []

    def traces(self) -> Iterator[tuple[Step, ...]]:
        """Yield a shortest execution to each state; first the empty one, before INITIALISATION.

        Raises:
            InputError: a parameter may have infinitely many values, or INITIALISATION is ill-defined.
        """
        place = 0
        while place < len(self._known) or self._has_more():
            yield self._known[place]
            place += 1

    def _has_more(self) -> bool:
        if self._must_stop():
            self.is_stopped = True
            return False
        following = next(self._found, None)
        if following is not None:
            self._known.append(following)
        return following is not None

    def _search(self, depth: int, most: int) -> Iterator[tuple[Step, ...]]:
        yield ()
        if depth < 1:
            return
        seen: set[State] = set()
        now: list[tuple[Step, ...]] = [()]
        for _ in range(depth):
            following: list[tuple[Step, ...]] = []
            for trace in now:
                steps = self.animation.steps(trace[-1].state)[0] if trace else self.animation.starts()
                for step in steps:
                    if step.state in seen:
                        continue
                    if len(seen) >= most:
                        self.is_cut = True
                        return
                    seen.add(step.state)
                    following.append((*trace, step))
                    yield following[-1]
            now = following


class Violations:
    """Evaluates an obligation in the states of an animation.

    A variable that only an abstract machine has takes the values that the invariants about it allow.
    """

    def __init__(self, animation: Animation, obligation: Obligation) -> None:
        self.animation = animation
        self.obligation = obligation
        place = len(obligation.hypotheses) - obligation.local
        self._global = obligation.hypotheses[:place]
        event = None if obligation.event is None else animation.events[obligation.event]
        self._is_first = event is not None and event.is_initialisation
        self._parameters = () if event is None else event.parameters
        known = {*animation.setting.values, *animation.machine.carriers}
        if not self._is_first:
            known |= set(animation.machine.variables)
        # The parameters come first: an abstract name takes its value from them, by a witness.
        local = [hypothesis.predicate for hypothesis in obligation.hypotheses[place:]]
        names = [name for name in (*self._parameters, *free_names(obligation.goal, *local)) if name not in known]
        self._bound = tuple(Bound(name, obligation.types[name]) for name in dict.fromkeys(names))
        vanished = {name.name for name in self._bound if name.name in animation.machine.hidden}
        #: What must hold: what is known about the event, and which states of the abstract machine fit.
        self._needed = [
            *local,
            *(hypothesis.predicate for hypothesis in self._global if is_named(vanished, hypothesis.predicate)),
        ]
        invariant = obligation.name.split("/")[-2:-1]
        self._own = [
            hypothesis for hypothesis in self._global if obligation.kind == "INV" and [hypothesis.source] == invariant
        ]

    def after(self, trace: tuple[Step, ...]) -> Witness | None:
        """Return a witness that continues an execution, or None."""
        if self._is_first == bool(trace):
            return None
        found = self._falsifying(self.animation.values(trace[-1].state if trace else ()))
        if found is None or not all(self._holds(hypothesis.predicate, found) for hypothesis in self._own):
            return None
        known = {*found, *self.animation.machine.carriers}
        about_known = [hypothesis for hypothesis in self._global if known.issuperset(free_names(hypothesis.predicate))]
        broken = tuple(hypothesis.source for hypothesis in about_known if not self._holds(hypothesis.predicate, found))
        parameters = tuple((name, found[name]) for name in self._parameters)
        return Witness(trace, self.obligation.event, parameters, broken)

    def _falsifying(self, values: Mapping[str, Evaluated]) -> dict[str, Evaluated] | None:
        """Return values of the other names for which the event can happen and the goal is false."""
        evaluator = self.animation.setting.evaluator
        try:
            for inner in evaluator.tried(self._bound, conjunction(self._needed), values, self.animation.numbers):
                if all(self._holds(formula, inner) for formula in self._needed) and self._is_false(inner):
                    return inner
        except (UnboundedError, IllDefinedError):
            pass
        return None

    def _holds(self, formula: Formula, values: Mapping[str, Evaluated]) -> bool:
        """Return whether a predicate surely holds."""
        try:
            return self.animation.setting.evaluator.holds(formula, values)
        except (IllDefinedError, UnboundedError, KeyError):
            return False

    def _is_false(self, values: Mapping[str, Evaluated]) -> bool:
        try:
            return not self.animation.setting.evaluator.holds(self.obligation.goal, values)
        except (IllDefinedError, UnboundedError):
            return False


def witness_of(exploration: Exploration, obligation: Obligation) -> Witness | None:
    """Return the first witness in which all hypotheses hold, or else the first one, or None if there is none.

    Raises:
        InputError: the machine can't be animated.
    """
    violations = Violations(exploration.animation, obligation)
    first = None
    for trace in exploration.traces():
        found = violations.after(trace)
        if found is not None and not found.broken:
            return found
        first = first or found
    return first
